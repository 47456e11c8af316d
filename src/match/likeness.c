#include "match/likeness.h"

#include <math.h>

static void compare_tokens(const wi_matcher *matcher, const wi_feature *in, const wi_feature *from,
                           wi_likeness *likeness) {
  const uint64_t *a = matcher->side[WI_IN]->tokens, *b = matcher->side[WI_FROM]->tokens;
  uint32_t i = in->tokens.first, i_end = i + in->tokens.count;
  uint32_t k = from->tokens.first, k_end = k + from->tokens.count;
  while (i < i_end && k < k_end) {
    if (a[i] == b[k])
      likeness->common += wi_matcher_weight(matcher, WI_FROM, k++);
    else if (a[i] > b[k]) {
      likeness->all += wi_matcher_weight(matcher, WI_FROM, k++);
      continue;
    }
    likeness->all += wi_matcher_weight(matcher, WI_IN, i++);
  }
  while (i < i_end)
    likeness->all += wi_matcher_weight(matcher, WI_IN, i++);
  while (k < k_end)
    likeness->all += wi_matcher_weight(matcher, WI_FROM, k++);
}

/* Which links of a function are compared. */
typedef enum link_kind { CALLERS, CALLEES } link_kind;

static wi_range links_of(const wi_feature *function, link_kind kind) {
  return kind == CALLERS ? function->callers : function->callees;
}

/* A neighbour is the more significant the fewer functions it is a neighbour of. */
static float link_weight(const wi_features *features, uint32_t neighbour, link_kind kind) {
  const wi_feature *function = &features->functions[neighbour];
  uint32_t count = kind == CALLERS ? function->callees.count : function->callers.count;
  return log2f(1 + 64.0f / (float)(count + 1)) + 1;
}

/*
 * Compares one side's links: those with a pair agree if the pair is a link of the other function.
 */
static void compare_links(const wi_matcher *matcher, int side, uint32_t own, uint32_t other,
                          link_kind kind, wi_likeness *likeness, wi_agreement *counts) {
  const wi_features *features = matcher->side[side], *others = matcher->side[!side];
  wi_range links = links_of(&features->functions[own], kind);
  wi_range wanted = links_of(&others->functions[other], kind);
  for (uint32_t i = 0; i < links.count; i++) {
    uint32_t neighbour = features->links[links.first + i];
    uint32_t pair = neighbour == own ? other : matcher->pair[side][neighbour];
    if (pair == WI_NO_FUNCTION)
      continue;
    bool agrees = wi_matcher_has_link(others, wanted, pair);
    float weight = link_weight(features, neighbour, kind) / 2;
    *(agrees ? &likeness->agree : &likeness->disagree) += weight;
    ++*(agrees ? &counts->agree : &counts->disagree);
  }
}

static wi_agreement compare_both(const wi_matcher *matcher, uint32_t in, uint32_t from,
                                 link_kind kind, wi_likeness *likeness) {
  wi_agreement counts = {0};
  compare_links(matcher, WI_IN, in, from, kind, likeness, &counts);
  compare_links(matcher, WI_FROM, from, in, kind, likeness, &counts);
  return counts;
}

wi_likeness wi_likeness_of(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  wi_likeness likeness = {0};
  compare_tokens(matcher, wi_matcher_function(matcher, WI_IN, in),
                 wi_matcher_function(matcher, WI_FROM, from), &likeness);
  compare_both(matcher, in, from, CALLERS, &likeness);
  compare_both(matcher, in, from, CALLEES, &likeness);
  return likeness;
}

wi_agreement wi_likeness_callers(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  wi_likeness ignored = {0};
  return compare_both(matcher, in, from, CALLERS, &ignored);
}

wi_agreement wi_likeness_callees(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  wi_likeness ignored = {0};
  return compare_both(matcher, in, from, CALLEES, &ignored);
}
