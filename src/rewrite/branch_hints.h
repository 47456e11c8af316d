/*
 * The custom section metadata.code.branch_hint (WebAssembly branch hinting): the input's hints at
 * their branches' new offsets, and one for each hook with a rarely taken slow path, so that an
 * engine keeps that path's spills off the fast path.
 */
#ifndef WI_REWRITE_BRANCH_HINTS_H_
#define WI_REWRITE_BRANCH_HINTS_H_

#include "rewrite/state.h"

/*
 * Reads the contents of the input's section, which precedes the code. Returns false if it is
 * malformed or a second one; it is then ignored.
 */
bool wi_branch_hints_read(wi_rewriter *rewriter, wi_span contents);

/* Adds the hints of the body that was just planned. Call it in the order of bodies. */
void wi_branch_hints_add(wi_rewriter *rewriter, uint32_t index, const wi_body_plan *plan);

/* Inserts the section, if there are hints, into the output at `position`, just before the code. */
void wi_branch_hints_put(wi_rewriter *rewriter, size_t position);

#endif /* WI_REWRITE_BRANCH_HINTS_H_ */
