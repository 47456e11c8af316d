/*
 * Any bytes as the text of others: names in a module and in a profile, patterns, file names. What
 * is said of them, and every report made of text, holds no character that a reader must not get.
 */
#define _GNU_SOURCE /* open_memstream */

#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "support/buffer.h"
#include "support/clean.h"
#include "support/utf8.h"
#include "wasm_instrument/wasm_instrument.h"
#include "wasm_perf/report.h"

/* `is_page`: a text of several lines. */
static void check_text(const char *text, size_t size, bool is_page) {
  for (size_t i = 0; i < size;) {
    size_t taken = wi_utf8_sequence((const uint8_t *)text + i, size - i);
    CHECK(taken > 0);
    uint32_t code_point = wi_utf8_decode(text + i, taken);
    bool layout = is_page && (code_point == '\n' || code_point == '\t');
    CHECK(layout || !wi_character_is_unsafe(code_point));
    i += taken;
  }
}

static void check_line(void *user, const char *line) {
  (void)user;
  check_text(line, strlen(line), false);
}

static void check_clean(const char *text, size_t size) {
  size_t total = wi_text_clean(text, size, NULL, 0);
  char *clean = malloc(total + 1), *again = malloc(total + 1);
  for (size_t capacity = total + 1; capacity > 0; capacity = capacity / 2) {
    CHECK(wi_text_clean(text, size, clean, capacity) == total);
    CHECK(strlen(clean) < capacity);
    check_line(NULL, clean);
    wi_text_clean(clean, strlen(clean), again, total + 1);
    CHECK(strcmp(clean, again) == 0);
  }
  free(clean);
  free(again);
}

/* ---- A module ------------------------------------------------------------- */

static void put_custom(wi_buffer *out, const char *prefix, const uint8_t *data, size_t size) {
  wi_buffer_u8(out, 0);
  size_t start = wi_buffer_sized_begin(out, 0), prefix_size = strlen(prefix);
  wi_buffer_u32(out, (uint32_t)(prefix_size + size));
  wi_buffer_append(out, prefix, prefix_size);
  wi_buffer_append(out, data, size);
  wi_buffer_append(out, "\x07\x07", 2); /* malformed, where a form is asked of it */
  wi_buffer_sized_end(out, start, 0);
}

static void put_function_name(wi_buffer *out, const uint8_t *data, size_t size) {
  wi_buffer_u8(out, 0);
  size_t start = wi_buffer_sized_begin(out, 0);
  wi_buffer_name(out, "name");
  wi_buffer_u8(out, 1);
  size_t names = wi_buffer_sized_begin(out, 0);
  wi_buffer_append(out, "\x01\x00", 2);
  wi_buffer_u32(out, (uint32_t)size);
  wi_buffer_append(out, data, size);
  wi_buffer_sized_end(out, names, 0);
  wi_buffer_sized_end(out, start, 0);
}

/* One function, whose body is `code`; all names are the data. */
static void put_module(wi_buffer *out, const char *code, const uint8_t *data, size_t size) {
  static const char *const prefixes[] = {
      "", ".debug_", "metadata.code.", "reloc.", "llvm.func_attr.annotate.", "build_id", "linking"};
  wi_buffer_append(out, "\0asm\1\0\0\0\1\4\1\x60\0\0\3\2\1\0\x0a\x06\1\4\0", 23);
  wi_buffer_append(out, code, 3);
  put_function_name(out, data, size);
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (i != 3 || size % 8 == 0) /* such a section refuses the module */
      put_custom(out, prefixes[i], data, size);
}

static void check_module(const char *code, const uint8_t *data, size_t size) {
  wi_buffer module = {0};
  wi_options options = {.warn = check_line};
  wi_output output = {0};
  wi_error error;
  char text[512];
  put_module(&module, code, data, size);
  if (!wi_instrument(module.data, module.size, &options, &output, &error)) {
    wi_error_format(&error, text, sizeof text);
    check_line(NULL, text);
  }
  wi_output_clear(&output);
  wi_buffer_clear(&module);
}

static void check_pattern(const char *text) {
  wi_selection *selection = wi_selection_new();
  wi_error error;
  char message[512];
  if (!wi_selection_add(selection, text, false, &error)) {
    wi_error_format(&error, message, sizeof message);
    check_line(NULL, message);
  }
  wi_selection_free(selection);
}

/* ---- A profile ------------------------------------------------------------ */

static void put_u32(wi_buffer *out, uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8)
    wi_buffer_u8(out, (uint8_t)(value >> shift));
}

static void put_node(wi_buffer *out, uint32_t function) {
  put_u32(out, function);
  for (unsigned i = 0; i < 5; i++)
    put_u32(out, i == 1); /* one call, of the root */
}

/* A profile of two functions of that name, one of the host. */
static void put_profile(wi_buffer *out, const uint8_t *data, size_t size) {
  static const uint32_t head[] = {1, sizeof(wasm_perf_header), sizeof(wasm_perf_node), 3, 2, 0};
  wi_buffer_append(out, "\x89wperf\r\n", 8);
  for (unsigned i = 0; i < (sizeof(wasm_perf_header) - 8) / 4; i++)
    put_u32(out, i < 6 ? head[i] : i == (68 - 8) / 4);
  put_node(out, UINT32_MAX);
  put_node(out, 0);
  put_node(out, 7);
  for (uint32_t function = 0; function < 8; function += 7) {
    put_u32(out, function);
    put_u32(out, (uint32_t)size);
    wi_buffer_append(out, data, size);
  }
}

/* Those of protocol buffers have lengths before names. */
static bool is_text(const char *name) {
  return strcmp(name, "pprof") != 0 && strcmp(name, "otlp") != 0;
}

static void check_report(const wasm_perf_report_format *format, const wasm_perf_profile *profile,
                         const char *title) {
  const wasm_perf_report_options options = {.title = title, .width = 60};
  char *text;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  CHECK(stream && format->write(profile, &options, stream));
  fclose(stream);
  if (is_text(format->name))
    check_text(text, size, true);
  free(text);
}

static void check_reports(const uint8_t *data, size_t size, const char *title) {
  wi_buffer bytes = {0};
  wasm_perf_error error;
  put_profile(&bytes, data, size);
  wasm_perf_profile *profile = wasm_perf_profile_parse(bytes.data, bytes.size, &error);
  if (profile)
    for (const wasm_perf_report_format *format = wasm_perf_report_formats; format->name; format++)
      check_report(format, profile, title);
  else
    check_line(NULL, error.message);
  wasm_perf_profile_free(profile);
  wi_buffer_clear(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 4096)
    return 0;
  char *text = malloc(size + 1);
  memcpy(text, data, size);
  text[size] = '\0';
  check_clean((const char *)data, size);
  check_module("\x01\x01\x0b", data, size);
  check_module("\xff\x01\x0b", data, size); /* an error, in a function of that name */
  check_pattern(text);
  check_reports(data, size, text);
  free(text);
  return 0;
}
