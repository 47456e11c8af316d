/*
 * A JSON pull parser on a cursor: skips what the caller does not need and has no dependencies, so
 * every build can read source maps and files of other profilers. After the first error the cursor
 * is at its end, as described in cursor.h.
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

/* Whether two strings, as read, are equal. */
bool wi_json_is_same_text(const wi_cursor *in, wi_span left, wi_span right);

/* Appends a string with its escapes decoded, in UTF-8. */
void wi_json_unescape(const wi_cursor *in, wi_span text, wi_buffer *out);

/* Same, as a C string. Returns its offset in `out`. */
size_t wi_json_append_text(const wi_cursor *in, wi_span text, wi_buffer *out);

/* Makes what was appended from `offset` on a C string, in which U+FFFD replaces NUL. */
void wi_json_end_text(wi_buffer *out, size_t offset);

/* Reads a number; any other value is skipped and counts as 0. */
double wi_json_read_number(wi_cursor *in);

/* Skips a value, which may be nested up to 64 levels deep. */
void wi_json_skip_value(wi_cursor *in);

/*
 * Reads the key of the next member of an object after its '{' was consumed. Returns false after the
 * last member and consumes the '}'. *first must be true before the first call.
 */
bool wi_json_next_member(wi_cursor *in, bool *first, wi_span *key);

/* For WI_JSON_EACH_ITEM: whether the array has a first or another item. */
bool wi_json_first_item(wi_cursor *in);
bool wi_json_next_item(wi_cursor *in);

/* Calls for each item of an array what follows, which must read the item. Skips any other value. */
#define WI_JSON_EACH_ITEM(in)                                                                      \
  for (bool more = wi_json_first_item(in); more; more = wi_json_next_item(in))

/* ---- Documents ----------------------------------------------------------- */

/*
 * The functions below look values up in a document that wi_json_is_valid has accepted. They search
 * from the start of the object, and so suit objects with few members, or few searches.
 */
bool wi_json_is_valid(const uint8_t *bytes, size_t size, wi_error *error);

/* Finds a member of the object at `in` and sets `value` to it. Returns false if it has none. */
bool wi_json_find(wi_cursor in, const char *key, wi_cursor *value);

/* Same for members that are arrays or objects: `first` is '[' or '{'. */
bool wi_json_find_nested(wi_cursor in, const char *key, char first, wi_cursor *value);

/* Returns the text of a member, still with escapes; empty if it has none. */
wi_span wi_json_find_text(wi_cursor in, const char *key);

/* Returns the number of a member, or `otherwise`. */
double wi_json_find_number(wi_cursor in, const char *key, double otherwise);

/* Whether the next value is a number. */
bool wi_json_is_number(wi_cursor *in);

#endif /* WI_SUPPORT_JSON_CURSOR_H_ */
