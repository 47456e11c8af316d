/* Any bytes as the file of another profiler, attributed to the calls of a small profile. */
#include "fuzz.h"
#include "samples/attribute.h"
#include "samples/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* main -> f -> g -> g, main -> g, of functions 1, 2 and 3. */
static wasm_perf_profile *calls(void) {
  static const wasm_perf_node nodes[] = {{WASM_PERF_FUNCTION_ROOT, 0, 0, 0},
                                         {1, 0, 1, 0},
                                         {2, 1, 5, 0},
                                         {3, 2, 7, 0},
                                         {3, 3, 2, 0},
                                         {3, 1, 1, 0}};
  wasm_perf_profile *profile = calloc(1, sizeof *profile);
  CHECK(profile != NULL);
  profile->nodes = malloc(sizeof nodes);
  CHECK(profile->nodes != NULL);
  memcpy(profile->nodes, nodes, sizeof nodes);
  profile->header.node_count = sizeof nodes / sizeof *nodes;
  profile->header.host_function_count = 1;
  CHECK(wasm_perf_profile_set_name(profile, 1, "main"));
  CHECK(wasm_perf_profile_set_name(profile, 2, "_ZN1a1fEii"));
  CHECK(wasm_perf_profile_set_name(profile, 3, "g"));
  return profile;
}

/* However many functions have a name, and nodes a function: names are copied once, after one byte. */
static void check_samples(const wi_samples *samples, size_t size) {
  CHECK(samples->names.size <= size + 1);
  for (uint32_t i = 1; i < samples->nodes_count; i++) {
    CHECK(samples->nodes[i].parent < i && samples->nodes[i].frame < samples->frames_count);
    CHECK(isfinite(samples->nodes[i].time) && samples->nodes[i].time >= 0);
  }
}

/* All that was sampled is in the profile, whatever kind its function is of. */
static void check_attributed(const wi_samples *samples, bool has_indices) {
  wi_samples_match match;
  wasm_perf_profile *profile = calls();
  CHECK(wi_samples_attribute(samples, profile, has_indices, &match));
  double sum = (double)profile->facts.unmatched_time;
  for (uint32_t i = 1; i < profile->header.node_count; i++)
    sum += (double)profile->nodes[i].self;
  double whole = 0;
  for (uint32_t i = 1; i < samples->nodes_count; i++)
    whole += samples->nodes[i].time;
  if (match.matched > 0 && whole < 1e18)
    CHECK(fabs(sum - whole) <= profile->header.node_count + whole * 1e-9);
  wasm_perf_profile_free(profile);
}

/* The samples of another run of ours. */
static void check_own(void) {
  wi_samples samples = {0};
  wasm_perf_profile *profile = calls();
  CHECK(wi_samples_of_profile(profile, &samples));
  CHECK(samples.nodes_count == profile->header.node_count && samples.frames_count == 3);
  check_samples(&samples, sizeof "main_ZN1a1fEiig" - 1);
  wi_samples_clear(&samples);
  wasm_perf_profile_free(profile);
}

static void check_alone(const wi_samples *samples) {
  wi_samples_match match;
  wasm_perf_profile *names = calls();
  wasm_perf_profile *alone = wi_samples_profile(samples, names, &match);
  CHECK(alone != NULL && alone->header.node_count <= samples->nodes_count);
  wasm_perf_profile_free(alone);
  wasm_perf_profile_free(names);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  wi_samples samples = {0};
  wi_error error;
  wi_error_reset(&error);
  if (wi_samples_read(data, size, &samples, &error)) {
    check_samples(&samples, size);
    check_own();
    check_attributed(&samples, true);
    check_attributed(&samples, false);
    check_alone(&samples);
  } else {
    CHECK(error.code == WI_ERROR_MALFORMED);
  }
  wi_samples_clear(&samples);
  return 0;
}
