/* Writes the output. */
#ifndef WI_REWRITE_REWRITER_H_
#define WI_REWRITE_REWRITER_H_

#include "rewrite/state.h"

/*
 * Appends the whole module except the marker to rewriter->out, according to rewriter->plan. Without
 * hooks, the output equals the input byte for byte.
 */
bool wi_rewriter_module(wi_rewriter *rewriter);

#endif /* WI_REWRITE_REWRITER_H_ */
