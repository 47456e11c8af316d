/*
 * Names of functions that are not in a program: newer_mangling.c calls them in mangled names, and
 * the demangled text has their calls:
 *
 *     TYPED(1, 0, END)                              is to be  0
 *     SCOPE(std, INNER, a<int>, INNER, value, END)  is to be  std::a<int>::value
 */
#ifndef WI_NAMES_MANGLING_MARKERS_H_
#define WI_NAMES_MANGLING_MARKERS_H_

#include <stddef.h>

enum { WI_MARKER_TYPED = 1, WI_MARKER_SCOPE, WI_MARKER_INNER, WI_MARKER_END };

/* Makes of `text`, which has `size` bytes, what it is to be. Returns its new size. */
size_t wi_mangling_markers_resolve(char *text, size_t size);

#endif /* WI_NAMES_MANGLING_MARKERS_H_ */
