/* Makes a plan, and passes bodies to the form of hooks. */
#include "rewrite/planner.h"

#include <stdlib.h>

#include "rewrite/additions.h"
#include "rewrite/body_parts.h"

bool wi_plan_init(wi_plan *plan, const wi_module *module, const wi_form *form, bool *chosen,
                  const wi_options *options, const wi_surroundings *beside, wi_scan *scan,
                  wi_error *error) {
  *plan = (wi_plan){.module = module,
                    .form = form,
                    .chosen = chosen,
                    .host_calls = options->host_calls,
                    .beside = beside};
  for (uint32_t i = 0; i < module->bodies_count; i++)
    plan->chosen_count += chosen[i];
  for (wi_signature i = 0; i < WI_SIGNATURE_COUNT; i++)
    plan->signature_types[i] = WI_NO_TYPE;
  bool done = wi_plan_find_block_types(plan) || wi_error_memory(error);
  done = done && form->init(plan, options, scan, error);
  if (!done)
    wi_plan_clear(plan);
  return done;
}

void wi_plan_clear(wi_plan *plan) {
  wi_plan_clear_block_types(plan);
  if (plan->form)
    plan->form->clear(plan);
  free(plan->chosen);
  free(plan->unhookable);
  free(plan->added);
  free(plan->replaced);
  wi_buffer_clear(&plan->types);
  *plan = (wi_plan){0};
}

/* ---- Edits ---------------------------------------------------------------- */

bool wi_plan_body(const wi_plan *plan, const wi_scan *scan, uint32_t index, wi_edits *edits,
                  wi_body_plan *result, wi_error *error) {
  return plan->form->plan_body(plan, scan, index, edits, result, error);
}

void wi_plan_item(const wi_plan *plan, const wi_scan *scan, wi_edits *edits) {
  wi_edits_reset(edits);
  for (uint32_t i = 0; i < scan->sites_count; i++)
    if (scan->sites[i].kind == WI_SITE_FUNCTION_INDEX || scan->sites[i].kind == WI_SITE_REFERENCE)
      wi_body_edit_function_index(plan, &scan->sites[i], edits);
}
