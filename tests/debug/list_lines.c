/*
 * Prints offset in the code section, file, line and column of each instruction of a module, and of
 * the calls that were inlined around it, innermost first; lines are of a source map where one is
 * given.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/common/file.h"
#include "code/scan_body.h"
#include "debug/inline_table.h"
#include "debug/line_table.h"
#include "debug/source_map_lines.h"
#include "module/read.h"

static uint32_t code_offset(const wi_module *module) {
  for (uint32_t i = 0; i < module->sections_count; i++)
    if (module->sections[i].id == WI_SECTION_CODE)
      return module->sections[i].payload.offset;
  return 0;
}

typedef struct tables {
  wi_line_table *lines;
  wi_inline_table *inlines;
} tables;

/* A place, and the name of what was inlined there or "-" for the function itself. */
static void put(const char *name, const char *path, uint32_t line, uint32_t column) {
  printf("\t%s %s:%" PRIu32 ":%" PRIu32, name ? name : "?", path ? path : "??", line, column);
}

static void list_frames(const tables *t, const wi_line_row *row, uint32_t address) {
  const char *path = row ? wi_line_table_path(t->lines, row) : NULL;
  uint32_t line = row ? row->line : 0, column = row ? row->column : 0;
  for (uint32_t i = wi_inline_table_find(t->inlines, address); i != WI_NO_FRAME;) {
    const wi_inline_frame *frame = &t->inlines->frames[i];
    put(wi_inline_table_text(t->inlines, t->inlines->functions[frame->function].name), path, line,
        column);
    path = wi_inline_table_text(t->inlines, frame->call_path);
    line = frame->call_line;
    column = frame->call_column;
    i = frame->parent;
  }
  put("-", path, line, column);
}

static void list_body(const wi_module *module, const tables *t, const wi_scan *scan) {
  uint32_t code = code_offset(module);
  for (uint32_t i = 0; i < scan->sites_count; i++) {
    if (scan->sites[i].kind != WI_SITE_INSTRUCTION)
      continue;
    uint32_t offset = scan->sites[i].offset;
    printf("0x%" PRIx32, offset - code);
    list_frames(t, wi_line_table_find(t->lines, module, offset), offset - code);
    putchar('\n');
  }
}

/* The table of the module's source map, if there is one. */
static wi_line_table *read_map(const wi_module *module, const char *path) {
  uint8_t *bytes;
  size_t size;
  wi_error error;
  wi_error_reset(&error);
  if (!wi_file_read(path, &bytes, &size))
    return NULL;
  wi_line_table *table = wi_line_table_of_source_map(module, bytes, (uint32_t)size, "", &error);
  free(bytes);
  return table;
}

int main(int argc, char **argv) {
  uint8_t *bytes;
  size_t size;
  wi_error error;
  wi_module module = {0};
  static const wi_scan_wants wants = {.instructions = true};
  wi_scan scan = {0};
  if ((argc != 2 && argc != 3) || !wi_file_read(argv[1], &bytes, &size))
    return EXIT_FAILURE;
  wi_error_reset(&error);
  tables t = {0};
  if (wi_module_read(&module, bytes, size, &error)) {
    t.lines = argc == 3 ? read_map(&module, argv[2]) : wi_line_table_of_module(&module);
    t.inlines = wi_inline_table_of_module(&module);
  }
  bool ok = t.lines && t.inlines;
  for (uint32_t i = 0; ok && i < module.bodies_count; i++) {
    ok = wi_scan_body(&scan, &module, i, &wants, &error);
    if (ok)
      list_body(&module, &t, &scan);
  }
  wi_line_table_free(t.lines);
  wi_inline_table_free(t.inlines);
  wi_scan_clear(&scan);
  wi_module_clear(&module);
  free(bytes);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
