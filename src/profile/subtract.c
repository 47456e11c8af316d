/* The difference between two profiles of one run. */
#include <stdlib.h>

#include "profile/calls.h"
#include "profile/guests.h"
#include "profile/threads.h"
#include "wasm_perf/profile.h"

/* A node with the key that its parent finds it by. */
typedef struct child {
  uint32_t parent;
  uint32_t function;
  uint32_t node;
} child;

#define NOWHERE UINT32_MAX

static int compare_children(const void *left, const void *right) {
  const child *a = left, *b = right;
  if (a->parent != b->parent)
    return a->parent < b->parent ? -1 : 1;
  return (a->function > b->function) - (a->function < b->function);
}

/* Returns all nodes of the first profile except the root, sorted. NULL: out of memory. */
static child *sort_children(const wi_guests *guests) {
  const wasm_perf_profile *profile = guests->profiles[0];
  uint32_t count = profile->header.node_count - 1;
  child *children = malloc(((size_t)count + 1) * sizeof *children);
  for (uint32_t i = 0; children && i < count; i++) {
    const wasm_perf_node *node = &profile->nodes[i + 1];
    children[i] = (child){node->parent, wi_guests_number(guests, 0, node->function), i + 1};
  }
  if (children && count > 0)
    qsort(children, count, sizeof *children, compare_children);
  return children;
}

/*
 * Returns, for each node of the second profile, the node with the same stack in the first one.
 * NULL: out of memory.
 */
static uint32_t *find_places(const wi_guests *guests) {
  const wasm_perf_profile *profile = guests->profiles[0], *before = guests->profiles[1];
  child *children = sort_children(guests);
  uint32_t *places = malloc(before->header.node_count * sizeof *places);
  if (children && places)
    places[0] = 0;
  for (uint32_t i = 1; children && places && i < before->header.node_count; i++) {
    const wasm_perf_node *node = &before->nodes[i];
    const child wanted = {places[node->parent], wi_guests_number(guests, 1, node->function), 0};
    const child *found = wanted.parent == NOWHERE
                             ? NULL
                             : bsearch(&wanted, children, profile->header.node_count - 1,
                                       sizeof *children, compare_children);
    places[i] = found ? found->node : NOWHERE;
  }
  if (!children) {
    free(places);
    places = NULL;
  }
  free(children);
  return places;
}

static void take(uint64_t *value, uint64_t part) {
  *value = *value > part ? *value - part : 0;
}

static void take_nodes(wasm_perf_profile *profile, const wasm_perf_profile *before,
                       const uint32_t *places) {
  for (uint32_t i = 0; i < before->header.node_count; i++) {
    if (places[i] == NOWHERE)
      continue;
    wasm_perf_node *node = &profile->nodes[places[i]];
    take(&node->call_count, before->nodes[i].call_count);
    take(&node->self, before->nodes[i].self);
  }
}

/* ---- Memory -------------------------------------------------------------- */

static int compare_rows(const void *left, const void *right) {
  const wasm_perf_row *a = left, *b = right;
  return (a->node > b->node) - (a->node < b->node);
}

/* Live values may decrease: they are subtracted modulo 2^64. */
static void take_values(wasm_perf_row *row, const wasm_perf_row *before) {
  for (unsigned m = 0; m < WASM_PERF_MEASURE_COUNT; m++)
    if (wasm_perf_measure_nature(m) == WASM_PERF_NATURE_LIVE)
      row->values[m] -= before->values[m];
    else
      take(&row->values[m], before->values[m]);
}

static void take_rows(wasm_perf_profile *profile, const wasm_perf_profile *before,
                      const uint32_t *places) {
  for (uint32_t i = 0; i < before->row_count && profile->row_count > 0; i++) {
    const wasm_perf_row wanted = {.node = places[before->rows[i].node]};
    wasm_perf_row *row =
        bsearch(&wanted, profile->rows, profile->row_count, sizeof wanted, compare_rows);
    if (row)
      take_values(row, &before->rows[i]);
  }
}

/* A difference has no peak, nor other values that are not sums. */
static void drop_peaks(wasm_perf_profile *profile) {
  for (uint32_t i = 0; i < profile->row_count; i++)
    for (unsigned m = 0; m < WASM_PERF_MEASURE_COUNT; m++)
      if (wasm_perf_measure_nature(m) == WASM_PERF_NATURE_PEAK)
        profile->rows[i].values[m] = 0;
  profile->facts.peak_allocation = 0;
  profile->moment_count = 0;
}

static void take_blocks(wasm_perf_profile *profile, const wasm_perf_profile *before) {
  for (uint32_t i = 0; i < profile->block_function_count; i++) {
    const wasm_perf_blocks *blocks = &profile->blocks[i];
    const wasm_perf_blocks *earlier = wasm_perf_profile_blocks(before, blocks->function);
    for (uint32_t b = 0; earlier && b < blocks->count && b < earlier->count; b++)
      take(&blocks->counts[b], earlier->counts[b]);
  }
}

/* ---- The whole ----------------------------------------------------------- */

static void take_facts(wasm_perf_profile *profile, const wasm_perf_profile *before) {
  wasm_perf_header *header = &profile->header;
  take(&header->truncated_call_count, before->header.truncated_call_count);
  take(&header->unbalanced_count, before->header.unbalanced_count);
  take(&header->clock_read_count, before->header.clock_read_count);
  take(&profile->facts.run_time, before->facts.run_time);
  take(&profile->facts.cpu_time, before->facts.cpu_time);
  take(&profile->facts.starved_time, before->facts.starved_time);
  take(&profile->facts.linked_time, before->facts.linked_time);
  take(&profile->facts.unmatched_time, before->facts.unmatched_time);
  take(&profile->facts.allocation_count, before->facts.allocation_count);
  take(&profile->facts.lost_block_count, before->facts.lost_block_count);
  take(&profile->facts.lost_byte_count, before->facts.lost_byte_count);
  take(&profile->facts.unknown_free_count, before->facts.unknown_free_count);
  for (unsigned i = 0; i < WASM_PERF_SIZE_CLASSES; i++)
    take(&profile->size_counts[i], before->size_counts[i]);
}

bool wasm_perf_profile_subtract(wasm_perf_profile *profile, const wasm_perf_profile *before) {
  const wasm_perf_profile *both[] = {profile, before};
  wi_guests guests;
  if (!wi_guests_init(&guests, both, 2))
    return false;
  uint32_t *places = find_places(&guests);
  wi_guests_clear(&guests);
  if (!places || !wi_calls_subtract(profile, before, places)) {
    free(places);
    return false;
  }
  profile->is_difference = true;
  take_nodes(profile, before, places);
  take_rows(profile, before, places);
  drop_peaks(profile);
  take_blocks(profile, before);
  take_facts(profile, before);
  wi_threads_subtract(profile, before);
  free(places);
  return true;
}
