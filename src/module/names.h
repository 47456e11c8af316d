/* Function names as spans of the input. See wi_names in the public header. */
#ifndef WI_MODULE_NAMES_H_
#define WI_MODULE_NAMES_H_

#include "module/module.h"

/*
 * Reads the names of a module that the caller keeps. Malformed names are skipped. Returns NULL if
 * out of memory.
 */
wi_names *wi_names_of_module(const wi_module *module);

/* Number of functions that are imports. */
uint32_t wi_names_import_count(const wi_names *names);

/* Like wi_names_get, but may truncate the name to about `size` bytes. */
const char *wi_names_get_start(wi_names *names, uint32_t index, uint32_t size);

/* The name of function `index` in the name section; false if it has none. */
bool wi_names_raw(const wi_names *names, uint32_t index, wi_span *name);

/* The name of type `index` in the name section; false if it has none. */
bool wi_names_raw_type(const wi_names *names, uint32_t index, wi_span *name);

/* Reads the marker; false if the module has none. */
bool wi_marker_of_module(const wi_module *module, wi_marker *marker);

#endif /* WI_MODULE_NAMES_H_ */
