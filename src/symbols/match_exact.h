/* Pairs that what is equal on both sides gives: names of imports and exports, hashes of code. */
#ifndef WI_SYMBOLS_MATCH_EXACT_H_
#define WI_SYMBOLS_MATCH_EXACT_H_

#include "symbols/matcher.h"

/* False when memory ran out. */
bool wi_match_exact(wi_matcher *matcher);

#endif /* WI_SYMBOLS_MATCH_EXACT_H_ */
