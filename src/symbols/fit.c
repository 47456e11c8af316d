#include "symbols/fit.h"

#include <string.h>

/* A profile without identity and names fits only the module that ran. */
static wi_symbol_fit fit_of_bare_profile(const wasm_perf_profile *profile,
                                         const wi_symbol_file *file, const char **reason) {
  if (!file->is_instrumented) {
    *reason = "the profile does not name its module: only the instrumented module that ran fits it";
    return WI_SYMBOL_FIT_NONE;
  }
  for (uint32_t i = 0; i < profile->header.node_count; i++) {
    uint32_t function = profile->nodes[i].function;
    if (function < WASM_PERF_FUNCTION_UNHOOKED && function >= wi_names_count(file->names)) {
      *reason = "it has fewer functions than the profile";
      return WI_SYMBOL_FIT_NONE;
    }
  }
  return WI_SYMBOL_FIT_EXACT;
}

static wi_symbol_fit fit_of_module(const wasm_perf_profile *profile, const wi_symbol_file *file,
                                   const char **reason) {
  const wasm_perf_facts *facts = &profile->facts;
  bool has_ids = facts->build_id && file->build_id[0];
  bool has_code = file->module.bodies_count > 0;
  uint32_t count = profile->header.function_count, own = file->module.function_types_count;
  if ((has_ids && strcmp(facts->build_id, file->build_id) == 0) ||
      (has_code && facts->identity && strcmp(facts->identity, file->identity) == 0))
    return WI_SYMBOL_FIT_EXACT;
  if (file->is_instrumented)
    *reason = "it is instrumented; give the original module";
  else if (has_ids)
    *reason = "it is another build: the build_id differs";
  else if (own > 0 && count > 0 && count != own)
    *reason = "it is another build or module: its number of functions differs; also give the "
              "module that ran: --symbols app.wasm --symbols FILE";
  else
    return WI_SYMBOL_FIT_BY_INDEX;
  return WI_SYMBOL_FIT_NONE;
}

/* It has only functions with names of their own, some of which are "func[12]". */
static bool is_of_other_tool(const wasm_perf_profile *profile) {
  return profile->facts.first_guest > 0 && profile->header.function_count == 0 &&
         !profile->facts.identity;
}

wi_symbol_fit wi_symbol_fit_of(const wasm_perf_profile *profile, const wi_symbol_file *file,
                               const char **reason) {
  const wasm_perf_node *first = &profile->nodes[1];
  bool has_module = profile->facts.identity || profile->facts.module;
  if (file->has_run)
    return WI_SYMBOL_FIT_EXACT;
  if (is_of_other_tool(profile))
    return file->is_module ? fit_of_module(profile, file, reason) : WI_SYMBOL_FIT_BY_INDEX;
  if (!has_module && profile->header.node_count > 1 && first->call_count == 0) {
    *reason = "the profile covers several modules; name the functions of each profile before "
              "merging them";
    return WI_SYMBOL_FIT_NONE;
  }
  if (!profile->facts.identity && !wasm_perf_profile_has_names(profile))
    return fit_of_bare_profile(profile, file, reason);
  return file->is_module ? fit_of_module(profile, file, reason) : WI_SYMBOL_FIT_BY_INDEX;
}
