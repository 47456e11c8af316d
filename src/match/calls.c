#include "match/calls.h"

#include <stdlib.h>

#include "match/likeness.h"

/* Calls at the same position in paired callers. */
typedef struct vote {
  uint32_t in, from;
  uint32_t count;
} vote;

typedef struct ballot {
  WI_ARRAY(vote, votes);
  uint32_t *all[WI_SIDES]; /* per function: number of votes */
} ballot;

static int compare_votes(const void *left, const void *right) {
  const vote *a = left, *b = right;
  if (a->in != b->in)
    return a->in > b->in ? 1 : -1;
  return (a->from > b->from) - (a->from < b->from);
}

static bool collect(const wi_matcher *matcher, uint32_t in, uint32_t from, ballot *all) {
  const wi_features *left = matcher->side[WI_IN], *right = matcher->side[WI_FROM];
  wi_range calls = left->functions[in].calls, others = right->functions[from].calls;
  if (left->functions[in].family != right->functions[from].family || calls.count != others.count)
    return true;
  for (uint32_t i = 0; i < calls.count; i++) {
    uint32_t x = left->links[calls.first + i], y = right->links[others.first + i];
    if (wi_matcher_is_free(matcher, WI_IN, x) == wi_matcher_is_free(matcher, WI_FROM, y) &&
        !wi_matcher_may_pair(matcher, x, y))
      continue; /* already paired, or imports */
    vote *item = WI_ARRAY_PUSH(all, votes);
    if (!item)
      return false;
    *item = (vote){x, y, 1};
  }
  return true;
}

static void count_votes(ballot *all) {
  uint32_t kept = 0;
  if (all->votes_count > 0)
    qsort(all->votes, all->votes_count, sizeof *all->votes, compare_votes);
  for (uint32_t i = 0; i < all->votes_count; i++) {
    if (kept > 0 && compare_votes(&all->votes[kept - 1], &all->votes[i]) == 0)
      all->votes[kept - 1].count++;
    else
      all->votes[kept++] = all->votes[i];
  }
  all->votes_count = kept;
  for (uint32_t i = 0; i < kept; i++) {
    vote item = all->votes[i];
    uint32_t function[WI_SIDES] = {item.in, item.from};
    for (int side = 0; side < WI_SIDES; side++) {
      all->all[side][function[side]] += item.count;
    }
  }
}

/* Whether all evidence agrees: all known calls of either function are calls of the other. */
static bool is_elected(const wi_matcher *matcher, const ballot *all, vote item) {
  if (all->all[WI_IN][item.in] != item.count || all->all[WI_FROM][item.from] != item.count ||
      !wi_matcher_may_pair(matcher, item.in, item.from))
    return false;
  const wi_feature *in = wi_matcher_function(matcher, WI_IN, item.in);
  const wi_feature *from = wi_matcher_function(matcher, WI_FROM, item.from);
  if (in->family == from->family)
    return true;
  float alike = wi_likeness_content(wi_likeness_of(matcher, item.in, item.from));
  return alike >= (in->type == from->type ? 0.3f : 0.6f);
}

static bool vote_all(wi_matcher *matcher, ballot *all) {
  bool done = true;
  for (int side = 0; side < WI_SIDES; side++) {
    size_t count = matcher->side[side]->count + (size_t)1;
    all->all[side] = calloc(count, sizeof *all->all[side]);
    done &= all->all[side] != NULL;
  }
  for (uint32_t i = 0; done && i < matcher->side[WI_IN]->count; i++)
    if (!wi_matcher_is_free(matcher, WI_IN, i))
      done = collect(matcher, i, matcher->pair[WI_IN][i], all);
  if (done)
    count_votes(all);
  return done;
}

bool wi_match_calls(wi_matcher *matcher, uint32_t *added) {
  ballot all = {0};
  bool done = vote_all(matcher, &all);
  for (uint32_t i = 0; done && i < all.votes_count; i++)
    if (is_elected(matcher, &all, all.votes[i])) {
      wi_matcher_pair(matcher, all.votes[i].in, all.votes[i].from, WI_MATCH_CALLS);
      ++*added;
    }
  for (int side = 0; side < WI_SIDES; side++) {
    free(all.all[side]);
  }
  free(all.votes);
  return done;
}
