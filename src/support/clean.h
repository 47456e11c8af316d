/* Text of others (names in modules, file names, values of options) made safe to show. */
#ifndef WI_SUPPORT_CLEAN_H_
#define WI_SUPPORT_CLEAN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a character is one of those in unsafe_characters.def. */
bool wi_character_is_unsafe(uint32_t code_point);

/*
 * Writes the `size` bytes at `text` to `out` as one line that a terminal can show: unsafe
 * characters as \u{1b}, bytes that are not UTF-8 as \xff, so that different texts stay different.
 * What does not fit into `capacity` bytes, the terminator included, is left out, no character in
 * part. Returns the size of all of it. What is clean stays as it is. `out` may be NULL if
 * `capacity` is 0.
 */
size_t wi_text_clean(const char *text, size_t size, char *out, size_t capacity);

#endif /* WI_SUPPORT_CLEAN_H_ */
