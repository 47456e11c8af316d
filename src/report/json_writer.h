/*
 * JSON as a stream: values go out as they come, nothing is kept of them. Numbers are written from
 * integers, so that they are exact and the locale has no say in them.
 *
 * `key` is the member's name within an object, ASCII without quotes, and NULL within an array. That
 * containers are closed in their order, and keys given where they belong, is up to the caller.
 */
#ifndef WASM_PERF_REPORT_JSON_WRITER_H_
#define WASM_PERF_REPORT_JSON_WRITER_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct wasm_perf_json {
  FILE *stream; /* borrowed */
  bool has_begun;
  bool needs_comma;
} wasm_perf_json;

void wasm_perf_json_init(wasm_perf_json *json, FILE *stream);

/* `bracket` is '{' or '['. A container within an array begins a line. */
void wasm_perf_json_open(wasm_perf_json *json, const char *key, char bracket);

/* `bracket` is '}' or ']'. */
void wasm_perf_json_close(wasm_perf_json *json, char bracket);

/* Bytes that are not UTF-8 become U+FFFD. */
void wasm_perf_json_string(wasm_perf_json *json, const char *key, const char *text);

void wasm_perf_json_integer(wasm_perf_json *json, const char *key, uint64_t value);

/* value ÷ 10^decimals without trailing zeros; `decimals` is at most 9. */
void wasm_perf_json_decimal(wasm_perf_json *json, const char *key, uint64_t value,
                            unsigned decimals);

/* `literal` is "true", "false", "null" or a number. */
void wasm_perf_json_literal(wasm_perf_json *json, const char *key, const char *literal);

/* Whether a write failed, for loops that should not go on in vain. */
bool wasm_perf_json_failed(const wasm_perf_json *json);

/* Ends the last line and flushes. False: something could not be written. */
bool wasm_perf_json_finish(wasm_perf_json *json);

#endif /* WASM_PERF_REPORT_JSON_WRITER_H_ */
