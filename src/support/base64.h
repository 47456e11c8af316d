/* Base64 (RFC 4648), as used in data: URLs. */
#ifndef WI_SUPPORT_BASE64_H_
#define WI_SUPPORT_BASE64_H_

#include "support/buffer.h"

/* The 64 digits in order. */
extern const char wi_base64_digits[65];

/* Returns the value of a digit, or -1. */
int wi_base64_value(uint8_t digit);

/* Appends the padded base64 text of `size` bytes. */
void wi_base64_encode(const uint8_t *bytes, size_t size, wi_buffer *out);

/*
 * Appends the bytes of a text, padded or not. Returns false if it contains other characters or
 * memory ran out.
 */
bool wi_base64_decode(const uint8_t *text, size_t size, wi_buffer *out);

#endif /* WI_SUPPORT_BASE64_H_ */
