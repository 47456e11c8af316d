/* Demangled C++ names, which start with the return type if the function is a template instance. */
#ifndef WI_NAMES_RETURN_TYPE_H_
#define WI_NAMES_RETURN_TYPE_H_

/*
 * Returns the part of `name` after the return type: "fill<int>(int*)" for "void fill<int>(int*)".
 * Linkers write such names into modules. Returns `name` if it has no return type.
 */
const char *wi_skip_return_type(const char *name);

#endif /* WI_NAMES_RETURN_TYPE_H_ */
