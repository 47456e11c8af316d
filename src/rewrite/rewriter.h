/* Writing the output. */
#ifndef WI_REWRITE_REWRITER_H_
#define WI_REWRITE_REWRITER_H_

#include "rewrite/state.h"

/*
 * Appends the whole module to rewriter->out as rewriter->plan says, but for the marker. A plan
 * without hooks gives the input back byte for byte.
 */
bool wi_rewriter_module(wi_rewriter *rewriter);

#endif /* WI_REWRITE_REWRITER_H_ */
