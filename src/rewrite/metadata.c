/*
 * Custom sections. Those with function indices or code offsets are rewritten, or dropped with a
 * warning if that is impossible. Unknown sections are copied byte for byte.
 */
#include "rewrite/metadata.h"

#include <stdio.h>

#include "rewrite/branch_hints.h"
#include "rewrite/debug/sections.h"
#include "rewrite/name_section.h"

/* ---- producers (tool conventions) --------------------------------------- */

static void put_tool(wi_buffer *out) {
  wi_buffer_name(out, "wasm-instrument");
  wi_buffer_name(out, wi_version());
}

/* Returns whether this version of the tool is among them: it may rewrite a module in two passes. */
static bool skip_producer_values(const wi_module *module, wi_cursor *cursor, uint32_t count) {
  bool found = false;
  for (; count > 0 && !cursor->failed; count--) {
    bool is_tool = wi_module_span_equals(module, wi_cursor_name(cursor), "wasm-instrument");
    bool is_version = wi_module_span_equals(module, wi_cursor_name(cursor), wi_version());
    found |= is_tool && is_version;
  }
  return found;
}

static bool rewrite_producers(wi_rewriter *r, wi_span contents) {
  wi_error malformed;
  wi_error_reset(&malformed);
  wi_cursor cursor = wi_cursor_at(r->module->bytes, contents, &malformed);
  uint32_t count = wi_cursor_count(&cursor, 2, "fields");
  wi_buffer fields = {0}; /* all fields including ours, without their count */
  bool added = false;
  for (uint32_t i = 0; i < count && !cursor.failed; i++) {
    uint32_t start = cursor.offset;
    bool ours = wi_module_span_equals(r->module, wi_cursor_name(&cursor), "processed-by");
    uint32_t name_end = cursor.offset;
    uint32_t value_count = wi_cursor_count(&cursor, 2, "values");
    uint32_t values = cursor.offset;
    added |= skip_producer_values(r->module, &cursor, value_count) && ours;
    wi_buffer_append(&fields, r->module->bytes + start, name_end - start);
    wi_buffer_u32(&fields, value_count + (ours && !added));
    wi_buffer_append(&fields, r->module->bytes + values, cursor.offset - values);
    if (ours && !added)
      put_tool(&fields);
    added |= ours;
  }
  wi_buffer_u32(&r->out, count + !added);
  wi_buffer_append(&r->out, fields.data, fields.size);
  if (!added) {
    wi_buffer_name(&r->out, "processed-by");
    wi_buffer_u32(&r->out, 1);
    put_tool(&r->out);
  }
  r->out.failed |= fields.failed;
  wi_buffer_clear(&fields);
  return !cursor.failed && cursor.offset == cursor.end;
}

/* ---- Code metadata (tool conventions) ----------------------------------- */

/* LLVM stores function attributes as an array of 4-byte little endian function indices. */
static bool rewrite_index_array(wi_rewriter *r, wi_span contents) {
  const uint8_t *bytes = r->module->bytes + contents.offset;
  if (contents.size % 4 != 0)
    return false;
  for (uint32_t i = 0; i < contents.size; i += 4) {
    uint32_t index = bytes[i] | (uint32_t)bytes[i + 1] << 8 | (uint32_t)bytes[i + 2] << 16 |
                     (uint32_t)bytes[i + 3] << 24;
    uint32_t mapped = wi_plan_function_index(&r->plan, index);
    for (int shift = 0; shift < 32; shift += 8)
      wi_buffer_u8(&r->out, (uint8_t)(mapped >> shift));
  }
  return true;
}

/* ---- Actions by section ------------------------------------------------- */

typedef bool section_rewriter(wi_rewriter *r, wi_span contents);

typedef enum section_action {
  ACTION_COPY,
  ACTION_REWRITE,
  ACTION_DROP,  /* invalid after any change of code */
  ACTION_HINTS, /* written with the code */
  ACTION_DEBUG, /* rewritten after all code: depends on the offset map */
  ACTION_REFUSE
} section_action;

typedef struct known_section {
  const char *name;
  bool prefix; /* `name` is a prefix of the section's name */
  section_action action;
  section_rewriter *rewrite;
} known_section;

/* The first match counts; the last entry matches every name. */
static const known_section known_sections[] = {
    {"name", false, ACTION_REWRITE, wi_rewriter_name_section},
    {"producers", false, ACTION_REWRITE, rewrite_producers},
    {"metadata.code.branch_hint", false, ACTION_HINTS, NULL},
    {"llvm.func_attr.annotate.", true, ACTION_REWRITE, rewrite_index_array},
    {"metadata.code.", true, ACTION_DROP, NULL},
    {"build_id", false, ACTION_DROP, NULL},
    {"signature", false, ACTION_DROP, NULL},
    {".debug_", true, ACTION_DEBUG, NULL},
    {"sourceMappingURL", false, ACTION_DEBUG, NULL},
    {"external_debug_info", false, ACTION_DROP, NULL},
    {"linking", false, ACTION_REFUSE, NULL},
    {"reloc.", true, ACTION_REFUSE, NULL},
    {"", true, ACTION_COPY, NULL},
};

static const known_section *find_section(const wi_module *module, wi_span name) {
  const known_section *known = known_sections;
  while (known->prefix ? !wi_module_span_begins(module, name, known->name)
                       : !wi_module_span_equals(module, name, known->name))
    known++;
  return known;
}

static void warn_of_malformed(const wi_rewriter *r, wi_span name) {
  wi_warn(r->options, "the custom section '%.*s' is malformed and was dropped",
          (int)(name.size < 64 ? name.size : 64), (const char *)r->module->bytes + name.offset);
}

static bool rewrite_section(wi_rewriter *r, const wi_section *section, section_rewriter *rewrite) {
  size_t before = r->out.size;
  wi_buffer_u8(&r->out, WI_SECTION_CUSTOM);
  size_t start = wi_buffer_sized_begin(&r->out, section->payload.size);
  /* Copy the section's name with its length. */
  wi_rewriter_copy(r, section->payload.offset, section->name.offset + section->name.size);
  bool done = rewrite(r, wi_section_contents(section));
  wi_buffer_sized_end(&r->out, start, section->payload.size);
  if (done || r->error->code != WI_ERROR_NONE)
    return done;
  r->out.size = before;
  warn_of_malformed(r, section->name);
  return true;
}

static section_action action_for(const wi_rewriter *r, const known_section *known) {
  if (known->action == ACTION_REFUSE)
    return ACTION_REFUSE;
  if (!wi_plan_changes_module(&r->plan))
    return ACTION_COPY;
  return known->action;
}

bool wi_rewriter_custom_section(wi_rewriter *r, const wi_section *section, uint32_t from) {
  const known_section *known = find_section(r->module, section->name);
  switch (action_for(r, known)) {
  case ACTION_COPY:
    wi_rewriter_copy(r, from, section->payload.offset + section->payload.size);
    return true;
  case ACTION_REWRITE: return rewrite_section(r, section, known->rewrite);
  case ACTION_DROP: wi_rewriter_note_dropped(r, section->name); return true;
  case ACTION_HINTS:
    if (!wi_branch_hints_read(r, wi_section_contents(section)))
      warn_of_malformed(r, section->name);
    return true;
  case ACTION_DEBUG: return wi_rewriter_defer(r, section);
  case ACTION_REFUSE: break;
  }
  return wi_error_set(r->error, WI_ERROR_RELOCATABLE, section->payload.offset, WI_NO_FUNCTION,
                      "relocatable object (section '%s'); instrument the linked module",
                      known->name);
}

/* ---- The marker --------------------------------------------------------- */

static void put_options(wi_rewriter *r, wi_buffer *out) {
  char text[128];
  const wi_options *o = r->options;
  snprintf(text, sizeof text, "min-instructions=%u skip-leaves=%u%s%s%s%s%s%s%s%s",
           o->min_instructions, o->skip_leaves, o->selection ? " selection" : "",
           o->host_calls ? " host-calls" : "", o->embed ? " embed" : "",
           o->single_memory ? " single-memory" : "", o->write_at ? " write-at" : "",
           o->deterministic ? " deterministic" : "", o->flush ? " flush" : "",
           o->force ? " force" : "");
  wi_buffer_name(out, text);
}

void wi_rewriter_marker(wi_rewriter *r) {
  enum { FORMAT_VERSION = 1 };
  wi_buffer_u8(&r->out, WI_SECTION_CUSTOM);
  size_t start = wi_buffer_sized_begin(&r->out, 0);
  wi_buffer_name(&r->out, "wasm_instrument");
  wi_buffer_u8(&r->out, FORMAT_VERSION);
  wi_buffer_name(&r->out, wi_version());
  wi_buffer_name(&r->out, wasm_perf_clock_name(r->options->clock));
  wi_buffer_name(&r->out, r->import_module);
  wi_buffer_u32(&r->out, r->module->imports_count);
  wi_buffer_u32(&r->out, r->plan.import_count);
  wi_buffer_u32(&r->out, r->module->bodies_count);
  wi_buffer_u32(&r->out, r->hooked_count);
  put_options(r, &r->out);
  wi_buffer_sized_end(&r->out, start, 0);
}
