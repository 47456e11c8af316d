/* How alike two functions are. */
#ifndef WI_SYMBOLS_LIKENESS_H_
#define WI_SYMBOLS_LIKENESS_H_

#include "symbols/matcher.h"

/* Sums of weights, in bits. */
typedef struct wi_likeness {
  float common, all;     /* tokens of both; of either */
  float agree, disagree; /* callers and callees that are paired: with one of the other's, or not */
} wi_likeness;

/* Of a function of WI_IN and one of WI_FROM. */
wi_likeness wi_likeness_of(const wi_matcher *matcher, uint32_t in, uint32_t from);

/* From 0 to 1: the weighted Jaccard index, of tokens alone and of all. */
static inline float wi_likeness_content(wi_likeness likeness) {
  return likeness.all > 0 ? likeness.common / likeness.all : 0;
}
static inline float wi_likeness_total(wi_likeness likeness) {
  float all = likeness.all + likeness.agree + likeness.disagree;
  return all > 0 ? (likeness.common + likeness.agree) / all : 0;
}

/* Paired callers of either that are paired with a caller of the other, and that are not. */
typedef struct wi_agreement {
  uint32_t agree, disagree;
} wi_agreement;
wi_agreement wi_likeness_callers(const wi_matcher *matcher, uint32_t in, uint32_t from);
wi_agreement wi_likeness_callees(const wi_matcher *matcher, uint32_t in, uint32_t from);

#endif /* WI_SYMBOLS_LIKENESS_H_ */
