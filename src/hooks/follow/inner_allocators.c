/* Finds allocators around and behind others, and those that only other allocators call. */
#include "hooks/follow/inner_allocators.h"

#include <stdlib.h>
#include <string.h>

#include "code/opcodes.h"
#include "code/scan_body.h"
#include "code/scan_items.h"
#include "hooks/follow/allocator_kinds.h"
#include "module/names.h"

typedef struct finding {
  const uint8_t *kinds;
  uint32_t added; /* allocators without a name */
  const wi_module *module;
  wi_scan *scan;
  bool *is_outer; /* per function with a body: may be entered from elsewhere */
  wi_error *error;
} finding;

static const wi_allocator *allocator_at(const finding *f, uint32_t function) {
  uint32_t kind = function < f->module->imports_count
                      ? WI_ALLOCATOR_KIND_NONE
                      : f->kinds[function - f->module->imports_count];
  return kind != WI_ALLOCATOR_KIND_NONE ? &wi_allocators[kind] : NULL;
}

/* Whether the scanned body begins by passing on its first parameters, so many at least, in a call. */
static bool passes_on(const finding *f, const wi_site *call, uint32_t count) {
  const uint8_t *at = f->module->bytes + f->scan->code_offset;
  const uint8_t *end = f->module->bytes + call->offset;
  uint32_t passed = 0;
  for (; at + 1 < end && at[0] == LOCAL_GET && at[1] == passed; at += 2)
    passed++;
  return at == end && passed >= count;
}

/* Whether the call, in an allocator, shows all that the callee does. */
static bool covers(const finding *f, const wi_allocator *caller, const wi_site *call) {
  const wi_allocator *callee = allocator_at(f, call->value);
  if (!caller || caller->action == WI_ALLOCATOR_GO || callee->action == WI_ALLOCATOR_GO)
    return false;
  if (!wi_allocator_releases(callee) || caller->action == WI_ALLOCATOR_RESIZE)
    return true;
  return caller->action == callee->action && caller->pointer == callee->pointer &&
         caller->offset == callee->offset && passes_on(f, call, callee->pointer + 1u);
}

static void look_at(finding *f, const wi_allocator *caller, const wi_site *site) {
  bool is_call = site->kind == WI_SITE_BEFORE_CALL;
  bool leads = is_call || site->kind == WI_SITE_TAIL_CALL || site->kind == WI_SITE_REFERENCE;
  if (leads && site->value != WI_NO_FUNCTION && allocator_at(f, site->value) &&
      !(is_call && covers(f, caller, site)))
    f->is_outer[site->value - f->module->imports_count] = true;
}

static bool look_at_bodies(finding *f) {
  const wi_scan_wants wants = {.calls = true};
  for (uint32_t i = 0; i < f->module->bodies_count; i++) {
    if (!wi_scan_body(f->scan, f->module, i, &wants, f->error))
      return false;
    const wi_allocator *caller = allocator_at(f, f->module->imports_count + i);
    for (uint32_t k = 0; k < f->scan->sites_count; k++)
      look_at(f, caller, &f->scan->sites[k]);
  }
  return true;
}

/* Marks allocators that a section's items, such as exports, refer to: the host may call them. */
static bool look_at_items(finding *f, const wi_section *section) {
  wi_cursor cursor = wi_cursor_at(f->module->bytes, section->payload, f->error);
  uint32_t count = section->id == WI_SECTION_START ? 1 : wi_cursor_count(&cursor, 1, "items");
  for (; count > 0 && !cursor.failed; count--) {
    if (!wi_scan_item(f->scan, f->module, section->id, &cursor))
      return false;
    for (uint32_t i = 0; i < f->scan->sites_count; i++) {
      const wi_site *site = &f->scan->sites[i];
      if ((site->kind == WI_SITE_FUNCTION_INDEX || site->kind == WI_SITE_REFERENCE) &&
          allocator_at(f, site->value))
        f->is_outer[site->value - f->module->imports_count] = true;
    }
  }
  return !cursor.failed;
}

static bool look_at_sections(finding *f) {
  for (uint32_t i = 0; i < f->module->sections_count; i++)
    if (wi_scan_has_items(f->module->sections[i].id) && !look_at_items(f, &f->module->sections[i]))
      return false;
  return true;
}

/* Whether the scanned body has nothing but so many instructions, and maybe a return at its end. */
static bool is_short(const finding *f, uint32_t count) {
  const wi_scan *scan = f->scan;
  bool returns =
      scan->instruction_count == count + 1 && f->module->bytes[scan->end_offset - 1] == RETURN;
  return scan->local_count == 0 && scan->call_count == 1 &&
         (scan->instruction_count == count || returns);
}

/* The call by which the scanned body passes on all parameters to an allocator; NULL if it does more. */
static const wi_site *forwarded(const finding *f, uint32_t body) {
  const wi_type *type = wi_module_function_type(f->module, f->module->imports_count + body);
  const wi_site *call = f->scan->sites_count > 0 ? f->scan->sites : NULL;
  bool is_all = call && type && is_short(f, type->param_count + 1) &&
                call->kind == WI_SITE_BEFORE_CALL && call->value != WI_NO_FUNCTION &&
                passes_on(f, call, type->param_count);
  return is_all && allocator_at(f, call->value) ? call : NULL;
}

/* Whether a function has no name of its own: wasm-bindgen numbers exports, allocators among them. */
static bool is_nameless(const wi_module *module, const wi_names *names, uint32_t function) {
  static const char numbered[] = "__wbindgen_export";
  wi_span name;
  return !wi_names_raw(names, function, &name) ||
         (name.size >= sizeof numbered - 1 &&
          memcmp(module->bytes + name.offset, numbered, sizeof numbered - 1) == 0);
}

static void add_allocator(finding *f, uint32_t body, uint32_t kind, uint8_t *kinds) {
  f->added += kinds[body] == WI_ALLOCATOR_KIND_NONE;
  kinds[body] = (uint8_t)kind;
}

static bool add_forwarders(finding *f, const wi_names *names, uint8_t *kinds) {
  const wi_scan_wants wants = {.calls = true};
  const uint32_t first = f->module->imports_count;
  for (uint32_t i = 0; i < f->module->bodies_count; i++) {
    if (kinds[i] != WI_ALLOCATOR_KIND_NONE || !is_nameless(f->module, names, first + i))
      continue;
    if (!wi_scan_body(f->scan, f->module, i, &wants, f->error))
      return false;
    const wi_site *call = forwarded(f, i);
    if (call)
      add_allocator(f, i, kinds[call->value - first], kinds);
  }
  return true;
}

/* ---- Behind wasm-bindgen's allocators --------------------------------------------- */

/* Any local: the alignment is checked first, and may be a copy. */
#define ALIGNMENT 0xFFu

/* A function that an allocator of wasm-bindgen calls with some of its own parameters. */
typedef struct behind {
  wi_allocator_kind caller;
  uint8_t count;
  uint8_t passed[4]; /* parameters of the caller, in the order of the callee's */
  wi_allocator_kind kind;
} behind;

static const behind behind_bindgen[] = {
    {WI_ALLOCATOR_KIND_MALLOC, 1, {0}, WI_ALLOCATOR_KIND_MALLOC},
    {WI_ALLOCATOR_KIND_MALLOC, 2, {0, ALIGNMENT}, WI_ALLOCATOR_KIND_MALLOC},
    {WI_ALLOCATOR_KIND_MALLOC, 2, {ALIGNMENT, 0}, WI_ALLOCATOR_KIND_ALIGNED_ALLOC},
    {WI_ALLOCATOR_KIND_SIZED_REALLOC, 2, {0, 2}, WI_ALLOCATOR_KIND_REALLOC},
    {WI_ALLOCATOR_KIND_SIZED_REALLOC, 4, {0, 1, ALIGNMENT, 2}, WI_ALLOCATOR_KIND_RUST_REALLOC},
    {WI_ALLOCATOR_KIND_FREE, 1, {0}, WI_ALLOCATOR_KIND_FREE},
    {WI_ALLOCATOR_KIND_FREE, 3, {0, 1, ALIGNMENT}, WI_ALLOCATOR_KIND_FREE},
    {WI_ALLOCATOR_KIND_FREE, 3, {0, ALIGNMENT, 1}, WI_ALLOCATOR_KIND_FREE},
};

/* Whether the call comes right after instructions that push these parameters. */
static bool passes(const finding *f, const wi_site *call, const behind *row) {
  const uint8_t *at = f->module->bytes + call->offset - 2 * row->count;
  bool all = call->offset >= f->scan->code_offset + 2u * row->count;
  for (uint32_t i = 0; all && i < row->count; i++, at += 2)
    all = at[0] == LOCAL_GET && (at[1] == row->passed[i] || row->passed[i] == ALIGNMENT);
  return all;
}

/* Gives the callee without a name a kind if its type is that of this row. */
static void add_callee(finding *f, const wi_names *names, uint32_t callee, const behind *row,
                       uint8_t *kinds) {
  const wi_type *type = wi_module_function_type(f->module, callee);
  bool releases = wi_allocator_releases(&wi_allocators[row->kind]);
  if (callee >= f->module->imports_count && is_nameless(f->module, names, callee) && type &&
      type->param_count == row->count && type->result_count == !releases)
    add_allocator(f, callee - f->module->imports_count, row->kind, kinds);
}

static bool look_behind(finding *f, const wi_names *names, uint32_t function, uint8_t *kinds) {
  const wi_scan_wants wants = {.calls = true};
  uint32_t body = function - f->module->imports_count;
  if (!wi_scan_body(f->scan, f->module, body, &wants, f->error))
    return false;
  for (uint32_t i = 0; i < f->scan->sites_count; i++) {
    const wi_site *site = &f->scan->sites[i];
    bool is_call = site->kind == WI_SITE_BEFORE_CALL && site->value != WI_NO_FUNCTION;
    for (size_t k = 0; is_call && k < sizeof behind_bindgen / sizeof *behind_bindgen; k++)
      if (behind_bindgen[k].caller == kinds[body] && passes(f, site, &behind_bindgen[k]))
        add_callee(f, names, site->value, &behind_bindgen[k], kinds);
  }
  return true;
}

static bool is_bindgen(const wi_module *module, wi_span name) {
  return wi_module_span_begins(module, name, "__wbindgen_");
}

/*
 * In a stripped module, only JavaScript calls wasm-bindgen's allocators. Rust's own, which the
 * program calls, are what those call.
 */
static bool look_behind_bindgen(finding *f, const wi_names *names, uint8_t *kinds) {
  const wi_module *module = f->module;
  bool done = true;
  for (uint32_t i = 0; done && i < module->bodies_count; i++) {
    wi_span name;
    uint32_t function = module->imports_count + i;
    if (kinds[i] != WI_ALLOCATOR_KIND_NONE && wi_names_raw(names, function, &name) &&
        is_bindgen(module, name))
      done = look_behind(f, names, function, kinds);
  }
  for (uint32_t i = 0; done && i < module->exports_count; i++)
    if (allocator_at(f, module->exports[i].function) && is_bindgen(module, module->exports[i].name))
      done = look_behind(f, names, module->exports[i].function, kinds);
  return done;
}

bool wi_add_nameless_allocators(uint8_t *kinds, uint32_t *count, const wi_module *module,
                                wi_scan *scan, wi_error *error) {
  finding f = {.kinds = kinds, .module = module, .scan = scan, .error = error};
  wi_names *names = wi_names_of_module(module);
  bool done = names || wi_error_memory(error);
  done = done && look_behind_bindgen(&f, names, kinds) && add_forwarders(&f, names, kinds);
  *count += f.added;
  wi_names_free(names);
  return done;
}

bool wi_drop_inner_allocators(uint8_t *kinds, const wi_module *module, wi_scan *scan,
                              wi_error *error) {
  finding f = {.kinds = kinds, .module = module, .scan = scan, .error = error};
  f.is_outer = calloc((size_t)module->bodies_count + 1, sizeof *f.is_outer);
  bool done = f.is_outer ? look_at_bodies(&f) && look_at_sections(&f) : wi_error_memory(error);
  for (uint32_t i = 0; done && i < module->bodies_count; i++)
    if (!f.is_outer[i])
      kinds[i] = WI_ALLOCATOR_KIND_NONE;
  free(f.is_outer);
  return done;
}
