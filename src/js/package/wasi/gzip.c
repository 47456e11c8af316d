/* report/encode/gzip.h without zlib: writes gzip files with stored (uncompressed) blocks. */
#include "report/encode/gzip.h"

#include <string.h>

enum { BLOCK_SIZE_MAX = 65535 };

static void put(wi_gzip *gzip, const void *bytes, size_t size) {
  if (gzip->failed)
    return;
  if (gzip->is_text)
    wi_base64_write(&gzip->base64, bytes, size);
  else
    fwrite(bytes, 1, size, gzip->stream);
  gzip->failed = ferror(gzip->stream) != 0;
}

static void put_u32(wi_gzip *gzip, uint32_t value) {
  uint8_t bytes[] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                     (uint8_t)(value >> 24)};
  put(gzip, bytes, sizeof bytes);
}

static void put_block(wi_gzip *gzip, const uint8_t *bytes, uint16_t size, bool is_last) {
  uint8_t head[] = {is_last, (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)~size,
                    (uint8_t)(~size >> 8)};
  put(gzip, head, sizeof head);
  put(gzip, bytes, size);
}

static uint32_t checksum(uint32_t crc, const uint8_t *bytes, size_t size) {
  crc = ~crc;
  for (size_t i = 0; i < size; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

static bool begin(wi_gzip *gzip, FILE *stream, bool is_text) {
  static const uint8_t header[10] = {0x1f, 0x8b, 8, [9] = 255 /* operating system: unknown */};
  memset(&gzip->zlib, 0, sizeof gzip->zlib);
  gzip->stream = stream;
  gzip->failed = false;
  gzip->is_text = is_text;
  wi_base64_init(&gzip->base64, stream);
  put(gzip, header, sizeof header);
  return true;
}

bool wi_gzip_open(wi_gzip *gzip, FILE *stream) {
  return begin(gzip, stream, false);
}

bool wi_gzip_open_base64(wi_gzip *gzip, FILE *stream) {
  return begin(gzip, stream, true);
}

void wi_gzip_write(wi_gzip *gzip, const void *bytes, size_t size) {
  const uint8_t *in = bytes;
  gzip->zlib.adler = checksum((uint32_t)gzip->zlib.adler, in, size);
  gzip->zlib.total_in += size;
  while (size > 0 && !gzip->failed) {
    uint16_t part = size < BLOCK_SIZE_MAX ? (uint16_t)size : BLOCK_SIZE_MAX;
    put_block(gzip, in, part, false);
    in += part;
    size -= part;
  }
}

bool wi_gzip_close(wi_gzip *gzip) {
  put_block(gzip, NULL, 0, true);
  put_u32(gzip, (uint32_t)gzip->zlib.adler);
  put_u32(gzip, (uint32_t)gzip->zlib.total_in);
  if (gzip->is_text)
    wi_base64_end(&gzip->base64);
  return fflush(gzip->stream) == 0 && !ferror(gzip->stream) && !gzip->failed;
}
