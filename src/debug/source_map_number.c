#include "debug/source_map_number.h"

#include "support/base64.h"

int64_t wi_source_map_number(wi_cursor *in) {
  enum { MAX_SHIFT = 50 };
  uint64_t bits = 0;
  for (unsigned shift = 0; shift <= MAX_SHIFT; shift += 5) {
    int digit = wi_base64_value(wi_cursor_u8(in));
    if (digit < 0)
      break;
    bits |= (uint64_t)(digit & 31) << shift;
    if (!(digit & 32))
      return bits & 1 ? -(int64_t)(bits >> 1) : (int64_t)(bits >> 1);
  }
  if (!in->failed)
    wi_cursor_fail(in, WI_ERROR_MALFORMED, in->offset, "source map: malformed number in mappings");
  return 0;
}
