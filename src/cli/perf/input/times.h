/* --times: times from another profiler. */
#ifndef WI_CLI_PERF_INPUT_TIMES_H_
#define WI_CLI_PERF_INPUT_TIMES_H_

#include "cli/perf/common.h"
#include "samples/samples.h"
#include "wasm_perf/profile.h"

/* The contents of such a file. Zero it before use; clear it afterwards. */
typedef struct cli_times {
  const char *path; /* borrowed; NULL if there is no file */
  wi_samples samples;
  bool is_ours;                 /* recorded without hooks */
  uint32_t host_function_count; /* if so, of the module that was sampled */
} cli_times;

/*
 * Reads a .wperf file recorded without hooks, a .cpuprofile, a Firefox profile or the text of
 * perf script. False on failure; here and below, `failure` says why (cli_fail).
 */
bool cli_times_read(cli_times *times, const char *path, cli_failure *failure);
void cli_times_clear(cli_times *times);

/*
 * Attributes the times to the calls of `profile`. `has_indices` says that its functions have the
 * indices of one module. Mismatches are printed on stderr. Does nothing without a file. False on
 * failure; the profile then keeps its calls.
 */
bool cli_times_attribute(const cli_times *times, wasm_perf_profile *profile, bool has_indices,
                         cli_failure *failure);

/*
 * Reads wasmtime's guest profile at `path` as a profile without calls. `module` is the module that
 * ran; messages name `module_path`. The caller frees the result; NULL on failure.
 */
wasm_perf_profile *cli_times_profile(const char *path, const char *module_path,
                                     const uint8_t *module, size_t size, cli_failure *failure);

#endif /* WI_CLI_PERF_INPUT_TIMES_H_ */
