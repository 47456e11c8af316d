#include "rewrite/plan.h"

#include <stdlib.h>
#include <uthash.h>

#include "code/scan_body.h"
#include "rewrite/body.h"

/* A type [] -> results that a wrapped body's block may name. */
struct wi_block_type {
  uint32_t type_index;
  UT_hash_handle hh;
};

/* ---- Hooks -------------------------------------------------------------- */

static const struct {
  const char *bytes;
  size_t size;
} signatures[] = {
#define SIGNATURE_ROW(id, encoding) {encoding, sizeof encoding - 1},
    WI_SIGNATURES(SIGNATURE_ROW)
#undef SIGNATURE_ROW
};

static const struct {
  const char *name;
  wi_signature signature;
} hooks[] = {
#define HOOK_ROW(id, name, sig) {name, WI_SIGNATURE_##sig},
    WI_HOOKS(HOOK_ROW)
#undef HOOK_ROW
};

const char *wi_hook_name(wi_hook hook) {
  return hooks[hook].name;
}

/* Appends a plain function type, a recursion group of its own; returns its type index. */
static uint32_t append_function_type(wi_plan *plan, const void *encoding, size_t size) {
  enum { FORM_FUNC = 0x60 };
  wi_buffer_u8(&plan->types, FORM_FUNC);
  wi_buffer_append(&plan->types, encoding, size);
  return plan->module->types_count + plan->type_count++;
}

void wi_plan_need_type(wi_plan *plan, wi_signature signature) {
  uint32_t *type = &plan->signature_types[signature];
  if (*type == WI_NO_TYPE)
    *type = append_function_type(plan, signatures[signature].bytes, signatures[signature].size);
}

static void assign_hooks(wi_plan *plan, const bool used[WI_HOOK_COUNT]) {
  for (wi_hook hook = 0; hook < WI_HOOK_COUNT; ++hook) {
    plan->hooks[hook] = WI_NO_FUNCTION;
    if (!used[hook])
      continue;
    wi_plan_need_type(plan, hooks[hook].signature);
    plan->hooks[hook] = plan->module->imports_count + plan->import_count++;
  }
}

void wi_plan_append_imports(const wi_plan *plan, const char *import_module, wi_buffer *out) {
  for (wi_hook hook = 0; hook < WI_HOOK_COUNT; ++hook) {
    if (plan->hooks[hook] == WI_NO_FUNCTION)
      continue;
    wi_buffer_name(out, import_module);
    wi_buffer_name(out, hooks[hook].name);
    wi_buffer_u8(out, WI_EXTERN_FUNCTION);
    wi_buffer_u32(out, plan->signature_types[hooks[hook].signature]);
  }
}

/* ---- Block types -------------------------------------------------------- */

static bool remember_block_type(wi_plan *plan, wi_span results, uint32_t type_index) {
  const uint8_t *key = plan->module->bytes + results.offset;
  wi_block_type *known;
  HASH_FIND(hh, plan->block_types, key, results.size, known);
  if (known)
    return true;
  wi_block_type *added = malloc(sizeof *added);
  if (!added)
    return false;
  added->type_index = type_index;
  HASH_ADD_KEYPTR(hh, plan->block_types, key, results.size, added);
  return true;
}

static bool remember_module_block_types(wi_plan *plan) {
  const wi_module *module = plan->module;
  for (uint32_t i = 0; i < module->types_count; ++i) {
    const wi_type *type = &module->types[i];
    if (type->is_function && type->param_count == 0 && type->result_count > 1 &&
        !remember_block_type(plan, type->results, i))
      return false;
  }
  return true;
}

uint32_t wi_plan_block_type(const wi_plan *plan, const wi_type *type) {
  wi_block_type *known;
  HASH_FIND(hh, plan->block_types, plan->module->bytes + type->results.offset, type->results.size,
            known);
  return known ? known->type_index : UINT32_MAX;
}

static bool need_block_type(wi_plan *plan, const wi_type *type) {
  if (wi_plan_block_type(plan, type) != UINT32_MAX)
    return true;
  wi_buffer encoding = {0};
  wi_buffer_u8(&encoding, 0); /* no parameters */
  wi_buffer_u32(&encoding, type->result_count);
  wi_buffer_append(&encoding, plan->module->bytes + type->results.offset, type->results.size);
  uint32_t type_index = append_function_type(plan, encoding.data, encoding.size);
  bool done = !encoding.failed && remember_block_type(plan, type->results, type_index);
  wi_buffer_clear(&encoding);
  return done;
}

/* ---- The plan ----------------------------------------------------------- */

static uint32_t find_import(const wi_module *module, const char *from, const char *field) {
  for (uint32_t i = 0; i < module->imports_count; ++i)
    if (wi_module_span_equals(module, module->imports[i].module, from) &&
        wi_module_span_equals(module, module->imports[i].field, field))
      return i;
  return WI_NO_FUNCTION;
}

/*
 * Looks through the bodies for what decides about imports and types, which stand before the
 * code. Stops reading bodies as soon as no further one can change the answer.
 */
static bool survey(wi_plan *plan, wi_scan *scan, bool *needs_depth, wi_error *error) {
  const wi_module *module = plan->module;
  for (uint32_t i = 0; i < module->bodies_count; ++i) {
    uint32_t function = module->imports_count + i;
    const wi_type *type = wi_module_function_type(module, function);
    bool several_results = type && type->result_count > 1;
    bool matters = plan->chosen_count > 0 || function == plan->entry;
    if (!matters || (*needs_depth && !several_results))
      continue;
    if (!wi_scan_body(scan, module, i, error))
      return false;
    if (wi_hooks_need_depth(plan, scan))
      *needs_depth = true;
    if (several_results && wi_hooks_wrap(plan, scan, function) && !need_block_type(plan, type))
      return wi_error_memory(error);
  }
  return true;
}

static void choose_hooks(wi_plan *plan, bool needs_depth, bool flush) {
  bool any = plan->chosen_count > 0, counts = plan->counts;
  const bool used[WI_HOOK_COUNT] = {
      [WI_HOOK_START] = any && !counts,
      [WI_HOOK_END] = any && !counts,
      [WI_HOOK_DEPTH] = any && needs_depth,
      [WI_HOOK_UNWIND] = any && needs_depth && !counts,
      [WI_HOOK_START_AT] = any && counts,
      [WI_HOOK_END_AT] = any && counts,
      [WI_HOOK_UNWIND_AT] = any && needs_depth && counts,
      [WI_HOOK_FLUSH] = flush,
  };
  assign_hooks(plan, used);
}

bool wi_plan_need_block_type(wi_plan *plan, const wi_scan *scan, uint32_t function) {
  const wi_type *type = wi_module_function_type(plan->module, function);
  bool may_be_wrapped = type && type->result_count > 1 && scan->conditional_exit;
  return !may_be_wrapped || need_block_type(plan, type);
}

static bool plan_linked(wi_plan *plan, bool flush, wi_scan *scan, wi_error *error) {
  bool needs_depth = false;
  scan->count_runs = scan->record_calls = plan->counts;
  if (!survey(plan, scan, &needs_depth, error))
    return false;
  choose_hooks(plan, needs_depth, flush);
  return true;
}

static bool plan_embedded(wi_plan *plan, const wi_options *options, wi_scan *scan,
                          wi_error *error) {
  scan->record_calls = true;
  if (!wi_embed_init(plan, options, scan, error))
    return false;
  scan->count_runs = plan->embed->counts;
  return wi_embed_place(plan, options, error);
}

bool wi_plan_init(wi_plan *plan, const wi_module *module, bool *chosen, const wi_options *options,
                  wi_span old_hooks, wi_scan *scan, wi_error *error) {
  *plan =
      (wi_plan){.module = module,
                .chosen = chosen,
                .clock_global = wi_module_index_count(module, WI_EXTERN_GLOBAL, WI_SECTION_GLOBAL),
                .host_calls = options->host_calls,
                .proc_exit = WI_NO_FUNCTION,
                .entry = WI_NO_FUNCTION,
                .old_hooks = old_hooks};
  if (options->flush || options->embed) {
    plan->proc_exit = find_import(module, "wasi_snapshot_preview1", "proc_exit");
    plan->entry = wi_module_find_export(module, "_start");
  }
  for (uint32_t i = 0; i < module->bodies_count; ++i)
    plan->chosen_count += chosen[i];
  for (wi_signature i = 0; i < WI_SIGNATURE_COUNT; ++i)
    plan->signature_types[i] = WI_NO_TYPE;
  for (wi_hook hook = 0; hook < WI_HOOK_COUNT; ++hook)
    plan->hooks[hook] = WI_NO_FUNCTION;
  plan->counts =
      options->clock == WI_CLOCK_INSTRUCTIONS && plan->chosen_count > 0 && !options->embed;
  bool done = remember_module_block_types(plan) || wi_error_memory(error);
  if (done)
    done = options->embed ? plan_embedded(plan, options, scan, error)
                          : plan_linked(plan, options->flush, scan, error);
  if (!done)
    wi_plan_clear(plan);
  return done;
}

void wi_plan_clear(wi_plan *plan) {
  wi_block_type *item, *next;
  HASH_ITER(hh, plan->block_types, item, next) {
    HASH_DEL(plan->block_types, item);
    free(item);
  }
  wi_embed_free(plan->embed);
  free(plan->chosen);
  wi_buffer_clear(&plan->types);
  *plan = (wi_plan){0};
}
