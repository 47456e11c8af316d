/* Names cut to a limited width such that different names stay different. */
#ifndef WI_REPORT_MODEL_NAMES_FIT_H_
#define WI_REPORT_MODEL_NAMES_FIT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A name and the text that stands for it. */
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

#endif /* WI_REPORT_MODEL_NAMES_FIT_H_ */
