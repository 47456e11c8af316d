/* Prunes profiles, for formats that repeat a whole stack in each line, and readers with limits. */
#include <stdlib.h>
#include <string.h>

#include "profile/calls.h"
#include "profile/node_facts.h"
#include "profile/view.h"
#include "report/model/labels.h"
#include "support/arithmetic.h"
#include "wasm_perf/report.h"

#define MILLION 1000000u

typedef struct pruner {
  wasm_perf_profile *profile;
  uint64_t *totals; /* per node; its own value until sum_totals */
  uint32_t *places; /* per node: new index of it, or of the node that it is merged into */
  uint32_t *smalls; /* per kept node: the node for what is pruned below it; 0: none */
  bool *is_kept;    /* per node; before keep_large: it is large enough */
} pruner;

static void sum_totals(const pruner *work) {
  const wasm_perf_node *nodes = work->profile->nodes;
  for (uint32_t i = work->profile->header.node_count - 1; i > 0; i--) {
    uint64_t *above = &work->totals[nodes[i].parent];
    *above = wi_saturating_add(*above, work->totals[i]);
  }
}

/* The node for what is pruned below a kept node. It replaces at least one node. */
static uint32_t small_below(pruner *work, uint32_t parent, uint32_t *count) {
  if (work->smalls[parent] == 0) {
    work->smalls[parent] = *count;
    work->profile->nodes[(*count)++] =
        (wasm_perf_node){.function = WI_FUNCTION_SMALL, .parent = work->places[parent]};
  }
  return work->smalls[parent];
}

static void leave_out(pruner *work, const wasm_perf_node *node, uint32_t small) {
  wasm_perf_node *sum = &work->profile->nodes[small];
  sum->self = wi_saturating_add(sum->self, node->self);
  sum->call_count = wi_saturating_add(sum->call_count, node->call_count);
}

static void choose_by_share(const pruner *work, uint32_t min_share) {
  for (uint32_t i = 0; i < work->profile->header.node_count; i++)
    work->is_kept[i] = i == 0 || wi_scale(work->totals[i], work->totals[0], MILLION) >= min_share;
}

typedef struct ranked {
  uint64_t total;
  uint32_t node;
} ranked;

/* Descending. Equal ones are in the order of nodes, so that parents precede children. */
static int compare_ranked(const void *left, const void *right) {
  const ranked *a = left, *b = right;
  if (a->total != b->total)
    return a->total < b->total ? 1 : -1;
  return (a->node > b->node) - (a->node < b->node);
}

/* The number of stacks if the first `count` in that order are kept, with those that are merged. */
static uint32_t count_stacks(const pruner *work, const uint32_t *ranks, uint32_t count) {
  const wasm_perf_node *nodes = work->profile->nodes;
  uint32_t node_count = work->profile->header.node_count, stacks = count;
  memset(work->smalls, 0, node_count * sizeof *work->smalls);
  for (uint32_t i = 1; i < node_count; i++) {
    uint32_t parent = nodes[i].parent;
    if (ranks[i] >= count && (parent == 0 || ranks[parent] < count) && !work->smalls[parent]) {
      work->smalls[parent] = 1;
      stacks++;
    }
  }
  memset(work->smalls, 0, node_count * sizeof *work->smalls);
  return stacks;
}

/* Drops the smallest nodes until at most `limit` stacks are left. Returns false if out of memory. */
static bool choose_by_count(const pruner *work, uint32_t limit) {
  uint32_t node_count = work->profile->header.node_count;
  if (node_count - 1 <= limit)
    return true;
  ranked *order = malloc(node_count * sizeof *order);
  uint32_t *ranks = malloc(node_count * sizeof *ranks), low = 0, high = limit;
  for (uint32_t i = 0; order && ranks && i < node_count; i++)
    order[i] = (ranked){work->totals[i], i};
  if (order && ranks) {
    qsort(order + 1, node_count - 1, sizeof *order, compare_ranked);
    for (uint32_t i = 1; i < node_count; i++)
      ranks[order[i].node] = i - 1;
    while (low < high) { /* the number of stacks grows with that of the kept ones */
      uint32_t middle = high - (high - low) / 2;
      if (count_stacks(work, ranks, middle) <= limit)
        low = middle;
      else
        high = middle - 1;
    }
    for (uint32_t i = 1; i < node_count; i++)
      work->is_kept[i] &= ranks[i] < low;
  }
  free(order);
  free(ranks);
  return order && ranks;
}

/* Parents precede children, so each node is read before its position is overwritten. */
static uint32_t keep_large(pruner *work, uint32_t *left_out_count) {
  wasm_perf_node *nodes = work->profile->nodes;
  uint32_t count = 1;
  for (uint32_t i = 1; i < work->profile->header.node_count; i++) {
    wasm_perf_node node = nodes[i];
    uint32_t parent = node.parent;
    work->is_kept[i] &= work->is_kept[parent];
    if (work->is_kept[i]) {
      node.parent = work->places[parent];
      nodes[count] = node;
      work->places[i] = count++;
    } else {
      work->places[i] =
          work->is_kept[parent] ? small_below(work, parent, &count) : work->places[parent];
      leave_out(work, &node, work->places[i]);
      ++*left_out_count;
    }
  }
  return count;
}

bool wasm_perf_profile_prune(wasm_perf_profile *profile, wasm_perf_value value, uint32_t min_share,
                             uint32_t max_stacks, uint32_t *left_out_count) {
  const wi_view view = wi_view_of(profile, value);
  size_t count = profile->header.node_count;
  pruner work = {.profile = profile};
  work.totals = calloc(count, sizeof *work.totals);
  work.places = calloc(count, sizeof *work.places);
  work.smalls = calloc(count, sizeof *work.smalls);
  work.is_kept = calloc(count, sizeof *work.is_kept);
  *left_out_count = 0;
  bool ok = work.totals && work.places && work.smalls && work.is_kept &&
            wasm_perf_profile_set_name(profile, WI_FUNCTION_SMALL, WASM_PERF_SMALL_NAME);
  if (ok) {
    wi_view_values(&view, work.totals);
    work.totals[0] = 0;
    sum_totals(&work);
    choose_by_share(&work, min_share);
    ok = max_stacks == 0 || choose_by_count(&work, max_stacks);
  }
  if (ok) {
    profile->header.node_count = keep_large(&work, left_out_count);
    wi_calls_clear(profile); /* not even their functions may be left */
    ok = wi_node_facts_move(profile, work.places);
  }
  free(work.totals);
  free(work.places);
  free(work.smalls);
  free(work.is_kept);
  return ok;
}
