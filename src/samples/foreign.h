/* Profiles from files of other tools. */
#ifndef WI_SAMPLES_FOREIGN_H_
#define WI_SAMPLES_FOREIGN_H_

#include "support/error.h"
#include "support/file_reader.h"
#include "wasm_perf/profile.h"

/*
 * Whether the bytes look like a file that wi_foreign_read knows: pprof, compressed or not;
 * speedscope, .cpuprofile, DevTools traces, Firefox profiles; folded stacks; what perf script
 * prints.
 */
bool wi_foreign_is(const uint8_t *bytes, size_t size);

/*
 * Reads such a file. `read` gets the source maps that it refers to. *before is what a difference
 * subtracts, otherwise NULL; if `before` is NULL, differences are refused. The caller frees both.
 * Returns NULL with *error filled in.
 */
wasm_perf_profile *wi_foreign_read(const uint8_t *bytes, size_t size, wi_file_reader *read,
                                   wasm_perf_profile **before, wi_error *error);

#endif /* WI_SAMPLES_FOREIGN_H_ */
