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
#include "report/model/identities.h"
#include "wasm_perf/profile.h"

/* A function index that no module has, for the node of functions too small to show. */
#define WI_FUNCTION_SMALL 0xFFFFFFF0u

typedef struct wi_labels {
  char **texts;           /* `count` distinct texts, owned; in byte order, or in that of
                             wi_labels_compare if profiles are matched */
  wi_functions functions; /* functions that have labels, owned */
  uint32_t *indices;      /* per item of functions: index in `texts`, owned */
  uint8_t *kinds;         /* per text: the kind of its functions, owned */
  uint16_t *confidences;  /* per text, owned: the least one of its functions in thousandths; 0: no
                             name is from another build */
  bool *is_uncounted;     /* per text: not all of its calls were counted, owned */
  uint32_t *modules;      /* per text, owned: its functions' module, as wi_module_of; in a tree that
                             is matched, the number that both profiles use */
  uint32_t *name_sizes;   /* per text, owned: bytes in front of the module's name, which it has if
                             functions of several modules share its name */
  uint32_t count;
} wi_labels;

/*
 * Labels every function below the root. `separator` is an ASCII character that labels must not
 * contain (it becomes ':'), or 0. If profiles are matched, `identities` are the profile's, and
 * functions that are not distinguished there share a label; else it is NULL. Returns false, with
 * nothing to clear, if memory ran out.
 */
bool wi_labels_init(wi_labels *labels, const wasm_perf_profile *profile, char separator,
                    const wi_identity *identities);

/*
 * Compares labels of two profiles that are matched: by name, then by module. What a label displays
 * may differ between the two, as it depends on which other functions have the name.
 */
int wi_labels_compare(const wi_labels *before, uint32_t a, const wi_labels *after, uint32_t b);

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
