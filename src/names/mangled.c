#include "names/mangled.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

static bool is_word(char c) {
  return is_lower(c) || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

bool wi_name_is_mangled(const char *label) {
  const char *name = label + (*label == '~');
  size_t word = 0;
  while (is_word(name[word]))
    word++;
  name += word > 0 && name[word] == '$' ? word + 1 : 0;
  if (starts_with(name, "_Z"))
    return name[2] != 0 && (strchr("NKSL", name[2]) || is_digit(name[2]));
  return starts_with(name, "_R") && name[2] != 0 && strchr("NIC", name[2]);
}

static size_t count_digits(const char *at) {
  return strspn(at, "0123456789");
}

/* Size of a literal such as Lj5E or Lb1E; 0 if there is none. */
static size_t literal_size(const char *at) {
  if (at[0] != 'L' || !is_lower(at[1]))
    return 0;
  size_t size = 2;
  while (is_word(at[size]) && at[size] != 'E')
    size++;
  return at[size] == 'E' ? size + 1 : 0;
}

/* Size of a substitution such as S1_, or of a template parameter such as T0_; 0: none. */
static size_t reference_size(const char *at) {
  if (at[0] != 'S' && at[0] != 'T')
    return 0;
  size_t size =
      1 + strspn(at + 1, at[0] == 'S' ? "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" : "0123456789");
  return at[size] == '_' ? size + 1 : 0;
}

/* Size of the piece at `at`, of which only the length is read if an identifier follows. */
static size_t piece_size(const char *at) {
  if (at[0] == 'B' && is_digit(at[1]))
    return 1 + count_digits(at + 1);
  if (is_digit(at[0]))
    return count_digits(at);
  size_t size = literal_size(at);
  if (size == 0)
    size = reference_size(at);
  if (size > 0)
    return size;
  bool is_pair =
      (at[0] == 'S' && is_lower(at[1])) || ((at[0] == 'C' || at[0] == 'D') && is_digit(at[1]));
  return is_pair ? 2 : 1;
}

/* The written parts, with "::" between them. */
typedef struct parts {
  char *text;
  size_t size;
  size_t last; /* where the last part begins */
} parts;

static void add_part(parts *written, const char *part, size_t size) {
  if (written->size > 0) {
    memcpy(written->text + written->size, "::", 2);
    written->size += 2;
  }
  written->last = written->size;
  memmove(written->text + written->size, part, size);
  written->size += size;
  written->text[written->size] = 0;
}

/* A constructor is called as its class, a destructor too, after a '~'. */
static void add_structor(parts *written, bool is_destructor) {
  size_t begin = written->last, size = written->size - begin;
  add_part(written, written->text + begin, size);
  if (!is_destructor)
    return;
  memmove(written->text + written->last + 1, written->text + written->last, size + 1);
  written->text[written->last] = '~';
  written->size++;
}

/* Where the encoding begins: after "_Z", in front of N, St, L or a digit. NULL: not so mangled. */
static const char *encoding_of(const char *name) {
  name += starts_with(name, "orig$") ? strlen("orig$") : 0;
  if (!starts_with(name, "_Z"))
    return NULL;
  name += 2;
  bool is_known = *name == 'N' || is_digit(*name) || starts_with(name, "St") ||
                  (*name == 'L' && is_digit(name[1]));
  return is_known ? name : NULL;
}

/* Reads an identifier behind its length, at *at, and moves *at to its end. */
static void read_identifier(parts *written, const char **at, bool is_part) {
  bool is_tag = **at == 'B';
  char *start;
  size_t left, size = strtoul(*at + is_tag, &start, 10);
  left = strlen(start);
  if (size > left)
    size = left;
  if (is_part && !is_tag && size > 0)
    add_part(written, start, size);
  *at = start + size;
}

size_t wi_name_unmangle(const char *name, char *text) {
  parts written = {.text = text};
  const char *at = encoding_of(name);
  text[0] = 0;
  if (!at)
    return 0;
  bool is_nested = *at == 'N';
  int64_t nesting = 0;
  for (at += is_nested; *at != 0;) {
    bool is_std = nesting == 0 && starts_with(at, "St");
    bool is_structor =
        nesting == 0 && (*at == 'C' || *at == 'D') && is_digit(at[1]) && written.size > 0;
    if (is_structor) {
      add_structor(&written, *at == 'D');
      break;
    }
    size_t size = piece_size(at);
    if (is_digit(at[*at == 'B'])) {
      read_identifier(&written, &at, nesting == 0);
    } else {
      if (is_std)
        add_part(&written, "std", 3);
      else if (size == 1 && strchr("INJXF", *at))
        nesting++;
      else if (size == 1 && *at == 'E' && --nesting < 0)
        break;
      at += size;
    }
    if (nesting == 0 && !is_nested && written.size > 0 && strcmp(text + written.last, "std") != 0)
      break;
  }
  return written.size;
}
