/* The sections KINDS, COLUMNS, MATCHED and SHARED of .wperf files. */
#ifndef WI_PROFILE_WPERF_KINDS_H_
#define WI_PROFILE_WPERF_KINDS_H_

#include "profile/wperf.h"

/* Check that the section consists of valid records in order. */
bool wi_wperf_check_kinds(const wi_wperf_input *in, wi_wperf_span section);
bool wi_wperf_check_columns(const wi_wperf_input *in, wi_wperf_span section);
bool wi_wperf_check_matched(const wi_wperf_input *in, wi_wperf_span section);
bool wi_wperf_check_shared(const wi_wperf_input *in, wi_wperf_span section, uint32_t node_count);

/* Read a section that was checked. Return false if out of memory. */
bool wi_wperf_read_kinds(wasm_perf_profile *profile, const wi_wperf_input *in,
                         wi_wperf_span section);
/* Names must have been read. */
void wi_wperf_read_matched(wasm_perf_profile *profile, const wi_wperf_input *in,
                           wi_wperf_span section);
bool wi_wperf_read_shared(wasm_perf_profile *profile, const wi_wperf_input *in,
                          wi_wperf_span section);

/* Likewise, after the places. */
void wi_wperf_read_columns(wasm_perf_profile *profile, const wi_wperf_input *in,
                           wi_wperf_span section);

#endif /* WI_PROFILE_WPERF_KINDS_H_ */
