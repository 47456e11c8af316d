/* samples/gunzip.h without zlib: pages decompress files before they read them. */
#include "samples/gunzip.h"

#include "wasm_instrument/wasm_instrument.h"

bool wi_gzip_is(const uint8_t *bytes, size_t size) {
  return size > 2 && bytes[0] == 0x1F && bytes[1] == 0x8B;
}

bool wi_gunzip(const uint8_t *bytes, size_t size, wi_buffer *out, wi_error *error) {
  (void)bytes;
  (void)size;
  (void)out;
  return wi_error_set(error, WI_ERROR_MALFORMED, 0, WI_NO_FUNCTION,
                      "it is compressed; gunzip decompresses it");
}
