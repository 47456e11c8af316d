/*
 * Any bytes as DWARF and as a source map of a module with code: they never fail the rewrite, and
 * take no more of the output than they had of the input. What is read of lines, places and
 * inlined functions is in order, and its texts end.
 *
 * The input is a row of sections: an index into the names, the size in two bytes, the contents.
 */
#include <string.h>

#include "debug/inline_table.h"
#include "debug/line_table.h"
#include "debug/places.h"
#include "debug/source_map_lines.h"
#include "fuzz.h"
#include "module/read.h"
#include "support/buffer.h"
#include "wasm_instrument/wasm_instrument.h"

enum { NOP = 0x01, END = 0x0b, BODY_SIZE = 300 };

/* One import and two functions of some hundred instructions. */
static void add_module(wi_buffer *bytes) {
  static const uint8_t head[] = {0x00, 'a',  's',  'm',  0x01, 0x00, 0x00, 0x00, 0x01, 0x04,
                                 0x01, 0x60, 0x00, 0x00, 0x02, 0x07, 0x01, 0x01, 'e',  0x01,
                                 'f',  0x00, 0x00, 0x03, 0x03, 0x02, 0x00, 0x00};
  wi_buffer_append(bytes, head, sizeof head);
  wi_buffer_u8(bytes, WI_SECTION_CODE);
  wi_buffer_u32(bytes, 1 + 2 * (2 + BODY_SIZE));
  wi_buffer_u8(bytes, 2);
  for (int i = 0; i < 2; i++) {
    wi_buffer_u32(bytes, BODY_SIZE);
    wi_buffer_u8(bytes, 0);
    for (int k = 2; k < BODY_SIZE; k += 2) {
      wi_buffer_u8(bytes, k % 20 ? NOP : 0x10); /* a call of the import now and then */
      wi_buffer_u8(bytes, k % 20 ? NOP : 0x00);
    }
    wi_buffer_u8(bytes, END);
  }
}

static void add_section(wi_buffer *bytes, const char *name, const uint8_t *data, size_t size) {
  wi_buffer_u8(bytes, 0);
  size_t start = wi_buffer_sized_begin(bytes, size + 20);
  wi_buffer_name(bytes, name);
  wi_buffer_append(bytes, data, size);
  wi_buffer_sized_end(bytes, start, size + 20);
}

static void check_text(const wi_inline_table *table, uint32_t text) {
  const char *found = wi_inline_table_text(table, text);
  CHECK(!found || text + strlen(found) < table->texts.size);
}

static void read_inlined(const wi_module *module) {
  wi_inline_table *table = wi_inline_table_of_module(module);
  CHECK(table);
  for (uint32_t i = 0; i < table->rows_count; i++) {
    const wi_inline_row *row = &table->rows[i];
    CHECK(i == 0 || row->address > row[-1].address);
    CHECK(row->frame == WI_NO_FRAME || row->frame < table->frames_count);
  }
  for (uint32_t i = 0; i < table->frames_count; i++) {
    const wi_inline_frame *frame = &table->frames[i];
    CHECK(frame->parent == WI_NO_FRAME || frame->parent < i);
    CHECK(frame->function < table->functions_count);
    check_text(table, frame->call_path);
  }
  for (uint32_t i = 0; i < table->functions_count; i++) {
    check_text(table, table->functions[i].name);
    check_text(table, table->functions[i].path);
  }
  wi_inline_table_free(table);
}

static void check_rows(const wi_line_table *table) {
  for (uint32_t i = 0; i < table->rows_count; i++) {
    const wi_line_row *row = &table->rows[i];
    CHECK(i == 0 || row->address > row[-1].address);
    if (row->path != WI_NO_PATH)
      CHECK(row->path + strlen(wi_line_table_path(table, row)) < table->texts.size);
  }
  for (uint32_t i = 0; i < table->sources_count; i++) {
    uint32_t content = table->sources[i].content;
    CHECK(table->sources[i].path < table->texts.size);
    CHECK(content + strlen((const char *)table->contents.data + content) < table->contents.size);
  }
}

static void read_map(const wi_module *module, const wi_options *options) {
  wi_error error;
  wi_error_reset(&error);
  wi_line_table *table = wi_line_table_of_source_map(
      module, options->source_map, (uint32_t)options->source_map_size, "folder", &error);
  CHECK(table || error.message[0] != 0);
  if (table)
    check_rows(table);
  wi_line_table_free(table);
}

static void read_lines(const wi_buffer *bytes, const wi_options *options) {
  wi_module module;
  wi_error error;
  wi_error_reset(&error);
  CHECK(wi_module_read(&module, bytes->data, bytes->size, &error));
  wi_line_table *table = wi_line_table_of_module(&module);
  CHECK(table);
  check_rows(table);
  wi_line_table_free(table);
  wi_places_free(wi_places_of_module(&module, &module));
  read_inlined(&module);
  if (options->source_map)
    read_map(&module, options);
  wi_module_clear(&module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  wi_buffer bytes = {0};
  wi_options options = {0};
  add_module(&bytes);
  while (size >= 3) {
    unsigned kind = data[0] % (WI_DWARF_SECTION_COUNT + 2);
    size_t part = data[1] | (size_t)data[2] << 8;
    data += 3;
    size -= 3;
    if (part > size)
      part = size;
    char name[32] = "sourceMappingURL";
    if (kind < WI_DWARF_SECTION_COUNT)
      strcat(strcpy(name, ".debug_"), wi_dwarf_section_name((wi_dwarf_section)kind));
    if (kind <= WI_DWARF_SECTION_COUNT)
      add_section(&bytes, name, data, part);
    else
      options = (wi_options){.source_map = data, .source_map_size = part};
    data += part;
    size -= part;
  }
  wi_output output;
  wi_error error;
  CHECK(wi_instrument(bytes.data, bytes.size, &options, &output, &error));
  CHECK(output.size < 16 * bytes.size);
  read_lines(&bytes, &options);
  wi_output_clear(&output);
  wi_buffer_clear(&bytes);
  return 0;
}
