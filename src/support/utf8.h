/* UTF-8, as far as names need it. */
#ifndef WI_SUPPORT_UTF8_H_
#define WI_SUPPORT_UTF8_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The size of the well-formed sequence at the start of `bytes`, of which `size` may be
 * read: 1 to 4. 0 where there is none: overlong forms, surrogates and cut ones are not.
 */
size_t wi_utf8_sequence(const uint8_t *bytes, size_t size);

/* The offset of the first byte that is not well-formed; `size` where all of it is. */
size_t wi_utf8_check(const uint8_t *bytes, size_t size);

static inline bool wi_utf8_is_valid(const uint8_t *bytes, size_t size) {
  return wi_utf8_check(bytes, size) == size;
}

/* The code point of a well-formed sequence of that size. */
uint32_t wi_utf8_decode(const char *sequence, size_t size);

#endif /* WI_SUPPORT_UTF8_H_ */
