/* Collects the features of a module's functions. */
#ifndef WI_MATCH_COLLECT_H_
#define WI_MATCH_COLLECT_H_

#include "match/features.h"

/*
 * Collects the features of a module, which must outlive them. Takes ownership of `data`, even on
 * failure. `with_addresses` says that the other module has its static data at the same addresses,
 * so that addresses are features. Returns false with *error filled in and *features cleared if a
 * body is unreadable or memory ran out.
 */
bool wi_features_collect(wi_features *features, const wi_module *module, wi_data_image data,
                         bool with_addresses, wi_error *error);

/*
 * Like wi_features_collect, for features of library functions that are the same in every program:
 * constants that may be addresses, and names of imports, are ignored.
 */
bool wi_features_collect_library(wi_features *features, const wi_module *module, wi_error *error);

/*
 * Derives callees, callers, contexts and counts of equal functions from the functions' calls. Returns false if memory
 * ran out.
 */
bool wi_features_link(wi_features *features);

#endif /* WI_MATCH_COLLECT_H_ */
