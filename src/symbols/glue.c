#include "symbols/glue.h"

#include <stdlib.h>
#include <string.h>

#include "support/path.h"
#include "support/search.h"
#include "symbols/bindgen_glue.h"

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

static bool is_allocator(text name) {
  return name.size == 6 && memcmp(name.start, "malloc", 6) == 0;
}

/*
 * The assignments of the owner that has most, or of one that has malloc, as nearly all scripts of
 * Emscripten do: `count` from the returned one on.
 */
static assignment *find_exports(const script *s, uint32_t *count) {
  uint32_t first = 0;
  bool has_allocator = false;
  *count = 0;
  for (uint32_t i = 0, next; i < s->found_count; i = next) {
    bool allocates = false;
    for (next = i;
         next < s->found_count && compare_texts(s->found[next].owner, s->found[i].owner) == 0;
         next++)
      allocates |= is_allocator(s->found[next].name);
    if (allocates != has_allocator ? has_allocator : next - i <= *count)
      continue;
    first = i;
    *count = next - i;
    has_allocator = allocates;
  }
  return s->found + first;
}

static int compare_keys(const void *left, const void *right) {
  return compare_texts(((const assignment *)left)->key, ((const assignment *)right)->key);
}

/* Finds the function of each key that is an export. */
static void find_functions(script *s, const wi_module *module) {
  qsort(s->found, s->found_count, sizeof *s->found, compare_keys);
  for (uint32_t i = 0; i < module->exports_count; i++) {
    wi_span name = module->exports[i].name;
    const text key = {(const char *)module->bytes + name.offset, name.size};
    uint32_t at = wi_lower_bound(&key, s->found, s->found_count, sizeof *s->found, compare_key);
    for (; at < s->found_count && s->found[at].function == NO_FUNCTION &&
           compare_texts(s->found[at].key, key) == 0;
         at++)
      s->found[at].function = module->exports[i].function;
  }
}

/* Whether the keys are all exports of functions. */
static bool are_exports(const assignment *items, uint32_t count) {
  uint32_t i = 0;
  while (i < count && items[i].function != NO_FUNCTION)
    i++;
  return i == count;
}

/*
 * Whether the script may be that of several modules, as a bundle is: the chosen assignments have
 * two names for a key, or the keys of another owner are exports, too.
 */
static bool is_ambiguous(const script *s, const assignment *chosen, uint32_t count) {
  enum { FEWEST = 3 };
  for (uint32_t i = 1; i < count; i++)
    if (compare_texts(chosen[i].key, chosen[i - 1].key) == 0 &&
        compare_texts(chosen[i].name, chosen[i - 1].name) != 0)
      return true;
  for (uint32_t i = 0, next; i < s->found_count; i = next) {
    for (next = i + 1;
         next < s->found_count && compare_texts(s->found[next].owner, s->found[i].owner) == 0;)
      next++;
    if (s->found + i != chosen && next - i >= FEWEST && are_exports(s->found + i, next - i))
      return true;
  }
  return false;
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
    if (!wi_glue_add(glue, items[i].function, items[i].name.start, items[i].name.size))
      return false;
  }
  return true;
}

/* Adds the names that a script of Emscripten has. Returns false if out of memory. */
static bool read_emscripten(wi_glue *glue, const wi_module *module, const char *bytes, size_t size,
                            bool is_beside) {
  script s = {.start = bytes, .at = bytes, .end = bytes + size};
  uint32_t count;
  bool done = scan(&s);
  if (done && s.found_count > 0) {
    find_functions(&s, module);
    qsort(s.found, s.found_count, sizeof *s.found, compare_assignments);
    assignment *items = find_exports(&s, &count);
    done = !are_exports(items, count) || (!is_beside && is_ambiguous(&s, items, count)) ||
           keep_names(glue, items, count);
  }
  free(s.found);
  return done;
}

static bool read_script(wi_glue *glue, const wi_module *module, const char *bytes, size_t size,
                        bool is_beside) {
  *glue = (wi_glue){0};
  return size > SCRIPT_SIZE_LIMIT ||
         (read_emscripten(glue, module, bytes, size, is_beside) &&
          (glue->names_count > 0 || wi_bindgen_glue_read(glue, module, bytes, size)));
}

bool wi_glue_read_script(wi_glue *glue, const wi_module *module, const char *bytes, size_t size) {
  return read_script(glue, module, bytes, size, true);
}

bool wi_glue_is_script(const char *bytes, size_t size) {
  script s = {.start = bytes, .at = bytes, .end = bytes + size};
  bool is_script = size <= SCRIPT_SIZE_LIMIT && scan(&s) && s.found_count > 0;
  free(s.found);
  return is_script;
}

/* Whether an export has a name as an optimiser or wasm-bindgen makes it. */
static bool has_other_names(const wi_module *module) {
  enum { LONGEST = 3 };
  for (uint32_t i = 0; i < module->exports_count; i++) {
    wi_span name = module->exports[i].name;
    if (name.size <= LONGEST || wi_module_span_begins(module, name, WI_BINDGEN_NUMBERED))
      return true;
  }
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

/* Looks into the script at `path`, if it can be read. Returns false if out of memory. */
static bool read_file(wi_glue *glue, const wi_module *module, const char *path, bool is_beside,
                      wi_file_reader *read) {
  uint8_t *bytes;
  size_t size;
  if (!read(path, SCRIPT_SIZE_LIMIT, &bytes, &size))
    return true;
  bool done = read_script(glue, module, (const char *)bytes, size, is_beside);
  free(bytes);
  return done;
}

bool wi_glue_read(wi_glue *glue, const wi_module *module, const char *path, const char *caller,
                  wi_file_reader *read) {
#define GLUE_END(end) end,
  static const char *const ends[] = {WI_GLUE_ENDS(GLUE_END)};
#undef GLUE_END
  bool done = true;
  *glue = (wi_glue){0};
  if (!has_other_names(module))
    return true;
  for (size_t i = 0; path && done && glue->names_count == 0 && i < sizeof ends / sizeof *ends;
       i++) {
    char *beside = script_path(path, ends[i]);
    done = beside && read_file(glue, module, beside, true, read);
    free(beside);
  }
  return done && (glue->names_count > 0 || !caller || read_file(glue, module, caller, false, read));
}
