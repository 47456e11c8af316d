#include "cli/perf/input/text_lines.h"

#include <stdlib.h>

#include "support/base64.h"

static const char mark[] = "[wasm-perf";

enum { MARK_SIZE = sizeof mark - 1, MAX_LINE_SIZE = 8192 };

static void release(cli_text_lines *lines) {
  wi_buffer_append(&lines->text, lines->held.data, lines->held.size);
  lines->held.size = 0;
}

static void end_profile(cli_text_lines *lines) {
  wi_buffer *added = WI_ARRAY_PUSH(lines, profiles);
  if (!added) {
    lines->text.failed = true;
    return;
  }
  *added = lines->profile;
  lines->profile = (wi_buffer){0};
}

/* Takes a complete line, without its bracket. If it is malformed, it stays in the text. */
static void take_line(cli_text_lines *lines) {
  const uint8_t *digits = lines->held.data + MARK_SIZE + 1;
  size_t before = lines->profile.size;
  if (!wi_base64_decode(digits, lines->held.size - MARK_SIZE - 1, &lines->profile)) {
    lines->profile.size = before;
    release(lines);
    wi_buffer_u8(&lines->text, ']');
    return;
  }
  bool is_last = lines->held.data[MARK_SIZE] == '=';
  lines->held.size = 0;
  lines->ends_line = true;
  if (is_last)
    end_profile(lines);
}

/* Whether the byte continues the line that is held back. */
static bool continues(const wi_buffer *held, uint8_t byte) {
  if (held->size < MARK_SIZE)
    return byte == (uint8_t)mark[held->size];
  if (held->size == MARK_SIZE)
    return byte == '+' || byte == '=';
  return held->size < MAX_LINE_SIZE && (wi_base64_value(byte) >= 0 || byte == '=');
}

static void feed_byte(cli_text_lines *lines, uint8_t byte) {
  bool was_line = lines->ends_line;
  lines->ends_line = false;
  if (was_line && byte == '\n')
    return;
  if (byte == ']' && lines->held.size > MARK_SIZE) {
    take_line(lines);
    return;
  }
  if (!continues(&lines->held, byte))
    release(lines);
  wi_buffer_u8(continues(&lines->held, byte) ? &lines->held : &lines->text, byte);
}

void cli_text_lines_feed(cli_text_lines *lines, const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    feed_byte(lines, bytes[i]);
}

bool cli_text_lines_end(cli_text_lines *lines) {
  release(lines);
  return !lines->text.failed && !lines->held.failed && !lines->profile.failed;
}

void cli_text_lines_clear(cli_text_lines *lines) {
  for (uint32_t i = 0; i < lines->profiles_count; i++)
    wi_buffer_clear(&lines->profiles[i]);
  free(lines->profiles);
  wi_buffer_clear(&lines->text);
  wi_buffer_clear(&lines->held);
  wi_buffer_clear(&lines->profile);
  *lines = (cli_text_lines){0};
}
