/* Copies, rewrites or drops custom sections. */
#ifndef WI_REWRITE_METADATA_H_
#define WI_REWRITE_METADATA_H_

#include "rewrite/state.h"

/* Appends a custom section, or drops it. `from` is the offset of its id in the input. */
bool wi_rewriter_custom_section(wi_rewriter *rewriter, const wi_section *section, uint32_t from);

/* Appends the custom section that marks the output as instrumented. */
void wi_rewriter_marker(wi_rewriter *rewriter);

#endif /* WI_REWRITE_METADATA_H_ */
