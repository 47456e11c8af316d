/* Pairs of functions that are more alike than either is to any other. */
#ifndef WI_SYMBOLS_MATCH_SIMILAR_H_
#define WI_SYMBOLS_MATCH_SIMILAR_H_

#include "symbols/matcher.h"

/* One round; adds to *added how many. False when memory ran out. */
bool wi_match_similar(wi_matcher *matcher, uint32_t *added);

#endif /* WI_SYMBOLS_MATCH_SIMILAR_H_ */
