#include "profile/modules.h"

#include <stdlib.h>
#include <string.h>

#include "support/search.h"

/* Appends to an array whose capacity is a power of two. Returns false if out of memory. */
static bool append(wasm_perf_module **modules, uint32_t *count, wasm_perf_module module,
                   size_t name_size) {
  if ((*count & (*count - 1)) == 0) {
    wasm_perf_module *larger =
        realloc(*modules, (*count == 0 ? 1 : *count * (size_t)2) * sizeof *larger);
    if (!larger)
      return false;
    *modules = larger;
  }
  char *copy = malloc(name_size + 1);
  if (!copy)
    return false;
  memcpy(copy, module.name, name_size);
  copy[name_size] = '\0';
  module.name = copy;
  (*modules)[(*count)++] = module;
  return true;
}

bool wi_modules_add(wasm_perf_profile *profile, uint32_t function, uint32_t count, const char *name,
                    size_t size) {
  return append(&profile->modules, &profile->module_count,
                (wasm_perf_module){function, count, (char *)name}, size);
}

bool wi_joined_add(wasm_perf_profile *profile, uint32_t function, uint32_t count, const char *name,
                   size_t size) {
  return append(&profile->joined, &profile->joined_count,
                (wasm_perf_module){function, count, (char *)name}, size);
}

/* ---- Functions ---------------------------------------------------------------- */

/* The joined module at or before a function; WI_NO_MODULE: there is none. */
static uint32_t module_before(const wasm_perf_profile *profile, uint32_t function) {
  uint32_t at =
      WI_LOWER_BOUND(wasm_perf_module, profile->joined, profile->joined_count, function, function);
  if (at < profile->joined_count && profile->joined[at].function == function)
    return at;
  return at == 0 ? WI_NO_MODULE : at - 1;
}

uint32_t wi_module_of(const wasm_perf_profile *profile, uint32_t function) {
  uint64_t first_guest = profile->facts.first_guest;
  wasm_perf_kind kind = wasm_perf_profile_kind(profile, function);
  if (function >= WASM_PERF_FUNCTION_UNHOOKED || (first_guest > 0 && function >= first_guest) ||
      (kind != WASM_PERF_KIND_WASM && kind != WASM_PERF_KIND_IMPORT))
    return WI_NO_MODULE;
  if (profile->joined_count == 0)
    return 0;
  uint32_t at = module_before(profile, function);
  bool is_within =
      at != WI_NO_MODULE && function - profile->joined[at].function <= profile->joined[at].count;
  return is_within ? at : WI_NO_MODULE;
}

bool wi_module_is(const wasm_perf_profile *profile, uint32_t function) {
  uint32_t at = profile->joined_count == 0 ? WI_NO_MODULE : module_before(profile, function);
  return at != WI_NO_MODULE && profile->joined[at].function == function;
}

const char *wi_module_name(const wasm_perf_profile *profile, uint32_t module) {
  if (module < profile->joined_count)
    return profile->joined[module].name;
  return profile->joined_count == 0 && module == 0 && profile->facts.module ? profile->facts.module
                                                                            : "";
}

/* ---- Two profiles -------------------------------------------------------------- */

static uint32_t count_of(const wasm_perf_profile *profile) {
  return profile->joined_count == 0 ? 1 : profile->joined_count;
}

/* Pairs modules with the same name. */
static void pair_names(const wasm_perf_profile *before, const wasm_perf_profile *after,
                       uint32_t *pairs, bool *is_taken) {
  for (uint32_t i = 0; i < count_of(before); i++) {
    pairs[i] = WI_NO_MODULE;
    for (uint32_t j = 0; j < count_of(after) && pairs[i] == WI_NO_MODULE; j++)
      if (!is_taken[j] && strcmp(wi_module_name(before, i), wi_module_name(after, j)) == 0) {
        pairs[i] = j;
        is_taken[j] = true;
      }
  }
}

uint32_t *wi_modules_pair(const wasm_perf_profile *before, const wasm_perf_profile *after) {
  uint32_t before_count = count_of(before), after_count = count_of(after), next = 0;
  uint32_t *pairs = malloc(before_count * sizeof *pairs);
  bool *is_taken = calloc(after_count, sizeof *is_taken);
  if (!pairs || !is_taken) {
    free(pairs);
    free(is_taken);
    return NULL;
  }
  pair_names(before, after, pairs, is_taken);
  for (uint32_t i = 0; i < before_count; i++) {
    if (pairs[i] != WI_NO_MODULE)
      continue;
    while (next < after_count && is_taken[next])
      next++;
    pairs[i] = before_count == after_count ? next++ : after_count + i;
  }
  free(is_taken);
  return pairs;
}
