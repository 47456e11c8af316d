/* What the samples of a profile can tell, and what they cannot. */
#ifndef WI_REPORT_MODEL_SAMPLING_H_
#define WI_REPORT_MODEL_SAMPLING_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/tree.h"

#define WI_INLINED_TEXT "in its caller" /* where the time of an inlined function is */

/* All time of the profile in the unit of the tree, with what is not shown. */
uint64_t wi_whole_time(const wasm_perf_profile *profile, const wi_tree *tree);

/* Nanoseconds that a sample stands for; 0: times are of no samples. */
uint64_t wi_sample_period(const wasm_perf_profile *profile, const wi_tree *tree);

/*
 * Whether the engine inlined the label's function: it has fewer samples than the chance of sampling allows,
 * even if each of its calls took only a nanosecond. Its time is then its caller's.
 */
bool wi_is_inlined(const wasm_perf_profile *profile, const wi_tree *tree, uint32_t label);

#endif /* WI_REPORT_MODEL_SAMPLING_H_ */
