/* The table of diff formats, generated from diff_formats.def. */
#include "report/diff/diff_writers.h"

#include <string.h>

const wasm_perf_diff_format wasm_perf_diff_formats[] = {
#define WI_DIFF_FORMAT(name, extension, summary)                                                   \
  {#name, extension, summary, wi_diff_##name##_write},
#include "report/diff/diff_formats.def"
#undef WI_DIFF_FORMAT
    {NULL, NULL, NULL, NULL},
};

const wasm_perf_diff_format *wasm_perf_diff_format_find(const char *name) {
  for (const wasm_perf_diff_format *format = wasm_perf_diff_formats; format->name; format++)
    if (strcmp(format->name, name) == 0)
      return format;
  return NULL;
}
