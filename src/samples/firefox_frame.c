#include "samples/firefox_frame.h"

#include <stdlib.h>
#include <string.h>

#include "samples/v8_frame.h"

/* The parts of a location; sizes in bytes. */
typedef struct location {
  const char *url;
  size_t name_size, url_size;
  uint32_t line, column; /* 0: unknown */
} location;

/* Whether the frame is native code, which has only an address. */
static bool is_native(const char *text) {
  return strncmp(text, "0x", 2) == 0 && text[2] != '\0' &&
         text[2 + strspn(text + 2, "0123456789abcdef")] == '\0';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Moves *end before a number, and returns it; 0 if there is none after a colon. */
static uint32_t take_number(const char *start, const char **end) {
  const char *at = *end;
  while (at > start && is_digit(at[-1]))
    at--;
  if (at == *end || at - start < 2 || at[-1] != ':')
    return 0;
  *end = at - 1;
  return (uint32_t)strtoul(at, NULL, 10);
}

/* Moves *end before the number of a category in brackets, if there is one. */
static void drop_category(const char *start, const char **end) {
  const char *at = *end;
  if (at == start || *--at != ']')
    return;
  while (at > start && is_digit(at[-1]))
    at--;
  if (at > start && at[-1] == '[')
    *end = at - 1;
}

/* Splits "name (url:line:column)[category]". Returns false if the text has another form. */
static bool split(const char *text, location *found) {
  const char *open = strchr(text, '('), *end = text + strlen(text);
  if (!open)
    return false;
  drop_category(open, &end);
  if (end - open < 2 || *--end != ')')
    return false;
  uint32_t last = take_number(open, &end), before = take_number(open, &end);
  *found = (location){.url = open + 1, .url_size = (size_t)(end - open - 1)};
  found->line = before > 0 ? before : last;
  found->column = before > 0 ? last : 0;
  found->name_size = (size_t)(open - text);
  if (found->name_size > 0 && open[-1] == ' ')
    found->name_size--;
  return last > 0;
}

bool wi_firefox_add_location(wi_samples *samples, const char *text, uint32_t *frame) {
  static const char native[] = "(native code)", anonymous[] = "(anonymous)";
  location at;
  if (is_native(text)) {
    const wi_sample_frame place = {.kind = WASM_PERF_KIND_NATIVE, .name_size = sizeof native - 1};
    return wi_samples_add_other(samples, &place, native, "", frame);
  }
  if (!split(text, &at))
    return wi_samples_add_named(samples, text, strlen(text), frame);
  const char *name = at.name_size > 0 ? text : anonymous;
  size_t size = at.name_size > 0 ? at.name_size : sizeof anonymous - 1;
  if (at.url_size > 5 && strncmp(at.url, "wasm:", 5) == 0)
    return wi_samples_add_named(samples, name, size, frame);
  const wi_sample_frame place = {.kind = WASM_PERF_KIND_JAVASCRIPT,
                                 .name_size = (uint32_t)size,
                                 .line = at.line,
                                 .column = at.column,
                                 .file_size = (uint32_t)at.url_size};
  return wi_samples_add_other(samples, &place, name, at.url, frame);
}
