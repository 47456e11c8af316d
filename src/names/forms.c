#include "names/forms.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "names/bracket_list.h"
#include "names/mangled.h"

#define ELLIPSIS "\xE2\x80\xA6" /* U+2026 */

static bool starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_with(const char *text, size_t size, const char *end) {
  size_t end_size = strlen(end);
  return size >= end_size && memcmp(text + size - end_size, end, end_size) == 0;
}

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

size_t wi_utf16_length(const char *text, size_t size) {
  size_t length = 0;
  for (size_t i = 0; i < size; i++) {
    uint8_t byte = (uint8_t)text[i];
    length += (byte & 0xC0) != 0x80; /* begins a character */
    length += byte >= 0xF0;          /* one of two units */
  }
  return length;
}

/* ---- The list of forms ----------------------------------------------------- */

/* Adds a form if it is shorter than the last one. The text is kept in the storage or the label. */
static void add_form(wi_name_forms *forms, const char *text) {
  const char *before = forms->texts[forms->count - 1];
  if (*text == 0 || wi_utf16_length(text, strlen(text)) >= wi_utf16_length(before, strlen(before)))
    return;
  if (forms->count == WI_NAME_FORMS_MAX)
    forms->count--; /* the last one matters most */
  forms->texts[forms->count++] = text;
}

/* Room for the next text: the storage suffices for all that one name needs. */
static char *next_text(wi_name_forms *forms) {
  return forms->storage + forms->used;
}

/* Adds the `size` bytes at `text`. */
static void add_text(wi_name_forms *forms, const char *text, size_t size) {
  char *copy = next_text(forms);
  memcpy(copy, text, size);
  copy[size] = 0;
  forms->used += size + 1;
  add_form(forms, copy);
}

/* Adds "NAME (FILE)". */
static void add_with_file(wi_name_forms *forms, const char *name, size_t name_size,
                          const char *file, size_t file_size) {
  char *text = next_text(forms);
  forms->used +=
      (size_t)sprintf(text, "%.*s (%.*s)", (int)name_size, name, (int)file_size, file) + 1;
  add_form(forms, text);
}

/* ---- Qualifiers -------------------------------------------------------------- */

/* Whether `text` is not understandable without what precedes it. */
static bool is_fragment(const char *text) {
  static const char *const domains[] = {"com", "org", "net", "io", "dev"};
  static const char *const extensions[] = {"wasm", "js",  "cjs", "mjs", "ts",
                                           "cts",  "mts", "py",  "rb",  "php"};
  if (strchr("{:./", *text) || starts_with(text, "operator()"))
    return true;
  const char *number = text + (starts_with(text, "func") ? strlen("func") : 0);
  size_t digits = strspn(number, "0123456789");
  if (digits > 0 && !is_word(number[digits]))
    return true;
  for (size_t i = 0; i < sizeof domains / sizeof *domains; i++) {
    size_t size = strlen(domains[i]);
    if (starts_with(text, domains[i]) && (text[size] == '_' || text[size] == '/'))
      return true;
  }
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
    if (strcmp(text, extensions[i]) == 0)
      return true;
  return false;
}

/* Adds the text behind each separator outside of lists. */
static void add_suffixes(wi_name_forms *forms, const char *name) {
  unsigned nesting = 0;
  for (const char *at = name; *at != 0; at++) {
    char before = at > name ? at[-1] : 0;
    if (strchr("(<{", *at))
      nesting++;
    else if (strchr(")>}", *at) && before != '-' && nesting > 0)
      nesting--;
    bool is_separator = strchr("./!", *at) || (*at == ':' && before == ':');
    if (nesting == 0 && is_separator && !is_fragment(at + 1))
      add_form(forms, at + 1);
  }
}

/* ---- Argument lists ------------------------------------------------------------ */

/* Whether a list after `text` is part of the name: Go's receivers, Rust's <T as Trait>. */
static bool ends_before_name(const char *text, size_t size) {
  return size == 0 || strchr(".:(&* ", text[size - 1]) || ends_with(text, size, "operator");
}

/*
 * Copies `name` without lists of arguments to `text`. If `keeps_templates` is set, template arguments
 * become <…>. Stops behind a list of parameters with more after it, " const" or " [clone]".
 */
static void copy_without_lists(char *text, const char *name, bool keeps_templates) {
  size_t size = 0, capacity = WI_LABEL_MAX_SIZE;
  const char *label_end = name + wi_label_name_size(name);
  while (*name != 0 && size < capacity) {
    bool opens = *name == '(' || *name == '<', is_angle = *name == '<';
    bool is_operator = is_angle && ends_with(text, size, "operator<");
    const char *end = opens && !is_operator ? wi_bracket_list_end(name) : NULL;
    bool is_turbofish =
        is_angle && end && ends_with(text, size, "::") && (*end == 0 || end == label_end);
    if (!end || (!is_turbofish && ends_before_name(text, size))) {
      text[size++] = *name++;
      continue;
    }
    if (is_turbofish && !keeps_templates)
      size -= strlen("::");
    if (is_angle && keeps_templates && capacity - size > strlen("<" ELLIPSIS ">")) {
      memcpy(text + size, "<" ELLIPSIS ">", strlen("<" ELLIPSIS ">"));
      size += strlen("<" ELLIPSIS ">");
    }
    if (!is_angle && *end == ' ')
      break;
    name = end;
  }
  text[size] = 0;
}

/* Skips the return type, which C++ puts before the name. */
static const char *skip_type(const char *name) {
  const char *start = name;
  int nesting = 0;
  for (const char *at = name; *at != 0; at++) {
    if (*at == '(' || *at == '<')
      nesting++;
    else if (*at == ')' || *at == '>')
      nesting--;
    else if (*at == ' ' && nesting == 0 && !ends_with(start, (size_t)(at - start), "operator"))
      start = at + 1;
  }
  return start;
}

static void add_without_lists(wi_name_forms *forms, const char *name) {
  char *text = next_text(forms);
  copy_without_lists(text, name, true);
  forms->used += strlen(text) + 1;
  add_form(forms, text);
  char *bare = next_text(forms);
  copy_without_lists(bare, name, false);
  forms->used += strlen(bare) + 1;
  add_form(forms, bare);
  const char *qualified = strcmp(bare, name) != 0 && strstr(name, "::") ? skip_type(bare) : bare;
  add_form(forms, qualified);
  add_suffixes(forms, qualified);
}

/* ---- Names that are not a compiler's --------------------------------------------- */

/* "func[12]", perhaps with a hint: "12 calls fd_write", then without it. */
static bool add_numbered(wi_name_forms *forms, const char *name) {
  if (!wi_label_is_number(name, NULL))
    return false;
  const char *number = name + strlen("func["), *end = strchr(number, ']');
  size_t digits = (size_t)(end - number);
  if (end[1] != 0) {
    char *text = next_text(forms);
    forms->used += (size_t)sprintf(text, "%.*s%s", (int)digits, number, end + 1) + 1;
    add_form(forms, text);
    add_text(forms, name, strlen("func[]") + digits);
  }
  add_text(forms, number, digits);
  return true;
}

/* Size of ":12" at the end of the `size` bytes at `text`; 0 if there is none. */
static size_t number_size(const char *text, size_t size) {
  size_t begin = size;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9')
    begin--;
  return begin < size && begin > 0 && text[begin - 1] == ':' ? size - begin + 1 : 0;
}

/* "parse app.mjs:1:9182": JavaScript without a name, or in a long line. */
static bool add_placed(wi_name_forms *forms, const char *name) {
  size_t size = strlen(name), column = number_size(name, size);
  size_t line = column > 0 ? number_size(name, size - column) : 0;
  const char *file = line > 0 ? name + size - column - line : name;
  while (file > name && !strchr(" ()/\t", file[-1]))
    file--;
  size_t file_size = (size_t)(name + size - file) - column - line;
  if (line == 0 || file < name + 2 || file[-1] != ' ' || file_size == 0)
    return false;
  size_t own_size = (size_t)(file - 1 - name);
  if (own_size == strlen("(anonymous)") && starts_with(name, "(anonymous)")) {
    add_form(forms, file);
    add_text(forms, file, file_size + line);
    add_form(forms, file + file_size + 1);
    return true;
  }
  add_with_file(forms, name, own_size, file, file_size);
  add_text(forms, name, own_size);
  add_suffixes(forms, forms->texts[forms->count - 1]);
  return true;
}

const char *wi_name_guest_file(const char *name, size_t *name_size, size_t *file_size,
                               size_t *line_size) {
  size_t size = strlen(name);
  const char *open = strrchr(name, '(');
  if (!open || open < name + 2 || open[-1] != ' ' || name[size - 1] != ')')
    return NULL;
  size_t inside = (size_t)(name + size - 1 - (open + 1));
  *line_size = number_size(open + 1, inside);
  *file_size = inside - *line_size;
  *name_size = (size_t)(open - 1 - name);
  size_t plain = strcspn(open + 1, "./<)");
  return plain < *file_size ? open + 1 : NULL;
}

/* "parse (/lib/json.py:12)", of Python or JavaScript. */
static bool add_guest(wi_name_forms *forms, const char *name) {
  size_t own_size, file_size, line_size;
  const char *file = wi_name_guest_file(name, &own_size, &file_size, &line_size);
  if (!file)
    return false;
  const char *base = file + file_size;
  while (base > file && base[-1] != '/')
    base--;
  size_t base_size = (size_t)(file + file_size - base);
  add_with_file(forms, name, own_size, base, base_size + line_size);
  add_with_file(forms, name, own_size, base, base_size);
  if (*name == '<' || *name == '(') { /* no name of its own */
    add_text(forms, base, base_size);
    return true;
  }
  add_text(forms, name, own_size);
  add_suffixes(forms, forms->texts[forms->count - 1]);
  return true;
}

static bool add_unmangled(wi_name_forms *forms, const char *name) {
  char *text = next_text(forms);
  size_t size = wi_name_unmangle(name, text);
  forms->used += size + 1;
  if (size == 0)
    return false;
  add_form(forms, text);
  add_suffixes(forms, text);
  return true;
}

void wi_name_forms_find(wi_name_forms *forms, const char *label) {
  forms->used = 0;
  forms->texts[0] = label;
  forms->count = 1;
  if (!add_numbered(forms, label) && !add_placed(forms, label) && !add_guest(forms, label) &&
      !add_unmangled(forms, label))
    add_without_lists(forms, label);
}
