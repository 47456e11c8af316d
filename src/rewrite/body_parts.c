/*
 * Body edits common to both forms of hooks: function indices, local counts, blocks around bodies.
 */
#include "rewrite/body_parts.h"

#include "rewrite/additions.h"
#include "rewrite/opcodes.h"

void wi_body_edit_function_index(const wi_plan *plan, const wi_site *site, wi_edits *edits) {
  uint32_t index = wi_plan_used_index(plan, site->value);
  if (index == site->value)
    return;
  wi_edits_begin(edits, site->offset, site->size);
  wi_buffer_u32(&edits->bytes, index);
  wi_edits_end(edits);
}

void wi_body_edit_local_count(const wi_plan *plan, wi_span code, uint32_t added, wi_edits *edits) {
  const wi_module *module = plan->module;
  wi_error ignored; /* the scanner has already read this number */
  wi_error_reset(&ignored);
  wi_cursor cursor = wi_cursor_at(module->bytes, code, &ignored);
  uint32_t group_count = wi_cursor_u32(&cursor);
  wi_edits_begin(edits, code.offset, cursor.offset - code.offset);
  wi_buffer_u32(&edits->bytes, group_count + added);
  wi_edits_end(edits);
}

void wi_body_put_local_group(wi_buffer *out, uint32_t count, uint8_t type) {
  if (count == 0)
    return;
  wi_buffer_u32(out, count);
  wi_buffer_u8(out, type);
}

void wi_body_put_block(const wi_plan *plan, const wi_type *type, wi_buffer *out) {
  wi_buffer_u8(out, BLOCK);
  if (type->result_count == 0)
    wi_buffer_u8(out, BLOCK_VOID);
  else if (type->result_count == 1)
    wi_buffer_append(out, plan->module->bytes + type->results.offset, type->results.size);
  else
    wi_buffer_s64(out, wi_plan_block_type(plan, type));
}
