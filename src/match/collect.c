#include "match/collect.h"

#include <stdlib.h>
#include <string.h>

#include "code/scan_items.h"
#include "match/code_features.h"
#include "support/search.h"

/* ---- The call graph ------------------------------------------------------------------ */

static uint32_t sort_unique(uint32_t *items, uint32_t count) {
  uint32_t kept = 0;
  if (count > 0)
    qsort(items, count, sizeof *items, wi_compare_u32);
  for (uint32_t i = 0; i < count; i++)
    if (i == 0 || items[i] != items[i - 1])
      items[kept++] = items[i];
  return kept;
}

static bool list_callees(wi_features *features, wi_feature *function) {
  wi_range calls = function->calls;
  if (calls.count == 0)
    return true;
  if (!WI_ARRAY_RESERVE(features, links, calls.count))
    return false;
  uint32_t *callees = features->links + features->links_count;
  memcpy(callees, features->links + calls.first, calls.count * sizeof *callees);
  for (uint32_t i = 0; i < calls.count; i++)
    features->functions[callees[i]].site_count++;
  function->callees = (wi_range){features->links_count, sort_unique(callees, calls.count)};
  features->links_count += function->callees.count;
  return true;
}

/* Walks callers in ascending order, so that each list is sorted. */
static bool list_callers(wi_features *features) {
  uint32_t total = 0;
  for (uint32_t i = 0; i < features->count; i++) {
    wi_range callees = features->functions[i].callees;
    for (uint32_t k = 0; k < callees.count; k++)
      features->functions[features->links[callees.first + k]].callers.count++;
    total += callees.count;
  }
  if (!WI_ARRAY_RESERVE(features, links, total))
    return false;
  for (uint32_t i = 0; i < features->count; i++) {
    wi_range *callers = &features->functions[i].callers;
    callers->first = features->links_count;
    features->links_count += callers->count;
    callers->count = 0;
  }
  for (uint32_t i = 0; i < features->count; i++) {
    wi_range callees = features->functions[i].callees;
    for (uint32_t k = 0; k < callees.count; k++) {
      wi_range *callers = &features->functions[features->links[callees.first + k]].callers;
      features->links[callers->first + callers->count++] = i;
    }
  }
  return true;
}

/* One round: mixes the hashes of a function's callees, in order of calls, into its hash. */
static void mix_callees(wi_features *features, const uint64_t *before) {
  for (uint32_t i = features->module->imports_count; i < features->count; i++) {
    wi_feature *function = &features->functions[i];
    uint64_t hash = before[i];
    for (uint32_t k = 0; k < function->calls.count; k++)
      hash = wi_hash_mix(hash, before[features->links[function->calls.first + k]]);
    function->context = hash;
  }
}

static bool hash_contexts(wi_features *features) {
  enum { ROUNDS = 3 };
  uint64_t *before = malloc((features->count + (size_t)1) * sizeof *before);
  if (!before)
    return false;
  for (uint32_t i = 0; i < features->count; i++)
    features->functions[i].context = features->functions[i].exact;
  for (int round = 0; round < ROUNDS; round++) {
    for (uint32_t i = 0; i < features->count; i++)
      before[i] = features->functions[i].context;
    mix_callees(features, before);
  }
  free(before);
  return true;
}

/* Counts the functions with the same hash of their code, or of the same family. */
static bool count_equal(wi_features *features, bool by_family) {
  uint64_t *keys = malloc((features->count + (size_t)1) * sizeof *keys);
  for (uint32_t i = 0; keys && i < features->count; i++)
    keys[i] = by_family ? features->functions[i].family : features->functions[i].exact;
  if (keys && features->count > 0)
    qsort(keys, features->count, sizeof *keys, wi_compare_u64);
  for (uint32_t i = 0; keys && i < features->count; i++) {
    wi_feature *function = &features->functions[i];
    uint64_t key = by_family ? function->family : function->exact, next = key + 1;
    *(by_family ? &function->family_count : &function->exact_count) =
        wi_lower_bound(&next, keys, features->count, sizeof *keys, wi_compare_u64) -
        wi_lower_bound(&key, keys, features->count, sizeof *keys, wi_compare_u64);
  }
  free(keys);
  return keys != NULL;
}

bool wi_features_link(wi_features *features) {
  for (uint32_t i = 0; i < features->count; i++)
    if (!list_callees(features, &features->functions[i]))
      return false;
  return list_callers(features) && hash_contexts(features) && count_equal(features, false) &&
         count_equal(features, true);
}

/* ---- Tables and exports ---------------------------------------------------------------- */

static bool read_segment(wi_features *features, wi_scan *scan, wi_cursor *cursor) {
  if (!wi_scan_item(scan, features->module, WI_SECTION_ELEMENT, cursor))
    return true; /* reported by code that needs the section */
  for (uint32_t i = 0; i < scan->sites_count; i++) {
    wi_site site = scan->sites[i];
    bool is_function = site.kind == WI_SITE_FUNCTION_INDEX || site.kind == WI_SITE_REFERENCE;
    uint32_t *item = is_function ? WI_ARRAY_PUSH(features, table) : NULL;
    if (is_function && !item)
      return false;
    if (!item)
      continue;
    *item = site.value;
    features->functions[site.value].is_in_table = true;
  }
  return true;
}

static bool read_table(wi_features *features) {
  wi_error ignored;
  wi_scan scan = {0};
  bool done = true;
  wi_error_reset(&ignored);
  for (uint32_t i = 0; i < features->module->sections_count && done; i++) {
    const wi_section *section = &features->module->sections[i];
    if (section->id != WI_SECTION_ELEMENT)
      continue;
    wi_cursor cursor = wi_cursor_at(features->module->bytes, section->payload, &ignored);
    uint32_t left = wi_cursor_count(&cursor, 1, "element segments");
    for (; left > 0 && !cursor.failed && done; left--)
      done = read_segment(features, &scan, &cursor);
  }
  wi_scan_clear(&scan);
  return done;
}

static void read_exports(wi_features *features) {
  enum { MINIFIED_SIZE = 2 };
  for (uint32_t i = 0; i < features->module->exports_count; i++) {
    wi_export item = features->module->exports[i];
    if (item.function >= features->count)
      continue;
    wi_feature *function = &features->functions[item.function];
    function->is_exported = true;
    if (item.name.size > MINIFIED_SIZE && function->export_name == 0)
      function->export_name =
          wi_hash_bytes(features->module->bytes + item.name.offset, item.name.size);
  }
}

/* ---- All features --------------------------------------------------------------------------- */

static bool read_functions(wi_features *features, wi_error *error) {
  const wi_module *module = features->module;
  wi_code_reader reader = {0};
  bool done = true;
  for (uint32_t i = 0; i < module->imports_count; i++) {
    features->functions[i].type = wi_hash_type(module, module->imports[i].type_index);
    features->functions[i].exact = wi_hash_import(features, i);
  }
  for (uint32_t i = 0; i < module->bodies_count && done; i++) {
    uint32_t function = module->imports_count + i;
    features->functions[function].type = wi_hash_type(module, module->function_types[i]);
    done = wi_code_read(&reader, features, function, error);
    features->instruction_count += features->functions[function].size;
  }
  wi_code_reader_clear(&reader);
  return done;
}

/* Completes *features, which has its options set. Clears it on failure. */
static bool collect(wi_features *features, wi_error *error) {
  features->count = wi_module_function_count(features->module);
  features->functions = calloc(features->count + (size_t)1, sizeof *features->functions);
  if (!features->functions)
    wi_error_memory(error);
  else if (read_functions(features, error) && (read_table(features) || wi_error_memory(error)) &&
           (wi_features_link(features) || wi_error_memory(error))) {
    read_exports(features);
    return true;
  }
  wi_features_clear(features);
  return false;
}

bool wi_features_collect(wi_features *features, const wi_module *module, wi_data_image data,
                         bool with_addresses, wi_error *error) {
  *features = (wi_features){.module = module, .data = data, .with_addresses = with_addresses};
  return collect(features, error);
}

/* Linkers put static data after the first kilobyte and below what a program allocates. */
bool wi_features_collect_library(wi_features *features, const wi_module *module, wi_error *error) {
  enum { FIRST_ADDRESS = 1024, END_ADDRESS = 1 << 24 };
  *features = (wi_features){.module = module,
                            .data = {.module = module, .start = FIRST_ADDRESS, .end = END_ADDRESS},
                            .of_library = true};
  return collect(features, error);
}
