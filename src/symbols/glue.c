#include "symbols/glue.h"

#include <stdlib.h>
#include <string.h>

#include "support/path.h"
#include "support/search.h"

#define SCRIPT_SIZE_LIMIT (UINT32_C(1) << 26) /* bytes */
#define NO_FUNCTION       UINT32_MAX

typedef struct text {
  const char *start;
  size_t size;
} text;

/* An assignment `_name = owner.key` or `_name = owner["key"]`. */
typedef struct assignment {
  text owner;
  text key;
  text name; /* without its first underscore */
  uint32_t function;
} assignment;

typedef struct script {
  const char *start, *at, *end;
  WI_ARRAY(assignment, found);
} script;

/* ---- Scanning ------------------------------------------------------------------ */

static bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

static void skip_space(script *s) {
  while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\t' || *s->at == '\r'))
    s->at++;
}

static bool skip_char(script *s, char c) {
  bool is_there = s->at < s->end && *s->at == c;
  s->at += is_there;
  return is_there;
}

static text scan_name(script *s) {
  const char *start = s->at;
  while (s->at < s->end && is_of_name(*s->at))
    s->at++;
  return (text){start, (size_t)(s->at - start)};
}

/* `.key` or `["key"]`; false, without moving, if there is none. */
static bool scan_key(script *s, text *key) {
  const char *start = s->at;
  if (skip_char(s, '.')) {
    *key = scan_name(s);
  } else if (skip_char(s, '[')) {
    char quote = s->at < s->end ? *s->at++ : 0;
    *key = scan_name(s);
    if ((quote != '"' && quote != '\'') || !skip_char(s, quote) || !skip_char(s, ']'))
      key->size = 0;
  } else {
    return false;
  }
  if (key->size == 0)
    s->at = start;
  return key->size > 0;
}

/* An assignment's sign. "==" and "=>" are none. */
static bool skip_equals(script *s) {
  skip_space(s);
  if (!skip_char(s, '='))
    return false;
  bool is_other = s->at < s->end && (*s->at == '=' || *s->at == '>');
  skip_space(s);
  return !is_other;
}

/*
 * The assigned value, which must not be called. If it is assigned to, as in `_a = M["_a"] = x.b`,
 * the scanner stays before it.
 */
static bool scan_value(script *s, assignment *found) {
  const char *start = s->at;
  if (scan_name(s).size == 0)
    return false;
  const char *owner_end = s->at, *after = s->at;
  while (scan_key(s, &found->key)) {
    owner_end = found->key.start - (found->key.start[-1] == '.' ? 1 : 2);
    after = s->at;
  }
  found->owner = (text){start, (size_t)(owner_end - start)};
  bool is_other = found->key.size == 0 || (s->at < s->end && *s->at == '(') || skip_equals(s);
  s->at = is_other ? start : after;
  return !is_other;
}

/* From an underscore that begins a name on. False, at some later place, if nothing is assigned. */
static bool scan_assignment(script *s, assignment *found) {
  char before = s->at > s->start ? s->at[-1] : 0;
  bool is_quoted = before == '"' || before == '\'';
  s->at++;
  found->name = scan_name(s);
  return !is_of_name(before) && found->name.size > 0 &&
         (!is_quoted || (skip_char(s, before) && skip_char(s, ']'))) && skip_equals(s) &&
         scan_value(s, found);
}

static bool scan(script *s) {
  while (s->at < s->end && (s->at = memchr(s->at, '_', (size_t)(s->end - s->at)))) {
    assignment found = {.function = NO_FUNCTION}, *added;
    if (!scan_assignment(s, &found))
      continue;
    added = WI_ARRAY_PUSH(s, found);
    if (!added)
      return false;
    *added = found;
  }
  return true;
}

/* ---- The object that has the exports ------------------------------------------------- */

static int compare_texts(text left, text right) {
  size_t common = left.size < right.size ? left.size : right.size;
  int order = memcmp(left.start, right.start, common);
  return order != 0 ? order : (left.size > right.size) - (left.size < right.size);
}

/* By owner, then by key, then as in the script. */
static int compare_assignments(const void *left, const void *right) {
  const assignment *a = left, *b = right;
  int order = compare_texts(a->owner, b->owner);
  if (order == 0)
    order = compare_texts(a->key, b->key);
  return order != 0 ? order : (a->name.start > b->name.start) - (a->name.start < b->name.start);
}

static int compare_key(const void *key, const void *item) {
  return compare_texts(*(const text *)key, ((const assignment *)item)->key);
}

/* The assignments of the owner that has most: `count` from the returned one on. */
static assignment *find_exports(const script *s, uint32_t *count) {
  uint32_t first = 0;
  *count = 0;
  for (uint32_t i = 0, start = 0; i < s->found_count; i++) {
    if (compare_texts(s->found[i].owner, s->found[start].owner) != 0)
      start = i;
    if (i + 1 - start > *count) {
      *count = i + 1 - start;
      first = start;
    }
  }
  return s->found + first;
}

/* Finds the functions of the exports. False if the module does not have one of them. */
static bool find_functions(assignment *items, uint32_t count, const wi_module *module) {
  for (uint32_t i = 0; i < module->exports_count; i++) {
    wi_span name = module->exports[i].name;
    const text key = {(const char *)module->bytes + name.offset, name.size};
    uint32_t at = wi_lower_bound(&key, items, count, sizeof *items, compare_key);
    for (; at < count && compare_texts(items[at].key, key) == 0; at++)
      items[at].function = module->exports[i].function;
  }
  for (uint32_t i = 0; i < count; i++)
    if (items[i].function == NO_FUNCTION)
      return false;
  return true;
}

/* ---- Names ---------------------------------------------------------------------------- */

static int compare_functions(const void *left, const void *right) {
  const assignment *a = left, *b = right;
  if (a->function != b->function)
    return a->function > b->function ? 1 : -1;
  return (a->name.start > b->name.start) - (a->name.start < b->name.start);
}

static bool keep_names(wi_glue *glue, assignment *items, uint32_t count) {
  qsort(items, count, sizeof *items, compare_functions);
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0 && items[i].function == items[i - 1].function)
      continue;
    wi_glue_name *name = WI_ARRAY_PUSH(glue, names);
    if (!name)
      return false;
    *name = (wi_glue_name){items[i].function, (uint32_t)glue->text.size};
    wi_buffer_append(&glue->text, items[i].name.start, items[i].name.size);
    wi_buffer_u8(&glue->text, 0);
  }
  return !glue->text.failed;
}

bool wi_glue_read_script(wi_glue *glue, const wi_module *module, const char *bytes, size_t size) {
  script s = {.start = bytes, .at = bytes, .end = bytes + size};
  uint32_t count;
  *glue = (wi_glue){0};
  bool done = size <= SCRIPT_SIZE_LIMIT && scan(&s);
  if (done && s.found_count > 0) {
    qsort(s.found, s.found_count, sizeof *s.found, compare_assignments);
    assignment *items = find_exports(&s, &count);
    done = !find_functions(items, count, module) || keep_names(glue, items, count);
  }
  free(s.found);
  return done;
}

bool wi_glue_is_script(const char *bytes, size_t size) {
  script s = {.start = bytes, .at = bytes, .end = bytes + size};
  bool is_script = size <= SCRIPT_SIZE_LIMIT && scan(&s) && s.found_count > 0;
  free(s.found);
  return is_script;
}

/* Whether an export has a name as an optimiser makes it. */
static bool has_short_exports(const wi_module *module) {
  enum { LONGEST = 3 };
  for (uint32_t i = 0; i < module->exports_count; i++)
    if (module->exports[i].name.size <= LONGEST)
      return true;
  return false;
}

/* Returns the path of the script app`end` beside `path`, app.wasm. NULL: out of memory. */
static char *script_path(const char *path, const char *end) {
  const char *dot = strrchr(wi_path_name(path), '.');
  size_t stem = dot ? (size_t)(dot - path) : strlen(path);
  char *made = malloc(stem + strlen(end) + 1);
  if (made) {
    memcpy(made, path, stem);
    strcpy(made + stem, end);
  }
  return made;
}

bool wi_glue_read(wi_glue *glue, const wi_module *module, const char *path, wi_file_reader *read) {
#define GLUE_END(end) end,
  static const char *const ends[] = {WI_GLUE_ENDS(GLUE_END)};
#undef GLUE_END
  bool done = true;
  *glue = (wi_glue){0};
  if (!has_short_exports(module))
    return true;
  for (size_t i = 0; done && glue->names_count == 0 && i < sizeof ends / sizeof *ends; i++) {
    char *beside = script_path(path, ends[i]);
    uint8_t *bytes;
    size_t size;
    done = beside != NULL;
    if (done && read(beside, SCRIPT_SIZE_LIMIT, &bytes, &size)) {
      done = wi_glue_read_script(glue, module, (const char *)bytes, size);
      free(bytes);
    }
    free(beside);
  }
  return done;
}

void wi_glue_clear(wi_glue *glue) {
  free(glue->names);
  wi_buffer_clear(&glue->text);
}

const char *wi_glue_find(const wi_glue *glue, uint32_t function) {
  uint32_t at = WI_LOWER_BOUND(wi_glue_name, glue->names, glue->names_count, function, function);
  bool is_there = at < glue->names_count && glue->names[at].function == function;
  return is_there ? (const char *)glue->text.data + glue->names[at].name : NULL;
}
