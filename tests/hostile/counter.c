#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "hostile/counter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/instruction_text.h"
#include "code/scan_body.h"
#include "debug/inline_table.h"
#include "debug/line_table.h"
#include "module/names.h"
#include "module/read.h"
#include "wasm_instrument/wasm_instrument.h"

enum { BYTES_PER_BLOCK = 16 };

static uint64_t blocks, bytes_moved;

/*
 * The linker leads calls of these here. The compiler puts one of the first into each basic block of
 * the library; libFuzzer brings its own, which would do nothing.
 */
void __wrap___sanitizer_cov_trace_pc(void);
void __wrap___sanitizer_cov_trace_pc(void) {
  blocks++;
}

void *__real_memcpy(void *to, const void *from, size_t size);
void *__real_memmove(void *to, const void *from, size_t size);
void *__real_memset(void *to, int value, size_t size);
void *__real_memchr(const void *from, int value, size_t size);
void *__wrap_memcpy(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size);
void *__wrap_memset(void *to, int value, size_t size);
void *__wrap_memchr(const void *from, int value, size_t size);

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

/* As far as it looks. */
void *__wrap_memchr(const void *from, int value, size_t size) {
  const uint8_t *found = __real_memchr(from, value, size);
  bytes_moved += found ? (size_t)(found - (const uint8_t *)from) : size;
  return (void *)found;
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

/* All instructions as text. */
static void write_bodies(const wi_module *module, wi_names *names) {
  static const wi_scan_wants wants = {.instructions = true};
  wi_scan scan = {0};
  char *text = NULL;
  size_t size;
  wi_error error;
  wi_error_reset(&error);
  FILE *stream = open_memstream(&text, &size);
  for (uint32_t i = 0; stream && i < module->bodies_count; i++) {
    bool is_valid = wi_scan_body(&scan, module, i, &wants, &error);
    for (uint32_t j = 0; is_valid && j < scan.sites_count; j++)
      if (scan.sites[j].kind == WI_SITE_INSTRUCTION)
        wi_instruction_write(module, scan.sites[j].offset, names, stream);
  }
  if (stream)
    fclose(stream);
  free(text);
  wi_scan_clear(&scan);
}

/* What reports ask of a module. */
static bool read_symbols(const uint8_t *bytes, size_t size) {
  wi_module module;
  wi_error error;
  wi_error_reset(&error);
  if (!wi_module_read(&module, bytes, size, &error))
    return false;
  wi_names *names = wi_names_of_module(&module);
  write_bodies(&module, names);
  wi_names_free(names);
  wi_places_free(wi_places_read(bytes, size, &error));
  wi_line_table_free(wi_line_table_of_module(&module));
  wi_inline_table_free(wi_inline_table_of_module(&module));
  wi_module_clear(&module);
  return true;
}

/* Whether the input was taken. */
static bool work(const char *how, const uint8_t *bytes, size_t size) {
  wi_options options = {.force = true};
  wi_error error;
  wi_output output = {0};
  if (strcmp(how, "symbols") == 0)
    return read_symbols(bytes, size);
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
