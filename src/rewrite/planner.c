#include "rewrite/planner.h"

#include <stdlib.h>

#include "code/scan_body.h"
#include "rewrite/additions.h"
#include "rewrite/body_parts.h"
#include "rewrite/embed.h"
#include "rewrite/embed_body.h"
#include "rewrite/embed_config.h"
#include "rewrite/linked_body.h"

static uint32_t find_import(const wi_module *module, const char *from, const char *field) {
  for (uint32_t i = 0; i < module->imports_count; ++i)
    if (wi_module_span_equals(module, module->imports[i].module, from) &&
        wi_module_span_equals(module, module->imports[i].field, field))
      return i;
  return WI_NO_FUNCTION;
}

/*
 * Surveys the bodies for what decides about imports and types, which stand before the code. Stops
 * as soon as no further body can change the answer.
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
    if (wi_linked_needs_depth(plan, scan))
      *needs_depth = true;
    if (several_results && wi_linked_wraps(plan, scan, function) &&
        !wi_plan_add_block_type(plan, type))
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
  wi_plan_add_hooks(plan, used);
}

static bool plan_linked(wi_plan *plan, bool flush, wi_scan *scan, wi_error *error) {
  bool needs_depth = false;
  scan->record_basic_blocks = scan->record_calls = plan->counts;
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
  scan->record_basic_blocks = plan->embed->counts || plan->embed->first_blocks;
  scan->record_flow = plan->embed->counts;
  return wi_embed_place(plan, options, error);
}

bool wi_plan_init(wi_plan *plan, const wi_module *module, bool *chosen, const wi_options *options,
                  wi_span old_hooks, wi_scan *scan, wi_error *error) {
  *plan =
      (wi_plan){.module = module,
                .chosen = chosen,
                .clock_global = wi_module_index_count(module, WI_EXTERN_GLOBAL, WI_SECTION_GLOBAL),
                .host_calls = options->host_calls,
                .exits = {WI_NO_FUNCTION, WI_NO_FUNCTION},
                .entry = WI_NO_FUNCTION,
                .old_hooks = old_hooks};
  if (options->flush || options->embed) {
    plan->exits[0] = find_import(module, "wasi_snapshot_preview1", "proc_exit");
    plan->entry = wi_module_find_export(module, "_start");
  }
  for (uint32_t i = 0; i < module->bodies_count; ++i)
    plan->chosen_count += chosen[i];
  for (wi_signature i = 0; i < WI_SIGNATURE_COUNT; ++i)
    plan->signature_types[i] = WI_NO_TYPE;
  for (wi_hook hook = 0; hook < WI_HOOK_COUNT; ++hook)
    plan->hooks[hook] = WI_NO_FUNCTION;
  plan->counts =
      options->clock == WASM_PERF_CLOCK_INSTRUCTIONS && plan->chosen_count > 0 && !options->embed;
  bool done = wi_plan_find_block_types(plan) || wi_error_memory(error);
  if (done)
    done = options->embed ? plan_embedded(plan, options, scan, error)
                          : plan_linked(plan, options->flush, scan, error);
  if (!done)
    wi_plan_clear(plan);
  return done;
}

void wi_plan_clear(wi_plan *plan) {
  wi_plan_clear_block_types(plan);
  wi_embed_free(plan->embed);
  free(plan->chosen);
  wi_buffer_clear(&plan->types);
  *plan = (wi_plan){0};
}

/* ---- Edits ---------------------------------------------------------------- */

bool wi_plan_body(const wi_plan *plan, const wi_scan *scan, uint32_t index, wi_edits *edits,
                  wi_body_plan *result, wi_error *error) {
  return (plan->embed ? wi_embed_body : wi_linked_body)(plan, scan, index, edits, result, error);
}

void wi_plan_item(const wi_plan *plan, const wi_scan *scan, wi_edits *edits) {
  wi_edits_reset(edits);
  for (uint32_t i = 0; i < scan->sites_count; ++i)
    if (scan->sites[i].kind == WI_SITE_FUNCTION_INDEX || scan->sites[i].kind == WI_SITE_REFERENCE)
      wi_body_edit_function_index(plan, &scan->sites[i], edits);
}
