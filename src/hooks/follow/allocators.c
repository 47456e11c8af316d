/* Finds allocators by name and checks that their parameters fit. */
#include "hooks/follow/allocators.h"

#include <stdlib.h>
#include <string.h>

#include "hooks/selection.h"
#include "module/names.h"
#include "module/value_types.h"
#include "names/label.h"
#include "rewrite/opcodes.h"
#include "rewrite/warn.h"
#include "support/buffer.h"
#include "support/glob.h"

static const wi_allocator_rule known[] = {
#define WI_ALLOCATOR(pattern, kind) {pattern, WI_ALLOCATOR_KIND_##kind},
#include "hooks/follow/allocators.def"
};

/* ---- Types --------------------------------------------------------------- */

static uint8_t integer_type(uint8_t type) {
  return type == TYPE_I32 || type == TYPE_I64 ? type : 0;
}

uint8_t wi_parameter_type(const wi_module *module, const wi_type *type, uint32_t parameter) {
  wi_error ignored;
  wi_error_reset(&ignored);
  wi_cursor cursor = wi_cursor_at(module->bytes, type->params, &ignored);
  for (; parameter > 0 && wi_cursor_left(&cursor) > 0; parameter--)
    wi_skip_value_type(&cursor);
  return wi_cursor_left(&cursor) > 0 ? integer_type(wi_cursor_peek(&cursor)) : 0;
}

uint8_t wi_result_type(const wi_module *module, const wi_type *type) {
  return type->result_count == 1 ? integer_type(module->bytes[type->results.offset]) : 0;
}

static bool has_parameter(const wi_module *module, const wi_type *type, uint8_t parameter) {
  return parameter == WI_NO_PARAMETER || wi_parameter_type(module, type, parameter) != 0;
}

/*
 * The block's address is loaded from where the allocator stored it, which requires a memory 0 with
 * addresses of that width.
 */
static bool can_load(const wi_module *module, const wi_type *type, const wi_allocator *allocator) {
  bool is_64 = wi_parameter_type(module, type, allocator->pointer) == TYPE_I64;
  return wi_module_index_count(module, WI_EXTERN_MEMORY, WI_SECTION_MEMORY) > 0 &&
         wi_module_memory_is_64(module, 0) == is_64;
}

/*
 * A Go function's only parameter is the block at which to continue; Go's stack pointer is global 0.
 */
static bool is_go(const wi_module *module, const wi_type *type) {
  wi_error ignored;
  wi_error_reset(&ignored);
  const wi_section *globals = NULL;
  for (uint32_t i = 0; i < module->sections_count && !globals; i++)
    if (module->sections[i].id == WI_SECTION_GLOBAL)
      globals = &module->sections[i];
  if (!globals || module->import_counts[WI_EXTERN_GLOBAL] > 0)
    return false;
  wi_cursor cursor = wi_cursor_at(module->bytes, globals->payload, &ignored);
  bool has_pointer = wi_cursor_count(&cursor, 1, "globals") > 0;
  has_pointer = has_pointer && wi_cursor_u8(&cursor) == TYPE_I32;
  has_pointer = has_pointer && wi_cursor_u8(&cursor) == MUTABLE && !cursor.failed;
  return has_pointer && type->param_count == 1 && wi_parameter_type(module, type, 0) == TYPE_I32 &&
         wi_module_index_count(module, WI_EXTERN_MEMORY, WI_SECTION_MEMORY) > 0 &&
         !wi_module_memory_is_64(module, 0);
}

static bool type_fits(const wi_module *module, uint32_t function, const wi_allocator *allocator) {
  const wi_type *type = wi_module_function_type(module, function);
  bool has_result = type && wi_result_type(module, type) != 0;
  return type && has_parameter(module, type, allocator->pointer) &&
         has_parameter(module, type, allocator->count) &&
         has_parameter(module, type, allocator->size) &&
         (has_result || wi_allocator_releases(allocator)) &&
         (allocator->action != WI_ALLOCATOR_STORE || can_load(module, type, allocator)) &&
         (allocator->action != WI_ALLOCATOR_GO || is_go(module, type));
}

/* ---- Names --------------------------------------------------------------- */

typedef struct finding {
  const wi_module *module;
  const wi_options *options;
  const wi_allocator_rule *rules; /* borrowed from the caller */
  uint32_t rule_count;
  bool *used; /* per rule: it matched */
  wi_buffer text;
  uint8_t *kinds;
  bool *is_decided; /* per function: decided by a rule of the caller, or by the first name
                       that fits */
  wi_error *error;
} finding;

static void decide(finding *f, uint32_t function, wi_allocator_kind kind, bool by_caller) {
  uint32_t index = function - f->module->imports_count;
  if (kind != WI_ALLOCATOR_KIND_NONE && !type_fits(f->module, function, &wi_allocators[kind])) {
    if (by_caller)
      wi_warn(f->options, "function %u does not have the parameters of %s, so it is not followed",
              function, wi_allocators[kind].name);
    return;
  }
  f->kinds[index] = (uint8_t)kind;
  f->is_decided[index] = true;
}

/* Rules for functions without names: "func[12]". */
static void match_numbers(finding *f) {
  const wi_module *module = f->module;
  for (uint32_t i = 0, function; i < f->rule_count; i++)
    if (wi_label_is_number(f->rules[i].pattern, &function) && function >= module->imports_count &&
        function - module->imports_count < module->bodies_count) {
      f->used[i] = true;
      decide(f, function, f->rules[i].kind, true);
    }
}

static bool match_rules(finding *f, uint32_t function, const char *name) {
  for (uint32_t i = 0; i < f->rule_count; i++)
    if (wi_glob_matches(f->rules[i].pattern, name)) {
      f->used[i] = true;
      decide(f, function, f->rules[i].kind, true);
      return true;
    }
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (wi_glob_matches(known[i].pattern, name)) {
      decide(f, function, known[i].kind, false);
      return true;
    }
  return false;
}

static bool match_name(finding *f, uint32_t function, wi_span name) {
  char readable[WI_READABLE_MAX_SIZE];
  f->text.size = 0;
  wi_buffer_append(&f->text, f->module->bytes + name.offset, name.size);
  wi_buffer_u8(&f->text, '\0');
  if (f->text.failed)
    return wi_error_memory(f->error);
  const char *raw = (const char *)f->text.data;
  if (function < f->module->imports_count || f->is_decided[function - f->module->imports_count])
    return true;
  if (match_rules(f, function, raw))
    return true;
  raw += raw[0] == WI_MATCHED_MARK;
  if (!match_rules(f, function, raw) && raw[0] == '_' &&
      wi_demangle(raw, readable, sizeof readable))
    match_rules(f, function, readable);
  return true;
}

static bool match_names(finding *f, const wi_names *names) {
  const wi_module *module = f->module;
  match_numbers(f);
  for (uint32_t i = 0; i < module->bodies_count; i++) {
    wi_span name;
    if (wi_names_raw(names, module->imports_count + i, &name) &&
        !match_name(f, module->imports_count + i, name))
      return false;
  }
  for (uint32_t i = 0; i < module->exports_count; i++)
    if (!match_name(f, module->exports[i].function, module->exports[i].name))
      return false;
  return true;
}

/* Whether any function has a kind with this action. */
static bool has_action(const finding *f, wi_allocator_action action) {
  for (uint32_t i = 0; i < f->module->bodies_count; i++)
    if (f->kinds[i] != WI_ALLOCATOR_KIND_NONE && wi_allocators[f->kinds[i]].action == action)
      return true;
  return false;
}

static bool any_allocates(const finding *f) {
  for (uint32_t i = 0; i < f->module->bodies_count; i++)
    if (f->kinds[i] != WI_ALLOCATOR_KIND_NONE &&
        !wi_allocator_releases(&wi_allocators[f->kinds[i]]))
      return true;
  return false;
}

/*
 * Functions that only release are not followed: a report would say that nothing was allocated.
 * AssemblyScript's optimiser inlines the function that allocates.
 */
static void drop_releases(finding *f) {
  if (any_allocates(f) ||
      !(has_action(f, WI_ALLOCATOR_RELEASE) || has_action(f, WI_ALLOCATOR_PUT_BACK)))
    return;
  memset(f->kinds, WI_ALLOCATOR_KIND_NONE, f->module->bodies_count);
  wi_warn(f->options, "functions free memory, but none of a known name allocates it: the compiler "
                      "has inlined these. Name another with --allocator NAME=KIND, or link with "
                      "fewer optimisations");
}

/*
 * Optimisers inline functions that are called once: in Emscripten's allocator, only dlmalloc
 * remains.
 */
static void warn_inlined(const finding *f) {
  if (has_action(f, WI_ALLOCATOR_ALLOCATE) && !has_action(f, WI_ALLOCATOR_RELEASE) &&
      !has_action(f, WI_ALLOCATOR_PUT_BACK))
    wi_warn(f->options,
            "no function frees memory. If the program does, the compiler has inlined free, realloc "
            "and aligned_alloc: freed blocks then count as live, resized blocks as new ones, and "
            "aligned blocks as larger. Link with -O1 to keep these functions");
}

/* ---- Entry points ---------------------------------------------------------- */

static bool find(finding *f) {
  size_t count = (size_t)f->module->bodies_count + 1;
  if (f->options->selection)
    f->rules = wi_selection_allocators(f->options->selection, &f->rule_count);
  f->used = calloc(f->rule_count + (size_t)1, sizeof *f->used);
  f->kinds = calloc(count, sizeof *f->kinds);
  f->is_decided = calloc(count, sizeof *f->is_decided);
  wi_names *names = wi_names_of_module(f->module);
  bool done = (f->used && f->kinds && f->is_decided && names) || wi_error_memory(f->error);
  done = done && match_names(f, names);
  for (uint32_t i = 0; done && i < f->rule_count; i++)
    if (!f->used[i])
      wi_warn(f->options, "allocator '%s' matches no function", f->rules[i].pattern);
  wi_names_free(names);
  if (done) {
    drop_releases(f);
    warn_inlined(f);
  }
  return done;
}

uint8_t *wi_find_allocators(const wi_module *module, const wi_options *options, uint32_t *count,
                            wi_error *error) {
  finding f = {.module = module, .options = options, .error = error};
  bool done = find(&f);
  free(f.used);
  free(f.is_decided);
  wi_buffer_clear(&f.text);
  *count = 0;
  for (uint32_t i = 0; done && i < module->bodies_count; i++)
    *count += f.kinds[i] != WI_ALLOCATOR_KIND_NONE;
  if (done)
    return f.kinds;
  free(f.kinds);
  return NULL;
}
