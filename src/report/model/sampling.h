/* What the samples of a profile show, and what they cannot show. */
#ifndef WI_REPORT_MODEL_SAMPLING_H_
#define WI_REPORT_MODEL_SAMPLING_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/tree.h"

#define WI_INLINED_TEXT "in its caller" /* the time of an inlined function */

/* The profile's whole time in the tree's unit, including what is not shown. */
uint64_t wi_whole_time(const wasm_perf_profile *profile, const wi_tree *tree);

/* Nanoseconds per sample; 0 if times are not from samples. */
uint64_t wi_sample_period(const wasm_perf_profile *profile, const wi_tree *tree);

/*
 * Whether the engine inlined the label's function: it has fewer samples than chance explains, even
 * if each call took only a nanosecond. Its time is then charged to its caller.
 */
bool wi_is_inlined(const wasm_perf_profile *profile, const wi_tree *tree, uint32_t label);

#endif /* WI_REPORT_MODEL_SAMPLING_H_ */
