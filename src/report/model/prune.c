/* Prunes profiles, for formats that repeat a whole stack in each line. */
#include <stdlib.h>

#include "profile/kinds.h"
#include "profile/measures.h"
#include "profile/threads.h"
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
  bool *is_kept;    /* per node */
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

/* Parents precede children, so each node is read before its position is overwritten. */
static uint32_t keep_large(pruner *work, uint32_t min_share, uint32_t *left_out_count) {
  wasm_perf_node *nodes = work->profile->nodes;
  uint32_t count = 1;
  for (uint32_t i = 1; i < work->profile->header.node_count; i++) {
    wasm_perf_node node = nodes[i];
    uint32_t parent = node.parent;
    work->is_kept[i] =
        work->is_kept[parent] && wi_scale(work->totals[i], work->totals[0], MILLION) >= min_share;
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
                             uint32_t *left_out_count) {
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
    work.is_kept[0] = true;
    profile->header.node_count = keep_large(&work, min_share, left_out_count);
    wi_measures_move(profile, work.places);
    wi_threads_move(profile, work.places);
    ok = wi_shared_move(profile, work.places);
  }
  free(work.totals);
  free(work.places);
  free(work.smalls);
  free(work.is_kept);
  return ok;
}
