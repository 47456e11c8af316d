#include "debug/source_map_lines.h"

#include <stdlib.h>

#include "debug/source_map_reader.h"
#include "support/utf8.h"

enum { MAX_CONTENTS_SIZE = 1 << 26 };

typedef struct reader {
  wi_line_table *table;
  wi_span code; /* payload of the code section */
} reader;

static bool add_content(void *context, uint32_t path, const wi_buffer *text) {
  wi_line_table *table = ((reader *)context)->table;
  bool is_text = text->size > 1 && !memchr(text->data, 0, text->size - 1) &&
                 wi_utf8_is_valid(text->data, text->size - 1);
  if (!is_text || table->contents.size + text->size > MAX_CONTENTS_SIZE)
    return true;
  wi_source_content *content = WI_ARRAY_PUSH(table, sources);
  if (content)
    *content = (wi_source_content){path, (uint32_t)table->contents.size};
  wi_buffer_append(&table->contents, text->data, text->size);
  return content && !table->contents.failed;
}

/* A module has one line, whose columns are offsets. */
static bool add_row(void *context, const wi_source_map_segment *segment) {
  const reader *r = context;
  int64_t address = segment->column - r->code.offset;
  int64_t line = segment->source_line, column = segment->source_column;
  if (segment->line != 0 || address <= 0 || address >= r->code.size)
    return true;
  bool is_known = segment->path != WI_NO_PATH && line >= 0 && line < UINT32_MAX - 1 &&
                  column >= 0 && column < UINT32_MAX - 1;
  wi_line_row *row = WI_ARRAY_PUSH(r->table, rows);
  if (row)
    *row = (wi_line_row){(uint32_t)address, is_known ? segment->path : WI_NO_PATH,
                         is_known ? (uint32_t)line + 1 : 0, is_known ? (uint32_t)column + 1 : 0};
  return row != NULL;
}

/*
 * Adds an end at the start of each function: without it, the previous row would extend into a
 * function that has no rows.
 */
static bool end_rows(reader *r, const wi_module *module) {
  bool done = true;
  for (uint32_t i = 0; done && i < module->bodies_count; i++) {
    const wi_source_map_segment end = {.column = module->bodies[i].offset, .path = WI_NO_PATH};
    done = add_row(r, &end);
  }
  return done;
}

wi_line_table *wi_line_table_of_source_map(const wi_module *module, const uint8_t *text,
                                           uint32_t size, const char *folder, wi_error *error) {
  wi_line_table *table = calloc(1, sizeof *table);
  reader r = {.table = table};
  if (!table) {
    wi_error_memory(error);
    return NULL;
  }
  for (uint32_t i = 0; i < module->sections_count; i++)
    if (module->sections[i].id == WI_SECTION_CODE)
      r.code = module->sections[i].payload;
  const wi_source_map_visitor visitor = {
      .context = &r, .texts = &table->texts, .add_segment = add_row, .add_content = add_content};
  bool is_read = wi_source_map_visit(&visitor, text, size, folder, error);
  if (is_read && end_rows(&r, module)) {
    wi_line_table_sort(table);
    return table;
  }
  if (is_read)
    wi_error_memory(error);
  wi_line_table_free(table);
  return NULL;
}
