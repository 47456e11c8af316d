/* Scans a function body: locals, then instructions. */
#include "code/scan_body.h"

#include "code/expression.h"
#include "module/value_types.h"

static void scan_locals(wi_scan *scan, wi_cursor *cursor) {
  uint32_t start = cursor->offset;
  uint64_t total = 0;
  for (uint32_t n = wi_cursor_count(cursor, 2, "local groups"); n > 0 && !cursor->failed; n--) {
    total += wi_cursor_u32(cursor);
    wi_skip_value_type(cursor);
  }
  /* Engines accept at most this many; more could also overflow the index of an added local. */
  if (total > WI_LIMIT_LOCAL_COUNT)
    wi_cursor_fail(cursor, WI_ERROR_LIMIT, start, "more than %u locals", WI_LIMIT_LOCAL_COUNT);
  scan->local_count = (uint32_t)total;
}

bool wi_scan_body(wi_scan *scan, const wi_module *module, uint32_t index,
                  const wi_scan_wants *wants, wi_error *error) {
  wi_span body = module->bodies[index];
  wi_cursor cursor = wi_cursor_at(module->bytes, body, error);
  cursor.function = module->imports_count + index;
  wi_scan_reset(scan);
  if (wants)
    scan->wants = wants;
  scan->watches_stores = scan->wants->stored_offset != 0 &&
                         (wants->stored_by == WI_NO_FUNCTION || wants->stored_by == index);
  if (body.size > WI_LIMIT_BODY_SIZE)
    return wi_cursor_fail(&cursor, WI_ERROR_LIMIT, body.offset,
                          "a body of %u bytes exceeds the engines' limit of %u", body.size,
                          WI_LIMIT_BODY_SIZE);
  scan_locals(scan, &cursor);
  if (cursor.failed || !wi_scan_expression(scan, module, &cursor))
    return false;
  if (cursor.offset != cursor.end)
    return wi_cursor_fail(&cursor, WI_ERROR_MALFORMED, cursor.offset,
                          "%u bytes after the end of the body", wi_cursor_left(&cursor));
  return true;
}
