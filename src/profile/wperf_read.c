/* Reads .wperf files of any version. */
#include <string.h>

#include "profile/wperf.h"
#include "profile/wperf_v1.h"
#include "profile/wperf_v2.h"

wasm_perf_profile *wasm_perf_profile_parse(const uint8_t *bytes, size_t size,
                                           wasm_perf_error *error) {
  wi_wperf_input in = {bytes, size, error};
  wasm_perf_profile *profile = NULL;
  uint32_t version = 0;
  if (!wi_wperf_has_magic(bytes, size))
    wi_wperf_fail(&in, 0, "not a .wperf file");
  else if (size < WASM_PERF_HEAD_SIZE)
    wi_wperf_fail(&in, size, "the file ends inside the header");
  else if ((version = wi_wperf_u32(bytes + WI_WPERF_MAGIC_SIZE)) == WASM_PERF_MEMORY_VERSION)
    profile = wi_wperf_read_v1(&in);
  else if (version == WASM_PERF_VERSION)
    profile = wi_wperf_read_v2(&in);
  else
    wi_wperf_fail(&in, WI_WPERF_MAGIC_SIZE, "version %u is not supported, only up to %u", version,
                  WASM_PERF_VERSION);
  return profile;
}
