/* Any bytes as a name section, and as the marker, of a module with functions. */
#include <string.h>

#include "fuzz.h"
#include "support/buffer.h"
#include "wasm_instrument/wasm_instrument.h"

/* One import and two functions; custom sections follow. */
static const uint8_t module[] = {0x00, 'a',  's',  'm',  0x01, 0x00, 0x00, 0x00, 0x01, 0x04,
                                 0x01, 0x60, 0x00, 0x00, 0x02, 0x07, 0x01, 0x01, 'e',  0x01,
                                 'f',  0x00, 0x00, 0x03, 0x03, 0x02, 0x00, 0x00, 0x0a, 0x0a,
                                 0x02, 0x02, 0x00, 0x0b, 0x05, 0x00, 0x03, 0x40, 0x0b, 0x0b};

static void add_section(wi_buffer *bytes, const char *name, const uint8_t *data, size_t size) {
  wi_buffer_u8(bytes, 0);
  size_t start = wi_buffer_sized_begin(bytes, size + 16);
  wi_buffer_name(bytes, name);
  wi_buffer_append(bytes, data, size);
  wi_buffer_sized_end(bytes, start, size + 16);
}

static void check_names(const wi_buffer *bytes) {
  wi_error error;
  wi_names *names = wi_names_read(bytes->data, bytes->size, &error);
  CHECK(names != NULL);
  for (uint32_t i = 0; i < wi_names_count(names) + 2; i++)
    CHECK(wi_names_get(names, i) != NULL);
  wi_names_free(names);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const sections[] = {"name", "wasm_instrument", "producers",
                                         "metadata.code.branch_hint", "llvm.func_attr.annotate.x"};
  if (size == 0)
    return 0;
  wi_buffer bytes = {0};
  wi_buffer_append(&bytes, module, sizeof module);
  add_section(&bytes, sections[data[0] % 5], data + 1, size - 1);
  check_names(&bytes);
  wi_marker marker;
  wi_marker_read(bytes.data, bytes.size, &marker);
  wi_options options = {.force = true};
  wi_output output;
  wi_error error;
  CHECK(wi_instrument(bytes.data, bytes.size, &options, &output, &error));
  wi_buffer rewritten = {.data = output.bytes, .size = output.size};
  check_names(&rewritten);
  wi_output_clear(&output);
  wi_buffer_clear(&bytes);
  return 0;
}
