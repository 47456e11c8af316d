/* The distribution of block sizes that a program allocated, in the profile's classes. */
#ifndef WI_REPORT_MODEL_SIZE_CLASSES_H_
#define WI_REPORT_MODEL_SIZE_CLASSES_H_

#include "report/model/units.h"

/* Blocks of `first` to `last` bytes. */
typedef struct wi_size_class {
  uint64_t first, last;
  uint64_t count;
} wi_size_class;

/* Lists the classes from the smallest to the largest that has a block; returns their number. */
unsigned wi_size_classes(const wasm_perf_profile *profile,
                         wi_size_class classes[WASM_PERF_SIZE_CLASSES]);

/* "0 B", "16–31 B", "1,024–2,047 B" */
wi_short_text wi_size_class_text(const wi_size_class *of);

#endif /* WI_REPORT_MODEL_SIZE_CLASSES_H_ */
