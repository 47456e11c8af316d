/* Checks pairs of functions against the pairs of their callers, callees and neighbours. */
#ifndef WI_MATCH_CHECK_H_
#define WI_MATCH_CHECK_H_

#include "match/matcher.h"

/*
 * Whether the functions may be the same although their code differs. They must have the same
 * signature, both or neither must be in the table, and known callers must mostly agree.
 */
bool wi_match_is_likely(const wi_matcher *matcher, uint32_t in, uint32_t from);

/* Confidence in the pair of a function of WI_IN, from 0 to 1. */
float wi_match_confidence(const wi_matcher *matcher, uint32_t in);

/* Drops uncertain pairs. Returns false if out of memory. */
bool wi_match_check(wi_matcher *matcher);

#endif /* WI_MATCH_CHECK_H_ */
