/* --times reads what other profilers wrote by a library that is not here. */
#include "cli/perf/input/times.h"

bool cli_times_read(cli_times *times, const char *path, cli_failure *failure) {
  (void)times;
  return cli_fail(failure, path, "--times needs the native command");
}

void cli_times_clear(cli_times *times) {
  (void)times;
}

bool cli_times_attribute(const cli_times *times, wasm_perf_profile *profile, bool has_indices,
                         cli_failure *failure) {
  (void)times;
  (void)profile;
  (void)has_indices;
  (void)failure;
  return false;
}
