/* Similarity of two functions. */
#ifndef WI_MATCH_LIKENESS_H_
#define WI_MATCH_LIKENESS_H_

#include "match/matcher.h"

/* Sums of weights, in bits. */
typedef struct wi_likeness {
  float common, all;     /* tokens in both functions, and in either */
  float agree, disagree; /* paired callers and callees whose pair is, or is not, one of the other
                            function's */
} wi_likeness;

/* Compares a function of WI_IN with one of WI_FROM. */
wi_likeness wi_likeness_of(const wi_matcher *matcher, uint32_t in, uint32_t from);

/* Weighted Jaccard index, 0 to 1: of tokens only, and of everything. */
static inline float wi_likeness_content(wi_likeness likeness) {
  return likeness.all > 0 ? likeness.common / likeness.all : 0;
}
static inline float wi_likeness_total(wi_likeness likeness) {
  float all = likeness.all + likeness.agree + likeness.disagree;
  return all > 0 ? (likeness.common + likeness.agree) / all : 0;
}

/*
 * Number of paired callers of either function whose pair calls, or does not call, the other one;
 * likewise for callees.
 */
typedef struct wi_agreement {
  uint32_t agree, disagree;
} wi_agreement;
wi_agreement wi_likeness_callers(const wi_matcher *matcher, uint32_t in, uint32_t from);
wi_agreement wi_likeness_callees(const wi_matcher *matcher, uint32_t in, uint32_t from);

#endif /* WI_MATCH_LIKENESS_H_ */
