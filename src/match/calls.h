/* Pairs functions that are called at the same positions by paired callers. */
#ifndef WI_MATCH_CALLS_H_
#define WI_MATCH_CALLS_H_

#include "match/matcher.h"

/* Runs one round and adds the number of new pairs to *added. Returns false if out of memory. */
bool wi_match_calls(wi_matcher *matcher, uint32_t *added);

#endif /* WI_MATCH_CALLS_H_ */
