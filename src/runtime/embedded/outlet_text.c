/*
 * write_text, for programs that can write to stderr but perhaps not to files: components. It writes
 * the profile to stderr in lines that cli/perf/input/text_lines.h finds among the program's output:
 *
 *     [wasm-perf+BASE64]
 *     [wasm-perf=BASE64]      the last line of a profile
 */
#include "runtime/embedded/outlet_text.h"

#include "runtime/embedded/profile.h"

enum {
  MARK_SIZE = 11,   /* "[wasm-perf+" */
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

static bool put_line(const unsigned char *bytes, uint32_t size, bool is_last) {
  static const char mark[MARK_SIZE] = "[wasm-perf+";
  char *at = line;
  for (uint32_t i = 0; i < MARK_SIZE; i++)
    *at++ = mark[i];
  if (is_last)
    at[-1] = '=';
  for (uint32_t i = 0; i < size; i += 3)
    at = put_digits(at, bytes + i, size - i < 3 ? size - i : 3);
  *at++ = ']';
  *at++ = '\n';
  copy_to_program(TEXT_AT_LINE, line, (uint32_t)(at - line));
  return text_put((uint32_t)(at - line));
}

/* May be called repeatedly; each call writes the whole profile so far. */
EMBED_EXPORT(write_text) void embed_write_text(void) {
  uint32_t size = embed_profile();
  const unsigned char *bytes = (const unsigned char *)embed_file();
  uint32_t saved = embed_behind_file();
  if (size == 0 || !embed_reserve((uint64_t)saved + TEXT_BORROWED_SIZE + TEXT_LINE_SIZE))
    return;
  line = (char *)(saved + TEXT_BORROWED_SIZE);
  copy_from_program((void *)saved, 0, TEXT_BORROWED_SIZE);
  for (uint32_t part = 0; size > 0; bytes += part, size -= part) {
    part = size < PART_SIZE ? size : PART_SIZE;
    if (!put_line(bytes, part, part == size))
      break;
  }
  copy_to_program(0, (const void *)saved, TEXT_BORROWED_SIZE);
}
