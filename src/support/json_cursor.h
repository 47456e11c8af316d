/*
 * A JSON pull parser on a cursor: skips what the caller does not need and has no dependencies, so
 * source maps can be read in every build. Files of other profilers contain forward references and
 * are parsed into trees with jansson (samples/read.c); the npm build leaves both out. After the
 * first error the cursor is at its end, as described in cursor.h.
 */
#ifndef WI_SUPPORT_JSON_CURSOR_H_
#define WI_SUPPORT_JSON_CURSOR_H_

#include "support/buffer.h"
#include "support/cursor.h"

/* Skips blanks. Returns the next byte, or 0 at the end. */
uint8_t wi_json_skip_blanks(wi_cursor *in);

/* Skips blanks and consumes the byte `wanted` if it is next. Returns whether it was. */
bool wi_json_take(wi_cursor *in, char wanted);

/* Same, but fails the cursor if it is not. */
void wi_json_expect(wi_cursor *in, char wanted);

/* Reads a string. The result excludes the quotes and still contains escapes. */
wi_span wi_json_read_text(wi_cursor *in);

/* Whether a string, as read, equals `wanted`. */
bool wi_json_is_text(const wi_cursor *in, wi_span text, const char *wanted);

/* Appends a string with its escapes decoded, in UTF-8. */
void wi_json_unescape(const wi_cursor *in, wi_span text, wi_buffer *out);

/* Skips a value, which may be nested up to 64 levels deep. */
void wi_json_skip_value(wi_cursor *in);

/*
 * Reads the key of the next member of an object after its '{' was consumed. Returns false after the
 * last member and consumes the '}'. *first must be true before the first call.
 */
bool wi_json_next_member(wi_cursor *in, bool *first, wi_span *key);

#endif /* WI_SUPPORT_JSON_CURSOR_H_ */
