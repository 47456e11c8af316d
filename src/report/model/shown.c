#include "report/model/shown.h"

#include <stdlib.h>

#include "support/arithmetic.h"

/* ---- Walking --------------------------------------------------------------- */

uint32_t wi_shown_walk(const wi_shown *shown, uint32_t node, wi_shown_leave *leave, void *user) {
  uint32_t below = wi_shown_first(shown, node);
  if (below != 0)
    return below;
  for (; node != 0; node = shown->parents[node]) {
    if (leave)
      leave(user, node);
    if (wi_shown_next(shown, node) != 0)
      return wi_shown_next(shown, node);
  }
  return 0;
}

/* ---- Sums ------------------------------------------------------------------ */

/* Links each node to its children, in their order, and sums the totals. */
static void link_and_total(wi_shown *shown) {
  for (uint32_t i = shown->node_count; i-- > 1;) {
    uint32_t parent = shown->parents[i];
    uint64_t *total = &shown->totals[i];
    *total = wi_saturating_add(*total, shown->selves[i]);
    shown->totals[parent] = wi_saturating_add(shown->totals[parent], *total);
    shown->next[2 * (size_t)i + 1] = wi_shown_first(shown, parent);
    shown->next[2 * (size_t)parent] = i;
  }
}

/* How many frames of each function are open on the way to a node. */
typedef struct open_frames {
  const wi_shown *shown;
  uint32_t *counts;
} open_frames;

static void close_frame(void *user, uint32_t node) {
  open_frames *open = user;
  open->counts[open->shown->labels[node]]--;
}

static void sum_functions(const wi_shown *shown, uint32_t *counts) {
  open_frames open = {shown, counts};
  for (uint32_t i = wi_shown_walk(shown, 0, NULL, NULL); i != 0;
       i = wi_shown_walk(shown, i, close_frame, &open)) {
    wi_shown_function *of = &shown->of[shown->labels[i]];
    of->self = wi_saturating_add(of->self, shown->selves[i]);
    of->calls = wi_saturating_add(of->calls, shown->calls[i]);
    if (counts[shown->labels[i]]++ > 0)
      continue;
    of->total = wi_saturating_add(of->total, shown->totals[i]);
    of->stacks++;
  }
}

bool wi_shown_sum(wi_shown *shown) {
  size_t nodes = shown->node_count, labels = shown->label_count + (size_t)1;
  uint32_t *counts = calloc(labels, sizeof *counts);
  shown->totals = calloc(nodes, sizeof *shown->totals);
  shown->next = calloc(2 * nodes, sizeof *shown->next);
  shown->of = calloc(labels, sizeof *shown->of);
  bool done = counts && shown->totals && shown->next && shown->of;
  if (done) {
    link_and_total(shown);
    sum_functions(shown, counts);
  } else {
    wi_shown_clear(shown);
  }
  free(counts);
  return done;
}

void wi_shown_clear(wi_shown *shown) {
  free(shown->totals);
  free(shown->next);
  free(shown->of);
  shown->totals = NULL;
  shown->next = NULL;
  shown->of = NULL;
}
