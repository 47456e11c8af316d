/* Any bytes as a .wperf file; what is accepted is written by every exporter. */
#include <stdio.h>

#include "fuzz.h"
#include "wasm_perf/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  wasm_perf_error error;
  wasm_perf_profile *profile = wasm_perf_profile_parse(data, size, &error);
  if (!profile) {
    CHECK(error.message[0] != '\0' && error.offset <= size);
    return 0;
  }
  FILE *nowhere = fopen("/dev/null", "w");
  CHECK(nowhere != NULL);
  for (const wasm_perf_exporter *exporter = wasm_perf_exporters; exporter->name; ++exporter)
    CHECK(exporter->write(profile, NULL, nowhere));
  CHECK(wasm_perf_profile_write(profile, nowhere));
  fclose(nowhere);
  wasm_perf_profile_free(profile);
  return 0;
}
