/* Colours of functions: a hue for the part of the program, a shade for the function. */
#ifndef WASM_PERF_REPORT_COLOR_H_
#define WASM_PERF_REPORT_COLOR_H_

#include <stddef.h>
#include <stdint.h>

/*
 * The part of a program that a demangled name tells: its crate, outermost namespace,
 * package or path, or a C name's prefix. Points into `name`; *size is its length, 0 if none.
 */
const char *wasm_perf_name_part(const char *name, size_t *size);

/*
 * A colour as 0xRRGGBB, the same for equal names in every report: warm, or grey for
 * language runtimes, libc and functions without a name.
 */
uint32_t wasm_perf_name_color(const char *name);

#endif /* WASM_PERF_REPORT_COLOR_H_ */
