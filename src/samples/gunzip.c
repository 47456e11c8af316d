#include "samples/gunzip.h"

#include <zlib.h>

#include "samples/read.h"
#include "wasm_instrument/wasm_instrument.h"

bool wi_gzip_is(const uint8_t *bytes, size_t size) {
  return size > 2 && bytes[0] == 0x1F && bytes[1] == 0x8B;
}

bool wi_gunzip(const uint8_t *bytes, size_t size, wi_buffer *out, wi_error *error) {
  enum { PIECE = 1 << 16, GZIP = 16 };
  z_stream stream = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)size};
  int status = inflateInit2(&stream, GZIP + MAX_WBITS);
  while (status == Z_OK && out->size <= WI_SAMPLES_MAX_SIZE && wi_buffer_reserve(out, PIECE)) {
    stream.next_out = out->data + out->size;
    stream.avail_out = PIECE;
    status = inflate(&stream, Z_NO_FLUSH);
    out->size += PIECE - stream.avail_out;
  }
  inflateEnd(&stream);
  if (out->failed)
    return wi_error_memory(error);
  if (out->size > WI_SAMPLES_MAX_SIZE)
    return wi_error_set(error, WI_ERROR_LIMIT, WI_SAMPLES_MAX_SIZE, WI_NO_FUNCTION,
                        "it unpacks to more than 512 MB");
  return status == Z_STREAM_END ||
         wi_error_set(error, WI_ERROR_MALFORMED, 0, WI_NO_FUNCTION, "it cannot be decompressed");
}
