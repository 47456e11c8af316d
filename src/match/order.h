/* Pairs functions by their order in the module or in the table. */
#ifndef WI_MATCH_ORDER_H_
#define WI_MATCH_ORDER_H_

#include "match/matcher.h"

/* Runs one round and adds the number of new pairs to *added. Returns false if out of memory. */
bool wi_match_order(wi_matcher *matcher, uint32_t *added);

#endif /* WI_MATCH_ORDER_H_ */
