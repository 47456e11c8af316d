/*
 * What reports call functions.
 *
 * Functions of the same name share a label, so that reports show names and never
 * two rows or frames that nobody can tell apart. A label is safe to print: valid
 * UTF-8, of bounded length, without control characters.
 */
#ifndef WASM_PERF_REPORT_LABELS_H_
#define WASM_PERF_REPORT_LABELS_H_

#include <stdbool.h>
#include <stdint.h>

#include "wasm_perf/profile.h"

/* A longer name is cut and ends in "…". Bytes, without the terminator. */
#define WASM_PERF_LABEL_MAX_SIZE 1024u

typedef struct wasm_perf_labels {
  char **texts;        /* `count` distinct texts in byte order, owned */
  uint32_t *functions; /* `function_count` distinct functions, increasing, owned */
  uint32_t *indices;   /* the index in `texts` of each of `functions`, owned */
  bool *is_host;       /* per text: a function of that name is the host's, owned */
  uint32_t count;
  uint32_t function_count;
} wasm_perf_labels;

/*
 * Labels every function below the root. `separator` is an ASCII character that
 * labels must not contain (it becomes ':'), or 0. False, with nothing to clear: out of memory.
 */
bool wasm_perf_labels_init(wasm_perf_labels *labels, const wasm_perf_profile *profile,
                           char separator);

void wasm_perf_labels_clear(wasm_perf_labels *labels);

/* The index in `texts` for a function that occurs in the profile. */
uint32_t wasm_perf_labels_find(const wasm_perf_labels *labels, uint32_t function);

/*
 * Copies `name` into `label` (WASM_PERF_LABEL_MAX_SIZE + 1 bytes) as a label: control
 * characters become '_', what is not UTF-8 becomes U+FFFD.
 */
void wasm_perf_label_clean(char *label, const char *name, char separator);

#endif /* WASM_PERF_REPORT_LABELS_H_ */
