/*
 * JSON as it stands in bytes, read in passing: what is of no interest is skipped, and nothing else
 * is needed, so that source maps are read in every build. Files of other profilers refer back and
 * forth and are read as trees, by jansson (samples/read.c), which the build for npm leaves out with
 * them. After the first error the cursor is at its end, as wi_cursor says.
 */
#ifndef WI_SUPPORT_JSON_CURSOR_H_
#define WI_SUPPORT_JSON_CURSOR_H_

#include "support/buffer.h"
#include "support/cursor.h"

/* Skips blanks; gives the byte that follows them, 0 at the end. */
uint8_t wi_json_skip_blanks(wi_cursor *in);

/* Takes that byte, after blanks, where it is there. */
bool wi_json_take(wi_cursor *in, char wanted);

/* The same; fails the cursor where it is not. */
void wi_json_expect(wi_cursor *in, char wanted);

/* Reads a text, without its quotes and with its escapes as they are written. */
wi_span wi_json_read_text(wi_cursor *in);

/* Whether a text that was read is `wanted`. */
bool wi_json_is_text(const wi_cursor *in, wi_span text, const char *wanted);

/* Appends a text that was read, without its escapes, in UTF-8. */
void wi_json_unescape(const wi_cursor *in, wi_span text, wi_buffer *out);

/* Skips a value, which is nested no more than 64 deep. */
void wi_json_skip_value(wi_cursor *in);

/*
 * The key of the next member of an object whose '{' has been taken; false after the last one, with
 * the '}' taken. *first is true before the first.
 */
bool wi_json_next_member(wi_cursor *in, bool *first, wi_span *key);

#endif /* WI_SUPPORT_JSON_CURSOR_H_ */
