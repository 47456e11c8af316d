/*
 * Names for lines that have not enough room: argument lists become "…", the innermost first, so
 * that std::map<std::string, int>::find(std::string const&) reads std::map<…>::find(…).
 */
#ifndef WI_REPORT_MODEL_SHORTEN_H_
#define WI_REPORT_MODEL_SHORTEN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/labels.h"

/* Bytes for a shortened label with its terminator. */
#define WI_SHORTENED_SIZE (WI_LABEL_MAX_SIZE + 8u)

/*
 * Copies `name`, a label, into `text` in at most `width` columns (at least 1). What goes, in this
 * order, until the rest fits: lists in <> and (), by depth and at each depth () before <>, not
 * those of operators' names, of (anonymous namespace), Go's receivers and Rust's <T as Trait>; in
 * the last the paths, down to their last part; the middle of the name.
 */
void wi_shorten(char *text, const char *name, uint32_t width);

/* A name on its way into a line. */
typedef struct wi_fitted_name {
  const char *name; /* a label, borrowed */
  uint32_t width;   /* columns that there are for it; 0: as many as it needs */
  char *text;       /* the shorter form, owned; NULL: `name` as it is */
} wi_fitted_name;

/*
 * Fills in the texts. No two different names get the same text: those that would are given more
 * columns than there are, until they differ. False: out of memory. To be cleared in any case.
 */
bool wi_names_fit(wi_fitted_name *names, size_t count);

void wi_names_clear(wi_fitted_name *names, size_t count);

/* What to print. */
const char *wi_fitted_text(const wi_fitted_name *name);

#endif /* WI_REPORT_MODEL_SHORTEN_H_ */
