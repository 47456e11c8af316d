/*
 * Scans, edits and writes each item in a single pass over the sections, so that only one item's
 * edits are in memory besides input and output.
 */
#include "rewrite/rewriter.h"

#include "code/scan_body.h"
#include "code/scan_items.h"
#include "rewrite/additions.h"
#include "rewrite/branch_hints.h"
#include "rewrite/debug/sections.h"
#include "rewrite/metadata.h"
#include "rewrite/unhookable.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Appends a body with its edits. `from` is the offset of its size field in the input. */
static bool write_body(wi_rewriter *r, uint32_t index, uint32_t from) {
  wi_span body = r->module->bodies[index];
  wi_body_plan plan;
  if (!wi_rewriter_plan_body(r, index, &plan))
    return false;
  if (plan.hooked)
    r->hooked_count++;
  else if (r->plan.chosen[index] && !wi_unhookable_add(&r->plan, r->module->imports_count + index))
    return wi_error_memory(r->error);
  wi_branch_hints_add(r, index, &plan);
  if (r->edits.items_count == 0) {
    wi_offset_map_add(&r->map, body, r->out.size + (body.offset - from), &r->edits);
    wi_rewriter_copy(r, from, body.offset + body.size);
    return true;
  }
  wi_buffer_u32(&r->out, (uint32_t)(body.size + wi_edits_growth(&r->edits)));
  wi_offset_map_add(&r->map, body, r->out.size, &r->edits);
  wi_edits_apply(&r->edits, r->module->bytes, body, &r->out);
  return true;
}

/* ---- Additions to vectors ----------------------------------------------- */

static uint32_t added_count(const wi_plan *plan, wi_section_id id) {
  uint32_t count = plan->form->count(plan, id);
  return id == WI_SECTION_TYPE     ? plan->type_count + count
         : id == WI_SECTION_IMPORT ? plan->import_count
                                   : count;
}

static void put_added(wi_rewriter *r, wi_section_id id) {
  if (id == WI_SECTION_TYPE)
    wi_buffer_append(&r->out, r->plan.types.data, r->plan.types.size);
  else if (id == WI_SECTION_IMPORT)
    wi_plan_append_imports(&r->plan, r->import_module, &r->out);
  r->plan.form->put(&r->plan, id, &r->out);
}

static bool module_has_section(const wi_module *module, wi_section_id id) {
  for (uint32_t i = 0; i < module->sections_count; i++)
    if (module->sections[i].id == id)
      return true;
  return false;
}

/* Writes the item count of a vector; copies it if nothing is added. Returns the input's count. */
static uint32_t write_count(wi_rewriter *r, wi_section_id id, wi_cursor *cursor) {
  uint32_t from = cursor->offset;
  bool stands_alone = id == WI_SECTION_DATA_COUNT; /* its items are in another section */
  uint32_t count = stands_alone ? wi_cursor_u32(cursor) : wi_cursor_count(cursor, 1, "items");
  uint32_t added = added_count(&r->plan, id);
  if (added > 0 && stands_alone && count > 0 && !module_has_section(r->module, WI_SECTION_DATA))
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, from,
                   "a count of %u data segments without a data section", count);
  if (added > 0)
    wi_buffer_u32(&r->out, count + added);
  else
    wi_rewriter_copy(r, from, cursor->offset);
  return count;
}

/* ---- Sections ----------------------------------------------------------- */

static bool write_code(wi_rewriter *r, wi_cursor *cursor) {
  enum { PASS_SIZE = 1 << 20 };
  const wi_module *module = r->module;
  write_count(r, WI_SECTION_CODE, cursor);
  uint32_t from = cursor->offset, passed = 0;
  for (uint32_t i = 0; i < module->bodies_count; i++) {
    if (!write_body(r, i, from))
      return false;
    from = module->bodies[i].offset + module->bodies[i].size;
    if (r->options->pass && from - passed >= PASS_SIZE)
      r->options->pass(r->options->user, passed = from);
  }
  return true;
}

static bool write_items(wi_rewriter *r, wi_section_id id, wi_cursor *cursor) {
  uint32_t count = id == WI_SECTION_START ? 1 : write_count(r, id, cursor);
  for (; count > 0 && !cursor->failed; count--) {
    uint32_t from = cursor->offset;
    if (!wi_scan_item(&r->scan, r->module, id, cursor))
      return false;
    wi_plan_item(&r->plan, &r->scan, &r->edits);
    if (r->edits.bytes.failed)
      return wi_error_memory(r->error);
    wi_edits_apply(&r->edits, r->module->bytes, (wi_span){from, cursor->offset - from}, &r->out);
  }
  if (!cursor->failed && cursor->offset != cursor->end)
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, cursor->offset, "section %u has %u bytes too many",
                   id, wi_cursor_left(cursor));
  return !cursor->failed;
}

static bool write_contents(wi_rewriter *r, const wi_section *section, wi_cursor *cursor) {
  wi_section_id id = section->id;
  if (r->plan.form->replace && r->plan.form->replace(&r->plan, section, &r->out))
    return true;
  bool adds = added_count(&r->plan, id) > 0;
  if (id == WI_SECTION_CODE) {
    if (!write_code(r, cursor))
      return false;
  } else if (wi_scan_has_items(id)) {
    if (!write_items(r, id, cursor))
      return false;
  } else {
    if (adds)
      write_count(r, id, cursor);
    wi_rewriter_copy(r, cursor->offset, cursor->end);
  }
  if (adds)
    put_added(r, id);
  return !cursor->failed;
}

/* `from` is the offset of the section's id in the input. */
static bool write_section(wi_rewriter *r, const wi_section *section, uint32_t from) {
  if (section->id == WI_SECTION_CUSTOM)
    return wi_rewriter_custom_section(r, section, from);
  wi_span payload = section->payload;
  wi_cursor cursor = wi_cursor_at(r->module->bytes, payload, r->error);
  size_t before = r->out.size;
  wi_buffer_u8(&r->out, section->id);
  size_t start = wi_buffer_sized_begin(&r->out, payload.size);
  if (section->id == WI_SECTION_CODE)
    wi_offset_map_begin(&r->map, r->module, payload, start);
  if (!write_contents(r, section, &cursor))
    return false;
  size_t size = r->out.size - start;
  wi_buffer_sized_end(&r->out, start, payload.size);
  if (section->id == WI_SECTION_CODE) { /* its size field is now in front of it */
    r->map.output_start = (uint32_t)(r->out.size - size);
    r->map.output_size = (uint32_t)size;
  }
  bool same = r->out.size - start == payload.size && !r->out.failed &&
              memcmp(r->out.data + start, r->module->bytes + payload.offset, payload.size) == 0;
  if (same) { /* keep an overlong size field */
    r->out.size = before;
    wi_rewriter_copy(r, from, payload.offset + payload.size);
  }
  if (section->id == WI_SECTION_CODE)
    wi_branch_hints_put(r, before);
  return true;
}

/*
 * Writes the sections that the plan adds to but the module lacks, and whose rank in the order of
 * sections is between `after` and `before`, both exclusive.
 */
static void write_missing_sections(wi_rewriter *r, unsigned after, unsigned before) {
  static const wi_section_id growing[] = {WI_SECTION_TYPE,   WI_SECTION_IMPORT, WI_SECTION_FUNCTION,
                                          WI_SECTION_TABLE,  WI_SECTION_MEMORY, WI_SECTION_GLOBAL,
                                          WI_SECTION_EXPORT, WI_SECTION_CODE,   WI_SECTION_DATA};
  for (size_t i = 0; i < sizeof growing / sizeof *growing; i++) {
    wi_section_id id = growing[i];
    unsigned place = wi_section_order(id);
    uint32_t count = added_count(&r->plan, id);
    if (count == 0 || place <= after || place >= before || module_has_section(r->module, id))
      continue;
    wi_buffer_u8(&r->out, (uint8_t)id);
    size_t start = wi_buffer_sized_begin(&r->out, 0);
    wi_buffer_u32(&r->out, count);
    put_added(r, id);
    wi_buffer_sized_end(&r->out, start, 0);
  }
}

/*
 * Number of sections up to the last non-custom one. Custom sections after that may contain names,
 * which must follow the data section.
 */
static uint32_t count_leading_sections(const wi_module *module) {
  uint32_t count = module->sections_count;
  while (count > 0 && module->sections[count - 1].id == WI_SECTION_CUSTOM)
    count--;
  return count;
}

bool wi_rewriter_module(wi_rewriter *r) {
  const wi_module *module = r->module;
  unsigned place = 0;
  uint32_t from = WI_MODULE_HEADER_SIZE;
  r->map.wanted = wi_plan_changes_module(&r->plan) && wi_rewriter_needs_map(r);
  wi_buffer_append(&r->out, module->bytes, WI_MODULE_HEADER_SIZE);
  uint32_t leading_count = count_leading_sections(module);
  for (uint32_t i = 0; i < module->sections_count; i++) {
    const wi_section *section = &module->sections[i];
    if (i == leading_count) {
      write_missing_sections(r, place, UINT_MAX);
      place = UINT_MAX - 1;
    }
    if (section->id != WI_SECTION_CUSTOM) {
      write_missing_sections(r, place, wi_section_order(section->id));
      place = wi_section_order(section->id);
    }
    if (!write_section(r, section, from))
      return false;
    from = section->payload.offset + section->payload.size;
  }
  write_missing_sections(r, place, UINT_MAX);
  return wi_rewriter_put_deferred(r) && (!r->out.failed || wi_error_memory(r->error));
}
