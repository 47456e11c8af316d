/* The write functions of wasm_perf_diff_formats. They return false on a write or memory error. */
#ifndef WI_REPORT_DIFF_DIFF_WRITERS_H_
#define WI_REPORT_DIFF_DIFF_WRITERS_H_

#include "wasm_perf/diff.h"

#define WI_DIFF_FORMAT(name, extension, summary) wasm_perf_diff_writer wi_diff_##name##_write;
#include "report/diff/diff_formats.def"
#undef WI_DIFF_FORMAT

#endif /* WI_REPORT_DIFF_DIFF_WRITERS_H_ */
