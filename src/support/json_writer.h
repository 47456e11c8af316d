/*
 * A streaming JSON writer: values are written immediately and not kept. Numbers are formatted from
 * integers, so they are exact and independent of the locale. All JSON is written with this.
 * jansson, which parses other profilers' files, would keep whole reports in memory and is not part
 * of the npm build.
 *
 * `key` is the member's name within an object, ASCII without quotes, or NULL within an array. The
 * caller must close containers in order and pass keys where they belong.
 */
#ifndef WI_SUPPORT_JSON_WRITER_H_
#define WI_SUPPORT_JSON_WRITER_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct wi_json {
  FILE *stream; /* borrowed */
  bool has_begun;
  bool needs_comma;
} wi_json;

void wi_json_init(wi_json *json, FILE *stream);

/* `bracket` is '{' or '['. A container in an array starts a new line. */
void wi_json_open(wi_json *json, const char *key, char bracket);

/* `bracket` is '}' or ']'. */
void wi_json_close(wi_json *json, char bracket);

/* Invalid UTF-8 becomes U+FFFD. */
void wi_json_string(wi_json *json, const char *key, const char *text);

void wi_json_integer(wi_json *json, const char *key, uint64_t value);

/* value ÷ 10^decimals without trailing zeros; `decimals` is at most 9. */
void wi_json_decimal(wi_json *json, const char *key, uint64_t value, unsigned decimals);

/* `literal` is "true", "false", "null" or a number. */
void wi_json_literal(wi_json *json, const char *key, const char *literal);

/* Whether a write has failed, so that long loops can stop early. */
bool wi_json_failed(const wi_json *json);

/* Ends the last line and flushes. Returns false if anything could not be written. */
bool wi_json_finish(wi_json *json);

#endif /* WI_SUPPORT_JSON_WRITER_H_ */
