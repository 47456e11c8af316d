#include "match/wrapper.h"

static const float WRAPPER_BITS = 15;    /* a wrapper has less information of its own */
static const float WRAPPER_SHARE = 0.4f; /* found share of a caller's own information, if it was
                                            inlined */
static const float ROOT_SHARE = 0.6f;    /* same, if the caller gives the name */

/* Callers with at most this many instructions cannot be told from what they wrap. */
enum { THIN_SIZE = 24 };

/* Information of a function, and how much of it was found in another one. */
typedef struct share {
  float own, found;
} share;

/*
 * Whether `other`, on the other side, may be `caller` with its callee `inner` inlined. The
 * information that the caller has in addition to the callee would then be found in it.
 */
static bool may_have_taken_in(const wi_matcher *matcher, int side, uint32_t caller, uint32_t inner,
                              uint32_t other) {
  const wi_feature *outer = wi_matcher_function(matcher, side, caller);
  const wi_feature *whole = wi_matcher_function(matcher, !side, other);
  float own = 0, found = 0;
  if (outer->type != whole->type || outer->is_in_table != whole->is_in_table)
    return false;
  for (uint32_t i = outer->tokens.first; i < outer->tokens.first + outer->tokens.count; i++) {
    uint64_t token = matcher->side[side]->tokens[i];
    float weight = wi_matcher_weight(matcher, side, i);
    if (wi_matcher_has_token(matcher->side[side], inner, token))
      continue;
    own += weight;
    if (wi_matcher_has_token(matcher->side[!side], other, token))
      found += weight;
  }
  return outer->size <= THIN_SIZE || own < WRAPPER_BITS || found >= own * WRAPPER_SHARE;
}

bool wi_wrapper_may_hold(const wi_matcher *matcher, int side, uint32_t function, uint32_t other,
                         int depth) {
  enum { MOST_CALLERS = 32 };
  wi_range callers = wi_matcher_function(matcher, side, function)->callers;
  if (callers.count > MOST_CALLERS)
    return false; /* too many callers for inlining into all */
  for (uint32_t i = 0; i < callers.count; i++) {
    uint32_t caller = matcher->side[side]->links[callers.first + i];
    if (caller != function && wi_matcher_is_free(matcher, side, caller) &&
        (may_have_taken_in(matcher, side, caller, function, other) ||
         (depth > 0 && wi_wrapper_may_hold(matcher, side, caller, other, depth - 1))))
      return true;
  }
  return false;
}

/* ---- Contracted functions ------------------------------------------------------------------ */

/* Whether a function was inlined into its callers. */
static bool is_gone(const wi_matcher *matcher, const wi_matcher *whole, int side,
                    uint32_t function) {
  return wi_matcher_function(matcher, side, function)->tokens.count > 0 &&
         wi_matcher_function(whole, side, function)->tokens.count == 0;
}

/* Whether any callee has the token. */
static bool has_in_callees(const wi_features *features, uint32_t function, uint64_t token) {
  wi_range callees = features->functions[function].callees;
  for (uint32_t i = 0; i < callees.count; i++)
    if (wi_matcher_has_token(features, features->links[callees.first + i], token))
      return true;
  return false;
}

/*
 * Whether an inlined callee, or a callee of that, has the token; for token 0, whether any callee
 * was inlined.
 */
static bool is_of_callee(const wi_matcher *matcher, const wi_matcher *whole, int side,
                         uint32_t function, uint64_t token) {
  const wi_features *features = matcher->side[side];
  wi_range callees = features->functions[function].callees;
  for (uint32_t i = 0; i < callees.count; i++) {
    uint32_t callee = features->links[callees.first + i];
    if (is_gone(matcher, whole, side, callee) &&
        (token == 0 || wi_matcher_has_token(features, callee, token) ||
         has_in_callees(features, callee, token)))
      return true;
  }
  return false;
}

bool wi_wrapper_is_held(const wi_matcher *matcher, const wi_matcher *whole, int side,
                        uint32_t function, uint32_t other) {
  const wi_features *features = matcher->side[side];
  wi_range tokens = features->functions[function].tokens;
  share all = {0};
  if (!is_of_callee(matcher, whole, side, function, 0))
    return true;
  for (uint32_t i = tokens.first; i < tokens.first + tokens.count; i++) {
    if (is_of_callee(matcher, whole, side, function, features->tokens[i]))
      continue;
    all.own += wi_matcher_weight(matcher, side, i);
    if (wi_matcher_has_token(whole->side[!side], other, features->tokens[i]))
      all.found += wi_matcher_weight(matcher, side, i);
  }
  return all.own >= WRAPPER_BITS && all.found >= all.own * ROOT_SHARE;
}
