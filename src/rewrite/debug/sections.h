/* Debug information in the output: the parts that depend on the offset map. */
#ifndef WI_REWRITE_DEBUG_SECTIONS_H_
#define WI_REWRITE_DEBUG_SECTIONS_H_

#include "rewrite/state.h"

/* Whether anything depends on the offset map: a section of the module or a separate source map. */
bool wi_rewriter_needs_map(const wi_rewriter *rewriter);

/* Defers a section that depends on the offset map. Returns false if out of memory. */
bool wi_rewriter_defer(wi_rewriter *rewriter, const wi_section *section);

/* Rewrites the deferred sections and inserts them where they belong. */
bool wi_rewriter_put_deferred(wi_rewriter *rewriter);

#endif /* WI_REWRITE_DEBUG_SECTIONS_H_ */
