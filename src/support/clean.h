/* Makes foreign text (names in modules, file names, option values) safe to show. */
#ifndef WI_SUPPORT_CLEAN_H_
#define WI_SUPPORT_CLEAN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the character is listed in unsafe_characters.def. */
bool wi_character_is_unsafe(uint32_t code_point);

/*
 * Writes the `size` bytes at `text` to `out` as one line that is safe for a terminal: unsafe
 * characters become \u{1b}, invalid UTF-8 becomes \xff, and different texts stay different. Clean
 * text is not changed. The output is truncated to `capacity` bytes including the terminator, never
 * within a character. Returns the full size. `out` may be NULL if `capacity` is 0.
 */
size_t wi_text_clean(const char *text, size_t size, char *out, size_t capacity);

#endif /* WI_SUPPORT_CLEAN_H_ */
