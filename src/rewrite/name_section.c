/*
 * Rewrites the name section (core specification, 7.4.1, plus label names from the extended name
 * section proposal).
 */
#include "rewrite/name_section.h"

#include <stdlib.h>
#include <string.h>

#include "support/utf8.h"

enum {
  SUBSECTION_FUNCTIONS = 1,
  SUBSECTION_LOCALS = 2,
  SUBSECTION_LABELS = 3,
};

static void put_name(wi_rewriter *r, uint32_t index, wi_span name) {
  wi_buffer_u32(&r->out, index);
  wi_buffer_u32(&r->out, name.size);
  wi_buffer_append(&r->out, r->module->bytes + name.offset, name.size);
}

static void put_import_names(wi_rewriter *r) {
  for (uint32_t i = 0; i < r->plan.added_count; i++) {
    wi_buffer_u32(&r->out, r->module->imports_count + i);
    wi_buffer_name(&r->out, r->plan.added[i].name);
  }
}

/* The embedded runtime's imports have no entries: they are named by module and field. */
static uint32_t unnamed_import_count(const wi_plan *plan) {
  return plan->form->count(plan, WI_SECTION_IMPORT);
}

static bool is_clean(const wi_module *module, wi_span name) {
  const uint8_t *bytes = module->bytes + name.offset;
  return wi_utf8_is_valid(bytes, name.size) && !memchr(bytes, 0, name.size);
}

/* Inserts the names of the added imports after the module's imports. */
static void rewrite_function_names(wi_rewriter *r, wi_cursor *cursor) {
  uint32_t count = wi_cursor_count(cursor, 2, "names");
  bool are_named = false;
  wi_buffer_u32(&r->out, count + r->plan.import_count + r->plan.form->name_count(&r->plan) -
                             unnamed_import_count(&r->plan));
  for (; count > 0 && !cursor->failed; count--) {
    uint32_t index = wi_cursor_u32(cursor);
    wi_span name = wi_cursor_sized(cursor);
    if (!are_named && index >= r->module->imports_count) {
      put_import_names(r);
      are_named = true;
    }
    put_name(r, wi_plan_function_index(&r->plan, index), name);
    r->unclean_name_count += !cursor->failed && !is_clean(r->module, name);
  }
  if (!are_named)
    put_import_names(r);
  r->plan.form->put_names(&r->plan, &r->out);
}

/*
 * Returns the shift of a function's label numbers, which follow the order of appearance. Computing
 * it means planning the body again, so results are cached.
 */
static uint32_t label_shift(wi_rewriter *r, uint32_t function) {
  const wi_module *module = r->module;
  uint32_t index = function - module->imports_count;
  if (index >= module->bodies_count)
    return 0;
  if (!r->label_shifts && !(r->label_shifts = calloc(module->bodies_count, 1))) {
    r->out.failed = true;
    return 0;
  }
  uint8_t *known = &r->label_shifts[index];
  wi_body_plan body;
  if (*known == 0)
    *known = (uint8_t)(1 + (wi_rewriter_plan_body(r, index, &body) ? body.entry_labels : 0));
  return *known - 1u;
}

/* The number of a label of the scanned body, in the output. */
static uint32_t inner_label(const wi_rewriter *r, uint32_t label) {
  uint32_t left = label;
  for (uint32_t i = 0; i < r->scan.sites_count; i++)
    if (r->scan.sites[i].kind == WI_SITE_LABEL && left-- == 0)
      return label + r->plan.form->labels_before(&r->plan, r->scan.sites[i].offset);
  return label;
}

/* Plans the function's body, so that inner_label knows its labels. */
static bool plan_labels(wi_rewriter *r, uint32_t function) {
  wi_body_plan body;
  uint32_t index = function - r->module->imports_count;
  return r->plan.form->labels_before && index < r->module->bodies_count &&
         wi_rewriter_plan_body(r, index, &body);
}

/* Rewrites a map from functions to names of their locals or labels. */
static void rewrite_indirect_names(wi_rewriter *r, wi_cursor *cursor, bool labels) {
  uint32_t count = wi_cursor_count(cursor, 2, "functions");
  wi_buffer_u32(&r->out, count);
  for (; count > 0 && !cursor->failed; count--) {
    uint32_t function = wi_cursor_u32(cursor);
    uint32_t name_count = wi_cursor_count(cursor, 2, "names");
    uint32_t shift = labels && name_count > 0 ? label_shift(r, function) : 0;
    bool has_inner = labels && name_count > 0 && plan_labels(r, function);
    wi_buffer_u32(&r->out, wi_plan_function_index(&r->plan, function));
    wi_buffer_u32(&r->out, name_count);
    for (; name_count > 0 && !cursor->failed; name_count--) {
      uint32_t index = wi_cursor_u32(cursor);
      uint32_t moved = has_inner ? inner_label(r, index) : index;
      put_name(r, moved + shift, wi_cursor_sized(cursor));
    }
  }
}

static bool rewrite_subsection(wi_rewriter *r, uint8_t id, wi_span contents, wi_error *error) {
  wi_cursor cursor = wi_cursor_at(r->module->bytes, contents, error);
  wi_buffer_u8(&r->out, id);
  size_t start = wi_buffer_sized_begin(&r->out, contents.size);
  if (id == SUBSECTION_FUNCTIONS)
    rewrite_function_names(r, &cursor);
  else if (id == SUBSECTION_LOCALS || id == SUBSECTION_LABELS)
    rewrite_indirect_names(r, &cursor, id == SUBSECTION_LABELS);
  else
    wi_buffer_append(&r->out, r->module->bytes + contents.offset, contents.size);
  wi_buffer_sized_end(&r->out, start, contents.size);
  bool keyed = id >= SUBSECTION_FUNCTIONS && id <= SUBSECTION_LABELS;
  return !cursor.failed && (!keyed || cursor.offset == cursor.end);
}

bool wi_rewriter_name_section(wi_rewriter *r, wi_span contents) {
  wi_error malformed;
  wi_error_reset(&malformed);
  wi_cursor cursor = wi_cursor_at(r->module->bytes, contents, &malformed);
  while (wi_cursor_left(&cursor) > 0) {
    uint8_t id = wi_cursor_u8(&cursor);
    wi_span subsection = wi_cursor_sized(&cursor);
    if (cursor.failed || !rewrite_subsection(r, id, subsection, &malformed))
      return false;
  }
  return true;
}
