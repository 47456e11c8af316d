#include "report/model/color.h"

#include <stdlib.h>
#include <string.h>

#include "names/label.h"
#include "support/path.h"

/* Names of C library and compiler runtime functions, in strcmp order. */
static const char *const libc_functions[] = {
    "_initialize", "_start",    "abort",    "aligned_alloc",  "atexit",   "bsearch",
    "calloc",      "close",     "dlcalloc", "dlfree",         "dlmalloc", "dlrealloc",
    "exit",        "fclose",    "fflush",   "fmt_fp",         "fopen",    "fprintf",
    "fputc",       "fputs",     "fread",    "free",           "fseek",    "fwrite",
    "getenv",      "malloc",    "memchr",   "memcmp",         "memcpy",   "memmove",
    "memset",      "open",      "pop_arg",  "posix_memalign", "printf",   "printf_core",
    "putchar",     "puts",      "qsort",    "read",           "realloc",  "sbrk",
    "snprintf",    "sprintf",   "strchr",   "strcmp",         "strcpy",   "strdup",
    "strlen",      "strncmp",   "strncpy",  "strrchr",        "strtod",   "strtol",
    "vfprintf",    "vsnprintf", "write",
};

/* Crates, namespaces, packages and folders of language runtimes, in strcmp order. */
static const char *const runtime_parts[] = {
    "__cxxabiv1", "alloc", "core", "emscripten", "operator", "runtime", "std", "wasi",
};

/* Folders of C libraries and language runtimes, and files that are one. */
static const char *const library_folders[] = {
    "wasi-libc",   "libc-top-half", "libc-bottom-half", "libc",           "musl",
    "dlmalloc",    "compiler-rt",   "libcxx",           "libcxxabi",      "emscripten/system",
    "library/std", "library/core",  "library/alloc",    "go/src/runtime",
};

static int compare_texts(const void *key, const void *element) {
  return strcmp(key, *(const char *const *)element);
}

static bool is_listed(const char *text, const char *const *list, size_t count) {
  return bsearch(text, list, count, sizeof *list, compare_texts) != NULL;
}

static bool starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Skips what C++ writes before a name: the return type, "virtual thunk to". */
static const char *skip_return_type(const char *name) {
  const char *start = name;
  unsigned nesting = 0;
  for (const char *at = name; *at != 0; at++) {
    if (*at == '(' || *at == '<') {
      nesting++;
    } else if ((*at == ')' || *at == '>') && nesting > 0) {
      nesting--;
    } else if (*at == ' ' && nesting == 0) {
      bool is_operator = at - start >= 8 && memcmp(at - 8, "operator", 8) == 0;
      if (is_operator || starts_with(at, " const") || starts_with(at, " ["))
        break;
      start = at + 1;
    }
  }
  return start;
}

/*
 * Size of a Go package or AssemblyScript file: up to the last '/', and from there to a '.' if any.
 */
static size_t path_size(const char *name) {
  size_t end = strcspn(name, "<(");
  size_t slash = 0;
  for (size_t i = 0; i < end; i++)
    slash = name[i] == '/' ? i : slash;
  size_t dot = slash + strcspn(name + slash, ".<(");
  return slash > 0 && name[dot] == '.' ? dot : slash;
}

/* A C name's prefix: "lua" of lua_pushnil, "sqlite3" of sqlite3BtreeOpen. */
static size_t prefix_size(const char *name) {
  size_t start = strspn(name, "_");
  size_t size = strspn(name + start, "abcdefghijklmnopqrstuvwxyz0123456789");
  return size == 0 ? strcspn(name, "<(") : start + size;
}

/*
 * Size of the word, or of the marks, in front of a path: "<&", "mut " of Rust, or C++'s unnamed
 * namespace. 0 if there is none.
 */
static size_t leading_size(const char *name) {
  static const char *const words[] = {"(anonymous namespace)::", "mut ", "const ", "dyn "};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (starts_with(name, words[i]))
      return strlen(words[i]);
  return strspn(name, "<(&*");
}

static const char *skip_words(const char *name) {
  for (size_t size; (size = leading_size(name)) > 0;)
    name += size;
  return name;
}

/*
 * What Rust's <crate::Type as crate::Trait>::method belongs to: the type, or the trait if the type
 * has no crate, as u32.
 */
static const char *owner_of(const char *name) {
  const char *type = skip_words(name), *trait = strstr(type, " as ");
  size_t end = strcspn(type, ":<> ");
  return name[0] == '<' && trait == type + end ? trait + strlen(" as ") : type;
}

/* The part of a qualified name. Names of C have none: *size is 0. */
static const char *qualifier_of(const char *name, size_t *size) {
  name = owner_of(skip_return_type(name));
  *size = path_size(name);
  if (*size == 0) {
    size_t end = strcspn(name, ":.<( ");
    bool is_qualified = name[end] == '.' || name[end] == '<' || starts_with(name + end, "::");
    *size = is_qualified ? end : 0;
  }
  return name;
}

const char *wi_name_part(const char *name, size_t *size) {
  name = qualifier_of(name, size);
  if (*size == 0)
    *size = prefix_size(name);
  return name;
}

static bool is_in_folder(const char *file, const char *folder) {
  size_t size = strlen(folder);
  for (const char *at = file; (at = strstr(at, folder)) != NULL; at++)
    if ((at == file || at[-1] == '/') && (at[size] == '/' || at[size] == '.' || at[size] == 0))
      return true;
  return false;
}

static bool is_library_file(const char *file) {
  for (size_t i = 0; i < sizeof library_folders / sizeof *library_folders; i++)
    if (is_in_folder(file, library_folders[i]))
      return true;
  return false;
}

static bool is_runtime_part(const char *name) {
  char text[32] = "";
  size_t size;
  const char *part = wi_name_part(name, &size);
  if (size < sizeof text)
    memcpy(text, part, size);
  return starts_with(part, "~lib/") ||
         is_listed(text, runtime_parts, sizeof runtime_parts / sizeof *runtime_parts);
}

/* Names of the C library, and those that C reserves for it. */
static bool is_library_name(const char *name) {
  return starts_with(name, "__") || starts_with(name, "_start.") ||
         is_listed(name, libc_functions, sizeof libc_functions / sizeof *libc_functions);
}

static bool is_runtime(const char *name, const char *file) {
  return is_runtime_part(name) || (file ? is_library_file(file) : is_library_name(name));
}

/* FNV-1a, with a final mix so that every bit counts. */
static uint32_t hash_bytes(const char *bytes, size_t size) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
  hash ^= hash >> 15;
  hash *= 0x85EBCA6Bu;
  return hash ^ hash >> 13;
}

/* For functions other than WebAssembly's. */
static wi_color_kind color_of_other(wasm_perf_kind kind) {
  switch (kind) {
  case WASM_PERF_KIND_JAVASCRIPT: return WI_COLOR_JAVASCRIPT;
  case WASM_PERF_KIND_COLLECTION: return WI_COLOR_COLLECTION;
  case WASM_PERF_KIND_IDLE:
  case WASM_PERF_KIND_PROFILER:
  case WASM_PERF_KIND_WAIT: return WI_COLOR_WAIT;
  default: return WI_COLOR_HOST;
  }
}

wi_color_kind wi_color_kind_of(const char *name, const char *file, wasm_perf_kind function_kind) {
  if (function_kind != WASM_PERF_KIND_WASM)
    return color_of_other(function_kind);
  if (wi_label_is_bracketed(name))
    return WI_COLOR_CUT;
  if (wi_label_is_number(name, NULL))
    return WI_COLOR_UNNAMED;
  return is_runtime(name, file) ? WI_COLOR_RUNTIME : WI_COLOR_PROGRAM;
}

static uint32_t make_color(uint32_t red, uint32_t green, uint32_t blue) {
  return red << 16 | green << 8 | blue;
}

/* What functions of one hue share: their qualifier, or their file, or their prefix. */
static uint32_t hash_part(const char *name, const char *file) {
  size_t size;
  const char *part = qualifier_of(name, &size);
  if (size == 0 && file) {
    part = wi_path_name(file);
    size = strlen(part);
  } else if (size == 0) {
    part = wi_name_part(name, &size);
  }
  return hash_bytes(part, size);
}

/* From rose over orange to yellow; red is always the strongest component. */
static uint32_t warm_color(const char *name, const char *file, uint32_t shade) {
  uint32_t high = 238 + shade % 16;
  uint32_t low = 84 + shade / 16 % 40;
  uint32_t hue = hash_part(name, file) % 68;
  uint32_t green = hue < 12 ? low : low + (high - low) * (hue - 12) / 60;
  uint32_t blue = hue < 12 ? low + (high - low) * (12 - hue) / 60 : low;
  return make_color(high, green, blue);
}

/* All hues, pale. Consecutive numbers have distant hues. */
static uint32_t unnamed_color(const char *name) {
  enum { LOW = 148, HIGH = 236, STEP = HIGH - LOW };
  uint32_t number = (uint32_t)strtoul(name + 5, NULL, 10);
  uint32_t hue = (uint32_t)(((uint64_t)(number * 2654435769u) * (6 * STEP)) >> 32);
  uint32_t up = LOW + hue % STEP, down = HIGH - hue % STEP;
  switch (hue / STEP) {
  case 0: return make_color(HIGH, up, LOW);
  case 1: return make_color(down, HIGH, LOW);
  case 2: return make_color(LOW, HIGH, up);
  case 3: return make_color(LOW, down, HIGH);
  case 4: return make_color(up, LOW, HIGH);
  default: return make_color(HIGH, LOW, down);
  }
}

const wi_color_meaning wi_color_kinds[WI_COLOR_KIND_COUNT] = {
    [WI_COLOR_PROGRAM] = {0xF59A5F, "program: one hue per namespace, crate, package or prefix"},
    [WI_COLOR_RUNTIME] = {0xC4C4C8, "language runtime and C library"},
    [WI_COLOR_HOST] = {0x9CC4E4, "calls of the host"},
    [WI_COLOR_JAVASCRIPT] = {0xA6D49F, "JavaScript: one shade per function"},
    [WI_COLOR_COLLECTION] = {0xC9A0DC, "garbage collection"},
    [WI_COLOR_WAIT] = {0xE4E4E8, "waiting"},
    [WI_COLOR_UNNAMED] = {0x94D8EC, "functions without names: one hue each"},
    [WI_COLOR_CUT] = {0xA9A9B0, "stacks cut at a limit"},
};

uint32_t wi_function_color(const char *name, const char *file, wasm_perf_kind function_kind) {
  wi_color_kind kind = wi_color_kind_of(name, file, function_kind);
  uint32_t shade = hash_bytes(name, strlen(name));
  uint32_t grey = 188 + shade % 24;
  switch (kind) {
  case WI_COLOR_PROGRAM: return warm_color(name, file, shade);
  case WI_COLOR_RUNTIME: return make_color(grey, grey, grey + 4);
  case WI_COLOR_UNNAMED: return unnamed_color(name);
  case WI_COLOR_JAVASCRIPT: return make_color(140 + shade % 32, 205 + shade / 32 % 24, 140);
  default: return wi_color_kinds[kind].example;
  }
}
