/*
 * C++ names as newer compilers mangle them. Clang 18 and later writes the type of a template
 * parameter before its argument (Tn), which libiberty does not know.
 */
#ifndef WI_NAMES_NEWER_MANGLING_H_
#define WI_NAMES_NEWER_MANGLING_H_

#include <stdbool.h>
#include <stddef.h>

/*
 * Rewrites the mangled name `name` to one that libiberty can demangle: at most `size` bytes to `to`,
 * including the terminator. Returns false if there is nothing to rewrite, or the name has parts that
 * are unknown here. The demangled text has markers to resolve (names/mangling_markers.h).
 */
bool wi_newer_mangling_rewrite(const char *name, char *to, size_t size);

#endif /* WI_NAMES_NEWER_MANGLING_H_ */
