/*
 * The linked form: hooks are imports. Imports and types precede the code in a module, so a survey
 * of the bodies first decides which of them the module needs.
 */
#include "hooks/linked/linked.h"

#include <stdlib.h>

#include "code/scan_body.h"
#include "hooks/linked/hooks.h"
#include "hooks/linked/linked_body.h"
#include "hooks/surroundings.h"
#include "rewrite/additions.h"

/* Skips bodies that can no longer change the result. */
static bool survey(wi_plan *plan, wi_scan *scan, bool *needs_depth, wi_error *error) {
  const wi_module *module = plan->module;
  for (uint32_t i = 0; i < module->bodies_count; i++) {
    uint32_t function = module->imports_count + i;
    const wi_type *type = wi_module_function_type(module, function);
    bool several_results = type && type->result_count > 1;
    bool matters = plan->chosen_count > 0 || function == plan->linked->ends.entry;
    if (!matters || (*needs_depth && !several_results))
      continue;
    if (!wi_scan_body(scan, module, i, &plan->wants, error))
      return false;
    if (wi_linked_needs_depth(plan, scan))
      *needs_depth = true;
    if (several_results && wi_linked_wraps(plan, scan, function) &&
        !wi_plan_add_block_type(plan, type))
      return wi_error_memory(error);
  }
  return true;
}

static const wi_added_import imports[] = {
#define HOOK_ROW(id, name, signature) {name, WI_SIGNATURE_##signature},
    WI_HOOKS(HOOK_ROW)
#undef HOOK_ROW
};

static bool add_hooks(wi_plan *plan, bool needs_depth, bool flush, wi_error *error) {
  bool any = plan->chosen_count > 0, counts = plan->linked->counts;
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
  for (wi_hook hook = 0; hook < WI_HOOK_COUNT; hook++) {
    uint32_t *index = &plan->linked->hooks[hook];
    *index = used[hook] ? wi_plan_add_import(plan, imports[hook].name, imports[hook].signature)
                        : WI_NO_FUNCTION;
    if (used[hook] && *index == WI_NO_FUNCTION)
      return wi_error_memory(error);
  }
  return true;
}

static bool init(wi_plan *plan, const wi_options *options, wi_scan *scan, wi_error *error) {
  bool counts = wasm_perf_clock_is_counted(options->clock) && plan->chosen_count > 0;
  plan->linked = malloc(sizeof *plan->linked);
  if (!plan->linked)
    return wi_error_memory(error);
  *plan->linked = (wi_linked){
      .counts = counts,
      .clock_global = wi_module_index_count(plan->module, WI_EXTERN_GLOBAL, WI_SECTION_GLOBAL),
      .ends = options->flush ? wi_ends_find(plan->module) : wi_no_ends,
      .old_hooks = plan->beside ? plan->beside->old_hooks : (wi_span){0}};
  plan->wants.basic_blocks = plan->wants.calls = counts;
  bool needs_depth = false;
  return survey(plan, scan, &needs_depth, error) &&
         add_hooks(plan, needs_depth, options->flush, error);
}

static void clear(wi_plan *plan) {
  free(plan->linked);
}

/* Number of added globals: the instruction clock, if any. */
static uint32_t count(const wi_plan *plan, wi_section_id id) {
  return id == WI_SECTION_GLOBAL && plan->linked->counts;
}

static void put(wi_plan *plan, wi_section_id id, wi_buffer *out) {
  static const uint8_t clock_global[] = {0x7e, 0x01, 0x42, 0x00, 0x0b}; /* mut i64, i64.const 0 */
  if (count(plan, id) > 0)
    wi_buffer_append(out, clock_global, sizeof clock_global);
}

static uint32_t name_count(const wi_plan *plan) {
  return (void)plan, 0;
}
static void put_names(const wi_plan *plan, wi_buffer *out) {
  (void)plan, (void)out;
}

const wi_form wi_linked_form = {.init = init,
                                .clear = clear,
                                .plan_body = wi_linked_body,
                                .count = count,
                                .put = put,
                                .name_count = name_count,
                                .put_names = put_names};
