/* Collecting the features of a module. */
#ifndef WI_SYMBOLS_COLLECT_H_
#define WI_SYMBOLS_COLLECT_H_

#include "symbols/features.h"

/*
 * Collects the features of a module, which outlives them. They take over `data`, also on failure.
 * `with_addresses`: the other module keeps its static data at the same addresses, so these are
 * features, too. False, with *error filled in and nothing kept, where a body cannot be read or
 * memory ran out.
 */
bool wi_features_collect(wi_features *features, const wi_module *module, wi_data_image data,
                         bool with_addresses, wi_error *error);

/*
 * The features of functions that do not depend on the program that they are in: no constant that
 * may be an address in some program is one. As above.
 */
bool wi_features_collect_library(wi_features *features, const wi_module *module, wi_error *error);

/*
 * Lists callees and callers, and hashes contexts, of functions whose calls are known. False when
 * memory ran out.
 */
bool wi_features_link(wi_features *features);

#endif /* WI_SYMBOLS_COLLECT_H_ */
