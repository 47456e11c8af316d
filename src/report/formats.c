#include "report/formats/writers.h"

#include <string.h>

const wasm_perf_report_format wasm_perf_report_formats[] = {
#define WI_REPORT_FORMAT(name, extension, summary) {#name, extension, summary, wi_##name##_write},
#include "report/formats.def"
#undef WI_REPORT_FORMAT
    {NULL, NULL, NULL, NULL},
};

const wasm_perf_report_format *wasm_perf_report_format_find(const char *name) {
  for (const wasm_perf_report_format *format = wasm_perf_report_formats; format->name; format++)
    if (strcmp(format->name, name) == 0)
      return format;
  return NULL;
}
