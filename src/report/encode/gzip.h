/* A stream compressed by gzip, written as it comes. */
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
  bool failed;  /* nothing more is written then */
  bool is_text; /* what is written goes through `base64` */
  wi_base64 base64;
  size_t input_size;
  uint8_t input[32768]; /* what is still to be compressed: zlib takes its time for each piece */
  uint8_t output[32768];
} wi_gzip;

/* Begins a file on `stream`. False, with nothing to close: out of memory. */
bool wi_gzip_open(wi_gzip *gzip, FILE *stream);

/* The same as text in base64. */
bool wi_gzip_open_base64(wi_gzip *gzip, FILE *stream);

void wi_gzip_write(wi_gzip *gzip, const void *bytes, size_t size);

/* Ends the file and flushes the stream, which stays open. False: something could not be written. */
bool wi_gzip_close(wi_gzip *gzip);

#endif /* WI_REPORT_ENCODE_GZIP_H_ */
