/* Streaming Base64 encoder (A-Z, a-z, 0-9, + and /). */
#ifndef WI_REPORT_ENCODE_BASE64_H_
#define WI_REPORT_ENCODE_BASE64_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct wi_base64 {
  FILE *stream; /* borrowed; its error indicator reports failures */
  uint8_t rest[3];
  unsigned rest_size; /* pending bytes, at most 2 */
} wi_base64;

void wi_base64_init(wi_base64 *base64, FILE *stream);
void wi_base64_write(wi_base64 *base64, const uint8_t *bytes, size_t size);

/* Writes the pending bytes, padded with '='. */
void wi_base64_end(wi_base64 *base64);

#endif /* WI_REPORT_ENCODE_BASE64_H_ */
