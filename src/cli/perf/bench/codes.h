/* Hashes of functions' code, which recognise functions of another build whose names changed. */
#ifndef WI_CLI_PERF_BENCH_CODES_H_
#define WI_CLI_PERF_BENCH_CODES_H_

#include "cli/perf/common.h"
#include "profile/functions.h"

/*
 * Sets codes[i] to the hash of functions->items[i], from the module at `path`. Without the profile's
 * module they stay as they are. False if memory ran out.
 */
bool cli_codes_read(uint64_t *codes, const wasm_perf_profile *profile,
                    const wi_functions *functions, const char *path);

#endif /* WI_CLI_PERF_BENCH_CODES_H_ */
