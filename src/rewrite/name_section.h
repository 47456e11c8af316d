/* Name sections. */
#ifndef WI_REWRITE_NAME_SECTION_H_
#define WI_REWRITE_NAME_SECTION_H_

#include "rewrite/state.h"

/*
 * Appends the contents of a name section, function indices and labels brought up to date.
 * False where the section is malformed (rewriter->error is untouched) or on failure.
 */
bool wi_rewriter_name_section(wi_rewriter *rewriter, wi_span contents);

#endif /* WI_REWRITE_NAME_SECTION_H_ */
