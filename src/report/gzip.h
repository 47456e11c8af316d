/* A stream compressed by gzip, written as it comes. */
#ifndef WASM_PERF_REPORT_GZIP_H_
#define WASM_PERF_REPORT_GZIP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <zlib.h>

typedef struct wasm_perf_gzip {
  z_stream zlib;
  FILE *stream; /* borrowed */
  bool failed;  /* nothing more is written then */
  uint8_t output[32768];
} wasm_perf_gzip;

/* Begins a file on `stream`. False, with nothing to close: out of memory. */
bool wasm_perf_gzip_open(wasm_perf_gzip *gzip, FILE *stream);

void wasm_perf_gzip_write(wasm_perf_gzip *gzip, const void *bytes, size_t size);

/* Ends the file and flushes the stream, which stays open. False: something could not be written. */
bool wasm_perf_gzip_close(wasm_perf_gzip *gzip);

#endif /* WASM_PERF_REPORT_GZIP_H_ */
