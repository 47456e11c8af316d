#include "match/order.h"

#include <stdlib.h>
#include <string.h>

#include "match/likeness.h"

/*
 * Minimum number of pairs to judge whether the order was kept, and the share that must be in order.
 */
enum { LEAST_PAIRS = 12, KEPT_PERCENT = 90, LONGEST_GAP = 64 };

/* The functions of both sides in some order, without duplicates. */
typedef struct ordering {
  uint32_t *items[WI_SIDES]; /* functions */
  uint32_t count[WI_SIDES];
  uint32_t *place; /* per function of WI_FROM: its position in the order; UINT32_MAX: none */
} ordering;

/* Positions of pairs that are in the same order on both sides. */
typedef struct anchors {
  uint32_t *in, *from;
  uint32_t count;
} anchors;

/* ---- Pairs in order ----------------------------------------------------------------------- */

/* Marks a longest increasing subsequence of distinct values. */
static bool mark_rising(const uint32_t *values, uint32_t count, bool *marks, uint32_t *length) {
  uint32_t *last = malloc((count + (size_t)1) * sizeof *last); /* per length: end of the best
                                                                  subsequence */
  uint32_t *before = malloc((count + (size_t)1) * sizeof *before);
  *length = 0;
  for (uint32_t i = 0; last && before && i < count; i++) {
    uint32_t low = 0, high = *length;
    while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      if (values[last[middle]] < values[i])
        low = middle + 1;
      else
        high = middle;
    }
    before[i] = low > 0 ? last[low - 1] : UINT32_MAX;
    last[low] = i;
    if (low == *length)
      ++*length;
  }
  bool done = last && before;
  for (uint32_t i = done && *length > 0 ? last[*length - 1] : UINT32_MAX; i != UINT32_MAX;
       i = before[i])
    marks[i] = true;
  free(last);
  free(before);
  return done;
}

/*
 * Lists the pairs in both orders by position, with room for the two ends. Returns false if out of
 * memory.
 */
static bool list_anchors(const wi_matcher *matcher, const ordering *order, anchors *all) {
  size_t room = order->count[WI_IN] + (size_t)2;
  *all = (anchors){malloc(room * sizeof *all->in), malloc(room * sizeof *all->from), 0};
  for (uint32_t i = 0; all->in && all->from && i < order->count[WI_IN]; i++) {
    uint32_t from = matcher->pair[WI_IN][order->items[WI_IN][i]];
    if (from == WI_NO_FUNCTION || order->place[from] == UINT32_MAX)
      continue;
    all->in[all->count] = i;
    all->from[all->count++] = order->place[from];
  }
  return all->in && all->from;
}

/* Keeps the pairs in order; sets the count to 0 if too many are out of order. */
static bool keep_rising(anchors *all) {
  uint32_t length = 0, kept = 0, count = all->count;
  bool *marks = calloc(count + (size_t)1, sizeof *marks);
  bool done = marks && mark_rising(all->from, count, marks, &length);
  bool is_kept = count >= LEAST_PAIRS && (uint64_t)length * 100 >= (uint64_t)count * KEPT_PERCENT;
  for (uint32_t i = 0; done && is_kept && i < count; i++)
    if (marks[i]) {
      all->in[kept] = all->in[i];
      all->from[kept++] = all->from[i];
    }
  all->count = kept;
  free(marks);
  return done;
}

/* ---- Between two pairs --------------------------------------------------------------------- */

/* Unpaired functions between two anchors. */
typedef struct gap {
  uint32_t items[WI_SIDES][LONGEST_GAP];
  uint32_t count[WI_SIDES];
} gap;

/*
 * Collects the unpaired functions at positions from `start` up to `end`. Returns false if there are
 * too many.
 */
static bool fill_gap(const wi_matcher *matcher, const ordering *order, int side, uint32_t start,
                     uint32_t end, gap *between) {
  between->count[side] = 0;
  for (uint32_t i = start; i < end; i++) {
    uint32_t function = order->items[side][i];
    if (!wi_matcher_is_free(matcher, side, function))
      continue;
    if (between->count[side] == LONGEST_GAP)
      return false;
    between->items[side][between->count[side]++] = function;
  }
  return true;
}

static bool is_exact(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  return wi_matcher_function(matcher, WI_IN, in)->exact ==
         wi_matcher_function(matcher, WI_FROM, from)->exact;
}

/* Whether all functions of the gap are similar in order. Then even the least similar ones match. */
static bool is_alike_in_order(const wi_matcher *matcher, const gap *between) {
  for (uint32_t i = 0; i < between->count[WI_IN]; i++) {
    uint32_t in = between->items[WI_IN][i], from = between->items[WI_FROM][i];
    if (wi_matcher_function(matcher, WI_IN, in)->family ==
        wi_matcher_function(matcher, WI_FROM, from)->family)
      continue;
    bool same_type = wi_matcher_function(matcher, WI_IN, in)->type ==
                     wi_matcher_function(matcher, WI_FROM, from)->type;
    wi_likeness likeness = wi_likeness_of(matcher, in, from);
    if (wi_likeness_total(likeness) < (same_type ? 0.4f : 0.6f) ||
        likeness.disagree > likeness.agree + 4)
      return false;
  }
  return true;
}

static uint32_t count_exact(const wi_matcher *matcher, const gap *between, int side,
                            uint64_t exact) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < between->count[side]; i++)
    count += wi_matcher_function(matcher, side, between->items[side][i])->exact == exact;
  return count;
}

/* In a gap with different sizes, pairs functions whose code occurs once on each side. */
static uint32_t pair_unique(wi_matcher *matcher, const gap *between) {
  uint32_t added = 0;
  for (uint32_t i = 0; i < between->count[WI_IN]; i++)
    for (uint32_t k = 0; k < between->count[WI_FROM]; k++) {
      uint32_t in = between->items[WI_IN][i], from = between->items[WI_FROM][k];
      uint64_t exact = wi_matcher_function(matcher, WI_IN, in)->exact;
      if (!is_exact(matcher, in, from) || count_exact(matcher, between, WI_IN, exact) != 1 ||
          count_exact(matcher, between, WI_FROM, exact) != 1)
        continue;
      wi_agreement callers = wi_likeness_callers(matcher, in, from);
      if (callers.disagree > 0 || !wi_matcher_may_pair(matcher, in, from))
        continue;
      wi_matcher_pair(matcher, in, from, WI_MATCH_ORDER);
      added++;
    }
  return added;
}

static uint32_t pair_gap(wi_matcher *matcher, const gap *between) {
  if (between->count[WI_IN] != between->count[WI_FROM] || !is_alike_in_order(matcher, between))
    return pair_unique(matcher, between);
  for (uint32_t i = 0; i < between->count[WI_IN]; i++)
    wi_matcher_pair(matcher, between->items[WI_IN][i], between->items[WI_FROM][i], WI_MATCH_ORDER);
  return between->count[WI_IN];
}

static uint32_t pair_gaps(wi_matcher *matcher, const ordering *order, const anchors *all) {
  uint32_t added = 0;
  gap between;
  for (uint32_t i = 0; all->count > 0 && i <= all->count; i++) {
    uint32_t in = i > 0 ? all->in[i - 1] + 1 : 0, from = i > 0 ? all->from[i - 1] + 1 : 0;
    uint32_t in_end = i < all->count ? all->in[i] : order->count[WI_IN];
    uint32_t from_end = i < all->count ? all->from[i] : order->count[WI_FROM];
    if (fill_gap(matcher, order, WI_IN, in, in_end, &between) &&
        fill_gap(matcher, order, WI_FROM, from, from_end, &between) && between.count[WI_IN] > 0 &&
        between.count[WI_FROM] > 0)
      added += pair_gap(matcher, &between);
  }
  return added;
}

/* ---- The orders ------------------------------------------------------------------------------ */

/* Whether it has a body that was not inlined. */
static bool is_present(const wi_features *features, uint32_t function) {
  return function >= features->module->imports_count &&
         features->functions[function].tokens.count > 0;
}

/* Lists functions with a body at their first occurrence: all of them, or those in the table. */
static bool list_order(const wi_features *features, bool of_table, uint32_t **items,
                       uint32_t *count) {
  uint32_t all = of_table ? features->table_count : features->count;
  bool *seen = calloc(features->count + (size_t)1, sizeof *seen);
  *items = malloc((all + (size_t)1) * sizeof **items);
  *count = 0;
  for (uint32_t i = 0; seen && *items && i < all; i++) {
    uint32_t function = of_table ? features->table[i] : i;
    if (seen[function] || !is_present(features, function))
      continue;
    seen[function] = true;
    (*items)[(*count)++] = function;
  }
  free(seen);
  return seen && *items;
}

static bool open_order(const wi_matcher *matcher, bool of_table, ordering *order) {
  uint32_t count = matcher->side[WI_FROM]->count;
  bool done = true;
  for (int side = 0; side < WI_SIDES; side++)
    done &= list_order(matcher->side[side], of_table, &order->items[side], &order->count[side]);
  order->place = malloc((count + (size_t)1) * sizeof *order->place);
  if (!done || !order->place)
    return false;
  memset(order->place, 0xff, count * sizeof *order->place);
  for (uint32_t i = 0; i < order->count[WI_FROM]; i++)
    order->place[order->items[WI_FROM][i]] = i;
  return true;
}

static bool pair_in_order(wi_matcher *matcher, bool of_table, uint32_t *added) {
  ordering order = {0};
  anchors all = {0};
  bool done = open_order(matcher, of_table, &order) && list_anchors(matcher, &order, &all) &&
              keep_rising(&all);
  if (done)
    *added += pair_gaps(matcher, &order, &all);
  free(order.items[WI_IN]);
  free(order.items[WI_FROM]);
  free(order.place);
  free(all.in);
  free(all.from);
  return done;
}

bool wi_match_order(wi_matcher *matcher, uint32_t *added) {
  return pair_in_order(matcher, false, added) && pair_in_order(matcher, true, added);
}
