/* Handles functions that a compiler inlined into their callers in only one of two modules. */
#ifndef WI_MATCH_WRAPPER_H_
#define WI_MATCH_WRAPPER_H_

#include "match/matcher.h"

/*
 * Whether `other`, in the other module, may be a caller of `function` with `function` inlined.
 * Callers of callers are tried, too, up to `depth` more levels.
 */
bool wi_wrapper_may_hold(const wi_matcher *matcher, int side, uint32_t function, uint32_t other,
                         int depth);

/*
 * Whether `other`, in the other module, contains the own code of `function`: that without the
 * functions inlined into it. `whole` matches the contracted modules, `matcher` the modules as read.
 */
bool wi_wrapper_is_held(const wi_matcher *matcher, const wi_matcher *whole, int side,
                        uint32_t function, uint32_t other);

#endif /* WI_MATCH_WRAPPER_H_ */
