/* Scans the items of sections that contain expressions or indices. */
#include "code/scan_items.h"

#include "code/expression.h"
#include "module/value_types.h"

static void scan_table(wi_scan *scan, const wi_module *module, wi_cursor *cursor) {
  enum { WITH_INITIALISER = 0x40 };
  bool initialised = wi_cursor_peek(cursor) == WITH_INITIALISER;
  if (initialised) {
    wi_cursor_skip(cursor, 1);
    if (wi_cursor_u8(cursor) != 0)
      wi_cursor_fail(cursor, WI_ERROR_MALFORMED, cursor->offset - 1, "malformed table");
  }
  wi_skip_reference_type(cursor);
  wi_skip_limits(cursor, WI_LIMITS_OF_TABLE);
  if (initialised)
    wi_scan_expression(scan, module, cursor);
}

static void scan_global(wi_scan *scan, const wi_module *module, wi_cursor *cursor) {
  wi_skip_global_type(cursor);
  wi_scan_expression(scan, module, cursor);
}

static void scan_export(wi_scan *scan, const wi_module *module, wi_cursor *cursor) {
  wi_cursor_name(cursor);
  if (wi_cursor_u8(cursor) == WI_EXTERN_FUNCTION)
    wi_scan_index(scan, module, cursor, WI_SITE_FUNCTION_INDEX);
  else
    wi_cursor_u32(cursor);
}

static void scan_start(wi_scan *scan, const wi_module *module, wi_cursor *cursor) {
  wi_scan_index(scan, module, cursor, WI_SITE_FUNCTION_INDEX);
}

static void scan_elements(wi_scan *scan, const wi_module *module, wi_cursor *cursor,
                          bool expressions) {
  uint32_t start = cursor->offset;
  uint32_t count = wi_cursor_count(cursor, 1, "elements");
  if (count > WI_LIMIT_ELEMENT_COUNT)
    wi_cursor_fail(cursor, WI_ERROR_LIMIT, start,
                   "a segment of %u elements exceeds the engines' limit", count);
  for (; count > 0 && !cursor->failed; count--)
    if (expressions)
      wi_scan_expression(scan, module, cursor);
    else
      wi_scan_index(scan, module, cursor, WI_SITE_FUNCTION_INDEX);
}

static void scan_element_segment(wi_scan *scan, const wi_module *module, wi_cursor *cursor) {
  /*
   * Bit 0: passive or declarative; bit 1: explicit table index, or declarative; bit 2: expressions.
   */
  enum { NOT_ACTIVE = 1, EXPLICIT = 2, EXPRESSIONS = 4 };
  uint32_t start = cursor->offset;
  uint32_t flags = wi_cursor_u32(cursor);
  if (flags > (NOT_ACTIVE | EXPLICIT | EXPRESSIONS))
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "malformed element segment flags %u", flags);
  if (!(flags & NOT_ACTIVE)) {
    if (flags & EXPLICIT)
      wi_cursor_u32(cursor);
    wi_scan_expression(scan, module, cursor);
  }
  if (flags & (NOT_ACTIVE | EXPLICIT)) {
    if (flags & EXPRESSIONS)
      wi_skip_reference_type(cursor);
    else if (wi_cursor_u8(cursor) != 0)
      wi_cursor_fail(cursor, WI_ERROR_MALFORMED, cursor->offset - 1, "malformed element kind");
  }
  if (!cursor->failed)
    scan_elements(scan, module, cursor, flags & EXPRESSIONS);
}

/* The sections below contain no function indices; scanning them validates their form. */

static void scan_memory(wi_scan *scan, const wi_module *module, wi_cursor *cursor) {
  (void)scan, (void)module;
  wi_skip_limits(cursor, WI_LIMITS_OF_MEMORY);
}

static void scan_tag(wi_scan *scan, const wi_module *module, wi_cursor *cursor) {
  (void)scan, (void)module;
  if (wi_cursor_u8(cursor) != 0)
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, cursor->offset - 1, "malformed tag attribute");
  wi_cursor_u32(cursor);
}

static void scan_data_segment(wi_scan *scan, const wi_module *module, wi_cursor *cursor) {
  enum { PASSIVE = 1, EXPLICIT = 2 };
  uint32_t start = cursor->offset;
  uint32_t flags = wi_cursor_u32(cursor);
  if (flags > EXPLICIT)
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "malformed data segment flags %u", flags);
  if (flags == EXPLICIT)
    wi_cursor_u32(cursor);
  if (flags != PASSIVE)
    wi_scan_expression(scan, module, cursor);
  wi_cursor_sized(cursor);
}

typedef void item_scanner(wi_scan *scan, const wi_module *module, wi_cursor *cursor);

static item_scanner *const item_scanners[WI_SECTION_ID_COUNT] = {
    [WI_SECTION_TABLE] = scan_table,
    [WI_SECTION_GLOBAL] = scan_global,
    [WI_SECTION_EXPORT] = scan_export,
    [WI_SECTION_START] = scan_start,
    [WI_SECTION_ELEMENT] = scan_element_segment,
    [WI_SECTION_MEMORY] = scan_memory,
    [WI_SECTION_TAG] = scan_tag,
    [WI_SECTION_DATA] = scan_data_segment,
};

bool wi_scan_has_items(wi_section_id id) {
  return item_scanners[id] != NULL;
}

bool wi_scan_item(wi_scan *scan, const wi_module *module, wi_section_id id, wi_cursor *cursor) {
  wi_scan_reset(scan);
  item_scanners[id](scan, module, cursor);
  return !cursor->failed;
}
