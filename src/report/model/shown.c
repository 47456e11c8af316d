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
  uint32_t *counts = calloc(shown->label_count + (size_t)1, sizeof *counts);
  if (!counts)
    return false;
  link_and_total(shown);
  sum_functions(shown, counts);
  free(counts);
  return true;
}

/* ---- Entry points ---------------------------------------------------------- */

bool wi_shown_init(wi_shown *shown, uint32_t node_count, uint32_t label_count) {
  size_t nodes = node_count, labels = label_count + (size_t)1;
  *shown = (wi_shown){.node_count = node_count,
                      .label_count = label_count,
                      .parents = calloc(nodes, sizeof *shown->parents),
                      .labels = calloc(nodes, sizeof *shown->labels),
                      .selves = calloc(nodes, sizeof *shown->selves),
                      .calls = calloc(nodes, sizeof *shown->calls),
                      .functions = calloc(labels, sizeof *shown->functions),
                      .notes = calloc(labels, sizeof *shown->notes),
                      .short_lived = calloc(labels, sizeof *shown->short_lived),
                      .allocated = calloc(labels, sizeof *shown->allocated),
                      .totals = calloc(nodes, sizeof *shown->totals),
                      .next = calloc(nodes, 2 * sizeof *shown->next),
                      .of = calloc(labels, sizeof *shown->of)};
  if (shown->parents && shown->labels && shown->selves && shown->calls && shown->functions &&
      shown->notes && shown->short_lived && shown->allocated && shown->totals && shown->next &&
      shown->of)
    return true;
  wi_shown_clear(shown);
  return false;
}

void wi_shown_clear(wi_shown *shown) {
  free(shown->parents);
  free(shown->labels);
  free(shown->selves);
  free(shown->calls);
  free(shown->functions);
  free(shown->notes);
  free(shown->short_lived);
  free(shown->allocated);
  free(shown->totals);
  free(shown->next);
  free(shown->of);
  *shown = (wi_shown){0};
}
