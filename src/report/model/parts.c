#include "report/model/parts.h"

#include <stdlib.h>
#include <string.h>

#include "names/forms.h"
#include "names/label.h"
#include "names/part.h"
#include "support/path.h"

enum { LEAST_NAMES = 3, LEAST_PREFIX = 2 }; /* of a part that is only a prefix of names */

static const char program[] = "program";

/* A function in a part, or in the part around that. */
typedef struct membership {
  const char *kind;
  char *text; /* the part's name, owned until a part has it */
  uint32_t function;
  bool is_outer;
  bool is_prefix; /* a part only if several names share it */
} membership;

typedef struct parting {
  membership *items;
  uint32_t count;
} parting;

/* ---- The parts of one function ----------------------------------------------- */

/* Adds the part whose name is the `size` bytes at `text`. */
static membership *add_part(parting *work, uint32_t function, const char *kind, const char *text,
                            size_t size) {
  char *copy = malloc(size + 1);
  if (!copy)
    return NULL;
  memcpy(copy, text, size);
  copy[size] = 0;
  work->items[work->count] = (membership){.kind = kind, .text = copy, .function = function};
  return &work->items[work->count++];
}

static bool add_named(parting *work, uint32_t function, const char *kind, const char *text) {
  return add_part(work, function, kind, text, strlen(text)) != NULL;
}

/* The part of a function of Python, or of JavaScript in the module: its file. NULL: neither. */
static const char *guest_kind(const char *name, const char **file, size_t *size) {
  static const char *const extensions[] = {".js", ".mjs", ".cjs", ".ts"};
  size_t name_size, line_size;
  const char *path = wi_name_guest_file(name, &name_size, size, &line_size);
  if (!path)
    return NULL;
  *file = path + *size;
  while (*file > path && (*file)[-1] != '/')
    --*file;
  *size -= (size_t)(*file - path);
  const char *end = *file + *size, *dot = end;
  while (dot > *file && *dot != '.')
    dot--;
  bool is_text = (**file == '<' || *path == '<') && end[-1] == '>';
  if (is_text)
    *file = "interactive";
  if (is_text)
    *size = strlen(*file);
  if (is_text || (end - dot == 3 && memcmp(dot, ".py", 3) == 0))
    return "python";
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
    if ((size_t)(end - dot) == strlen(extensions[i]) &&
        memcmp(dot, extensions[i], strlen(extensions[i])) == 0)
      return "javascript";
  return NULL;
}

/* The part of a function that only has a file: the package, if that is in Go's library. */
static bool add_file(parting *work, uint32_t function, const char *file) {
  static const char library[] = "go/src/";
  const char *package = strstr(file, library), *name = wi_path_name(file);
  package = package ? package + strlen(library) : name;
  return package < name
             ? add_part(work, function, program, package, (size_t)(name - package - 1)) != NULL
             : add_named(work, function, program, name);
}

/* The parts of a function of the program: its qualifiers, or its file, or its prefix. */
static bool add_program(parting *work, uint32_t function, const wi_part_function *of) {
  char inner[WI_LABEL_MAX_SIZE + 1];
  size_t size, inner_size = wi_name_inner_qualifier(of->name, inner);
  const char *part = wi_name_qualifier(of->name, &size);
  if (inner_size > size && !add_part(work, function, program, inner, inner_size))
    return false;
  if (size > 0) {
    membership *added = add_part(work, function, program, part, size);
    if (added)
      added->is_outer = inner_size > size;
    return added != NULL;
  }
  if (of->file)
    return add_file(work, function, of->file);
  part = wi_name_part(of->name, &size);
  for (; size > 0 && *part == '_'; part++)
    size--;
  if (size < LEAST_PREFIX)
    return add_named(work, function, program, program);
  membership *added = add_part(work, function, program, part, size);
  if (added)
    added->is_prefix = true;
  return added != NULL;
}

/* What a function of a language's runtime or library belongs to. */
static const char *library_of(const wi_part_function *of) {
  static const struct {
    const char *start, *library;
  } names[] = {{"runtime.", "Go's runtime"},
               {"internal/runtime", "Go's runtime"},
               {"_rt0_", "Go's runtime"},
               {"core::", "Rust's library"},
               {"alloc::", "Rust's library"},
               {"__rust", "Rust's library"},
               {"__rdl_", "Rust's library"},
               {"std::__", "C++ library"},
               {"operator", "C++ library"},
               {"__cxx", "C++ library"},
               {"~lib/", "AssemblyScript's library"},
               {"kotlin.", "Kotlin's library"},
               {"java.", "Java's library"},
               {"scala.", "Scala's library"},
               {"emscripten", "Emscripten"}};
  static const struct {
    const char *folder, *library;
  } folders[] = {{"go/src/", "Go's runtime"},
                 {"library/std/", "Rust's library"},
                 {"library/core/", "Rust's library"},
                 {"library/alloc/", "Rust's library"},
                 {"libcxx", "C++ library"}};
  size_t size;
  for (size_t i = 0; of->file && i < sizeof folders / sizeof *folders; i++)
    if (strstr(of->file, folders[i].folder))
      return folders[i].library;
  const char *name = wi_name_qualifier(of->name, &size);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(name, names[i].start, strlen(names[i].start)) == 0)
      return names[i].library;
  bool is_std = size == 3 && strncmp(name, "std", size) == 0;
  return !is_std ? "C library" : strchr(of->name, '(') ? "C++ library" : "Rust's library";
}

static bool add_function(parting *work, uint32_t function, const wi_part_function *of) {
  const char *file = NULL, *kind;
  size_t size;
  bool may_be_guest = of->kind == WI_COLOR_PROGRAM || of->kind == WI_COLOR_RUNTIME ||
                      of->kind == WI_COLOR_JAVASCRIPT;
  if (may_be_guest && (kind = guest_kind(of->name, &file, &size)) != NULL)
    return add_part(work, function, kind, file, size) != NULL;
  switch (of->kind) {
  case WI_COLOR_PROGRAM: return add_program(work, function, of);
  case WI_COLOR_JAVASCRIPT:
    return add_named(work, function, "javascript",
                     of->file ? wi_path_name(of->file) : "JavaScript");
  case WI_COLOR_RUNTIME: return add_named(work, function, "runtime", library_of(of));
  case WI_COLOR_HOST: return add_named(work, function, "host", "host");
  case WI_COLOR_COLLECTION: return add_named(work, function, "collection", "garbage collection");
  case WI_COLOR_WAIT: return add_named(work, function, "wait", "waiting");
  case WI_COLOR_UNNAMED: return add_named(work, function, "unnamed", "without names");
  default: return add_named(work, function, "cut", "cut at a limit");
  }
}

/* ---- The parts of all functions ------------------------------------------------ */

static int compare_parts(const void *left, const void *right) {
  const membership *a = left, *b = right;
  int order = strcmp(a->kind, b->kind);
  if (order == 0)
    order = strcmp(a->text, b->text);
  return order != 0 ? order : (a->function > b->function) - (a->function < b->function);
}

static bool is_same_part(const membership *a, const membership *b) {
  return strcmp(a->kind, b->kind) == 0 && strcmp(a->text, b->text) == 0;
}

/* The end of the items, which are sorted, of the part of items[begin]. */
static uint32_t end_of_part(const parting *work, uint32_t begin) {
  uint32_t end = begin + 1;
  while (end < work->count && is_same_part(&work->items[begin], &work->items[end]))
    end++;
  return end;
}

/* Makes no part of a prefix that few names share. */
static void drop_prefixes(parting *work) {
  for (uint32_t begin = 0, end; begin < work->count; begin = end) {
    bool is_prefix = true;
    end = end_of_part(work, begin);
    for (uint32_t i = begin; i < end; i++)
      is_prefix = is_prefix && work->items[i].is_prefix;
    for (uint32_t i = begin; is_prefix && end - begin < LEAST_NAMES && i < end; i++) {
      char *name = strdup(program);
      if (!name)
        continue; /* stays a part of its own */
      free(work->items[i].text);
      work->items[i].text = name;
    }
  }
}

/* Fills in the parts from the sorted items, whose texts move there. */
static void number_parts(wi_parts *parts, parting *work, uint32_t *outer) {
  for (uint32_t begin = 0, end; begin < work->count; begin = end, parts->count++) {
    end = end_of_part(work, begin);
    parts->list[parts->count] = (wi_part){
        .kind = work->items[begin].kind, .name = work->items[begin].text, .outer = parts->count};
    for (uint32_t i = begin; i < end; i++) {
      const membership *item = &work->items[i];
      (item->is_outer ? outer : parts->of)[item->function] = parts->count;
      if (i > begin)
        free(item->text);
    }
  }
  work->count = 0;
}

/* ---- Go's packages -------------------------------------------------------------- */

/* Whether a name has a domain, as in github.com/owner/package; linkers write it with '_', too. */
static bool is_package(const char *name) {
  static const char *const domains[] = {".com", ".org", ".net", ".io", ".dev"};
  for (size_t i = 0; i < sizeof domains / sizeof *domains; i++) {
    size_t size = strlen(domains[i]);
    for (const char *at = name; (at = strstr(at, domains[i])) != NULL; at += size)
      if (at[size] == '_' || at[size] == '/')
        return true;
  }
  return false;
}

static size_t common_size(const char *a, const char *b, size_t size) {
  size_t common = 0;
  while (common < size && a[common] == b[common] && a[common] != 0)
    common++;
  return common;
}

/* Finds the folders that all packages have. */
static void find_folders(wi_parts *parts) {
  const char *first = NULL;
  size_t size = 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < parts->count; i++) {
    const char *name = parts->list[i].name;
    if (!is_package(name))
      continue;
    size = first ? common_size(first, name, size) : strlen(name);
    first = first ? first : name;
    count++;
  }
  while (size > 0 && first[size - 1] != '/' && first[size - 1] != '_')
    size--;
  for (uint32_t i = 0; count > 1 && i < parts->count; i++)
    if (is_package(parts->list[i].name))
      parts->list[i].folders = (uint32_t)size;
}

/* ---- Public functions ------------------------------------------------------------ */

static bool find_parts(wi_parts *parts, parting *work, const wi_part_function *functions,
                       uint32_t count, uint32_t *outer) {
  for (uint32_t i = 0; i < count; i++) {
    outer[i] = UINT32_MAX;
    if (!add_function(work, i, &functions[i]))
      return false;
  }
  qsort(work->items, work->count, sizeof *work->items, compare_parts);
  drop_prefixes(work);
  qsort(work->items, work->count, sizeof *work->items, compare_parts);
  number_parts(parts, work, outer);
  for (uint32_t i = 0; i < count; i++)
    if (outer[i] != UINT32_MAX)
      parts->list[parts->of[i]].outer = outer[i];
  find_folders(parts);
  return true;
}

bool wi_parts_init(wi_parts *parts, const wi_part_function *functions, uint32_t count) {
  size_t capacity = 2 * (size_t)count + 1; /* each function is in one part, or in two */
  parting work = {.items = malloc(capacity * sizeof *work.items)};
  uint32_t *outer = malloc(((size_t)count + 1) * sizeof *outer);
  *parts = (wi_parts){.list = malloc(capacity * sizeof *parts->list),
                      .of = calloc((size_t)count + 1, sizeof *parts->of)};
  bool ok = work.items && outer && parts->list && parts->of &&
            find_parts(parts, &work, functions, count, outer);
  while (work.count > 0)
    free(work.items[--work.count].text);
  free(work.items);
  free(outer);
  if (!ok)
    wi_parts_clear(parts);
  return ok;
}

void wi_parts_clear(wi_parts *parts) {
  while (parts->count > 0)
    free(parts->list[--parts->count].name);
  free(parts->list);
  free(parts->of);
  *parts = (wi_parts){0};
}
