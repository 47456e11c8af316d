/* The write functions of wasm_perf_report_formats. False: write or memory error. */
#ifndef WI_REPORT_FORMATS_WRITERS_H_
#define WI_REPORT_FORMATS_WRITERS_H_

#include "wasm_perf/report.h"

#define WI_REPORT_FORMAT(name, extension, summary) wasm_perf_report_writer wi_##name##_write;
#include "report/formats.def"
#undef WI_REPORT_FORMAT

#endif /* WI_REPORT_FORMATS_WRITERS_H_ */
