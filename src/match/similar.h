/* Pairs functions that are more similar to each other than to any other function. */
#ifndef WI_MATCH_SIMILAR_H_
#define WI_MATCH_SIMILAR_H_

#include "match/matcher.h"

/* Runs one round and adds the number of new pairs to *added. False if memory ran out. */
bool wi_match_similar(wi_matcher *matcher, uint32_t *added);

#endif /* WI_MATCH_SIMILAR_H_ */
