/*
 * Shortens names to a line's width: argument lists become "…", the innermost first. For example,
 * std::map<std::string, int>::find(std::string const&) becomes std::map<…>::find(…).
 */
#ifndef WI_NAMES_SHORTEN_H_
#define WI_NAMES_SHORTEN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "names/label.h"

/* Size of a shortened label in bytes, including the terminator. */
#define WI_SHORTENED_SIZE (WI_LABEL_MAX_SIZE + 8u)

#define WI_SENTENCE_WIDTH 60u /* columns of a name within a sentence */

/*
 * Copies `name`, a label, into `text` in at most `width` columns (at least 1). Omits, in this order
 * and only until the rest fits: lists in <> and (), from the deepest, at each depth () before <>;
 * then the paths in Rust's <T as Trait>, except for their last part; then the middle of the name.
 * Does not omit lists in operators' names, (anonymous namespace), Go's receivers and Rust's <T as
 * Trait>. The mark of a function whose name is not unique is kept if it needs at most half of the
 * width.
 */
void wi_shorten(char *text, const char *name, uint32_t width);

#endif /* WI_NAMES_SHORTEN_H_ */
