/* Names of functions that Scala.js writes into its modules, such as f.com.acme.App$.fib;I;I. */
#ifndef WI_NAMES_SCALA_NAMES_H_
#define WI_NAMES_SCALA_NAMES_H_

#include <stddef.h>

/*
 * Writes the class, the method and the types of its parameters to `text`, at most `size` bytes without
 * a terminator: com.acme.App$.fib(int). Returns the size, 0 if `name` is of another kind or too long.
 */
size_t wi_scala_name_demangle(const char *name, char *text, size_t size);

#endif /* WI_NAMES_SCALA_NAMES_H_ */
