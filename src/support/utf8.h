/* UTF-8, as needed for names. */
#ifndef WI_SUPPORT_UTF8_H_
#define WI_SUPPORT_UTF8_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Size (1 to 4) of the well-formed sequence at the start of the `size` bytes at `bytes`; 0 if there
 * is none. Overlong encodings, surrogates and truncated sequences are not well-formed.
 */
size_t wi_utf8_sequence(const uint8_t *bytes, size_t size);

/* Offset of the first byte that is not well-formed; `size` if there is none. */
size_t wi_utf8_check(const uint8_t *bytes, size_t size);

static inline bool wi_utf8_is_valid(const uint8_t *bytes, size_t size) {
  return wi_utf8_check(bytes, size) == size;
}

/* Decodes a well-formed sequence of that size. */
uint32_t wi_utf8_decode(const char *sequence, size_t size);

#endif /* WI_SUPPORT_UTF8_H_ */
