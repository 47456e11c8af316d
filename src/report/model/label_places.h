/* The source positions of the functions in a report. */
#ifndef WI_REPORT_MODEL_LABEL_PLACES_H_
#define WI_REPORT_MODEL_LABEL_PLACES_H_

#include <stdint.h>

#include "report/model/labels.h"

#define WI_NO_FILE UINT32_MAX

typedef struct wi_label_place {
  uint32_t file; /* index of its path, or WI_NO_FILE */
  uint32_t line; /* 0: unknown */
} wi_label_place;

typedef struct wi_label_places {
  wi_label_place *items; /* per label; owned */
  char **files;          /* distinct paths in byte order, cleaned like labels; owned */
  uint32_t file_count;
} wi_label_places;

/*
 * If several functions share a label, the first one in the module with a place is used. Returns
 * false, with nothing to clear, if memory ran out.
 */
bool wi_label_places_init(wi_label_places *places, const wi_labels *labels,
                          const wasm_perf_profile *profile);

void wi_label_places_clear(wi_label_places *places);

#endif /* WI_REPORT_MODEL_LABEL_PLACES_H_ */
