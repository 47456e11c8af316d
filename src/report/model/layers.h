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
  uint64_t of_user; /* what that function caused */
  uint64_t self;    /* what all caused */
} wi_layer;

/*
 * Returns an item for each label, by a memory measure; the caller frees them. NULL if memory ran out.
 * O(n log n) time.
 */
wi_layer *wi_layers_new(const wi_report *report, wasm_perf_measure measure);

/* For whom a layer allocates most: "for parse", "for parse (63 %)"; else "". */
typedef struct wi_layer_text {
  char text[WI_LABEL_MAX_SIZE + 32];
} wi_layer_text;
void wi_layer_describe(const wi_tree *tree, const wi_layer *layer, wi_layer_text *text);

#endif /* WI_REPORT_MODEL_LAYERS_H_ */
