/*
 * What reports call functions.
 *
 * Functions of the same name share a label, so that reports show names and never
 * two rows or frames that nobody can tell apart. A label is safe to print: valid
 * UTF-8, of bounded length, without unsafe characters (support/clean.h).
 */
#ifndef WI_PROFILE_LABELS_H_
#define WI_PROFILE_LABELS_H_

#include <stdbool.h>
#include <stdint.h>

#include "wasm_perf/profile.h"

/* A longer name is cut and ends in "…". Bytes, without the terminator. */
#define WI_LABEL_MAX_SIZE 1024u

typedef struct wi_labels {
  char **texts;        /* `count` distinct texts in byte order, owned */
  uint32_t *functions; /* `function_count` distinct functions, increasing, owned */
  uint32_t *indices;   /* the index in `texts` of each of `functions`, owned */
  bool *is_host;       /* per text: a function of that name is the host's, owned */
  uint32_t count;
  uint32_t function_count;
} wi_labels;

/*
 * Labels every function below the root. `separator` is an ASCII character that
 * labels must not contain (it becomes ':'), or 0. False, with nothing to clear: out of memory.
 */
bool wi_labels_init(wi_labels *labels, const wasm_perf_profile *profile, char separator);

void wi_labels_clear(wi_labels *labels);

/* The index in `texts` for a function that occurs in the profile. */
uint32_t wi_labels_find(const wi_labels *labels, uint32_t function);

/*
 * Whether `name` is one that functions without a name get, "func[12]", with the number in *index,
 * which may be NULL: the function's in the module before it was instrumented.
 */
bool wi_label_is_number(const char *name, uint32_t *index);

/*
 * Copies `name` into `label` (WI_LABEL_MAX_SIZE + 1 bytes) as a label: unsafe
 * characters become '_', what is not UTF-8 becomes U+FFFD.
 */
void wi_label_clean(char *label, const char *name, char separator);

#endif /* WI_PROFILE_LABELS_H_ */
