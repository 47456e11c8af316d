#include "hostile/counter.h"

#include <string.h>

#include "wasm_instrument/wasm_instrument.h"

enum { BYTES_PER_BLOCK = 16 };

static uint64_t blocks, bytes_moved;

/*
 * The linker leads calls of these here. The compiler puts one of the first into each basic block of
 * the library; libFuzzer brings its own, which would do nothing.
 */
void __wrap___sanitizer_cov_trace_pc(void);
void __wrap___sanitizer_cov_trace_pc(void) {
  ++blocks;
}

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

/* Whether the input was taken. */
static bool work(const char *how, const uint8_t *bytes, size_t size) {
  wi_options options = {.force = true};
  wi_error error;
  wi_output output = {0};
  options.clock = strstr(how, "instructions") ? WASM_PERF_CLOCK_INSTRUCTIONS : WASM_PERF_CLOCK_WALL;
  options.embed = strstr(how, "embed") != NULL;
  options.memory = strstr(how, "memory") != NULL;
  options.count_blocks = strstr(how, "lines") != NULL;
  options.guest = strstr(how, "guest") ? WI_GUEST_BOTH : WI_GUEST_OFF;
  options.host_calls = options.flush = strstr(how, "host") != NULL;
  if (strstr(how, "select") && !select_some(&options))
    return false;
  bool done = strstr(how, "list")
                  ? wi_list_functions(bytes, size, &options, ignore_function, NULL, &error)
                  : wi_instrument(bytes, size, &options, &output, &error);
  wi_output_clear(&output);
  wi_selection_free((wi_selection *)options.selection);
  return done;
}

uint64_t counted_work(const char *how, const uint8_t *bytes, size_t size, bool *done) {
  blocks = bytes_moved = 0;
  *done = work(how, bytes, size);
  return blocks + bytes_moved / BYTES_PER_BLOCK;
}
