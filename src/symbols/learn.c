#include "symbols/learn.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "match/collect.h"
#include "module/names.h"
#include "support/error.h"
#include "symbols/signatures.h"

/* ---- Names -------------------------------------------------------------------------- */

/* Removes the hash in brackets that distinguishes builds of a crate: "[0123456789abcdef]". */
static void cut_crate_hashes(char *name) {
  char *out = name;
  for (const char *in = name; *in;) {
    size_t digits = *in == '[' ? strspn(in + 1, "0123456789abcdef") : 0;
    if (digits >= 12 && in[1 + digits] == ']')
      in += digits + 2;
    else
      *out++ = *in++;
  }
  *out = '\0';
}

static bool has_unsafe_character(const char *name) {
  for (; *name; name++)
    if (*name < ' ' || *name > '~')
      return true;
  return false;
}

/* Removes the number that compilers append to distinguish functions of one name: ".123". */
static void cut_number(char *name) {
  size_t size = strlen(name), end = size;
  while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9')
    end--;
  if (end > 1 && end < size && name[end - 1] == '.')
    name[end - 1] = '\0';
}

/*
 * Whether the name fits this code in every program. Excluded are generated names, a program's entry
 * points, and C++ templates (names with parameter lists), whose code is often the same for several
 * types. Templates of strings and streams are included, as they are compiled with the library.
 */
static bool is_general(const char *name) {
  static const char *const marks[] = {"drop_in_place", "$_",     "{closure", "lambda",
                                      "byn$",          "<impl ", "tests/"};
  static const char *const beginnings[] = {"main", "__original_main", "__main_void",
                                           "__main_argc_argv", "_start"};
  size_t size = strlen(name);
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (strstr(name, marks[i]))
      return false;
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (strcmp(name, beginnings[i]) == 0)
      return false;
  bool is_template = strchr(name, '(') && strchr(name, '<');
  return size <= WI_SIGNATURE_NAME_SIZE && !has_unsafe_character(name) &&
         (!is_template || strstr(name, "char_traits<")) &&
         strcspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") < size &&
         strncmp(name, "func[", 5) != 0 && !wi_naming_is_numbered(name);
}

/* ---- Learning ----------------------------------------------------------------------- */

static bool add_lesson(wi_learner *learner, uint64_t key, const char *name) {
  wi_lesson *lesson = WI_ARRAY_PUSH(learner, lessons);
  if (!lesson)
    return false;
  *lesson = (wi_lesson){key, (uint32_t)learner->text.size, learner->module_count};
  wi_buffer_append(&learner->text, name, strlen(name) + 1);
  return !learner->text.failed;
}

/* Stores a name that is not general as "", so that the code gets no other name either. */
static bool learn_function(wi_learner *learner, const wi_build *build, const wi_features *features,
                           uint32_t function) {
  char name[WI_READABLE_MAX_SIZE];
  wi_span ignored;
  uint64_t key = wi_signature_key(features, function);
  if (key == 0 || !wi_names_raw(build->names, function, &ignored))
    return true;
  const char *raw = wi_names_get(build->names, function);
  if (!wi_demangle_bare(raw, name, sizeof name))
    snprintf(name, sizeof name, "%s", raw);
  cut_crate_hashes(name);
  cut_number(name);
  return add_lesson(learner, key, is_general(name) ? name : "");
}

bool wi_learner_add(wi_learner *learner, const wi_build *build, wi_error *error) {
  wi_features features;
  bool done = true;
  if (!wi_features_collect_library(&features, &build->module, error))
    return false;
  for (uint32_t i = build->module.imports_count; done && i < features.count; i++)
    done = learn_function(learner, build, &features, i);
  learner->module_count++;
  wi_features_clear(&features);
  return done || wi_error_memory(error);
}

/* ---- The file ------------------------------------------------------------------------- */

static const char *name_of(const wi_learner *learner, const wi_lesson *lesson) {
  return (const char *)learner->text.data + lesson->name;
}

static int compare_lessons(const void *left, const void *right) {
  const wi_lesson *a = left, *b = right;
  if (a->key != b->key)
    return a->key > b->key ? 1 : -1;
  return (a->module > b->module) - (a->module < b->module);
}

/*
 * The common name of code that has both names, or NULL. Libraries have functions with several names
 * of which one is a suffix of the others: malloc, dlmalloc and emscripten_builtin_malloc.
 */
static const char *common_name(const char *a, const char *b) {
  size_t a_size = strlen(a), b_size = strlen(b);
  const char *shorter = a_size < b_size ? a : b, *longer = a_size < b_size ? b : a;
  size_t size = a_size < b_size ? a_size : b_size;
  return size > 0 && strcmp(longer + strlen(longer) - size, shorter) == 0 ? shorter : NULL;
}

/* The name for lessons [first, end) of the same key, if enough modules agree; else NULL. */
static const char *agreed_name(const wi_learner *learner, uint32_t first, uint32_t end) {
  const wi_lesson *lessons = learner->lessons;
  const char *name = name_of(learner, &lessons[first]);
  uint32_t modules = 1;
  for (uint32_t i = first + 1; name && i < end; i++) {
    modules += lessons[i].module != lessons[i - 1].module;
    name = common_name(name, name_of(learner, &lessons[i]));
  }
  bool is_shared = modules > 1 || learner->module_count == 1;
  return name && *name && is_shared ? name : NULL;
}

/* Merges the lessons of each key into one with the agreed name; drops keys without such a name. */
static void agree(wi_learner *learner) {
  uint32_t kept = 0, end;
  for (uint32_t i = 0; i < learner->lessons_count; i = end) {
    end = i + 1;
    while (end < learner->lessons_count && learner->lessons[end].key == learner->lessons[i].key)
      end++;
    const char *name = agreed_name(learner, i, end);
    if (name)
      learner->lessons[kept++] = (wi_lesson){
          learner->lessons[i].key, (uint32_t)(name - (const char *)learner->text.data), 0};
  }
  learner->lessons_count = kept;
}

/* A lesson with its name, for sorting by names. */
typedef struct line {
  const char *name;
  uint64_t key;
} line;

static int compare_lines(const void *left, const void *right) {
  const line *a = left, *b = right;
  int order = strcmp(a->name, b->name);
  return order != 0 ? order : (a->key > b->key) - (a->key < b->key);
}

static void put_text(wi_buffer *out, const char *text) {
  wi_buffer_append(out, text, strlen(text));
}

static void put_lines(wi_buffer *out, const line *lines, uint32_t count) {
  put_text(out, WI_SIGNATURES_START);
  for (uint32_t i = 0; i < count; i++) {
    char key[24];
    bool is_first = i == 0 || strcmp(lines[i].name, lines[i - 1].name) != 0;
    if (is_first)
      put_text(out, lines[i].name);
    snprintf(key, sizeof key, "%c%012" PRIx64, is_first ? '\t' : ' ', lines[i].key);
    put_text(out, key);
    if (i + 1 == count || strcmp(lines[i].name, lines[i + 1].name) != 0)
      put_text(out, "\n");
  }
}

uint32_t wi_learner_write(wi_learner *learner, wi_buffer *out) {
  if (learner->lessons_count > 0)
    qsort(learner->lessons, learner->lessons_count, sizeof *learner->lessons, compare_lessons);
  agree(learner);
  line *lines = malloc((learner->lessons_count + (size_t)1) * sizeof *lines);
  for (uint32_t i = 0; lines && i < learner->lessons_count; i++)
    lines[i] = (line){name_of(learner, &learner->lessons[i]), learner->lessons[i].key};
  if (lines && learner->lessons_count > 0)
    qsort(lines, learner->lessons_count, sizeof *lines, compare_lines);
  if (lines)
    put_lines(out, lines, learner->lessons_count);
  out->failed |= !lines;
  free(lines);
  return learner->lessons_count;
}

void wi_learner_clear(wi_learner *learner) {
  free(learner->lessons);
  wi_buffer_clear(&learner->text);
  *learner = (wi_learner){0};
}
