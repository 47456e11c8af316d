/* Pairs functions with equal import or export names or hashes of code. */
#ifndef WI_MATCH_EXACT_H_
#define WI_MATCH_EXACT_H_

#include "match/matcher.h"

/* Returns false if out of memory. */
bool wi_match_exact(wi_matcher *matcher);

#endif /* WI_MATCH_EXACT_H_ */
