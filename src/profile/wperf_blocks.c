/* Block counts in .wperf files. */
#include "profile/wperf_blocks.h"

bool wi_wperf_check_blocks(const wi_wperf_input *in, wi_wperf_span section) {
  size_t offset = section.offset, end = section.offset + section.size;
  uint64_t least = 0;
  while (offset < end) {
    if (end - offset < 8)
      return wi_wperf_fail(in, end, "the file ends inside the blocks");
    uint32_t function = wi_wperf_u32(in->bytes + offset);
    uint32_t count = wi_wperf_u32(in->bytes + offset + 4);
    if (function < least)
      return wi_wperf_fail(in, offset, "the blocks of function %u follow the blocks of function %u",
                           function, (uint32_t)(least - 1));
    if (count > (end - offset - 8) / 8)
      return wi_wperf_fail(in, end, "the file ends inside the blocks of function %u", function);
    least = (uint64_t)function + 1;
    offset += 8 + 8 * (size_t)count;
  }
  return true;
}

bool wi_wperf_read_blocks(wasm_perf_profile *profile, const wi_wperf_input *in,
                          wi_wperf_span section) {
  const uint8_t *bytes = in->bytes + section.offset, *end = bytes + section.size;
  while (bytes < end) {
    uint32_t count = wi_wperf_u32(bytes + 4);
    uint64_t *counts = wi_blocks_new(profile, wi_wperf_u32(bytes), count);
    if (!counts)
      return false;
    bytes += 8;
    for (uint32_t i = 0; i < count; i++, bytes += 8)
      counts[i] = wi_wperf_u64(bytes);
  }
  return true;
}
