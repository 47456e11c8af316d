/* Names of functions, as spans of the input. See wi_names in the public header. */
#ifndef WI_MODULE_NAMES_H_
#define WI_MODULE_NAMES_H_

#include "module/module.h"

/*
 * Names for a module that the caller keeps. Never fails on malformed names, which are left out;
 * NULL when memory ran out.
 */
wi_names *wi_names_of_module(const wi_module *module);

/* How many of the functions are imports. */
uint32_t wi_names_import_count(const wi_names *names);

/* wi_names_get of a name of which only so many bytes are wanted, or a few more. */
const char *wi_names_get_start(wi_names *names, uint32_t index, uint32_t size);

/* The name section's name of function `index`; false where it has none. */
bool wi_names_raw(const wi_names *names, uint32_t index, wi_span *name);

/* The name section's name of type `index`. */
bool wi_names_raw_type(const wi_names *names, uint32_t index, wi_span *name);

/* Reads the marker; false where the module has none. */
bool wi_marker_of_module(const wi_module *module, wi_marker *marker);

#endif /* WI_MODULE_NAMES_H_ */
