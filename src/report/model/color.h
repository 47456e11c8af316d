/* Colours of functions: a hue for the part of the program, a shade for the function. */
#ifndef WI_REPORT_MODEL_COLOR_H_
#define WI_REPORT_MODEL_COLOR_H_

#include <stddef.h>
#include <stdint.h>

/*
 * The part of a program that a demangled name tells: its crate, outermost namespace,
 * package or path, or a C name's prefix. Points into `name`; *size is its length, 0 if none.
 */
const char *wi_name_part(const char *name, size_t *size);

/*
 * A colour as 0xRRGGBB, the same for equal names in every report: warm, or grey for
 * language runtimes, libc and functions without a name.
 */
uint32_t wi_name_color(const char *name);

#endif /* WI_REPORT_MODEL_COLOR_H_ */
