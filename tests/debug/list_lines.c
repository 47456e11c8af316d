/* Prints offset in the code section, file, line and column of each instruction of a module. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/common/file.h"
#include "code/scan_body.h"
#include "debug/line_table.h"
#include "module/read.h"

static uint32_t code_offset(const wi_module *module) {
  for (uint32_t i = 0; i < module->sections_count; ++i)
    if (module->sections[i].id == WI_SECTION_CODE)
      return module->sections[i].payload.offset;
  return 0;
}

static void list_body(const wi_module *module, const wi_line_table *table, const wi_scan *scan) {
  uint32_t code = code_offset(module);
  for (uint32_t i = 0; i < scan->sites_count; ++i) {
    if (scan->sites[i].kind != WI_SITE_INSTRUCTION)
      continue;
    uint32_t offset = scan->sites[i].offset;
    const wi_line_row *row = wi_line_table_find(table, module, offset);
    printf("0x%" PRIx32 " %s:%" PRIu32 ":%" PRIu32 "\n", offset - code,
           row ? wi_line_table_path(table, row) : "??", row ? row->line : 0, row ? row->column : 0);
  }
}

int main(int argc, char **argv) {
  uint8_t *bytes;
  size_t size;
  wi_error error;
  wi_module module = {0};
  wi_scan scan = {.record_instructions = true};
  if (argc != 2 || !wi_file_read(argv[1], &bytes, &size))
    return EXIT_FAILURE;
  wi_error_reset(&error);
  wi_line_table *table =
      wi_module_read(&module, bytes, size, &error) ? wi_line_table_of_module(&module) : NULL;
  bool ok = table != NULL;
  for (uint32_t i = 0; ok && i < module.bodies_count; ++i) {
    ok = wi_scan_body(&scan, &module, i, &error);
    if (ok)
      list_body(&module, table, &scan);
  }
  wi_line_table_free(table);
  wi_scan_clear(&scan);
  wi_module_clear(&module);
  free(bytes);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
