#include "profile/measures.h"

#include <stdlib.h>
#include <string.h>

#include "support/arithmetic.h"
#include "support/glob.h"

enum { SELF, CALLEE };

static const struct {
  const char *name;
  wasm_perf_quantity quantity;
  int where;
} known[WASM_PERF_MEASURE_COUNT] = {
#define MEASURE(id, name, quantity, where, nature, what)                                           \
  {name, WASM_PERF_QUANTITY_##quantity, where},
    WASM_PERF_MEASURES(MEASURE)
#undef MEASURE
};

/* ---- Names and sums ------------------------------------------------------ */

const char *wasm_perf_measure_name(wasm_perf_measure measure) {
  return known[measure].name;
}

uint64_t wi_measure_add(const wasm_perf_profile *profile, uint64_t sum, uint64_t value) {
  return profile->is_difference ? sum + value : wi_saturating_add(sum, value);
}

/* For callers that do not show negative values. */
static uint64_t without_sign(const wasm_perf_profile *profile, uint64_t value) {
  return profile->is_difference && value > INT64_MAX ? 0 : value;
}

uint64_t wasm_perf_measure_total(const wasm_perf_profile *profile, wasm_perf_measure measure) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < profile->row_count; i++)
    total = wi_measure_add(profile, total, profile->rows[i].values[measure]);
  return without_sign(profile, total);
}

wi_unit wi_measure_unit(wasm_perf_measure measure) {
  return wi_unit_of_quantity(known[measure].quantity);
}

/* ---- Showing ------------------------------------------------------------- */

static const struct {
  const char *allocator, *layer;
  bool is_runtime;
} layers[] = {
#define WI_ALLOCATION_LAYER(allocator, layer)   {allocator, layer, false},
#define WI_ALLOCATION_RUNTIME(allocator, layer) {allocator, layer, true},
#include "profile/allocation_layers.def"
};

static const char *name_of(const wasm_perf_profile *profile, uint32_t node) {
  const char *name = wasm_perf_profile_name(profile, profile->nodes[node].function);
  return name ? name : "";
}

static bool is_layer(const wasm_perf_profile *profile, const char *allocator, uint32_t node,
                     bool with_runtime) {
  const char *name = name_of(profile, node);
  for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
    if ((with_runtime || !layers[i].is_runtime) &&
        wi_glob_matches(layers[i].allocator, allocator) && wi_glob_matches(layers[i].layer, name))
      return true;
  return false;
}

/* The nearest caller that is not a layer; the root if there is none. */
static uint32_t behind_layers(const wasm_perf_profile *profile, uint32_t node, bool with_runtime) {
  const char *allocator = name_of(profile, node);
  uint32_t at = profile->nodes[node].parent;
  while (at != 0 && is_layer(profile, allocator, at, with_runtime))
    at = profile->nodes[at].parent;
  return at;
}

/*
 * Whether the node runs a Go program rather than belonging to it: functions of a program have a
 * package.
 */
static bool starts_go(const wasm_perf_profile *profile, uint32_t node) {
  return !strchr(name_of(profile, node), '.');
}

static uint32_t caller_of(const wasm_perf_profile *profile, uint32_t node) {
  uint32_t narrow = behind_layers(profile, node, false), wide = behind_layers(profile, node, true);
  if (wide != narrow && wide != 0 && !starts_go(profile, wide))
    return wide;
  return narrow != 0 ? narrow : profile->nodes[node].parent;
}

uint32_t wi_measure_owner(const wasm_perf_profile *profile, uint32_t node,
                          wasm_perf_measure measure) {
  bool is_callers = known[measure].where == CALLEE && profile->nodes[node].parent != 0;
  return is_callers ? caller_of(profile, node) : node;
}

void wi_measure_values(const wasm_perf_profile *profile, wasm_perf_measure measure,
                       uint64_t *values) {
  uint32_t count = profile->header.node_count;
  memset(values, 0, count * sizeof *values);
  for (uint32_t i = 0; i < profile->row_count; i++) {
    const wasm_perf_row *row = &profile->rows[i];
    uint64_t *owner = &values[wi_measure_owner(profile, row->node, measure)];
    *owner = wi_measure_add(profile, *owner, row->values[measure]);
  }
  for (uint32_t i = 0; i < count; i++)
    values[i] = without_sign(profile, values[i]);
}

/* ---- Rows ---------------------------------------------------------------- */

bool wi_measures_reserve(wasm_perf_profile *profile, size_t count) {
  size_t whole = profile->row_count + count;
  if (count == 0)
    return true;
  wasm_perf_row *rows = whole <= UINT32_MAX ? realloc(profile->rows, whole * sizeof *rows) : NULL;
  if (rows)
    profile->rows = rows;
  return rows != NULL;
}

static int compare_rows(const void *left, const void *right) {
  const wasm_perf_row *a = left, *b = right;
  return (a->node > b->node) - (a->node < b->node);
}

static void add_row(const wasm_perf_profile *profile, wasm_perf_row *sum,
                    const wasm_perf_row *row) {
  for (unsigned i = 0; i < WASM_PERF_MEASURE_COUNT; i++)
    sum->values[i] = wi_measure_add(profile, sum->values[i], row->values[i]);
}

void wi_measures_move(wasm_perf_profile *profile, const uint32_t *places) {
  wasm_perf_row *rows = profile->rows;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < profile->row_count; i++)
    rows[i].node = places[rows[i].node];
  if (profile->row_count > 0)
    qsort(rows, profile->row_count, sizeof *rows, compare_rows);
  for (uint32_t i = 0; i < profile->row_count; i++) {
    if (kept > 0 && rows[kept - 1].node == rows[i].node)
      add_row(profile, &rows[kept - 1], &rows[i]);
    else
      rows[kept++] = rows[i];
  }
  profile->row_count = kept;
}

/* ---- Sizes and moments --------------------------------------------------- */

/* Every instance has its own clock, so the moments of several cannot be combined. */
static bool copy_moments(wasm_perf_profile *result, const wasm_perf_profile *profile) {
  if (profile->moment_count == 0)
    return true;
  result->moments = malloc(profile->moment_count * sizeof *result->moments);
  if (!result->moments)
    return false;
  memcpy(result->moments, profile->moments, profile->moment_count * sizeof *result->moments);
  result->moment_count = profile->moment_count;
  return true;
}

bool wi_measures_merge_times(wasm_perf_profile *result, const wasm_perf_profile *const *profiles,
                             size_t count) {
  for (size_t p = 0; p < count; p++) {
    result->follows_memory |= profiles[p]->follows_memory;
    for (unsigned i = 0; i < WASM_PERF_SIZE_CLASSES; i++)
      result->size_counts[i] =
          wi_saturating_add(result->size_counts[i], profiles[p]->size_counts[i]);
  }
  return count > 1 || copy_moments(result, profiles[0]);
}
