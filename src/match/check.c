#include "match/check.h"

#include "match/apart.h"
#include "match/likeness.h"
#include "match/wrapper.h"

/*
 * Compilers inline a function into its only caller. The caller then looks like the inlined
 * function, and only its own callers show which of the two it is. So a pair whose code differs
 * needs callers that are a pair, or no callers on either side.
 */
static const float SAME_LAYOUT_LIKENESS = 0.45f, SURROUNDED_LIKENESS = 0.45f, LIKENESS = 0.62f;
static const float LARGE_LIKENESS = 0.3f,
                   LARGE_BITS = 2500; /* no other function shares that much */
static const float SEED_BITS =
    200; /* equal code with that much information cannot be a coincidence */
static const float LEAST_BITS = 16; /* least information of functions without callers */

/* Like wi_match_is_likely, for any signatures. */
static bool is_used_alike(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  wi_agreement callers = wi_likeness_callers(matcher, in, from);
  return wi_matcher_function(matcher, WI_IN, in)->is_in_table ==
             wi_matcher_function(matcher, WI_FROM, from)->is_in_table &&
         callers.agree >= 4 * callers.disagree;
}

bool wi_match_is_likely(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  return wi_matcher_function(matcher, WI_IN, in)->type ==
             wi_matcher_function(matcher, WI_FROM, from)->type &&
         is_used_alike(matcher, in, from);
}

static bool is_exact(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  return wi_matcher_function(matcher, WI_IN, in)->exact ==
         wi_matcher_function(matcher, WI_FROM, from)->exact;
}

/* ---- One pair -------------------------------------------------------------------------------- */

/* Whether callers and callees agree, without contradiction. */
static bool is_surrounded(wi_agreement callers, wi_agreement callees) {
  bool has_callees = callees.agree >= 4 && callees.agree >= 4 * callees.disagree;
  return callers.disagree == 0 && callers.agree >= 2 &&
         (has_callees || (callers.agree >= 4 && callees.disagree == 0));
}

/* Whether neither function may be a caller of the other one with that inlined. */
static bool is_no_wrapper(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  return !wi_wrapper_may_hold(matcher, WI_IN, in, from, 1) &&
         !wi_wrapper_may_hold(matcher, WI_FROM, from, in, 1);
}

static bool is_same_code(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  wi_likeness likeness = wi_likeness_of(matcher, in, from);
  wi_agreement callers = wi_likeness_callers(matcher, in, from);
  bool is_called = wi_matcher_function(matcher, WI_IN, in)->callers.count > 0 ||
                   wi_matcher_function(matcher, WI_FROM, from)->callers.count > 0;
  if (callers.agree > 0)
    return callers.agree >= callers.disagree;
  if (likeness.common < LEAST_BITS)
    return false;
  if (!is_called)
    return callers.disagree == 0;
  return callers.disagree == 0 && likeness.common >= SEED_BITS && is_no_wrapper(matcher, in, from);
}

static bool is_similar_code(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  bool same_layout = matcher->side[WI_IN]->with_addresses;
  wi_likeness likeness = wi_likeness_of(matcher, in, from);
  float content = wi_likeness_content(likeness);
  wi_agreement callers = wi_likeness_callers(matcher, in, from);
  wi_agreement callees = wi_likeness_callees(matcher, in, from);
  bool is_backed = callers.agree > 0 || is_no_wrapper(matcher, in, from);
  bool is_large = likeness.common >= LARGE_BITS && is_no_wrapper(matcher, in, from);
  float least = is_large                          ? LARGE_LIKENESS
                : same_layout                     ? SAME_LAYOUT_LIKENESS
                : is_surrounded(callers, callees) ? SURROUNDED_LIKENESS
                                                  : LIKENESS;
  bool is_likely = is_large && content >= SURROUNDED_LIKENESS /* wasm-opt removes parameters */
                       ? is_used_alike(matcher, in, from)
                       : wi_match_is_likely(matcher, in, from);
  return is_backed && is_likely && callees.agree >= callees.disagree && content >= least;
}

static bool is_certain(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  return is_exact(matcher, in, from) ? is_same_code(matcher, in, from)
                                     : is_similar_code(matcher, in, from);
}

/*
 * Measured: among thousands of names by equal code, only names of renamed functions were wrong; of
 * the others, one in a thousand.
 */
float wi_match_confidence(const wi_matcher *matcher, uint32_t in) {
  static const float EXACT = 0.999f, LEAST = 0.95f;
  uint32_t from = matcher->pair[WI_IN][in];
  if (is_exact(matcher, in, from))
    return EXACT;
  return LEAST + (EXACT - LEAST) * wi_likeness_total(wi_likeness_of(matcher, in, from));
}

/* ---- All pairs ------------------------------------------------------------------------------ */

/* The partner of the nearest paired function before or after `in`, or WI_NO_FUNCTION. */
static uint32_t nearest_pair(const wi_matcher *matcher, uint32_t in, int step) {
  enum { FARTHEST = 8 };
  int64_t place = in;
  for (int i = 0; i < FARTHEST; i++) {
    place += step;
    if (place < 0 || place >= matcher->side[WI_IN]->count)
      break;
    if (matcher->pair[WI_IN][place] != WI_NO_FUNCTION)
      return matcher->pair[WI_IN][place];
  }
  return WI_NO_FUNCTION;
}

/*
 * Whether a pair with little information is not between the pairs around it. Compilers merge
 * functions with equal code under one of their names, which differs between builds.
 */
static bool is_out_of_place(const wi_apart *all, uint32_t in, uint32_t from) {
  uint32_t before = nearest_pair(all->matcher, in, -1), after = nearest_pair(all->matcher, in, 1);
  bool is_known = before != WI_NO_FUNCTION && after != WI_NO_FUNCTION && before < after;
  return all->keep_order && is_known && (from < before || from > after) &&
         wi_likeness_of(all->matcher, in, from).common < SEED_BITS;
}

/* Whether both the code and its surroundings are evidence enough. */
static bool is_proven(const wi_apart *all, uint32_t in, uint32_t from) {
  const wi_matcher *matcher = all->matcher;
  if (!wi_apart_is_needed(matcher, in, from))
    return is_certain(matcher, in, from) && !wi_apart_is_contradicted(matcher, in, from);
  bool is_same_family = wi_matcher_function(matcher, WI_IN, in)->family ==
                        wi_matcher_function(matcher, WI_FROM, from)->family;
  return (is_same_family ? is_used_alike : is_certain)(matcher, in, from) &&
         wi_apart_is_told(all, in, from);
}

/* One round. Dropping a pair may make others uncertain. Returns how many were dropped. */
static uint32_t drop_uncertain(wi_matcher *matcher, wi_apart *all) {
  uint32_t dropped = 0;
  wi_apart_update(all);
  for (uint32_t i = matcher->side[WI_IN]->module->imports_count; i < matcher->side[WI_IN]->count;
       i++) {
    uint32_t from = matcher->pair[WI_IN][i];
    if (from == WI_NO_FUNCTION || matcher->kind[i] == WI_MATCH_EXPORT ||
        (is_proven(all, i, from) && !is_out_of_place(all, i, from)))
      continue;
    wi_matcher_part(matcher, i);
    dropped++;
  }
  return dropped;
}

bool wi_match_check(wi_matcher *matcher) {
  enum { MOST_ROUNDS = 8 };
  wi_apart all;
  bool done = wi_apart_init(&all, matcher);
  for (int round = 0; done && round < MOST_ROUNDS && drop_uncertain(matcher, &all) > 0; round++) {
  }
  wi_apart_clear(&all);
  return done;
}
