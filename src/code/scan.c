/* Sites and wanted opcodes of a scan. */
#include "code/scan.h"

#include <stdlib.h>

void wi_scan_want_opcode(wi_scan_wants *wants, uint32_t opcode) {
  if (wants->opcode_count == sizeof wants->opcodes / sizeof *wants->opcodes)
    abort(); /* an assert would put the source's path into builds for WASI, which differ by it */
  wants->opcodes[wants->opcode_count++] = opcode;
}

wi_cursor wi_site_operands(const wi_module *module, const wi_site *site, wi_error *ignored) {
  wi_error_reset(ignored);
  wi_cursor cursor = wi_cursor_at(module->bytes, (wi_span){site->offset, site->size}, ignored);
  wi_cursor_skip(&cursor, 1);
  if (site->value >= WI_PREFIXED(1, 0))
    wi_cursor_u32(&cursor);
  return cursor;
}

void wi_scan_clear(wi_scan *scan) {
  free(scan->sites);
  free(scan->labels);
  *scan = (wi_scan){0};
}

void wi_scan_reset(wi_scan *scan) {
  static const wi_scan_wants nothing = {0};
  scan->wants = &nothing;
  scan->sites_count = 0;
  scan->labels_count = 0;
  scan->code_offset = scan->end_offset = 0;
  scan->local_count = scan->instruction_count = scan->closed_count = scan->structured_count =
      scan->call_count = scan->basic_block_count = scan->opcode_count = scan->exit_traits =
          scan->exit_table = 0;
  scan->conditional_exit = scan->catch_to_function = scan->catches = scan->reads_references =
      scan->watches_stores = scan->adds_offset = scan->has_store = scan->after_branch =
          scan->has_table_edges = false;
}

void wi_scan_add_site(wi_scan *scan, wi_cursor *cursor, wi_site site) {
  wi_site *item = WI_ARRAY_PUSH(scan, sites);
  if (item)
    *item = site;
  else
    wi_cursor_fail_memory(cursor);
}

uint32_t wi_scan_index(wi_scan *scan, const wi_module *module, wi_cursor *cursor,
                       wi_site_kind kind) {
  uint32_t start = cursor->offset;
  uint32_t index = wi_cursor_u32(cursor);
  if (cursor->failed)
    return index;
  if (index >= wi_module_function_count(module)) {
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "function index %u is out of range", index);
    return index;
  }
  wi_scan_add_site(scan, cursor,
                   (wi_site){.offset = start,
                             .value = index,
                             .kind = (uint8_t)kind,
                             .size = (uint8_t)(cursor->offset - start)});
  return index;
}
