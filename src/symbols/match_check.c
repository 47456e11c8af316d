#include "symbols/match_check.h"

#include <stdlib.h>

#include "symbols/likeness.h"

/*
 * Compilers inline a function into its only caller and leave a wrapper out. The caller then looks
 * like what it has taken in, and only its own callers tell which of the two it is. So a pair whose
 * code differs needs a caller that both have, or none at all on both sides.
 *
 * Templates and functions that an optimiser has merged have equal code and several names. So where
 * one side has more functions of that code than the other, no name is certain.
 */
static const float SAME_LAYOUT_LIKENESS = 0.45f, SURROUNDED_LIKENESS = 0.45f, LIKENESS = 0.62f;
static const float SEED_BITS = 200;      /* code that is equal and says so much is no accident */
static const float LEAST_BITS = 16;      /* what code that nobody calls has to say */
static const float WRAPPER_BITS = 15;    /* what is a wrapper says no more */
static const float WRAPPER_SHARE = 0.4f; /* of what a caller says, what is found where it is */

bool wi_match_is_likely(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  const wi_feature *left = wi_matcher_function(matcher, WI_IN, in);
  const wi_feature *right = wi_matcher_function(matcher, WI_FROM, from);
  wi_agreement callers = wi_likeness_callers(matcher, in, from);
  return left->type == right->type && left->is_in_table == right->is_in_table &&
         callers.agree >= 4 * callers.disagree;
}

static bool is_exact(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  return wi_matcher_function(matcher, WI_IN, in)->exact ==
         wi_matcher_function(matcher, WI_FROM, from)->exact;
}

/* ---- Wrappers ------------------------------------------------------------------------------ */

static bool has_token(const wi_matcher *matcher, int side, uint32_t function, uint32_t token) {
  wi_range tokens = wi_matcher_function(matcher, side, function)->tokens;
  const uint32_t *ids = matcher->ids[side] + tokens.first;
  uint32_t low = 0, high = tokens.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (ids[middle] < token)
      low = middle + 1;
    else
      high = middle;
  }
  return low < tokens.count && ids[low] == token;
}

/*
 * Whether `other`, of the other side, may be `caller` with its callee `inner` in it. What the
 * caller has beyond the callee would be there, too.
 */
static bool may_have_taken_in(const wi_matcher *matcher, int side, uint32_t caller, uint32_t inner,
                              uint32_t other) {
  const wi_feature *outer = wi_matcher_function(matcher, side, caller);
  const wi_feature *whole = wi_matcher_function(matcher, !side, other);
  float own = 0, found = 0;
  if (outer->type != whole->type || outer->is_in_table != whole->is_in_table)
    return false;
  for (uint32_t i = 0; i < outer->tokens.count; ++i) {
    uint32_t token = matcher->ids[side][outer->tokens.first + i];
    if (has_token(matcher, side, inner, token))
      continue;
    own += matcher->weights[token];
    if (has_token(matcher, !side, other, token))
      found += matcher->weights[token];
  }
  return own < WRAPPER_BITS || found >= own * WRAPPER_SHARE;
}

/* Whether some function that calls it, or calls what calls it, may be what `other` is. */
static bool may_be_inside(const wi_matcher *matcher, int side, uint32_t function, uint32_t other,
                          int depth) {
  enum { MOST_CALLERS = 32 };
  wi_range callers = wi_matcher_function(matcher, side, function)->callers;
  if (callers.count > MOST_CALLERS)
    return false; /* nobody inlines it everywhere */
  for (uint32_t i = 0; i < callers.count; ++i) {
    uint32_t caller = matcher->side[side]->links[callers.first + i];
    if (caller != function && wi_matcher_is_free(matcher, side, caller) &&
        (may_have_taken_in(matcher, side, caller, function, other) ||
         (depth > 0 && may_be_inside(matcher, side, caller, other, depth - 1))))
      return true;
  }
  return false;
}

/* ---- One pair -------------------------------------------------------------------------------- */

/* Whether neighbours on both sides of it are those of the other, and none is not. */
static bool is_surrounded(wi_agreement callers, wi_agreement callees) {
  bool has_callees = callees.agree >= 4 && callees.agree >= 4 * callees.disagree;
  return callers.disagree == 0 && callers.agree >= 2 &&
         (has_callees || (callers.agree >= 4 && callees.disagree == 0));
}

static bool is_same_code(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  wi_likeness likeness = wi_likeness_of(matcher, in, from);
  wi_agreement callers = wi_likeness_callers(matcher, in, from);
  bool is_called = wi_matcher_function(matcher, WI_IN, in)->callers.count > 0 ||
                   wi_matcher_function(matcher, WI_FROM, from)->callers.count > 0;
  if (callers.agree > 0)
    return callers.agree >= callers.disagree;
  if (is_called)
    return callers.disagree == 0 &&
           (matcher->side[WI_IN]->with_addresses || likeness.common >= SEED_BITS);
  return likeness.common >= LEAST_BITS;
}

static bool is_similar_code(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  bool same_layout = matcher->side[WI_IN]->with_addresses;
  float content = wi_likeness_content(wi_likeness_of(matcher, in, from));
  wi_agreement callers = wi_likeness_callers(matcher, in, from);
  wi_agreement callees = wi_likeness_callees(matcher, in, from);
  bool is_backed = callers.agree > 0 || (!may_be_inside(matcher, WI_IN, in, from, 1) &&
                                         !may_be_inside(matcher, WI_FROM, from, in, 1));
  float least = same_layout                       ? SAME_LAYOUT_LIKENESS
                : is_surrounded(callers, callees) ? SURROUNDED_LIKENESS
                                                  : LIKENESS;
  return is_backed && wi_match_is_likely(matcher, in, from) && callees.agree >= callees.disagree &&
         content >= least;
}

static bool is_certain(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  return is_exact(matcher, in, from) ? is_same_code(matcher, in, from)
                                     : is_similar_code(matcher, in, from);
}

/*
 * Measured: of names by equal code none in thousands was wrong but for functions that were renamed;
 * of the others one in a thousand.
 */
float wi_match_confidence(const wi_matcher *matcher, uint32_t in) {
  static const float EXACT = 0.999f, LEAST = 0.95f;
  uint32_t from = matcher->pair[WI_IN][in];
  if (is_exact(matcher, in, from))
    return EXACT;
  return LEAST + (EXACT - LEAST) * wi_likeness_total(wi_likeness_of(matcher, in, from));
}

/* ---- Twins: functions of the same code that call the same --------------------------------- */

static int compare_u64(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* The contexts of all functions of a side in order; NULL: out of memory. */
static uint64_t *list_contexts(const wi_features *features) {
  uint64_t *contexts = malloc((features->count + (size_t)1) * sizeof *contexts);
  for (uint32_t i = 0; contexts && i < features->count; ++i)
    contexts[i] = features->functions[i].context;
  if (contexts && features->count > 0)
    qsort(contexts, features->count, sizeof *contexts, compare_u64);
  return contexts;
}

static uint32_t count_equal(const uint64_t *sorted, uint32_t count, uint64_t key) {
  uint32_t low = 0, high = count, equal = 0;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  while (low + equal < count && sorted[low + equal] == key)
    ++equal;
  return equal;
}

typedef struct twins {
  const wi_matcher *matcher;
  uint64_t *contexts[WI_SIDES];
  bool keep_order; /* functions that have no twin are in the same order on both sides, mostly */
} twins;

static uint32_t count_twins(const twins *all, int side, uint32_t function) {
  const wi_features *features = all->matcher->side[side];
  return count_equal(all->contexts[side], features->count, features->functions[function].context);
}

/* In another order two twins are beside each other by accident, too. */
static bool keep_order(const twins *all) {
  enum { KEPT_PERCENT = 90 };
  uint32_t steps = 0, rising = 0, last = WI_NO_FUNCTION;
  for (uint32_t i = 0; i < all->matcher->side[WI_IN]->count; ++i) {
    uint32_t from = all->matcher->pair[WI_IN][i];
    if (from == WI_NO_FUNCTION || count_twins(all, WI_IN, i) > 1)
      continue;
    steps += last != WI_NO_FUNCTION;
    rising += last != WI_NO_FUNCTION && from > last;
    last = from;
  }
  return steps > 0 && (uint64_t)rising * 100 >= (uint64_t)steps * KEPT_PERCENT;
}

/* Whether a function beside the one is paired with the one beside the other. */
static bool is_beside_pair(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  const uint32_t *pair = matcher->pair[WI_IN];
  return (in > 0 && from > 0 && pair[in - 1] == from - 1) ||
         (in + 1 < matcher->side[WI_IN]->count && pair[in + 1] == from + 1);
}

/*
 * Whether a pair of twins is told from the others: there are as many on both sides, and it has two
 * callers or its place. One caller alone may call another twin now.
 */
static bool is_told_apart(const twins *all, uint32_t in, uint32_t from) {
  uint32_t count = count_twins(all, WI_IN, in);
  if (count != count_twins(all, WI_FROM, from))
    return false;
  return count == 1 || (all->keep_order && is_beside_pair(all->matcher, in, from)) ||
         wi_likeness_callers(all->matcher, in, from).agree >= 4;
}

/* ---- All pairs ------------------------------------------------------------------------------ */

/* Where one is dropped, others may lose what spoke for them. */
static uint32_t drop_uncertain(wi_matcher *matcher, const twins *all) {
  uint32_t dropped = 0;
  for (uint32_t i = matcher->side[WI_IN]->module->imports_count; i < matcher->side[WI_IN]->count;
       ++i) {
    uint32_t from = matcher->pair[WI_IN][i];
    if (from == WI_NO_FUNCTION || matcher->kind[i] == WI_MATCH_EXPORT ||
        (is_certain(matcher, i, from) && is_told_apart(all, i, from)))
      continue;
    wi_matcher_part(matcher, i);
    ++dropped;
  }
  return dropped;
}

bool wi_match_check(wi_matcher *matcher) {
  enum { MOST_ROUNDS = 8 };
  twins all = {.matcher = matcher};
  for (int side = 0; side < WI_SIDES; ++side)
    all.contexts[side] = list_contexts(matcher->side[side]);
  bool done = all.contexts[WI_IN] && all.contexts[WI_FROM];
  all.keep_order = done && keep_order(&all);
  for (int round = 0; done && round < MOST_ROUNDS && drop_uncertain(matcher, &all) > 0; ++round) {
  }
  free(all.contexts[WI_IN]);
  free(all.contexts[WI_FROM]);
  return done;
}
