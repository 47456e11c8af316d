/* Rewrites name sections. */
#ifndef WI_REWRITE_NAME_SECTION_H_
#define WI_REWRITE_NAME_SECTION_H_

#include "rewrite/state.h"

/*
 * Appends the contents of a name section with updated function indices and labels. Returns false if
 * it is malformed, leaving rewriter->error alone, or on failure.
 */
bool wi_rewriter_name_section(wi_rewriter *rewriter, wi_span contents);

#endif /* WI_REWRITE_NAME_SECTION_H_ */
