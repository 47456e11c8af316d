/* Debug information in the output: what follows the offset map, once all code is written. */
#ifndef WI_REWRITE_DEBUG_SECTIONS_H_
#define WI_REWRITE_DEBUG_SECTIONS_H_

#include "rewrite/state.h"

/* Whether something follows the offset map: sections of the module, or a source map beside it. */
bool wi_rewriter_needs_map(const wi_rewriter *rewriter);

/* Leaves a section that follows the offset map for later; false when memory ran out. */
bool wi_rewriter_defer(wi_rewriter *rewriter, const wi_section *section);

/* Rewrites what was left for later, and puts it where it belongs. */
bool wi_rewriter_put_deferred(wi_rewriter *rewriter);

#endif /* WI_REWRITE_DEBUG_SECTIONS_H_ */
