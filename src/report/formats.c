/* The table of report formats, generated from formats.def. */
#include "report/formats/writers.h"

#include <string.h>

#define WI_REPORT_FORMAT(name, extension, stacks, traits, summary)                                 \
  static bool write_##name(const wasm_perf_profile *profile,                                       \
                           const wasm_perf_report_options *options, FILE *stream) {                \
    return wi_report_write(profile, options, WI_STACKS_##stacks, wi_##name##_write, stream);       \
  }
#include "report/formats.def"
#undef WI_REPORT_FORMAT

const wasm_perf_report_format wasm_perf_report_formats[] = {
#define WI_REPORT_FORMAT(name, extension, stacks, traits, summary)                                 \
  {#name, extension, summary, write_##name, traits},
#include "report/formats.def"
#undef WI_REPORT_FORMAT
    {NULL, NULL, NULL, NULL, 0},
};

const wasm_perf_report_format *wasm_perf_report_format_find(const char *name) {
  for (const wasm_perf_report_format *format = wasm_perf_report_formats; format->name; format++)
    if (strcmp(format->name, name) == 0)
      return format;
  return NULL;
}
