/* Decompresses files of other tools. */
#ifndef WI_SAMPLES_GUNZIP_H_
#define WI_SAMPLES_GUNZIP_H_

#include "support/buffer.h"
#include "support/error.h"

/* Whether the bytes look like a gzip file. */
bool wi_gzip_is(const uint8_t *bytes, size_t size);

/*
 * Appends the contents of a gzip file, of at most WI_SAMPLES_MAX_SIZE bytes. Returns false with
 * *error filled in.
 */
bool wi_gunzip(const uint8_t *bytes, size_t size, wi_buffer *out, wi_error *error);

#endif /* WI_SAMPLES_GUNZIP_H_ */
