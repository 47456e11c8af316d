#include "support/json_writer.h"

#include <inttypes.h>
#include <string.h>

#include "support/clean.h"
#include "support/utf8.h"

void wi_json_init(wi_json *json, FILE *stream) {
  json->stream = stream;
  json->has_begun = false;
  json->needs_comma = false;
}

static void begin_value(wi_json *json, const char *key) {
  if (json->needs_comma)
    fputc(',', json->stream);
  if (key)
    fprintf(json->stream, "\"%s\":", key);
  json->has_begun = true;
  json->needs_comma = true;
}

void wi_json_open(wi_json *json, const char *key, char bracket) {
  bool is_first = !json->has_begun;
  begin_value(json, key);
  if (!key && !is_first)
    fputc('\n', json->stream);
  fputc(bracket, json->stream);
  json->needs_comma = false;
}

void wi_json_close(wi_json *json, char bracket) {
  fputc(bracket, json->stream);
  json->needs_comma = true;
}

static void write_escape(FILE *stream, uint32_t code_point) {
  if (code_point < 0x10000)
    fprintf(stream, "\\u%04x", (unsigned)code_point);
  else
    fprintf(stream, "\\u%04x\\u%04x", (unsigned)(0xD7C0 + (code_point >> 10)),
            (unsigned)(0xDC00 + (code_point & 0x3FF)));
}

static bool is_plain(uint8_t byte) {
  return byte >= ' ' && byte < 0x7F && byte != '"' && byte != '\\';
}

/* Nearly all text is plain, and a call for each character would cost most of the writing. */
static const uint8_t *write_plain(FILE *stream, const uint8_t *text, const uint8_t *end) {
  const uint8_t *next = text;
  while (next < end && is_plain(*next))
    next++;
  fwrite(text, 1, (size_t)(next - text), stream);
  return next;
}

/* Writes one character or broken byte; returns what follows it. */
static const uint8_t *write_character(FILE *stream, const uint8_t *text, const uint8_t *end) {
  size_t size = wi_utf8_sequence(text, (size_t)(end - text));
  if (size == 0) {
    fputs("\xEF\xBF\xBD", stream);
    return text + 1;
  }
  uint32_t code_point = wi_utf8_decode((const char *)text, size);
  if (wi_character_is_unsafe(code_point))
    write_escape(stream, code_point);
  else if (*text == '"' || *text == '\\')
    fprintf(stream, "\\%c", *text);
  else
    fwrite(text, 1, size, stream);
  return text + size;
}

void wi_json_string(wi_json *json, const char *key, const char *text) {
  begin_value(json, key);
  fputc('"', json->stream);
  const uint8_t *next = (const uint8_t *)text;
  const uint8_t *end = next + strlen(text);
  while ((next = write_plain(json->stream, next, end)) < end)
    next = write_character(json->stream, next, end);
  fputc('"', json->stream);
}

void wi_json_integer(wi_json *json, const char *key, uint64_t value) {
  begin_value(json, key);
  fprintf(json->stream, "%" PRIu64, value);
}

void wi_json_decimal(wi_json *json, const char *key, uint64_t value, unsigned decimals) {
  uint64_t divisor = 1;
  for (unsigned i = 0; i < decimals; i++)
    divisor *= 10;
  wi_json_integer(json, key, value / divisor);
  uint64_t fraction = value % divisor;
  if (fraction == 0)
    return;
  for (; fraction % 10 == 0; fraction /= 10)
    decimals--;
  fprintf(json->stream, ".%0*" PRIu64, (int)decimals, fraction);
}

void wi_json_literal(wi_json *json, const char *key, const char *literal) {
  begin_value(json, key);
  fputs(literal, json->stream);
}

bool wi_json_failed(const wi_json *json) {
  return ferror(json->stream) != 0;
}

bool wi_json_finish(wi_json *json) {
  fputc('\n', json->stream);
  return fflush(json->stream) == 0 && !wi_json_failed(json);
}
