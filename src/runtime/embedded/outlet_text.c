/*
 * write_text, for programs that can write text to their host but perhaps no files: components, plugins. It writes
 * the profile in lines that cli/perf/input/text_lines.h finds among other text:
 *
 *     [wasm-perf ID.NUMBER+BASE64]
 *     [wasm-perf ID.NUMBER=BASE64]      the last line of a profile
 *
 * ID is the same in all lines of a profile, 16 hexadecimal digits, and NUMBER counts them from 0.
 */
#include "runtime/embedded/outlet_text.h"

#include "runtime/embedded/profile.h"

enum {
  MARK_SIZE = 11,   /* "[wasm-perf " */
  PART_SIZE = 3000, /* bytes of the profile per line: 4000 Base64 digits */
};

static char *line; /* TEXT_LINE_SIZE bytes */

/* Writes four Base64 digits for up to three bytes. */
static char *put_digits(char *at, const unsigned char *bytes, uint32_t count) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  uint32_t bits = 0;
  for (uint32_t i = 0; i < 3; i++)
    bits = bits << 8 | (i < count ? bytes[i] : 0u);
  for (uint32_t i = 0; i < 4; i++)
    *at++ = i <= count ? digits[bits >> (18 - 6 * i) & 63] : '=';
  return at;
}

/*
 * FNV-1a of the profile and of how often one was written before. So two profiles of an instance have different ids, even
 * if both count the same. Two instances may write the same id.
 */
static uint64_t identify(const unsigned char *bytes, uint32_t size) {
  static uint64_t write_count;
  uint64_t hash = 0xcbf29ce484222325u + write_count++;
  for (uint32_t i = 0; i < size; i++)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

static char *put_hexadecimal(char *at, uint64_t value) {
  for (uint32_t shift = 64; shift > 0;) {
    shift -= 4;
    *at++ = "0123456789abcdef"[value >> shift & 15];
  }
  return at;
}

static char *put_decimal(char *at, uint32_t value) {
  uint32_t unit = 1;
  while (value / unit >= 10)
    unit *= 10;
  for (; unit > 0; unit /= 10)
    *at++ = (char)('0' + value / unit % 10);
  return at;
}

typedef struct line_head {
  uint64_t id;
  uint32_t number;
  bool is_last;
} line_head;

static char *put_head(char *at, const line_head *head) {
  static const char mark[MARK_SIZE] = "[wasm-perf ";
  for (uint32_t i = 0; i < MARK_SIZE; i++)
    *at++ = mark[i];
  at = put_hexadecimal(at, head->id);
  *at++ = '.';
  at = put_decimal(at, head->number);
  *at++ = head->is_last ? '=' : '+';
  return at;
}

static bool put_line(const line_head *head, const unsigned char *bytes, uint32_t size) {
  char *at = put_head(line, head);
  for (uint32_t i = 0; i < size; i += 3)
    at = put_digits(at, bytes + i, size - i < 3 ? size - i : 3);
  *at++ = ']';
  *at++ = '\n';
  copy_to_program(TEXT_AT_LINE, line, (uint32_t)(at - line));
  return text_put((uint32_t)(at - line));
}

static bool write_lines(const unsigned char *bytes, uint32_t size) {
  static line_head head;
  head = (line_head){.id = identify(bytes, size)};
  for (uint32_t part = 0; size > 0; bytes += part, size -= part, head.number++) {
    part = size < PART_SIZE ? size : PART_SIZE;
    head.is_last = part == size;
    if (!put_line(&head, bytes, part))
      return false;
  }
  return true;
}

static bool write_text(void) {
  uint32_t size = embed_profile();
  const unsigned char *bytes = (const unsigned char *)embed_file();
  uint32_t saved = embed_behind_file();
  if (size == 0 || !embed_reserve((uint64_t)saved + TEXT_BORROWED_SIZE + TEXT_LINE_SIZE))
    return false;
  line = (char *)(saved + TEXT_BORROWED_SIZE);
  copy_from_program((void *)saved, 0, TEXT_BORROWED_SIZE);
  bool done = write_lines(bytes, size);
  copy_to_program(0, (const void *)saved, TEXT_BORROWED_SIZE);
  return done;
}

/* May be called repeatedly; each call writes the whole profile so far. */
EMBED_EXPORT(write_text) void embed_write_text(void) {
  write_text();
}

/* When a chosen export returns: writes what has been counted since the last time, so that all profiles add up. */
EMBED_EXPORT(write_text_at) void embed_write_text_at(void) {
  if (embed_write_is_due() && write_text())
    embed_reset();
}
