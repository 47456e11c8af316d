/*
 * The custom section metadata.code.branch_hint (WebAssembly branch hinting): the input's hints
 * where their branches are now, and one for each hook whose slow path is seldom taken, so that an
 * engine keeps what that path spills out of the way of the others.
 */
#ifndef WI_REWRITE_BRANCH_HINTS_H_
#define WI_REWRITE_BRANCH_HINTS_H_

#include "rewrite/state.h"

/*
 * Takes the contents of the input's section, which stands before the code. False: malformed, or a
 * second one; then it counts for nothing.
 */
bool wi_branch_hints_read(wi_rewriter *rewriter, wi_span contents);

/* Adds the hints of a body that was planned just now, in the order of bodies. */
void wi_branch_hints_add(wi_rewriter *rewriter, uint32_t index, const wi_body_plan *plan);

/* Puts the section, if there are any hints, into the output at `position`: in front of the code. */
void wi_branch_hints_put(wi_rewriter *rewriter, size_t position);

#endif /* WI_REWRITE_BRANCH_HINTS_H_ */
