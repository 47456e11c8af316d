#include "support/json_cursor.h"

#include <stdlib.h>

enum { MAX_DEPTH = 64 };

static void fail(wi_cursor *in, const char *what) {
  wi_cursor_fail(in, WI_ERROR_MALFORMED, in->offset, "JSON: %s", what);
}

static bool is_blank(uint8_t c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

uint8_t wi_json_skip_blanks(wi_cursor *in) {
  while (in->offset < in->end && is_blank(wi_cursor_peek(in)))
    in->offset++;
  return wi_cursor_peek(in);
}

bool wi_json_take(wi_cursor *in, char wanted) {
  if (in->failed || wi_json_skip_blanks(in) != (uint8_t)wanted)
    return false;
  in->offset++;
  return true;
}

void wi_json_expect(wi_cursor *in, char wanted) {
  if (!wi_json_take(in, wanted) && !in->failed)
    fail(in, "malformed JSON");
}

/* ---- Texts -------------------------------------------------------------- */

wi_span wi_json_read_text(wi_cursor *in) {
  wi_json_expect(in, '"');
  uint32_t start = in->offset;
  while (!in->failed) {
    uint8_t c = wi_cursor_u8(in);
    if (c == '"')
      return (wi_span){start, in->offset - 1 - start};
    if (c == '\\')
      wi_cursor_u8(in);
  }
  return (wi_span){start, 0};
}

bool wi_json_is_text(const wi_cursor *in, wi_span text, const char *wanted) {
  return text.size == strlen(wanted) && memcmp(in->bytes + text.offset, wanted, text.size) == 0;
}

bool wi_json_is_same_text(const wi_cursor *in, wi_span left, wi_span right) {
  return left.size == right.size &&
         memcmp(in->bytes + left.offset, in->bytes + right.offset, left.size) == 0;
}

static int hex_digit(uint8_t c) {
  return c >= '0' && c <= '9'                 ? c - '0'
         : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                              : -1;
}

/* Reads four digits at *at and moves past them; 0xFFFD if they are not hexadecimal. */
static uint32_t read_unit(const uint8_t **at, const uint8_t *end) {
  uint32_t unit = 0;
  for (int i = 0; i < 4; i++) {
    int digit = *at < end ? hex_digit(**at) : -1;
    if (digit < 0)
      return 0xFFFD;
    unit = unit << 4 | (uint32_t)digit;
    ++*at;
  }
  return unit;
}

static void put_character(uint32_t c, wi_buffer *out) {
  if (c < 0x80) {
    wi_buffer_u8(out, (uint8_t)c);
    return;
  }
  unsigned more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  wi_buffer_u8(out, (uint8_t)(0xF0u << (3 - more) | c >> 6 * more));
  while (more-- > 0)
    wi_buffer_u8(out, (uint8_t)(0x80 | (c >> 6 * more & 0x3F)));
}

/* Reads what follows the backslash of "\\u"; an unpaired surrogate becomes U+FFFD. */
static uint32_t read_character(const uint8_t **at, const uint8_t *end) {
  uint32_t first = read_unit(at, end), second;
  if (first < 0xD800 || first > 0xDFFF)
    return first;
  if (first > 0xDBFF || end - *at < 6 || (*at)[0] != '\\' || (*at)[1] != 'u')
    return 0xFFFD;
  const uint8_t *next = *at + 2;
  second = read_unit(&next, end);
  if (second < 0xDC00 || second > 0xDFFF)
    return 0xFFFD;
  *at = next;
  return 0x10000 + ((first & 0x3FF) << 10) + (second & 0x3FF);
}

void wi_json_unescape(const wi_cursor *in, wi_span text, wi_buffer *out) {
  static const char letters[] = "bfnrt", characters[] = "\b\f\n\r\t";
  const uint8_t *at = in->bytes + text.offset, *end = at + text.size;
  while (at < end) {
    const uint8_t *escape = memchr(at, '\\', (size_t)(end - at));
    wi_buffer_append(out, at, (size_t)((escape ? escape : end) - at));
    at = escape ? escape + 1 : end;
    if (at >= end)
      break;
    uint8_t c = *at++;
    const char *letter = memchr(letters, c, sizeof letters - 1);
    if (c == 'u')
      put_character(read_character(&at, end), out);
    else
      wi_buffer_u8(out, letter ? (uint8_t)characters[letter - letters] : c);
  }
}

void wi_json_end_text(wi_buffer *out, size_t offset) {
  for (size_t i = offset; i < out->size; i++) {
    if (out->data[i] != 0)
      continue;
    out->data[i] = 0xEF;
    wi_buffer_insert(out, i + 1, "\xBF\xBD", 2);
  }
  wi_buffer_u8(out, 0);
}

size_t wi_json_append_text(const wi_cursor *in, wi_span text, wi_buffer *out) {
  size_t offset = out->size;
  wi_json_unescape(in, text, out);
  wi_json_end_text(out, offset);
  return offset;
}

/* ---- Values ------------------------------------------------------------- */

static void skip_value(wi_cursor *in, unsigned depth) {
  uint8_t first = wi_json_skip_blanks(in);
  if (first == '"') {
    wi_json_read_text(in);
  } else if (first == '{' || first == '[') {
    char end = first == '{' ? '}' : ']';
    in->offset++;
    if (depth == MAX_DEPTH)
      fail(in, "nested too deeply");
    if (wi_json_take(in, end))
      return;
    do {
      if (first == '{') {
        wi_json_read_text(in);
        wi_json_expect(in, ':');
      }
      skip_value(in, depth + 1);
    } while (wi_json_take(in, ','));
    wi_json_expect(in, end);
  } else {
    uint32_t start = in->offset;
    while (in->offset < in->end && !strchr(",]} \t\r\n", wi_cursor_peek(in)))
      in->offset++;
    if (in->offset == start && !in->failed)
      fail(in, "malformed JSON");
  }
}

void wi_json_skip_value(wi_cursor *in) {
  skip_value(in, 0);
}

/* Reads digits that are not the start of a longer number; most numbers are such. */
static bool read_integer(wi_cursor *in, double *number) {
  enum { MOST_DIGITS = 15 }; /* that a double has */
  uint32_t at = in->offset, start = at;
  uint64_t value = 0;
  for (; at < in->end && at - start < MOST_DIGITS && in->bytes[at] >= '0' && in->bytes[at] <= '9';
       at++)
    value = value * 10 + (uint64_t)(in->bytes[at] - '0');
  if (at == start || at == in->end || !strchr(",]} \t\r\n", in->bytes[at]) || in->bytes[at] == 0)
    return false;
  in->offset = at;
  *number = (double)value;
  return true;
}

double wi_json_read_number(wi_cursor *in) {
  enum { LONGEST = 64 };
  double number = 0;
  uint8_t first = wi_json_skip_blanks(in);
  if (read_integer(in, &number))
    return number;
  uint32_t start = in->offset;
  wi_json_skip_value(in);
  if ((first != '-' && (first < '0' || first > '9')) || in->failed || in->offset - start >= LONGEST)
    return 0;
  char text[LONGEST];
  memcpy(text, in->bytes + start, in->offset - start);
  text[in->offset - start] = '\0';
  return strtod(text, NULL);
}

bool wi_json_next_member(wi_cursor *in, bool *first, wi_span *key) {
  if (*first ? wi_json_take(in, '}') : !wi_json_take(in, ',')) {
    if (!*first)
      wi_json_expect(in, '}');
    return false;
  }
  *first = false;
  *key = wi_json_read_text(in);
  wi_json_expect(in, ':');
  return !in->failed;
}

bool wi_json_first_item(wi_cursor *in) {
  if (wi_json_skip_blanks(in) != '[') {
    wi_json_skip_value(in);
    return false;
  }
  in->offset++;
  return !wi_json_take(in, ']') && !in->failed;
}

bool wi_json_next_item(wi_cursor *in) {
  if (wi_json_take(in, ','))
    return true;
  wi_json_expect(in, ']');
  return false;
}

/* ---- Documents ----------------------------------------------------------- */

/* Says where the text is malformed as editors count: from 1, columns in bytes. */
static bool fail_at(const uint8_t *bytes, uint64_t offset, wi_error *error) {
  unsigned line = 1, column = 1;
  for (uint64_t i = 0; i < offset; i++) {
    line += bytes[i] == '\n';
    column = bytes[i] == '\n' ? 1 : column + 1;
  }
  return wi_error_set(error, WI_ERROR_MALFORMED, offset, WI_NO_FUNCTION,
                      "malformed JSON: line %u, column %u", line, column);
}

bool wi_json_is_valid(const uint8_t *bytes, size_t size, wi_error *error) {
  wi_error reason;
  wi_error_reset(&reason);
  wi_cursor in = wi_cursor_at(bytes, (wi_span){0, (uint32_t)size}, &reason);
  wi_json_skip_value(&in);
  if (!in.failed && wi_json_skip_blanks(&in) != 0)
    fail(&in, "malformed JSON");
  return !in.failed || fail_at(bytes, reason.offset < size ? reason.offset : size, error);
}

bool wi_json_find(wi_cursor in, const char *key, wi_cursor *value) {
  bool first = true;
  wi_span name;
  if (!wi_json_take(&in, '{'))
    return false;
  while (wi_json_next_member(&in, &first, &name)) {
    if (wi_json_is_text(&in, name, key)) {
      wi_json_skip_blanks(&in);
      *value = in;
      return true;
    }
    wi_json_skip_value(&in);
  }
  return false;
}

bool wi_json_find_nested(wi_cursor in, const char *key, char first, wi_cursor *value) {
  return wi_json_find(in, key, value) && wi_cursor_peek(value) == (uint8_t)first;
}

wi_span wi_json_find_text(wi_cursor in, const char *key) {
  wi_cursor value;
  return wi_json_find_nested(in, key, '"', &value) ? wi_json_read_text(&value) : (wi_span){0, 0};
}

bool wi_json_is_number(wi_cursor *in) {
  uint8_t first = wi_json_skip_blanks(in);
  return first == '-' || (first >= '0' && first <= '9');
}

double wi_json_find_number(wi_cursor in, const char *key, double otherwise) {
  wi_cursor value;
  bool has_number = wi_json_find(in, key, &value) && wi_json_is_number(&value);
  return has_number ? wi_json_read_number(&value) : otherwise;
}
