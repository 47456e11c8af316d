/*
 * Names for lines that have not enough room: argument lists become "…", the innermost first, so
 * that std::map<std::string, int>::find(std::string const&) reads std::map<…>::find(…).
 */
#ifndef WI_REPORT_MODEL_SHORTEN_H_
#define WI_REPORT_MODEL_SHORTEN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/label.h"

/* Bytes for a shortened label with its terminator. */
#define WI_SHORTENED_SIZE (WI_LABEL_MAX_SIZE + 8u)

/*
 * Copies `name`, a label, into `text` in at most `width` columns (at least 1). What goes, in this
 * order, until the rest fits: lists in <> and (), by depth and at each depth () before <>, not
 * those of operators' names, of (anonymous namespace), Go's receivers and Rust's <T as Trait>; in
 * the last the paths, down to their last part; the middle of the name. What marks one of several
 * functions of a name stays where it takes no more than half.
 */
void wi_shorten(char *text, const char *name, uint32_t width);

#endif /* WI_REPORT_MODEL_SHORTEN_H_ */
