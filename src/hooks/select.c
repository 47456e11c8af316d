/* Applies the patterns of a selection to the functions of a module. */
#include "hooks/select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "code/scan_body.h"
#include "names/label.h"
#include "names/return_type.h"
#include "rewrite/warn.h"
#include "support/glob.h"
#include "support/regex.h"

typedef enum pattern_kind {
  PATTERN_EXACT,
  PATTERN_GLOB,
  PATTERN_REGEX,
  PATTERN_INDICES
} pattern_kind;

typedef struct pattern {
  pattern_kind kind;
  bool exclude;
  char *text;           /* as passed, without the '!'; owned */
  wi_regex *regex;      /* PATTERN_REGEX; owned */
  uint32_t first, last; /* PATTERN_INDICES, inclusive */
  uint32_t position;    /* in the list */
  uint32_t next_same;   /* PATTERN_EXACT: an earlier pattern with the same text, or NO_PATTERN */
  UT_hash_handle hh;    /* PATTERN_EXACT: the latest with each text */
} pattern;

#define NO_PATTERN UINT32_MAX

struct wi_selection {
  WI_ARRAY(pattern *, patterns); /* owned; pointers, because hash table items must not move */
  pattern *exact;                /* hash of PATTERN_EXACT by text */
  bool is_list;                  /* it has an allow list: without patterns, no function is chosen */
  WI_ARRAY(wi_allocator_rule, allocators); /* their patterns are owned */
};

/* ---- Patterns ----------------------------------------------------------- */

wi_selection *wi_selection_new(void) {
  return calloc(1, sizeof(wi_selection));
}

static void pattern_free(pattern *p) {
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
  free(selection->patterns);
  free(selection);
}

static bool refuse(wi_error *error, const char *text, const char *why) {
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

static bool parse_indices(pattern *p, wi_error *error) {
  const char *rest = p->text + 1;
  p->kind = PATTERN_INDICES;
  if (!parse_index(&rest, &p->first))
    return refuse(error, p->text, "@ wants a function index");
  p->last = p->first;
  if (*rest == '-') {
    rest++;
    if (!parse_index(&rest, &p->last))
      return refuse(error, p->text, "@ wants a function index after '-'");
  }
  if (*rest != '\0')
    return refuse(error, p->text, "unexpected text after the function index");
  return p->first <= p->last || refuse(error, p->text, "the range runs backwards");
}

static bool parse_regex(pattern *p, wi_error *error) {
  char why[WI_REGEX_MESSAGE_SIZE];
  p->kind = PATTERN_REGEX;
  p->regex = wi_regex_new(p->text + 1, strlen(p->text) - 2, why);
  return p->regex || refuse(error, p->text, why);
}

static bool pattern_parse(pattern *p, wi_error *error) {
  size_t size = strlen(p->text);
  if (size == 0)
    return refuse(error, p->text, "is empty");
  if (p->text[0] == '@')
    return parse_indices(p, error);
  if (wi_label_is_number(p->text, &p->first)) {
    p->kind = PATTERN_INDICES;
    p->last = p->first;
    return true;
  }
  if (size >= 2 && p->text[0] == '/' && p->text[size - 1] == '/')
    return parse_regex(p, error);
  p->kind = strpbrk(p->text, "*?") ? PATTERN_GLOB : PATTERN_EXACT;
  return true;
}

static void index_exact(wi_selection *selection, pattern *p) {
  pattern *same;
  HASH_FIND_STR(selection->exact, p->text, same);
  p->next_same = same ? same->position : NO_PATTERN;
  if (same)
    HASH_DEL(selection->exact, same);
  HASH_ADD_KEYPTR(hh, selection->exact, p->text, strlen(p->text), p);
}

static bool append(wi_selection *selection, pattern *p) {
  pattern **place = WI_ARRAY_PUSH(selection, patterns);
  if (!place)
    return false;
  *place = p;
  p->position = selection->patterns_count - 1;
  if (p->kind == PATTERN_EXACT)
    index_exact(selection, p);
  return true;
}

static bool add_pattern(wi_selection *selection, const char *text, size_t size, bool exclude,
                        wi_error *error) {
  bool negated = size > 0 && text[0] == '!';
  pattern *p = calloc(1, sizeof *p);
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

bool wi_selection_add_list(wi_selection *selection, const char *text, size_t size,
                           wi_error *error) {
  wi_error_reset(error);
  selection->is_list = true;
  for (size_t start = 0; start < size;) {
    const char *newline = memchr(text + start, '\n', size - start);
    size_t next = newline ? (size_t)(newline - text) + 1 : size;
    size_t from = start, to = newline ? next - 1 : size;
    while (from < to && is_blank(text[from]))
      from++;
    while (to > from && is_blank(text[to - 1]))
      to--;
    if (from < to && text[from] != '#' &&
        !add_pattern(selection, text + from, to - from, false, error)) {
      error->offset = start;
      return false;
    }
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

const wi_allocator_rule *wi_selection_allocators(const wi_selection *selection, uint32_t *count) {
  *count = selection->allocators_count;
  return selection->allocators;
}

/* ---- Matching ----------------------------------------------------------- */

/* State of a pass over the functions, with the patterns that have matched. */
typedef struct matching {
  const wi_selection *selection;
  bool *matched;  /* per pattern: it matched some function */
  uint32_t last;  /* last pattern that matches the current function, or NO_PATTERN */
  wi_buffer text; /* the current name, NUL-terminated */
  wi_regex_matcher *matcher;
  wi_error *error;
} matching;

static void note_match(matching *m, uint32_t position) {
  m->matched[position] = true;
  if (m->last == NO_PATTERN || position > m->last)
    m->last = position;
}

/* Returns false with the error filled in if matching fails. */
static bool match_regex(matching *m, const pattern *p, const char *name) {
  char why[WI_REGEX_MESSAGE_SIZE];
  wi_regex_result result = wi_regex_find(p->regex, name, m->matcher, why);
  if (result == WI_REGEX_MATCH)
    note_match(m, p->position);
  return result != WI_REGEX_FAILED || refuse(m->error, p->text, why);
}

static bool match_name(matching *m, const char *name) {
  const wi_selection *selection = m->selection;
  pattern *exact;
  HASH_FIND_STR(selection->exact, name, exact);
  for (; exact;
       exact = exact->next_same == NO_PATTERN ? NULL : selection->patterns[exact->next_same])
    note_match(m, exact->position);
  for (uint32_t i = 0; i < selection->patterns_count; i++) {
    const pattern *p = selection->patterns[i];
    if (p->kind == PATTERN_GLOB && wi_glob_matches(p->text, name))
      note_match(m, i);
    if (p->kind == PATTERN_REGEX && !match_regex(m, p, name))
      return false;
  }
  return true;
}

static void match_index(matching *m, uint32_t function) {
  for (uint32_t i = 0; i < m->selection->patterns_count; i++) {
    const pattern *p = m->selection->patterns[i];
    if (p->kind == PATTERN_INDICES && function >= p->first && function <= p->last)
      note_match(m, i);
  }
}

/* Matches all forms of a name. */
static bool match_forms(matching *m, const char *raw) {
  char readable[WI_READABLE_MAX_SIZE];
  if (!match_name(m, raw))
    return false;
  if (!wi_demangle(raw, readable, sizeof readable)) {
    const char *own = wi_skip_return_type(raw); /* linkers demangle as well */
    return own == raw || match_name(m, own);
  }
  return match_name(m, readable) &&
         (!wi_demangle_bare(raw, readable, sizeof readable) || match_name(m, readable));
}

/* A matched name also matches without its mark. */
static bool match_span(matching *m, const wi_module *module, wi_span name) {
  m->text.size = 0;
  wi_buffer_append(&m->text, module->bytes + name.offset, name.size);
  wi_buffer_u8(&m->text, '\0');
  if (m->text.failed)
    return wi_error_memory(m->error);
  const char *raw = (const char *)m->text.data;
  return match_forms(m, raw) && (raw[0] != WI_MATCHED_MARK || match_forms(m, raw + 1));
}

static int compare_exports(const void *left, const void *right) {
  const wi_export *a = left, *b = right;
  return (a->function > b->function) - (a->function < b->function);
}

/* Returns the exports sorted by function index; NULL if out of memory. */
static wi_export *sorted_exports(const wi_module *module) {
  wi_export *exports = calloc((size_t)module->exports_count + 1, sizeof *exports);
  if (!exports || module->exports_count == 0)
    return exports;
  memcpy(exports, module->exports, module->exports_count * sizeof *exports);
  qsort(exports, module->exports_count, sizeof *exports, compare_exports);
  return exports;
}

/* Matches the export names of `function` and moves *next past them. */
static bool match_exports(matching *m, const wi_module *module, const wi_export *exports,
                          uint32_t function, uint32_t *next) {
  while (*next < module->exports_count && exports[*next].function < function)
    ++*next;
  for (; *next < module->exports_count && exports[*next].function == function; ++*next)
    if (!match_span(m, module, exports[*next].name))
      return false;
  return true;
}

/* Whether functions without a matching pattern are chosen: if all patterns exclude. */
static bool is_chosen_otherwise(const wi_selection *selection) {
  for (uint32_t i = 0; i < selection->patterns_count; i++)
    if (!selection->patterns[i]->exclude)
      return false;
  return selection->patterns_count > 0 || !selection->is_list;
}

static bool choose(matching *m, const wi_module *module, const wi_names *names,
                   const wi_export *exports, bool *chosen) {
  const wi_selection *selection = m->selection;
  bool otherwise = is_chosen_otherwise(selection);
  uint32_t next_export = 0;
  for (uint32_t i = 0; i < module->bodies_count; i++) {
    uint32_t function = module->imports_count + i;
    wi_span name;
    m->last = NO_PATTERN;
    match_index(m, function);
    if ((wi_names_raw(names, function, &name) && !match_span(m, module, name)) ||
        !match_exports(m, module, exports, function, &next_export)) {
      m->error->function = function;
      return false;
    }
    chosen[i] = m->last == NO_PATTERN ? otherwise : !selection->patterns[m->last]->exclude;
  }
  return true;
}

static void warn_of_idle_patterns(const matching *m, const wi_options *options) {
  for (uint32_t i = 0; i < m->selection->patterns_count; i++)
    if (!m->matched[i])
      wi_warn(options, "pattern '%s' matches no function", m->selection->patterns[i]->text);
  if (m->selection->is_list && m->selection->patterns_count == 0)
    wi_warn(options, "the whitelist contains no pattern, so no function is selected");
}

static bool matching_init(matching *m) {
  m->matched = calloc((size_t)m->selection->patterns_count + 1, sizeof *m->matched);
  m->matcher = wi_regex_matcher_new();
  return (m->matched && m->matcher) || wi_error_memory(m->error);
}

static void matching_clear(matching *m) {
  free(m->matched);
  wi_regex_matcher_free(m->matcher);
  wi_buffer_clear(&m->text);
}

static bool apply_selection(const wi_module *module, const wi_options *options, bool *chosen,
                            wi_error *error) {
  wi_names *names = wi_names_of_module(module);
  wi_export *exports = sorted_exports(module);
  matching m = {.selection = options->selection, .error = error};
  bool done = (names && exports) || wi_error_memory(error);
  done = done && matching_init(&m) && choose(&m, module, names, exports, chosen);
  if (done)
    warn_of_idle_patterns(&m, options);
  wi_names_free(names);
  free(exports);
  matching_clear(&m);
  return done;
}

/* Whether a scanned function is too short to be worth hooks. */
static bool is_too_short(const wi_scan *scan, const wi_options *options) {
  uint32_t count = scan->instruction_count;
  return count < options->min_instructions ||
         (scan->call_count == 0 && count < options->skip_leaves);
}

static bool drop_short_functions(const wi_module *module, const wi_options *options, wi_scan *scan,
                                 bool *chosen, wi_error *error) {
  for (uint32_t i = 0; i < module->bodies_count; i++) {
    if (!chosen[i])
      continue;
    if (!wi_scan_body(scan, module, i, NULL, error))
      return false;
    chosen[i] = !is_too_short(scan, options);
  }
  return true;
}

bool *wi_select_functions(const wi_module *module, const wi_options *options, wi_scan *scan,
                          wi_error *error) {
  bool *chosen = malloc((size_t)module->bodies_count + 1);
  if (!chosen) {
    wi_error_memory(error);
    return NULL;
  }
  memset(chosen, true, module->bodies_count);
  bool done = !options->selection || apply_selection(module, options, chosen, error);
  if (done && (options->min_instructions > 0 || options->skip_leaves > 0))
    done = drop_short_functions(module, options, scan, chosen, error);
  if (done)
    return chosen;
  free(chosen);
  return NULL;
}
