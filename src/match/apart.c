#include "match/apart.h"

#include <stdlib.h>

#include "match/likeness.h"
#include "support/search.h"

static const float LEAST_BITS = 20; /* less code than that is not distinctive in any program */

/*
 * Points of evidence, of which ENOUGH tell a pair. One caller, or the place, is not enough alone:
 * a caller may have changed to another function of the family.
 */
enum {
  ONLY_CODE = 2,       /* equal code that no other function of either module has */
  CODE_ELSEWHERE = -1, /* other code, which another function of the other module has */
  ONE_CALLER = 4,      /* calls both at the same positions */
  TWO_CALLERS = 6,
  CALLEES = 4,
  PLACE = 3,        /* among as many functions of the same families, between the same pairs */
  SAME_CODE = 6,    /* the code of all functions between these pairs is the same */
  OTHER_PLACE = -2, /* another function is there */
  CONTRADICTION = -100,
  ENOUGH = 6
};

static const wi_feature *in_function(const wi_apart *apart, uint32_t function) {
  return wi_matcher_function(apart->matcher, WI_IN, function);
}

static const wi_feature *from_function(const wi_apart *apart, uint32_t function) {
  return wi_matcher_function(apart->matcher, WI_FROM, function);
}

bool wi_apart_is_needed(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  return wi_matcher_function(matcher, WI_IN, in)->family_count > 1 ||
         wi_matcher_function(matcher, WI_FROM, from)->family_count > 1 ||
         wi_matcher_information(matcher, in) < LEAST_BITS;
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* Whether the function has a pair that is sure without its place. */
static bool is_landmark(const wi_apart *apart, uint32_t in) {
  uint32_t from = apart->matcher->pair[WI_IN][in];
  return from != WI_NO_FUNCTION && (apart->matcher->kind[in] == WI_MATCH_EXPORT ||
                                    !wi_apart_is_needed(apart->matcher, in, from));
}

/* If functions between two landmarks are as many on both sides, of the same families in order. */
static void place_stretch(wi_apart *apart, uint32_t in, uint32_t from, uint32_t count) {
  bool has_same_code = true;
  for (uint32_t i = 0; i < count; i++) {
    const wi_feature *a = in_function(apart, in + i), *b = from_function(apart, from + i);
    if (a->family != b->family)
      return;
    has_same_code = has_same_code && a->exact == b->exact;
  }
  for (uint32_t i = 0; i < count; i++)
    apart->places[in + i] = (wi_apart_place){from + i, has_same_code};
}

/* Most landmarks must be in the same order: otherwise neighbours can be a coincidence. */
static bool keep_order(const wi_apart *apart) {
  enum { KEPT_PERCENT = 90 };
  uint32_t steps = 0, rising = 0, last = WI_NO_FUNCTION;
  for (uint32_t i = 0; i < apart->matcher->side[WI_IN]->count; i++) {
    uint32_t from = apart->matcher->pair[WI_IN][i];
    if (!is_landmark(apart, i))
      continue;
    steps += last != WI_NO_FUNCTION;
    rising += last != WI_NO_FUNCTION && from > last;
    last = from;
  }
  return steps > 0 && (uint64_t)rising * 100 >= (uint64_t)steps * KEPT_PERCENT;
}

void wi_apart_update(wi_apart *apart) {
  const wi_features *in = apart->matcher->side[WI_IN], *from = apart->matcher->side[WI_FROM];
  uint32_t start = in->module->imports_count, from_start = from->module->imports_count;
  apart->keep_order = keep_order(apart);
  for (uint32_t i = 0; i < in->count; i++)
    apart->places[i] = (wi_apart_place){WI_NO_FUNCTION, false};
  for (uint32_t i = start; i <= in->count; i++) {
    uint32_t end = i < in->count ? apart->matcher->pair[WI_IN][i] : from->count;
    if (i < in->count && !is_landmark(apart, i))
      continue;
    if (from_start <= end && i - start == end - from_start)
      place_stretch(apart, start, from_start, i - start);
    start = i + 1;
    from_start = end + 1;
  }
}

/* The hashes of all functions, sorted. Returns NULL if out of memory. */
static uint64_t *sort_codes(const wi_features *features) {
  uint64_t *codes = malloc((features->count + (size_t)1) * sizeof *codes);
  for (uint32_t i = 0; codes && i < features->count; i++)
    codes[i] = features->functions[i].exact;
  if (codes && features->count > 0)
    qsort(codes, features->count, sizeof *codes, wi_compare_u64);
  return codes;
}

bool wi_apart_init(wi_apart *apart, const wi_matcher *matcher) {
  *apart = (wi_apart){.matcher = matcher};
  apart->places = malloc((matcher->side[WI_IN]->count + (size_t)1) * sizeof *apart->places);
  for (int side = 0; side < WI_SIDES; side++)
    apart->codes[side] = sort_codes(matcher->side[side]);
  return apart->places && apart->codes[WI_IN] && apart->codes[WI_FROM];
}

void wi_apart_clear(wi_apart *apart) {
  free(apart->places);
  for (int side = 0; side < WI_SIDES; side++)
    free(apart->codes[side]);
  *apart = (wi_apart){0};
}

/* ---- Evidence -------------------------------------------------------------------------------- */

static int place_evidence(const wi_apart *apart, uint32_t in, uint32_t from) {
  wi_apart_place place = apart->places[in];
  if (!apart->keep_order || place.function == WI_NO_FUNCTION)
    return 0;
  if (place.function != from)
    return OTHER_PLACE;
  return place.has_same_code &&
                 in_function(apart, in)->exact_count == from_function(apart, from)->exact_count &&
                 in_function(apart, in)->family_count == from_function(apart, from)->family_count
             ? SAME_CODE
             : PLACE;
}

static bool has_code(const wi_apart *apart, int side, uint64_t exact) {
  uint32_t count = apart->matcher->side[side]->count;
  uint32_t at = wi_lower_bound(&exact, apart->codes[side], count, sizeof exact, wi_compare_u64);
  return at < count && apart->codes[side][at] == exact;
}

static int code_evidence(const wi_apart *apart, uint32_t in, uint32_t from) {
  const wi_feature *a = in_function(apart, in), *b = from_function(apart, from);
  if (a->exact == b->exact)
    return a->exact_count == 1 && b->exact_count == 1 ? ONLY_CODE : 0;
  return has_code(apart, WI_FROM, a->exact) || has_code(apart, WI_IN, b->exact) ? CODE_ELSEWHERE
                                                                                : 0;
}

/* Whether two paired functions call `in` and `from` at the same positions: 1, never: 0, else -1. */
static int compare_calls(const wi_matcher *matcher, uint32_t caller, uint32_t other, uint32_t in,
                         uint32_t from) {
  const wi_features *left = matcher->side[WI_IN], *right = matcher->side[WI_FROM];
  const wi_feature *a = &left->functions[caller], *b = &right->functions[other];
  int result = 0;
  if (a->family != b->family || a->calls.count != b->calls.count)
    return 0;
  for (uint32_t i = 0; i < a->calls.count; i++) {
    bool is_called = left->links[a->calls.first + i] == in;
    if (is_called != (right->links[b->calls.first + i] == from))
      return -1;
    result |= is_called;
  }
  return result;
}

/* Paired callers of either function that call both at the same positions, or only one of them. */
static wi_agreement compare_callers(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  uint32_t function[WI_SIDES] = {in, from};
  wi_agreement counts = {0};
  for (int side = 0; side < WI_SIDES; side++) {
    wi_range callers = wi_matcher_function(matcher, side, function[side])->callers;
    for (uint32_t i = 0; i < callers.count; i++) {
      uint32_t caller = matcher->side[side]->links[callers.first + i];
      uint32_t pair[WI_SIDES] = {caller, caller};
      pair[!side] = matcher->pair[side][caller];
      int result = pair[!side] != WI_NO_FUNCTION
                       ? compare_calls(matcher, pair[WI_IN], pair[WI_FROM], in, from)
                       : 0;
      counts.agree += side == WI_IN && result > 0;
      counts.disagree += result < 0;
    }
  }
  return counts;
}

static int caller_evidence(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  wi_agreement counts = compare_callers(matcher, in, from);
  if (counts.disagree > 0)
    return CONTRADICTION;
  return counts.agree >= 2 ? TWO_CALLERS : counts.agree == 1 ? ONE_CALLER : 0;
}

/* Whether no other function of its family calls the function's callee. */
static bool is_only_caller(const wi_features *features, uint32_t function, uint32_t callee) {
  wi_range callers = features->functions[callee].callers;
  for (uint32_t i = 0; i < callers.count; i++) {
    uint32_t other = features->links[callers.first + i];
    if (other != function &&
        features->functions[other].family == features->functions[function].family)
      return false;
  }
  return true;
}

/* All callees are pairs, and no other function of the family calls one of them. */
static int callee_evidence(const wi_apart *apart, uint32_t in, uint32_t from) {
  const wi_features *left = apart->matcher->side[WI_IN], *right = apart->matcher->side[WI_FROM];
  wi_range calls = left->functions[in].calls, others = right->functions[from].calls;
  bool is_own = false;
  for (uint32_t i = 0; i < calls.count && calls.count == others.count; i++) {
    uint32_t callee = left->links[calls.first + i], other = right->links[others.first + i];
    if (apart->matcher->pair[WI_IN][callee] != other)
      return 0;
    is_own = is_own || (is_only_caller(left, in, callee) && is_only_caller(right, from, other));
  }
  return is_own ? CALLEES : 0;
}

bool wi_apart_is_contradicted(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  wi_agreement counts = compare_callers(matcher, in, from);
  return counts.disagree > (wi_apart_is_needed(matcher, in, from) ? 0 : counts.agree);
}

bool wi_apart_is_told(const wi_apart *apart, uint32_t in, uint32_t from) {
  return caller_evidence(apart->matcher, in, from) + callee_evidence(apart, in, from) +
             place_evidence(apart, in, from) + code_evidence(apart, in, from) >=
         ENOUGH;
}
