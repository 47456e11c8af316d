#include "report/encode/gzip.h"

#include <limits.h>
#include <string.h>

#define GZIP_WINDOW_BITS (15 + 16) /* zlib's largest window; + 16 selects a gzip header */
#define MEMORY_LEVEL     8         /* zlib's default */

static void write_output(wi_gzip *gzip, size_t size) {
  if (gzip->is_text)
    wi_base64_write(&gzip->base64, gzip->output, size);
  else
    fwrite(gzip->output, 1, size, gzip->stream);
  gzip->failed = ferror(gzip->stream) != 0;
}

/* Compresses zlib's input until all of it is consumed or, with Z_FINISH, all output is written. */
static void run(wi_gzip *gzip, int flush) {
  int status = Z_OK;
  do {
    gzip->zlib.next_out = gzip->output;
    gzip->zlib.avail_out = sizeof gzip->output;
    status = deflate(&gzip->zlib, flush);
    size_t size = sizeof gzip->output - gzip->zlib.avail_out;
    write_output(gzip, size);
  } while (!gzip->failed && gzip->zlib.avail_out == 0 && status == Z_OK);
}

bool wi_gzip_open(wi_gzip *gzip, FILE *stream) {
  memset(&gzip->zlib, 0, sizeof gzip->zlib);
  gzip->stream = stream;
  gzip->failed = false;
  gzip->is_text = false;
  gzip->input_size = 0;
  return deflateInit2(&gzip->zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW_BITS,
                      MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK;
}

bool wi_gzip_open_base64(wi_gzip *gzip, FILE *stream) {
  if (!wi_gzip_open(gzip, stream))
    return false;
  gzip->is_text = true;
  wi_base64_init(&gzip->base64, stream);
  return true;
}

static void compress_bytes(wi_gzip *gzip, const uint8_t *in, size_t size) {
  while (size > 0 && !gzip->failed) {
    uInt part = size < UINT_MAX ? (uInt)size : UINT_MAX;
    gzip->zlib.next_in = (z_const Bytef *)in;
    gzip->zlib.avail_in = part;
    run(gzip, Z_NO_FLUSH);
    in += part;
    size -= part;
  }
}

static void compress_input(wi_gzip *gzip) {
  compress_bytes(gzip, gzip->input, gzip->input_size);
  gzip->input_size = 0;
}

void wi_gzip_write(wi_gzip *gzip, const void *bytes, size_t size) {
  if (size > sizeof gzip->input - gzip->input_size)
    compress_input(gzip);
  if (size > sizeof gzip->input) {
    compress_bytes(gzip, bytes, size);
  } else {
    memcpy(gzip->input + gzip->input_size, bytes, size);
    gzip->input_size += size;
  }
}

bool wi_gzip_close(wi_gzip *gzip) {
  compress_input(gzip);
  gzip->zlib.avail_in = 0;
  if (!gzip->failed)
    run(gzip, Z_FINISH);
  deflateEnd(&gzip->zlib);
  if (gzip->is_text)
    wi_base64_end(&gzip->base64);
  return fflush(gzip->stream) == 0 && !ferror(gzip->stream) && !gzip->failed;
}
