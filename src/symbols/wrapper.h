/* Which of a function and of what calls it the other module has: they may be one there. */
#ifndef WI_SYMBOLS_WRAPPER_H_
#define WI_SYMBOLS_WRAPPER_H_

#include "symbols/matcher.h"

/*
 * Whether some function that calls `function`, or calls what calls it `depth` times, may be what
 * `other`, of the other side, is: with `function` in it.
 */
bool wi_wrapper_may_hold(const wi_matcher *matcher, int side, uint32_t function, uint32_t other,
                         int depth);

/*
 * Whether `other`, of the other side, has what `function` has beyond the functions that went into
 * it. `whole` is of the contracted modules, `matcher` of the modules as they are.
 */
bool wi_wrapper_is_held(const wi_matcher *matcher, const wi_matcher *whole, int side,
                        uint32_t function, uint32_t other);

#endif /* WI_SYMBOLS_WRAPPER_H_ */
