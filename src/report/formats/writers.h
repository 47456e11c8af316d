/* The write functions of wasm_perf_report_formats. */
#ifndef WI_REPORT_FORMATS_WRITERS_H_
#define WI_REPORT_FORMATS_WRITERS_H_

#include "report/model/report.h"

#define WI_REPORT_FORMAT(name, extension, stacks, traits, summary)                                 \
  wi_report_writer wi_##name##_write;
#include "report/formats.def"
#undef WI_REPORT_FORMAT

#endif /* WI_REPORT_FORMATS_WRITERS_H_ */
