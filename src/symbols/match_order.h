/* Pairs that the order of functions, or of the functions in the table, gives. */
#ifndef WI_SYMBOLS_MATCH_ORDER_H_
#define WI_SYMBOLS_MATCH_ORDER_H_

#include "symbols/matcher.h"

/* One round; adds to *added how many. False when memory ran out. */
bool wi_match_order(wi_matcher *matcher, uint32_t *added);

#endif /* WI_SYMBOLS_MATCH_ORDER_H_ */
