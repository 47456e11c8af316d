/*
 * The linked form: hooks are imports. Imports and types precede the code in a module, so a survey
 * of the bodies first decides which of them the module needs.
 */
#include "hooks/linked/linked.h"

#include "code/scan_body.h"
#include "hooks/linked/linked_body.h"
#include "rewrite/additions.h"

/* Skips bodies that can no longer change the result. */
static bool survey(wi_plan *plan, wi_scan *scan, bool *needs_depth, wi_error *error) {
  const wi_module *module = plan->module;
  for (uint32_t i = 0; i < module->bodies_count; i++) {
    uint32_t function = module->imports_count + i;
    const wi_type *type = wi_module_function_type(module, function);
    bool several_results = type && type->result_count > 1;
    bool matters = plan->chosen_count > 0 || function == plan->entry;
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

static bool init(wi_plan *plan, const wi_options *options, wi_scan *scan, wi_error *error) {
  bool needs_depth = false;
  plan->wants.basic_blocks = plan->wants.calls = plan->counts;
  if (!survey(plan, scan, &needs_depth, error))
    return false;
  choose_hooks(plan, needs_depth, options->flush);
  return true;
}

/* Everything is owned by the plan, which the caller clears. */
static void clear(wi_plan *plan) {
  (void)plan;
}

/* Number of added globals: the instruction clock, if any. */
static uint32_t count(const wi_plan *plan, wi_section_id id) {
  return id == WI_SECTION_GLOBAL && plan->counts;
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
