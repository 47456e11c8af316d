/*
 * Layers of an allocator: functions that a program calls instead of malloc or realloc, such as
 * xrealloc, so that all memory seems to be theirs. A layer allocates once a call.
 */
#ifndef WI_REPORT_MODEL_LAYERS_H_
#define WI_REPORT_MODEL_LAYERS_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/report.h"

#define WI_NO_USER UINT32_MAX

typedef struct wi_layer {
  uint32_t user; /* label of the function that caused most of the layer's own value: the innermost
                    one on the stack that is not a layer itself. WI_NO_USER: this is not a layer, or
                    the host calls it */
  uint64_t self; /* what that function caused, in the tree's unit */
} wi_layer;

/*
 * Returns an item for each label, which the caller frees; NULL if memory ran out. O(n log n) time.
 */
wi_layer *wi_layers_new(const wi_report *report);

#endif /* WI_REPORT_MODEL_LAYERS_H_ */
