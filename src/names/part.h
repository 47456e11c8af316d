/* The part of the program that a demangled name says it belongs to. Results point into the name. */
#ifndef WI_NAMES_PART_H_
#define WI_NAMES_PART_H_

#include <stddef.h>

/*
 * The crate, outermost namespace, package or path in a name; *size is its length, 0 if there is
 * none, as in names of C.
 */
const char *wi_name_qualifier(const char *name, size_t *size);

/* The same, or the prefix of a C name. */
const char *wi_name_part(const char *name, size_t *size);

/*
 * Writes a qualifier with the next one, if there is one, as in "duckdb::Binary" of
 * duckdb::Binary::run(). `text` has room for the name. Returns the size; 0: no qualifier.
 */
size_t wi_name_inner_qualifier(const char *name, char *text);

#endif /* WI_NAMES_PART_H_ */
