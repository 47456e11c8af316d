#include "match/similar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "match/check.h"
#include "match/likeness.h"

/*
 * A function is compared with the COMPARED functions that share the most rare tokens or neighbours
 * with it. Tokens are rare up to RARE functions a side; longer lists of neighbours than MOST_LINKS
 * are ignored.
 */
enum { RARE = 24, MOST_LINKS = 64, COMPARED = 10 };

/* A function's best candidate, with its likeness and that of the second best. */
typedef struct choice {
  uint32_t other;
  float best, second;
} choice;

typedef struct search {
  wi_matcher *matcher;
  uint32_t *first; /* for each token, the start of its functions of WI_FROM in `holders` */
  uint32_t *holders;
  float *sums;       /* weight of each function of WI_FROM for the current function */
  uint32_t *touched; /* functions whose sum is not 0 */
  uint32_t touched_count;
  choice *choices[WI_SIDES]; /* one per function */
} search;

/* ---- Functions by token --------------------------------------------------------------- */

static bool is_rare(const wi_matcher *matcher, uint32_t token) {
  return matcher->frequency[WI_FROM][token] <= RARE && matcher->frequency[WI_IN][token] <= RARE;
}

/* Counts the holders of each rare token, or writes them if `fill`, which advances `first`. */
static uint32_t walk_tokens(search *all, bool fill) {
  const wi_features *from = all->matcher->side[WI_FROM];
  uint32_t total = 0;
  for (uint32_t i = 0; i < from->count; i++) {
    wi_range tokens = from->functions[i].tokens;
    for (uint32_t k = 0; k < tokens.count; k++) {
      uint32_t token = all->matcher->ids[WI_FROM][tokens.first + k];
      if (!is_rare(all->matcher, token) || !wi_matcher_is_free(all->matcher, WI_FROM, i))
        continue;
      total++;
      if (fill)
        all->holders[all->first[token + 1]++] = i;
      else
        all->first[token + 2]++;
    }
  }
  return total;
}

static bool index_tokens(search *all) {
  uint32_t count = all->matcher->token_count;
  all->first = calloc(count + (size_t)3, sizeof *all->first);
  if (!all->first)
    return false;
  uint32_t total = walk_tokens(all, false);
  all->holders = malloc((total + (size_t)1) * sizeof *all->holders);
  if (!all->holders)
    return false;
  for (uint32_t i = 1; i < count + 2; i++)
    all->first[i] += all->first[i - 1];
  walk_tokens(all, true);
  return true;
}

/* ---- Candidates -------------------------------------------------------------------------- */

static void touch(search *all, uint32_t from, float weight) {
  if (from < all->matcher->side[WI_FROM]->module->imports_count ||
      !wi_matcher_is_free(all->matcher, WI_FROM, from))
    return;
  if (all->sums[from] == 0)
    all->touched[all->touched_count++] = from;
  all->sums[from] += weight;
}

static void touch_by_tokens(search *all, wi_range tokens) {
  const wi_matcher *matcher = all->matcher;
  for (uint32_t i = 0; i < tokens.count; i++) {
    uint32_t token = matcher->ids[WI_IN][tokens.first + i];
    if (!is_rare(matcher, token))
      continue;
    for (uint32_t k = all->first[token]; k < all->first[token + 1]; k++)
      touch(all, all->holders[k], matcher->weights[token]);
  }
}

/*
 * Adds the functions called by the partners of a function's callers, or those that call the
 * partners of its callees.
 */
static void touch_by_links(search *all, wi_range links, bool are_callers) {
  enum { WEIGHT = 4 };
  const wi_features *in = all->matcher->side[WI_IN], *from = all->matcher->side[WI_FROM];
  for (uint32_t i = 0; i < links.count && links.count <= MOST_LINKS; i++) {
    uint32_t pair = all->matcher->pair[WI_IN][in->links[links.first + i]];
    if (pair == WI_NO_FUNCTION)
      continue;
    const wi_feature *neighbour = &from->functions[pair];
    wi_range others = are_callers ? neighbour->callees : neighbour->callers;
    for (uint32_t k = 0; k < others.count && others.count <= MOST_LINKS; k++)
      touch(all, from->links[others.first + k], WEIGHT);
  }
}

static void offer(choice *all, uint32_t function, uint32_t other, float likeness) {
  choice *item = &all[function];
  if (likeness > item->best) {
    item->second = item->best;
    item->best = likeness;
    item->other = other;
  } else if (likeness > item->second) {
    item->second = likeness;
  }
}

/* Moves the candidate with the largest sum to touched[place], and returns it. */
static uint32_t next_best(search *all, uint32_t place) {
  uint32_t *touched = all->touched, best = place;
  for (uint32_t i = place + 1; i < all->touched_count; i++)
    if (all->sums[touched[i]] > all->sums[touched[best]])
      best = i;
  uint32_t function = touched[best];
  touched[best] = touched[place];
  return touched[place] = function;
}

static void choose(search *all, uint32_t in) {
  const wi_feature *function = wi_matcher_function(all->matcher, WI_IN, in);
  all->touched_count = 0;
  touch_by_tokens(all, function->tokens);
  touch_by_links(all, function->callers, true);
  touch_by_links(all, function->callees, false);
  for (uint32_t i = 0; i < all->touched_count && i < COMPARED; i++) {
    uint32_t from = next_best(all, i);
    float likeness = wi_likeness_total(wi_likeness_of(all->matcher, in, from));
    offer(all->choices[WI_IN], in, from, likeness);
    offer(all->choices[WI_FROM], from, in, likeness);
  }
  for (uint32_t i = 0; i < all->touched_count; i++)
    all->sums[all->touched[i]] = 0;
}

/* ---- Decisions ------------------------------------------------------------------------------ */

static bool stands_out(choice item) {
  return item.best >= item.second * 1.2f + 0.03f;
}

static bool is_good(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  wi_likeness likeness = wi_likeness_of(matcher, in, from);
  wi_agreement callers = wi_likeness_callers(matcher, in, from);
  return wi_match_is_likely(matcher, in, from) && likeness.common + likeness.agree >= 40 &&
         wi_likeness_total(likeness) >= (callers.agree > 0 ? 0.3f : 0.6f);
}

static uint32_t decide(search *all) {
  wi_matcher *matcher = all->matcher;
  uint32_t added = 0;
  for (uint32_t in = 0; in < matcher->side[WI_IN]->count; in++) {
    choice item = all->choices[WI_IN][in];
    if (item.best <= 0 || !stands_out(item) || !wi_matcher_may_pair(matcher, in, item.other))
      continue;
    choice other = all->choices[WI_FROM][item.other];
    if (other.other != in || !stands_out(other) || !is_good(matcher, in, item.other))
      continue;
    wi_matcher_pair(matcher, in, item.other, WI_MATCH_SIMILAR);
    added++;
  }
  return added;
}

static bool open_search(search *all) {
  bool done = true;
  for (int side = 0; side < WI_SIDES; side++) {
    size_t count = all->matcher->side[side]->count + (size_t)1;
    all->choices[side] = calloc(count, sizeof *all->choices[side]);
    done &= all->choices[side] != NULL;
  }
  size_t count = all->matcher->side[WI_FROM]->count + (size_t)1;
  all->sums = calloc(count, sizeof *all->sums);
  all->touched = malloc(count * sizeof *all->touched);
  return done && all->sums && all->touched && index_tokens(all);
}

bool wi_match_similar(wi_matcher *matcher, uint32_t *added) {
  search all = {.matcher = matcher};
  bool done = open_search(&all);
  for (uint32_t i = matcher->side[WI_IN]->module->imports_count;
       done && i < matcher->side[WI_IN]->count; i++)
    if (wi_matcher_is_free(matcher, WI_IN, i))
      choose(&all, i);
  if (done)
    *added += decide(&all);
  for (int side = 0; side < WI_SIDES; side++)
    free(all.choices[side]);
  free(all.first);
  free(all.holders);
  free(all.sums);
  free(all.touched);
  return done;
}
