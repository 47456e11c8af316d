/*
 * What reports call functions.
 *
 * No two functions share a label, and none is called what reports call something else. A name that
 * several functions have, or that looks like one of ours ("[truncated]", "(host)"), is marked with
 * the function's index: "name (func 12)". A label is safe to print: valid UTF-8, of bounded
 * length, without unsafe characters (support/clean.h).
 */
#ifndef WI_REPORT_MODEL_LABELS_H_
#define WI_REPORT_MODEL_LABELS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/functions.h"
#include "support/label.h"
#include "wasm_perf/profile.h"

/* An index that no module's function has, of the node for what is too small to show. */
#define WI_FUNCTION_SMALL 0xFFFFFFF0u

/* Whether functions of one name stay apart, or are one where other profiles are matched by
 * names. */
typedef enum wi_label_rule {
  WI_LABEL_EACH_FUNCTION,
  WI_LABEL_EACH_NAME,
} wi_label_rule;

typedef struct wi_labels {
  char **texts;           /* `count` distinct texts in byte order, owned */
  wi_functions functions; /* that have labels, owned */
  uint32_t *indices;      /* the index in `texts` of each of functions.items, owned */
  uint8_t *kinds;         /* per text: the kind of a function of that label, owned */
  bool *is_uncounted;     /* per text: its calls, or some of them, are not known, owned */
  uint32_t count;
} wi_labels;

/*
 * Labels every function below the root. `separator` is an ASCII character that
 * labels must not contain (it becomes ':'), or 0. False, with nothing to clear: out of memory.
 */
bool wi_labels_init(wi_labels *labels, const wasm_perf_profile *profile, char separator,
                    wi_label_rule rule);

void wi_labels_clear(wi_labels *labels);

/* How many functions share the label of another one. */
static inline uint32_t wi_labels_namesake_count(const wi_labels *labels) {
  return labels->functions.count - labels->count;
}

/* The index in `texts` for a function that occurs in the profile. */
static inline uint32_t wi_labels_find(const wi_labels *labels, uint32_t function) {
  return labels->indices[wi_functions_find(&labels->functions, function)];
}

/* The same for any function: false where it does not occur. */
bool wi_labels_search(const wi_labels *labels, uint32_t function, uint32_t *label);

#endif /* WI_REPORT_MODEL_LABELS_H_ */
