#include "cli/perf/input/times.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/perf/input/profiles.h"
#include "module/names.h"
#include "samples/attribute.h"
#include "samples/read.h"
#include "samples/scripts.h"

#define LEAST_PRINTED 0.0005 /* no warning if a smaller share of the time does not match */

/* ---- Reading ----------------------------------------------------------------------- */

static bool read_own(cli_times *times, const char *path, cli_failure *failure) {
  wasm_perf_profile *profile = cli_profile_read(path, failure);
  if (!profile)
    return false;
  bool is_sampled = profile->header.clock == WASM_PERF_CLOCK_SAMPLED;
  times->is_ours = true;
  times->host_function_count = profile->header.host_function_count;
  bool done = is_sampled && wi_samples_of_profile(profile, &times->samples);
  wasm_perf_profile_free(profile);
  return done ||
         cli_fail(failure, path, is_sampled ? "out of memory" : "its times are not samples");
}

static bool read_foreign(wi_samples *samples, const char *path, const uint8_t *bytes, size_t size,
                         cli_failure *failure) {
  wi_error error;
  wi_error_reset(&error);
  if (wi_samples_read(bytes, size, samples, &error)) {
    if (wi_scripts_place(samples, wi_file_read_regular))
      return true;
    wi_error_memory(&error);
  }
  if (error.code == WI_ERROR_MALFORMED && error.offset > 0)
    return cli_fail(failure, path, "offset 0x%" PRIx64 ": %s", error.offset, error.message);
  return cli_fail(failure, path, "%s", error.message);
}

bool cli_times_read(cli_times *times, const char *path, cli_failure *failure) {
  uint8_t *bytes;
  size_t size, magic_size = strlen(WASM_PERF_MAGIC);
  if (!cli_file_read(path, &bytes, &size, failure))
    return false;
  times->path = path;
  bool is_own = size >= magic_size && memcmp(bytes, WASM_PERF_MAGIC, magic_size) == 0;
  bool done = is_own ? read_own(times, path, failure)
                     : read_foreign(&times->samples, path, bytes, size, failure);
  free(bytes);
  return done;
}

void cli_times_clear(cli_times *times) {
  wi_samples_clear(&times->samples);
}

/* ---- Attributing ------------------------------------------------------------------- */

static void print_unmatched(const char *path, const wi_samples_match *match, const char *becomes) {
  double share = match->unmatched / (match->matched + match->unmatched);
  if (share >= LEAST_PRINTED)
    cli_message(
        "wasm-perf: %s: %.1f %% of the time belongs to functions that are not in the profile; %s",
        path, share * 100, becomes);
}

static bool check_module(const cli_times *times, const wasm_perf_profile *profile,
                         cli_failure *failure) {
  uint32_t theirs = times->host_function_count, ours = profile->header.host_function_count;
  if (theirs == ours || theirs + profile->facts.added_import_count == ours)
    return true;
  return cli_fail(failure, times->path,
                  "it belongs to another module, which imports %" PRIu32 " functions, not %" PRIu32,
                  theirs, ours);
}

bool cli_times_attribute(const cli_times *times, wasm_perf_profile *profile, bool has_indices,
                         cli_failure *failure) {
  wi_samples_match match;
  if (!times->path)
    return true;
  if (times->is_ours && has_indices && !check_module(times, profile, failure))
    return false;
  if (!wi_samples_attribute(&times->samples, profile, has_indices, &match))
    return cli_fail_memory(failure);
  if (match.matched == 0)
    return cli_fail(failure, times->path,
                    "none of its functions is in the profile, so there are calls, but no times");
  print_unmatched(times->path, &match, "it is charged to their callers");
  return true;
}

/* ---- A profile of times alone -------------------------------------------------------- */

/* A profile without nodes that has the names of all functions of a module. */
static wasm_perf_profile *names_of(const uint8_t *module, size_t size, wi_error *error) {
  wasm_perf_profile *profile = calloc(1, sizeof *profile);
  wi_names *names = wi_names_read(module, size, error);
  bool done = profile && names;
  for (uint32_t i = 0; done && i < wi_names_count(names); i++)
    done = wasm_perf_profile_set_name(profile, i, wi_names_get(names, i));
  if (done)
    profile->header.host_function_count = wi_names_import_count(names);
  else
    wi_error_memory(error);
  wi_names_free(names);
  if (done)
    return profile;
  wasm_perf_profile_free(profile);
  return NULL;
}

static wasm_perf_profile *profile_of(const wi_samples *samples, const char *path,
                                     const wasm_perf_profile *names, cli_failure *failure) {
  wi_samples_match match;
  wasm_perf_profile *profile = wi_samples_profile(samples, names, &match);
  if (!profile)
    cli_fail_memory(failure);
  else if (match.matched + match.unmatched > 0)
    print_unmatched(path, &match, "it is charged to their callers");
  return profile;
}

wasm_perf_profile *cli_times_profile(const char *path, const char *module_path,
                                     const uint8_t *module, size_t size, cli_failure *failure) {
  wi_error error;
  cli_times times = {0};
  wasm_perf_profile *profile = NULL;
  wi_error_reset(&error);
  wasm_perf_profile *names = names_of(module, size, &error);
  if (!names)
    cli_fail_module(failure, module_path, &error);
  else if (cli_times_read(&times, path, failure))
    profile = profile_of(&times.samples, module_path, names, failure);
  cli_times_clear(&times);
  wasm_perf_profile_free(names);
  return profile;
}
