/* Fits names into a limited width so that different names stay different. */
#ifndef WI_NAMES_NAMES_FIT_H_
#define WI_NAMES_NAMES_FIT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A name, and its fitted text. */
typedef struct wi_fitted_name {
  const char *name; /* a label, borrowed */
  uint32_t width;   /* available columns; 0: unlimited */
  char *text;       /* the shorter form, owned; NULL: same as `name` */
} wi_fitted_name;

/*
 * Fills in the texts. Different names always get different texts: if shortening makes them equal,
 * they get more columns until they differ. Returns false if memory ran out; clear in any case.
 */
bool wi_names_fit(wi_fitted_name *names, size_t count);

void wi_names_clear(wi_fitted_name *names, size_t count);

/* The text to print. */
const char *wi_fitted_text(const wi_fitted_name *name);

#endif /* WI_NAMES_NAMES_FIT_H_ */
