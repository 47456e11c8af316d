/*
 * JSON as a stream: values go out as they come, nothing is kept of them. Numbers are written from
 * integers, so that they are exact and the locale has no say in them. All JSON is written by this;
 * jansson, which reads other profilers' files, would keep whole reports in memory and is not there
 * in the build for npm.
 *
 * `key` is the member's name within an object, ASCII without quotes, and NULL within an array. That
 * containers are closed in their order, and keys given where they belong, is up to the caller.
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

/* `bracket` is '{' or '['. A container within an array begins a line. */
void wi_json_open(wi_json *json, const char *key, char bracket);

/* `bracket` is '}' or ']'. */
void wi_json_close(wi_json *json, char bracket);

/* Bytes that are not UTF-8 become U+FFFD. */
void wi_json_string(wi_json *json, const char *key, const char *text);

void wi_json_integer(wi_json *json, const char *key, uint64_t value);

/* value ÷ 10^decimals without trailing zeros; `decimals` is at most 9. */
void wi_json_decimal(wi_json *json, const char *key, uint64_t value, unsigned decimals);

/* `literal` is "true", "false", "null" or a number. */
void wi_json_literal(wi_json *json, const char *key, const char *literal);

/* Whether a write failed, so that long loops can stop early. */
bool wi_json_failed(const wi_json *json);

/* Ends the last line and flushes. False: something could not be written. */
bool wi_json_finish(wi_json *json);

#endif /* WI_SUPPORT_JSON_WRITER_H_ */
