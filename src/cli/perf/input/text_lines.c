#include "cli/perf/input/text_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/base64.h"

static const char mark[] = "[wasm-perf ";

enum { MARK_SIZE = sizeof mark - 1, ID_SIZE = 16, MAX_LINE_SIZE = 8192 };

/* ---- Lines in text ----------------------------------------------------------------------- */

static void put_text(cli_text_lines *lines, uint8_t byte) {
  wi_buffer_u8(&lines->text, byte);
  lines->before = byte == '\n' ? 0 : ((lines->before + 1) ^ byte) * UINT64_C(0x100000001b3);
}

/* Reads ID.NUMBER and the sign behind it, at *at in the text with a terminator. False if malformed. */
static bool read_head(const char **at, cli_text_line *line) {
  char *end;
  if (strspn(*at, "0123456789abcdef") != ID_SIZE || (*at)[ID_SIZE] != '.')
    return false;
  line->id = strtoull(*at, NULL, 16);
  const char *number = *at + ID_SIZE + 1;
  size_t digits = strspn(number, "0123456789");
  if (digits == 0 || digits > 9)
    return false;
  line->number = (uint32_t)strtoul(number, &end, 10);
  line->is_last = *end == '=';
  *at = end + 1;
  return *end == '=' || *end == '+';
}

/* Whether a line of a profile is held, as far as its head shows. */
static bool holds_head(cli_text_lines *lines, cli_text_line *line, const char **at) {
  wi_buffer_u8(&lines->held, 0);
  if (lines->held.failed)
    return false;
  lines->held.size--;
  *at = (const char *)lines->held.data + MARK_SIZE;
  return lines->held.size > MARK_SIZE && read_head(at, line);
}

static void release(cli_text_lines *lines) {
  cli_text_line line;
  const char *at;
  lines->cut_count += holds_head(lines, &line, &at);
  for (size_t i = 0; i < lines->held.size; i++)
    put_text(lines, lines->held.data[i]);
  lines->held.size = 0;
}

/* Decodes the held line, which lacks its bracket, and adds it. False if it is malformed. */
static bool add_line(cli_text_lines *lines) {
  cli_text_line line = {.before = lines->before, .offset = lines->bytes.size};
  const char *at;
  if (!holds_head(lines, &line, &at))
    return false;
  const uint8_t *digits = (const uint8_t *)at;
  size_t size = lines->held.size - (size_t)(digits - lines->held.data);
  if (!wi_base64_decode(digits, size, &lines->bytes)) {
    lines->bytes.size = line.offset;
    return false;
  }
  line.size = lines->bytes.size - line.offset;
  cli_text_line *added = WI_ARRAY_PUSH(lines, lines);
  if (added)
    *added = line;
  else
    lines->text.failed = true;
  return true;
}

/* Ends the held line. If it is malformed, it stays in the text. */
static void end_line(cli_text_lines *lines) {
  if (add_line(lines)) {
    lines->held.size = 0;
    lines->ends_line = true;
    return;
  }
  release(lines);
  put_text(lines, ']');
}

/* Whether the byte continues the line that is held back. */
static bool continues(const wi_buffer *held, uint8_t byte) {
  if (held->size < MARK_SIZE)
    return byte == (uint8_t)mark[held->size];
  return held->size < MAX_LINE_SIZE && (wi_base64_value(byte) >= 0 || byte == '=' || byte == '.');
}

static void feed_byte(cli_text_lines *lines, uint8_t byte) {
  bool was_line = lines->ends_line;
  lines->ends_line = false;
  if (was_line && byte == '\n') {
    lines->before = 0;
    return;
  }
  if (byte == ']' && lines->held.size > MARK_SIZE) {
    end_line(lines);
    return;
  }
  if (!continues(&lines->held, byte))
    release(lines);
  if (continues(&lines->held, byte))
    wi_buffer_u8(&lines->held, byte);
  else
    put_text(lines, byte);
}

void cli_text_lines_feed(cli_text_lines *lines, const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    feed_byte(lines, bytes[i]);
}

/* ---- Profiles of lines ------------------------------------------------------------------- */

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_lines(const void *left, const void *right) {
  const cli_text_line *a = left, *b = right;
  int by_id = COMPARE(a->id, b->id), by_number = COMPARE(a->number, b->number);
  int by_before = COMPARE(a->before, b->before);
  return by_id       ? by_id
         : by_number ? by_number
         : by_before ? by_before
                     : COMPARE(a->offset, b->offset);
}

/* Sorts the lines, and leaves out those that a log has twice. */
static void sort_lines(cli_text_lines *lines) {
  if (lines->lines_count == 0)
    return;
  qsort(lines->lines, lines->lines_count, sizeof *lines->lines, compare_lines);
  uint32_t count = 1;
  for (uint32_t i = 1; i < lines->lines_count; i++) {
    const cli_text_line *line = &lines->lines[i], *other = &lines->lines[count - 1];
    if (line->id == other->id && line->number == other->number && line->before == other->before &&
        line->before != 0)
      lines->repeated_count++;
    else
      lines->lines[count++] = *line;
  }
  lines->lines_count = count;
}

/* Lines with the same id, in order. */
typedef struct group {
  const cli_text_line *lines;
  uint32_t count;
} group;

/* How many lines from `from` on have the same number. */
static uint32_t count_same(const group *g, uint32_t from) {
  uint32_t count = 1;
  while (from + count < g->count && g->lines[from + count].number == g->lines[from].number)
    count++;
  return count;
}

/* How often each line is there: the least and the most often. */
typedef struct copies {
  uint32_t least, most;
} copies;

static void note_missing(cli_text_lines *lines, uint32_t number, bool is_end) {
  if (!lines->missing[0])
    snprintf(lines->missing, sizeof lines->missing, "line %" PRIu32 "%s", number,
             is_end ? " or later ones" : "");
}

static copies count_copies(cli_text_lines *lines, const group *g) {
  copies c = {.least = UINT32_MAX};
  uint32_t number = 0, at = 0;
  for (uint32_t i = 0; i < g->count; i += count_same(g, i))
    c.most = count_same(g, i) > c.most ? count_same(g, i) : c.most;
  for (; at < g->count && g->lines[at].number == number; number++) {
    uint32_t count = count_same(g, at);
    c.least = count < c.least ? count : c.least;
    if (count < c.most)
      note_missing(lines, number, false);
    at += count;
  }
  if (at == g->count && g->lines[at - 1].is_last)
    return c;
  note_missing(lines, number, at == g->count);
  c.least = 0;
  return c;
}

/* Adds a profile: all lines of the group, each once. */
static void add_profile(cli_text_lines *lines, const group *g) {
  wi_buffer *added = WI_ARRAY_PUSH(lines, profiles);
  if (!added) {
    lines->text.failed = true;
    return;
  }
  *added = (wi_buffer){0};
  for (uint32_t at = 0; at < g->count; at += count_same(g, at))
    wi_buffer_append(added, lines->bytes.data + g->lines[at].offset, g->lines[at].size);
  lines->text.failed |= added->failed;
}

bool cli_text_lines_end(cli_text_lines *lines) {
  release(lines);
  sort_lines(lines);
  for (uint32_t i = 0; i < lines->lines_count;) {
    group g = {.lines = lines->lines + i};
    while (i < lines->lines_count && lines->lines[i].id == g.lines->id) {
      i++;
      g.count++;
    }
    copies c = count_copies(lines, &g);
    lines->incomplete_count += c.most - c.least;
    for (uint32_t n = 0; n < c.least; n++)
      add_profile(lines, &g);
  }
  return !lines->text.failed && !lines->held.failed && !lines->bytes.failed;
}

void cli_text_lines_clear(cli_text_lines *lines) {
  for (uint32_t i = 0; i < lines->profiles_count; i++)
    wi_buffer_clear(&lines->profiles[i]);
  free(lines->profiles);
  free(lines->lines);
  wi_buffer_clear(&lines->text);
  wi_buffer_clear(&lines->held);
  wi_buffer_clear(&lines->bytes);
  *lines = (cli_text_lines){0};
}
