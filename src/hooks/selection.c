/* Reads the patterns of a selection. */
#include "hooks/selection.h"

#include <stdlib.h>
#include <string.h>

#include "names/label.h"
#include "support/error.h"

wi_selection *wi_selection_new(void) {
  return calloc(1, sizeof(wi_selection));
}

static void pattern_free(wi_pattern *p) {
  if (!p)
    return;
  wi_regex_free(p->regex);
  free(p->text);
  free(p);
}

void wi_selection_free(wi_selection *selection) {
  if (!selection)
    return;
  HASH_CLEAR(hh, selection->exact);
  for (uint32_t i = 0; i < selection->patterns_count; i++)
    pattern_free(selection->patterns[i]);
  for (uint32_t i = 0; i < selection->allocators_count; i++)
    free((char *)selection->allocators[i].pattern);
  free(selection->allocators);
  wi_selection_free(selection->calls);
  free(selection->patterns);
  free(selection);
}

bool wi_pattern_refuse(wi_error *error, const char *text, const char *why) {
  return wi_error_set(error, WI_ERROR_PATTERN, WI_NO_OFFSET, WI_NO_FUNCTION, "pattern '%.80s': %s",
                      text, why);
}

static bool parse_index(const char **text, uint32_t *index) {
  uint64_t value = 0;
  const char *digit = *text;
  for (; *digit >= '0' && *digit <= '9' && value <= UINT32_MAX; digit++)
    value = value * 10 + (uint64_t)(*digit - '0');
  bool any = digit != *text;
  *text = digit;
  *index = (uint32_t)value;
  return any && value < WI_NO_FUNCTION;
}

static bool parse_indices(wi_pattern *p, wi_error *error) {
  const char *rest = p->text + 1;
  p->kind = WI_PATTERN_INDICES;
  if (!parse_index(&rest, &p->first))
    return wi_pattern_refuse(error, p->text, "@ wants a function index");
  p->last = p->first;
  if (*rest == '-') {
    rest++;
    if (!parse_index(&rest, &p->last))
      return wi_pattern_refuse(error, p->text, "@ wants a function index after '-'");
  }
  if (*rest != '\0')
    return wi_pattern_refuse(error, p->text, "unexpected text after the function index");
  return p->first <= p->last || wi_pattern_refuse(error, p->text, "the range runs backwards");
}

static bool parse_regex(wi_pattern *p, wi_error *error) {
  char why[WI_REGEX_MESSAGE_SIZE];
  p->kind = WI_PATTERN_REGEX;
  p->regex = wi_regex_new(p->text + 1, strlen(p->text) - 2, why);
  return p->regex || wi_pattern_refuse(error, p->text, why);
}

/* Whether the pattern is of a file or a part, in which case only '*' and '?' are special. */
static bool parse_subject(wi_pattern *p) {
  static const char *const prefixes[] = {[WI_SUBJECT_FILE] = "file:", [WI_SUBJECT_PART] = "part:"};
  p->glob = p->text;
  for (unsigned i = WI_SUBJECT_FILE; i <= WI_SUBJECT_PART; i++) {
    size_t size = strlen(prefixes[i]);
    if (strncmp(p->text, prefixes[i], size) == 0) {
      p->subject = (wi_pattern_subject)i;
      p->glob += size;
      p->kind = WI_PATTERN_GLOB;
    }
  }
  return p->subject != WI_SUBJECT_NAME;
}

static bool pattern_parse(wi_pattern *p, wi_error *error) {
  size_t size = strlen(p->text);
  if (size == 0)
    return wi_pattern_refuse(error, p->text, "is empty");
  if (parse_subject(p))
    return *p->glob || wi_pattern_refuse(error, p->text, "wants a name after the colon");
  if (p->text[0] == '@')
    return parse_indices(p, error);
  if (wi_label_is_number(p->text, &p->first)) {
    p->kind = WI_PATTERN_INDICES;
    p->last = p->first;
    return true;
  }
  if (size >= 2 && p->text[0] == '/' && p->text[size - 1] == '/')
    return parse_regex(p, error);
  p->kind = strpbrk(p->text, "*?") ? WI_PATTERN_GLOB : WI_PATTERN_EXACT;
  return true;
}

static void index_exact(wi_selection *selection, wi_pattern *p) {
  wi_pattern *same;
  HASH_FIND_STR(selection->exact, p->text, same);
  p->next_same = same ? same->position : WI_NO_PATTERN;
  if (same)
    HASH_DEL(selection->exact, same);
  HASH_ADD_KEYPTR(hh, selection->exact, p->text, strlen(p->text), p);
}

static bool append(wi_selection *selection, wi_pattern *p) {
  wi_pattern **place = WI_ARRAY_PUSH(selection, patterns);
  if (!place)
    return false;
  *place = p;
  p->position = selection->patterns_count - 1;
  selection->has_subject[p->subject] = true;
  if (p->kind == WI_PATTERN_EXACT)
    index_exact(selection, p);
  return true;
}

static bool add_pattern(wi_selection *selection, const char *text, size_t size, bool exclude,
                        wi_error *error) {
  bool negated = size > 0 && text[0] == '!';
  wi_pattern *p = calloc(1, sizeof *p);
  if (p)
    p->text = strndup(text + negated, size - negated);
  if (!p || !p->text) {
    pattern_free(p);
    return wi_error_memory(error);
  }
  p->exclude = exclude || negated;
  if (pattern_parse(p, error) && (append(selection, p) || wi_error_memory(error)))
    return true;
  pattern_free(p);
  return false;
}

bool wi_selection_add(wi_selection *selection, const char *text, bool exclude, wi_error *error) {
  wi_error_reset(error);
  return add_pattern(selection, text, strlen(text), exclude, error);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/* Where the line's text ends: before blanks, and before a remark, a '#' between blanks. */
static size_t end_of_line(const char *text, size_t from, size_t to) {
  for (size_t i = from + 1; i < to; i++)
    if (text[i] == '#' && is_blank(text[i - 1]) && (i + 1 == to || is_blank(text[i + 1])))
      to = i;
  while (to > from && is_blank(text[to - 1]))
    to--;
  return to;
}

/* Adds the line to an error in a list. */
static bool refuse_line(wi_error *error, unsigned line) {
  wi_error of_pattern = *error;
  wi_error_reset(error);
  return wi_error_set(error, of_pattern.code, WI_NO_OFFSET, WI_NO_FUNCTION, "line %u: %s", line,
                      of_pattern.message);
}

bool wi_selection_add_list(wi_selection *selection, const char *text, size_t size,
                           wi_error *error) {
  wi_error_reset(error);
  selection->is_list = true;
  unsigned line = 1;
  for (size_t start = 0; start < size; line++) {
    const char *newline = memchr(text + start, '\n', size - start);
    size_t next = newline ? (size_t)(newline - text) + 1 : size;
    size_t from = start, to = newline ? next - 1 : size;
    while (from < to && is_blank(text[from]))
      from++;
    to = end_of_line(text, from, to);
    if (from < to && text[from] != '#' &&
        !add_pattern(selection, text + from, to - from, false, error))
      return refuse_line(error, line);
    start = next;
  }
  return true;
}

/* ---- Allocators --------------------------------------------------------- */

bool wi_selection_add_allocator(wi_selection *selection, const char *text, wi_error *error) {
  wi_error_reset(error);
  const char *equals = strrchr(text, '=');
  wi_allocator_kind kind;
  if (!equals || equals == text || !wi_allocator_kind_find(equals + 1, &kind))
    return wi_error_set(error, WI_ERROR_PATTERN, WI_NO_OFFSET, WI_NO_FUNCTION,
                        "allocator '%.80s' is not of the form NAME=KIND", text);
  char *name = strndup(text, (size_t)(equals - text));
  wi_allocator_rule *rule = name ? WI_ARRAY_PUSH(selection, allocators) : NULL;
  if (!rule) {
    free(name);
    return wi_error_memory(error);
  }
  *rule = (wi_allocator_rule){name, kind};
  return true;
}

bool wi_selection_add_calls(wi_selection *selection, const char *text, wi_error *error) {
  if (!selection->calls)
    selection->calls = wi_selection_new();
  if (!selection->calls)
    return wi_error_memory(error);
  return wi_selection_add(selection->calls, text, false, error);
}

const wi_selection *wi_selection_calls(const wi_selection *selection) {
  return selection ? selection->calls : NULL;
}

const wi_allocator_rule *wi_selection_allocators(const wi_selection *selection, uint32_t *count) {
  *count = selection->allocators_count;
  return selection->allocators;
}
