/*
 * How much work an input makes, counted and not timed: basic blocks of our code that are executed,
 * and bytes that it has moved, so that a doubled input can be held to doubled work on any machine.
 *
 *     count-work HOW FILE     prints the number
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "wasm_instrument/wasm_instrument.h"

enum { BYTES_PER_BLOCK = 16 };

static uint64_t blocks, bytes_moved;

/* The compiler calls it in each basic block of the library. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
  ++blocks;
}

/* The linker leads calls of these here. */
void *__real_memcpy(void *to, const void *from, size_t size);
void *__real_memmove(void *to, const void *from, size_t size);
void *__real_memset(void *to, int value, size_t size);
void *__wrap_memcpy(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size);
void *__wrap_memset(void *to, int value, size_t size);

void *__wrap_memcpy(void *to, const void *from, size_t size) {
  bytes_moved += size;
  return __real_memcpy(to, from, size);
}

void *__wrap_memmove(void *to, const void *from, size_t size) {
  bytes_moved += size;
  return __real_memmove(to, from, size);
}

void *__wrap_memset(void *to, int value, size_t size) {
  bytes_moved += size;
  return __real_memset(to, value, size);
}

static void ignore_function(void *user, const wi_function_info *info) {
  (void)user, (void)info;
}

static bool select_some(wi_options *options) {
  wi_error error;
  wi_selection *selection = wi_selection_new();
  options->selection = selection;
  return selection && wi_selection_add(selection, "*a*", false, &error) &&
         wi_selection_add(selection, "/b+$/", true, &error);
}

/* Whether the input was taken; it makes work also where it is refused. */
static bool work(const char *how, const wi_file_input *file) {
  wi_options options = {.force = true};
  wi_error error;
  wi_output output = {0};
  options.clock = strstr(how, "instructions") ? WI_CLOCK_INSTRUCTIONS : WI_CLOCK_WALL;
  options.host_calls = options.flush = strstr(how, "host") != NULL;
  if (strstr(how, "select") && !select_some(&options))
    return false;
  bool done =
      strstr(how, "list")
          ? wi_list_functions(file->bytes, file->size, &options, ignore_function, NULL, &error)
          : wi_instrument(file->bytes, file->size, &options, &output, &error);
  wi_output_clear(&output);
  wi_selection_free((wi_selection *)options.selection);
  return done;
}

int main(int argc, char **argv) {
  wi_file_input file;
  if (argc != 3 || !wi_file_input_open(&file, argv[2])) {
    fputs("usage: count-work HOW FILE\n", stderr);
    return 2;
  }
  blocks = bytes_moved = 0;
  bool done = work(argv[1], &file);
  printf("%" PRIu64 " %s\n", blocks + bytes_moved / BYTES_PER_BLOCK, done ? "done" : "refused");
  wi_file_input_close(&file);
  return 0;
}
