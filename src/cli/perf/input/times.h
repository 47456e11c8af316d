/* --times: where the time went, as another profiler saw it. */
#ifndef WI_CLI_PERF_INPUT_TIMES_H_
#define WI_CLI_PERF_INPUT_TIMES_H_

#include "cli/perf/common.h"
#include "samples/samples.h"
#include "wasm_perf/profile.h"

/* What such a file has. Zeroed before; cleared after. */
typedef struct cli_times {
  const char *path; /* borrowed; NULL: there is no file */
  wi_samples samples;
  bool is_ours;                 /* what wasm-perf sample wrote */
  uint32_t host_function_count; /* then, of the module that was sampled */
} cli_times;

/*
 * Reads a .wperf file that wasm-perf sample wrote, a .cpuprofile, a Firefox profile or the text of
 * perf script. False on failure, which it has printed on stderr.
 */
bool cli_times_read(cli_times *times, const char *path);
void cli_times_clear(cli_times *times);

/*
 * Lays the times over the calls of `profile`, whose functions have the indices of one module if it
 * `has_indices`. Where something does not match, that is said on stderr. Without a file nothing
 * happens. False on failure, likewise; the profile then has its calls.
 */
bool cli_times_lay(const cli_times *times, wasm_perf_profile *profile, bool has_indices);

/*
 * The guest profile of wasmtime at `path` as a profile without calls of the module, whose bytes
 * these are; messages name `module_path`. The caller frees it; NULL on failure, which is told.
 */
wasm_perf_profile *cli_times_profile(const char *path, const char *module_path,
                                     const uint8_t *module, size_t size);

#endif /* WI_CLI_PERF_INPUT_TIMES_H_ */
