/* Blocks that JavaScript makes and frees, with an account of its own of what is live. */
#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name)))

__attribute__((import_module("host"), import_name("back"))) void back(int size);

static int live;
static void *kept; /* so that the compiler keeps the call of malloc */

EXPORT(live_bytes) int live_bytes(void) {
  return live;
}

EXPORT(make) void *make(int size) {
  int *block = malloc(size);
  *block = size;
  live += size;
  return block;
}

EXPORT(drop) void drop(int *block) {
  live -= *block;
  free(block);
}

/* Calls JavaScript, which may call `make` again. */
EXPORT(through) void through(int size) {
  back(size);
}

/* The first block is made far from the export. */
EXPORT(deep) __attribute__((noinline)) int deep(int depth, int size) {
  if (depth == 0)
    return (kept = make(size)) != NULL;
  return deep(depth - 1, size) + 1;
}

EXPORT(fail) void fail(int size) {
  make(size);
  __builtin_trap();
}
