/* Where the functions that reports show stand in the source. */
#ifndef WI_REPORT_MODEL_LABEL_PLACES_H_
#define WI_REPORT_MODEL_LABEL_PLACES_H_

#include <stdint.h>

#include "report/model/labels.h"

#define WI_NO_FILE UINT32_MAX

typedef struct wi_label_place {
  uint32_t file; /* index of its path, or WI_NO_FILE */
  uint32_t line; /* 0: not known */
} wi_label_place;

typedef struct wi_label_places {
  wi_label_place *items; /* per label; owned */
  char **files;          /* distinct paths in byte order, safe to print as labels are; owned */
  uint32_t file_count;
} wi_label_places;

/*
 * Of functions that share a label, the first one in the module that has a place gives it. False,
 * with nothing to clear: out of memory.
 */
bool wi_label_places_init(wi_label_places *places, const wi_labels *labels,
                          const wasm_perf_profile *profile);

void wi_label_places_clear(wi_label_places *places);

#endif /* WI_REPORT_MODEL_LABEL_PLACES_H_ */
