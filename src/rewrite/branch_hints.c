/* Reads branch hints, moves them, and adds hints for hooks. */
#include "rewrite/branch_hints.h"

#define SECTION_NAME "metadata.code.branch_hint"

enum { UNLIKELY = 0 };

/* ---- Hints of the input --------------------------------------------------- */

/* The specification requires increasing functions and offsets, so a single pass finds all hints. */
static bool is_increasing(wi_cursor *cursor, uint32_t value, uint64_t *least) {
  if (value < *least)
    return wi_cursor_fail(cursor, WI_ERROR_MALFORMED, cursor->offset, "not in increasing order");
  *least = (uint64_t)value + 1;
  return true;
}

static bool check_function(wi_cursor *cursor, wi_span body) {
  uint64_t least = 0;
  for (uint32_t count = wi_cursor_count(cursor, 2, "entries"); count > 0 && !cursor->failed;
       count--) {
    uint32_t offset = wi_cursor_u32(cursor);
    wi_span data = wi_cursor_sized(cursor);
    if (offset > body.size)
      wi_cursor_fail(cursor, WI_ERROR_MALFORMED, data.offset, "offset outside of the function");
    if (cursor->failed || !is_increasing(cursor, offset, &least))
      return false;
  }
  return !cursor->failed;
}

bool wi_branch_hints_read(wi_rewriter *r, wi_span contents) {
  const wi_module *module = r->module;
  wi_error malformed;
  wi_error_reset(&malformed);
  wi_cursor cursor = wi_cursor_at(module->bytes, contents, &malformed);
  uint32_t count = wi_cursor_count(&cursor, 2, "functions");
  wi_branch_hints hints = {.was_read = true, .left = count};
  hints.functions = (wi_span){cursor.offset, cursor.end - cursor.offset};
  bool is_first = !r->hints.was_read;
  uint64_t least = 0;
  r->hints.was_read = true;
  for (; count > 0 && !cursor.failed; count--) {
    uint32_t function = wi_cursor_u32(&cursor);
    uint32_t index = function - module->imports_count;
    if (index >= module->bodies_count || !is_increasing(&cursor, function, &least) ||
        !check_function(&cursor, module->bodies[index]))
      return false;
  }
  if (!is_first || cursor.failed || cursor.offset != cursor.end)
    return false;
  r->hints = hints;
  return true;
}

/* ---- Hints of the output -------------------------------------------------- */

/* Returns a cursor at the next function in the input's section, which was checked. */
static wi_cursor next_function(const wi_rewriter *r, wi_error *ignored) {
  wi_error_reset(ignored);
  return wi_cursor_at(r->module->bytes, r->hints.functions, ignored);
}

static void put_hook(wi_buffer *out, uint32_t offset) {
  wi_buffer_u32(out, offset);
  wi_buffer_u32(out, 1);
  wi_buffer_u8(out, UNLIKELY);
}

/*
 * Writes the function's hints. The hook precedes all branches, so its hint comes first. Offset 0
 * refers to the function itself.
 */
static void put_entries(wi_rewriter *r, wi_cursor *cursor, wi_span body, uint32_t hook) {
  wi_buffer *out = &r->hints.out;
  uint32_t count = wi_cursor_u32(cursor);
  wi_edits_walk walk = {0};
  wi_buffer_u32(out, count + (hook > 0));
  for (; count > 0; count--) {
    uint32_t offset = wi_cursor_u32(cursor);
    wi_span data = wi_cursor_sized(cursor);
    if (offset > 0 && hook > 0) {
      put_hook(out, hook);
      hook = 0;
    }
    wi_buffer_u32(out, offset ? wi_edits_map(&r->edits, &walk, body, body.offset + offset) : 0);
    wi_buffer_u32(out, data.size);
    wi_buffer_append(out, r->module->bytes + data.offset, data.size);
  }
  if (hook > 0)
    put_hook(out, hook);
}

void wi_branch_hints_add(wi_rewriter *r, uint32_t index, const wi_body_plan *plan) {
  wi_branch_hints *hints = &r->hints;
  uint32_t function = r->module->imports_count + index;
  wi_error ignored;
  wi_cursor cursor = next_function(r, &ignored);
  bool has_hints = hints->left > 0 && wi_cursor_u32(&cursor) == function;
  if (!has_hints && plan->unlikely == 0)
    return;
  hints->count++;
  wi_buffer_u32(&hints->out, wi_plan_function_index(&r->plan, function));
  if (has_hints) {
    put_entries(r, &cursor, r->module->bodies[index], plan->unlikely);
    hints->functions = (wi_span){cursor.offset, cursor.end - cursor.offset};
    hints->left--;
  } else {
    wi_buffer_u32(&hints->out, 1);
    put_hook(&hints->out, plan->unlikely);
  }
}

void wi_branch_hints_put(wi_rewriter *r, size_t position) {
  const wi_branch_hints *hints = &r->hints;
  if (hints->count == 0)
    return;
  wi_buffer section = {0};
  wi_buffer_u8(&section, WI_SECTION_CUSTOM);
  size_t start = wi_buffer_sized_begin(&section, hints->out.size + sizeof SECTION_NAME);
  wi_buffer_name(&section, SECTION_NAME);
  wi_buffer_u32(&section, hints->count);
  wi_buffer_append(&section, hints->out.data, hints->out.size);
  wi_buffer_sized_end(&section, start, hints->out.size + sizeof SECTION_NAME);
  r->out.failed |= section.failed || hints->out.failed;
  wi_buffer_insert(&r->out, position, section.data, section.size);
  r->map.output_start += (uint32_t)section.size;
  wi_buffer_clear(&section);
}
