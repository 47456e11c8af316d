/* Streaming gzip compressor. */
#ifndef WI_REPORT_ENCODE_GZIP_H_
#define WI_REPORT_ENCODE_GZIP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <zlib.h>

#include "report/encode/base64.h"

typedef struct wi_gzip {
  z_stream zlib;
  FILE *stream; /* borrowed */
  bool failed;  /* then nothing more is written */
  bool is_text; /* the output is encoded by `base64` */
  wi_base64 base64;
  size_t input_size;
  uint8_t input[32768]; /* input not yet compressed: zlib has a cost per call */
  uint8_t output[32768];
} wi_gzip;

/* Begins a file on `stream`. Returns false, with nothing to close, if memory ran out. */
bool wi_gzip_open(wi_gzip *gzip, FILE *stream);

/* As wi_gzip_open, but writes Base64 text. */
bool wi_gzip_open_base64(wi_gzip *gzip, FILE *stream);

void wi_gzip_write(wi_gzip *gzip, const void *bytes, size_t size);

/*
 * Ends the file and flushes the stream, which stays open. Returns false if something was not
 * written.
 */
bool wi_gzip_close(wi_gzip *gzip);

#endif /* WI_REPORT_ENCODE_GZIP_H_ */
