/* Tells a function from its callers if the other module has them as a single function. */
#ifndef WI_SYMBOLS_WRAPPER_H_
#define WI_SYMBOLS_WRAPPER_H_

#include "symbols/matcher.h"

/*
 * Whether a caller of `function` (or an indirect one, up to `depth` more levels) may be what
 * `other`, on the other side, is: that caller with `function` inlined.
 */
bool wi_wrapper_may_hold(const wi_matcher *matcher, int side, uint32_t function, uint32_t other,
                         int depth);

/*
 * Whether `other`, on the other side, contains what `function` has in addition to the functions
 * inlined into it. `whole` is for the contracted modules, `matcher` for the modules as they are.
 */
bool wi_wrapper_is_held(const wi_matcher *matcher, const wi_matcher *whole, int side,
                        uint32_t function, uint32_t other);

#endif /* WI_SYMBOLS_WRAPPER_H_ */
