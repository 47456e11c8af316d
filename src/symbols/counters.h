/* Which instructions the counts of a profile's blocks belong to. */
#ifndef WI_SYMBOLS_COUNTERS_H_
#define WI_SYMBOLS_COUNTERS_H_

#include "code/scan.h"
#include "wasm_perf/profile.h"

/*
 * Scans body `index` of the module for its instructions, blocks and, if the profile has
 * counts of edges, edges. Returns false if the body has another number of counts than `blocks`,
 * which are of the profile.
 */
bool wi_counters_scan(wi_scan *scan, const wi_module *module, uint32_t index,
                      const wasm_perf_profile *profile, const wasm_perf_blocks *blocks);

/* The number of counts that belong to the site. */
uint32_t wi_counters_at(const wi_site *site);

#endif /* WI_SYMBOLS_COUNTERS_H_ */
