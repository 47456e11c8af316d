/* Colours of functions: the hue shows the part of the program, the shade the function. */
#ifndef WI_REPORT_MODEL_COLOR_H_
#define WI_REPORT_MODEL_COLOR_H_

#include <stdint.h>

#include "wasm_perf/format.h"

/* What a colour means. */
typedef enum wi_color_kind {
  WI_COLOR_PROGRAM,
  WI_COLOR_RUNTIME, /* a language's runtime or the C library */
  WI_COLOR_HOST,
  WI_COLOR_JAVASCRIPT,
  WI_COLOR_COLLECTION, /* of garbage */
  WI_COLOR_WAIT,
  WI_COLOR_UNNAMED,
  WI_COLOR_CUT, /* not a function: stands for stacks that were cut */
  WI_COLOR_KIND_COUNT
} wi_color_kind;

/*
 * `name` is a label. `file` is the path of its source, or NULL: it decides whether a function whose
 * name could be a C library's belongs to one, and which part one without a name belongs to.
 */
wi_color_kind wi_color_kind_of(const char *name, const char *file, wasm_perf_kind kind);

/*
 * A colour as 0xRRGGBB, equal for equal names and files in every report: warm for the program's
 * functions, grey for a runtime's, blue for the host's. The hue of C functions is that of their
 * file, if it is known. Functions without a name and file get a hue by their number.
 */
uint32_t wi_function_color(const char *name, const char *file, wasm_perf_kind kind);

#endif /* WI_REPORT_MODEL_COLOR_H_ */
