#include "symbols/core_module.h"

#include <string.h>

#include "component/container.h"
#include "module/identity.h"
#include "module/names.h"
#include "module/read.h"

/* The properties of a core module that identify it. */
typedef struct module_facts {
  bool is_instrumented;
  char identity[WI_IDENTITY_SIZE];
  char name[WI_COMPONENT_NAME_SIZE];
} module_facts;

static bool read_facts(const wi_component *component, const wi_component_part *part,
                       module_facts *facts) {
  wi_module module;
  wi_marker marker;
  wi_error ignored;
  wi_error_reset(&ignored);
  if (!part->is_module ||
      !wi_module_read(&module, component->bytes + part->bytes.offset, part->bytes.size, &ignored))
    return false;
  wi_module_identity(&module, facts->identity);
  facts->is_instrumented = wi_marker_of_module(&module, &marker);
  wi_component_module_name(component, part, facts->name);
  wi_module_clear(&module);
  return true;
}

/* The profile of one of several modules has the name "component:module". */
static bool is_told(const wasm_perf_profile *profile, const char *name) {
  const char *told = profile->facts.module ? strrchr(profile->facts.module, ':') : NULL;
  return !told || strcmp(told + 1, name) == 0;
}

static bool fits(const wasm_perf_profile *profile, const module_facts *facts) {
  if (facts->is_instrumented)
    return is_told(profile, facts->name);
  return profile->facts.identity && strcmp(facts->identity, profile->facts.identity) == 0;
}

bool wi_core_module_find(const uint8_t *bytes, size_t size, const wasm_perf_profile *profile,
                         wi_span *module, bool *has_run, wi_error *error) {
  wi_component component;
  module_facts facts;
  bool found = false;
  if (!wi_component_read(&component, bytes, size, error))
    return false;
  for (uint32_t i = 0; i < component.parts_count && !found; i++) {
    found = read_facts(&component, &component.parts[i], &facts) && fits(profile, &facts);
    if (found) {
      *module = component.parts[i].bytes;
      *has_run = facts.is_instrumented;
    }
  }
  wi_component_clear(&component);
  return found || wi_error_set(error, WI_ERROR_COMPONENT, WI_NO_OFFSET, WI_NO_FUNCTION,
                               "the profile belongs to no core module of this component");
}
