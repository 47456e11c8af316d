/* Pairs of functions that paired callers call at the same places. */
#ifndef WI_SYMBOLS_MATCH_CALLS_H_
#define WI_SYMBOLS_MATCH_CALLS_H_

#include "symbols/matcher.h"

/* One round; adds to *added how many. False when memory ran out. */
bool wi_match_calls(wi_matcher *matcher, uint32_t *added);

#endif /* WI_SYMBOLS_MATCH_CALLS_H_ */
