/* --times reads what other profilers wrote by a library that is not here. */
#include "cli/perf/input/times.h"

bool cli_times_read(cli_times *times, const char *path) {
  (void)times;
  cli_error(path, "--times needs the native command");
  return false;
}

void cli_times_clear(cli_times *times) {
  (void)times;
}

bool cli_times_lay(const cli_times *times, wasm_perf_profile *profile, bool has_indices) {
  (void)times;
  (void)profile;
  (void)has_indices;
  return false;
}
