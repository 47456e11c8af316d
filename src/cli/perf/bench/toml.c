#include "cli/perf/bench/toml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/buffer.h"
#include "support/utf8.h"

typedef struct reader {
  const char *text;
  size_t size, at;
  uint32_t line;
  cli_toml_error *error;
  cli_toml_take *take;
  void *user;
  char *table; /* owned */
} reader;

static bool fail(reader *r, const char *message) {
  r->error->offset = r->at;
  r->error->line = r->line;
  snprintf(r->error->message, sizeof r->error->message, "%s", message);
  return false;
}

static int peek(const reader *r) {
  return r->at < r->size ? (unsigned char)r->text[r->at] : -1;
}

static int next(reader *r) {
  int c = peek(r);
  r->at += c >= 0;
  r->line += c == '\n';
  return c;
}

static void skip_blanks(reader *r) {
  while (peek(r) == ' ' || peek(r) == '\t')
    r->at++;
}

static void skip_comment(reader *r) {
  if (peek(r) == '#')
    while (peek(r) >= 0 && peek(r) != '\n')
      r->at++;
}

/* Skips blanks, comments and newlines. */
static void skip_space(reader *r) {
  for (;;) {
    skip_blanks(r);
    skip_comment(r);
    if (peek(r) != '\n' && peek(r) != '\r')
      return;
    next(r);
  }
}

static bool end_line(reader *r) {
  skip_blanks(r);
  skip_comment(r);
  if (peek(r) == '\r')
    r->at++;
  if (peek(r) >= 0 && peek(r) != '\n')
    return fail(r, "unexpected text after the value");
  next(r);
  return true;
}

/* ---- Strings -------------------------------------------------------------------- */

static bool put_escape(reader *r, wi_buffer *out) {
  switch (next(r)) {
  case '"': wi_buffer_u8(out, '"'); return true;
  case '\\': wi_buffer_u8(out, '\\'); return true;
  case 'n': wi_buffer_u8(out, '\n'); return true;
  case 't': wi_buffer_u8(out, '\t'); return true;
  default: return fail(r, "only \\\", \\\\, \\n and \\t are known in strings");
  }
}

/* "basic" with escapes or 'literal' without. */
static bool read_string(reader *r, wi_buffer *out) {
  int quote = next(r);
  for (;;) {
    int c = next(r);
    if (c == quote)
      return true;
    if (c < 0 || c == '\n')
      return fail(r, "unterminated string");
    if (c < ' ' && c != '\t')
      return fail(r, "a control character in a string");
    if (c == '\\' && quote == '"') {
      if (!put_escape(r, out))
        return false;
    } else {
      wi_buffer_u8(out, (uint8_t)c);
    }
  }
}

static bool is_quote(int c) {
  return c == '"' || c == '\'';
}

/* The text of the buffer, which is cleared. The caller frees it; NULL if memory ran out. */
static char *text_of(wi_buffer *buffer) {
  char *text = buffer->failed ? NULL : cli_text("%.*s", (int)buffer->size, (char *)buffer->data);
  wi_buffer_clear(buffer);
  return text;
}

static bool add_string(reader *r, cli_list *list) {
  wi_buffer text = {0};
  if (!is_quote(peek(r)))
    return fail(r, "expected a quoted string");
  if (!read_string(r, &text)) {
    wi_buffer_clear(&text);
    return false;
  }
  char *copy = text.size > 0 ? text_of(&text) : cli_text("%s", "");
  if (!copy)
    return fail(r, "out of memory");
  cli_list_add(list, copy);
  return true;
}

static bool read_array(reader *r, cli_list *list) {
  next(r);
  for (;;) {
    skip_space(r);
    if (peek(r) == ']')
      break;
    if (!add_string(r, list))
      return false;
    skip_space(r);
    if (peek(r) == ',')
      next(r);
    else if (peek(r) != ']')
      return fail(r, "expected a comma or ] after an array item");
  }
  next(r);
  return true;
}

/* ---- Names -------------------------------------------------------------------- */

static bool is_bare(int c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

/* A bare or quoted name. */
static bool read_name(reader *r, wi_buffer *out) {
  size_t start = r->at;
  if (is_quote(peek(r)))
    return read_string(r, out);
  while (is_bare(peek(r)))
    wi_buffer_u8(out, (uint8_t)next(r));
  return r->at > start || fail(r, "expected a key or a [table]");
}

static bool read_table_name(reader *r, wi_buffer *out) {
  do {
    skip_blanks(r);
    if (!read_name(r, out))
      return false;
    skip_blanks(r);
    if (peek(r) == '.')
      wi_buffer_u8(out, '.');
  } while (peek(r) == '.' && next(r));
  return next(r) == ']' || fail(r, "] is missing after the table's name");
}

/* ---- Lines ---------------------------------------------------------------------- */

static bool hand_over(reader *r, cli_toml_item *item) {
  char message[sizeof r->error->message] = "";
  item->table = r->table ? r->table : "";
  bool done = r->take(r->user, item, message, sizeof message) || fail(r, message);
  cli_list_clear(&item->values);
  return done;
}

static bool read_table(reader *r) {
  wi_buffer name = {0};
  cli_toml_item item = {.line = r->line};
  next(r);
  if (peek(r) == '[')
    return fail(r, "arrays of tables are not supported; write [benchmark.NAME]");
  if (!read_table_name(r, &name)) {
    wi_buffer_clear(&name);
    return false;
  }
  free(r->table);
  r->table = text_of(&name);
  return r->table ? hand_over(r, &item) && end_line(r) : fail(r, "out of memory");
}

static bool read_value(reader *r, cli_toml_item *item) {
  skip_blanks(r);
  if (next(r) != '=')
    return fail(r, "= is missing after the key");
  skip_blanks(r);
  item->is_array = peek(r) == '[';
  return item->is_array ? read_array(r, &item->values) : add_string(r, &item->values);
}

static bool read_pair(reader *r) {
  wi_buffer name = {0};
  cli_toml_item item = {.line = r->line};
  bool done = read_name(r, &name);
  char *key = done && name.size > 0 ? text_of(&name) : NULL;
  wi_buffer_clear(&name);
  if (done && !key)
    return fail(r, "the key is empty");
  item.key = key;
  done = done && read_value(r, &item) && hand_over(r, &item) && end_line(r);
  cli_list_clear(&item.values);
  free(key);
  return done;
}

bool cli_toml_read(const char *text, size_t size, cli_toml_take *take, void *user,
                   cli_toml_error *error) {
  reader r = {.text = text, .size = size, .line = 1, .error = error, .take = take, .user = user};
  bool done = true;
  if (memchr(text, '\0', size))
    done = fail(&r, "the file has a NUL byte");
  else if (!wi_utf8_is_valid((const uint8_t *)text, size))
    done = fail(&r, "the file is not UTF-8");
  for (skip_space(&r); done && peek(&r) >= 0; skip_space(&r))
    done = peek(&r) == '[' ? read_table(&r) : read_pair(&r);
  free(r.table);
  return done;
}
