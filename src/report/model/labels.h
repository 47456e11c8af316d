/*
 * The names of functions in reports.
 *
 * No two functions share a label, and no function has a label that reports use for something else.
 * A name that several functions have, or that looks like one of ours ("[truncated]", "(host)"), is
 * marked with the function's index: "name (func 12)". A label is safe to print: valid UTF-8, of
 * bounded length, without unsafe characters (support/clean.h).
 */
#ifndef WI_REPORT_MODEL_LABELS_H_
#define WI_REPORT_MODEL_LABELS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "names/label.h"
#include "profile/functions.h"
#include "wasm_perf/profile.h"

/* A function index that no module has, for the node of functions too small to show. */
#define WI_FUNCTION_SMALL 0xFFFFFFF0u

/*
 * Whether functions with the same name remain separate, or are merged because profiles are matched
 * by name.
 */
typedef enum wi_label_rule {
  WI_LABEL_EACH_FUNCTION,
  WI_LABEL_EACH_NAME,
} wi_label_rule;

typedef struct wi_labels {
  char **texts;           /* `count` distinct texts in byte order, owned */
  wi_functions functions; /* functions that have labels, owned */
  uint32_t *indices;      /* per item of functions: index in `texts`, owned */
  uint8_t *kinds;         /* per text: the kind of its functions, owned */
  uint16_t *confidences;  /* per text, owned: the least one of its functions in thousandths; 0: no
                             name is from another build */
  bool *is_uncounted;     /* per text: not all of its calls were counted, owned */
  uint32_t count;
} wi_labels;

/*
 * Labels every function below the root. `separator` is an ASCII character that labels must not
 * contain (it becomes ':'), or 0. Returns false, with nothing to clear, if memory ran out.
 */
bool wi_labels_init(wi_labels *labels, const wasm_perf_profile *profile, char separator,
                    wi_label_rule rule);

void wi_labels_clear(wi_labels *labels);

/* The number of functions that share another function's label. */
static inline uint32_t wi_labels_namesake_count(const wi_labels *labels) {
  return labels->functions.count - labels->count;
}

/* The index in `texts` of a function, which must occur in the profile. */
static inline uint32_t wi_labels_find(const wi_labels *labels, uint32_t function) {
  return labels->indices[wi_functions_find(&labels->functions, function)];
}

/* Likewise for any function. Returns false if it does not occur. */
bool wi_labels_search(const wi_labels *labels, uint32_t function, uint32_t *label);

#endif /* WI_REPORT_MODEL_LABELS_H_ */
