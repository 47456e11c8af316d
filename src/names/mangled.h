/* Mangled names, of C++ and Rust, that no demangler has read. */
#ifndef WI_NAMES_MANGLED_H_
#define WI_NAMES_MANGLED_H_

#include <stdbool.h>
#include <stddef.h>

/* Whether a label is a mangled name. */
bool wi_name_is_mangled(const char *label);

/*
 * Writes the name without arguments, "std::vector::push_back", of a mangled name of C++ whose
 * qualifiers are not compressed. `text` has room for three times the name. Returns the size; 0 for
 * other names.
 */
size_t wi_name_unmangle(const char *name, char *text);

#endif /* WI_NAMES_MANGLED_H_ */
