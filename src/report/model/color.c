#include "report/model/color.h"

#include <stdlib.h>
#include <string.h>

#include "names/label.h"
#include "names/part.h"
#include "support/path.h"

/*
 * Names of C library and compiler runtime functions, in strcmp order. Without words such as "open"
 * that programs in other languages call their own functions.
 */
static const char *const libc_functions[] = {
    "_initialize",    "_start",   "abort",       "aligned_alloc", "atexit",    "bsearch",
    "calloc",         "dlcalloc", "dlfree",      "dlmalloc",      "dlrealloc", "fclose",
    "fflush",         "fmt_fp",   "fopen",       "fprintf",       "fputc",     "fputs",
    "fread",          "free",     "fseek",       "fwrite",        "getenv",    "malloc",
    "memchr",         "memcmp",   "memcpy",      "memmove",       "memset",    "pop_arg",
    "posix_memalign", "printf",   "printf_core", "putchar",       "puts",      "qsort",
    "realloc",        "sbrk",     "snprintf",    "sprintf",       "strchr",    "strcmp",
    "strcpy",         "strdup",   "strlen",      "strncmp",       "strncpy",   "strrchr",
    "strtod",         "strtol",   "vfprintf",    "vsnprintf",
};

/*
 * Functions inside C libraries, in strcmp order. Programs have functions of these names, too, so
 * they count only if the code was recognised.
 */
static const char *const inner_functions[] = {
    "casemap",
    "cycle",
    "decfloat",
    "dispose_chunk",
    "do_read",
    "fmt_o",
    "fmt_u",
    "fmt_x",
    "getint",
    "hexfloat",
    "internal_memalign",
    "mmap_alloc",
    "pad",
    "prepend_alloc",
    "qsort_r",
    "release_unused_segments",
    "scanexp",
    "segment_holding",
    "shl",
    "shr",
    "sift",
    "sn_write",
    "store_int",
    "string_read",
    "strtoll",
    "strtoul",
    "strtoull",
    "strtox",
    "sys_alloc",
    "sys_trim",
    "tmalloc_large",
    "tmalloc_small",
    "trinkle",
    "try_realloc_chunk",
    "twoway_memmem",
    "twoway_strstr",
    "vsprintf",
    "wcrtomb",
    "wcsrtombs",
    "wctomb",
};

/* Crates, namespaces and packages of language runtimes, in strcmp order. */
static const char *const runtime_qualifiers[] = {
    "__cxxabiv1", "alloc", "core", "java", "kotlin", "runtime", "scala", "std",
};

/* Prefixes of names without qualifiers, in strcmp order. */
static const char *const runtime_prefixes[] = {"emscripten", "operator", "wasi"};

/* Folders of C libraries and language runtimes, and files that are one. */
static const char *const library_folders[] = {
    "wasi-libc",   "libc-top-half", "libc-bottom-half", "libc",           "musl",
    "dlmalloc",    "compiler-rt",   "libcxx",           "libcxxabi",      "emscripten/system",
    "library/std", "library/core",  "library/alloc",    "go/src/runtime", "go/src/internal/runtime",
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
  size_t size, qualifier_size;
  const char *part = wi_name_part(name, &size);
  wi_name_qualifier(name, &qualifier_size);
  if (size < sizeof text)
    memcpy(text, part, size);
  if (qualifier_size == 0)
    return is_listed(text, runtime_prefixes, sizeof runtime_prefixes / sizeof *runtime_prefixes);
  return starts_with(part, "~lib/") ||
         is_listed(text, runtime_qualifiers,
                   sizeof runtime_qualifiers / sizeof *runtime_qualifiers);
}

/* What compilers for WebAssembly call a program's main. */
static bool is_main(const char *name) {
  return strcmp(name, "__original_main") == 0 || strcmp(name, "__main_void") == 0 ||
         strcmp(name, "__main_argc_argv") == 0;
}

/* Names of the C library, and those that C reserves for it. */
static bool is_library_name(const char *name) {
  return (starts_with(name, "__") && !is_main(name)) || starts_with(name, "_start.") ||
         is_listed(name, libc_functions, sizeof libc_functions / sizeof *libc_functions);
}

static bool is_runtime(const char *name, const char *file) {
  bool is_matched = *name == WI_MATCHED_MARK && !starts_with(name, "~lib/");
  name += is_matched;
  if (is_matched &&
      is_listed(name, inner_functions, sizeof inner_functions / sizeof *inner_functions))
    return true;
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

/* Also "func[8], func[9]", a function in two compared profiles. */
static bool is_unnamed(const char *name) {
  if (wi_label_is_number(name, NULL))
    return true;
  const char *number = starts_with(name, "func[") ? name + strlen("func[") : NULL;
  return number && starts_with(number + strspn(number, "0123456789"), "], ");
}

wi_color_kind wi_color_kind_of(const char *name, const char *file, wasm_perf_kind function_kind) {
  if (function_kind != WASM_PERF_KIND_WASM)
    return color_of_other(function_kind);
  if (wi_label_is_bracketed(name))
    return WI_COLOR_CUT;
  if (!file && is_unnamed(name))
    return WI_COLOR_UNNAMED;
  return is_runtime(name, file) ? WI_COLOR_RUNTIME : WI_COLOR_PROGRAM;
}

static uint32_t make_color(uint32_t red, uint32_t green, uint32_t blue) {
  return red << 16 | green << 8 | blue;
}

/* What functions of one hue share: their qualifier, or their file, or their prefix. */
static uint32_t hash_part(const char *name, const char *file) {
  size_t size;
  const char *part = wi_name_qualifier(name, &size);
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

uint32_t wi_function_color(const char *name, const char *file, wasm_perf_kind function_kind) {
  wi_color_kind kind = wi_color_kind_of(name, file, function_kind);
  uint32_t shade = hash_bytes(name, strlen(name));
  uint32_t grey = 188 + shade % 24;
  switch (kind) {
  case WI_COLOR_PROGRAM: return warm_color(name, file, shade);
  case WI_COLOR_RUNTIME: return make_color(grey, grey, grey + 4);
  case WI_COLOR_UNNAMED: return unnamed_color(name);
  case WI_COLOR_JAVASCRIPT: return make_color(140 + shade % 32, 205 + shade / 32 % 24, 140);
  case WI_COLOR_HOST: return 0x9CC4E4;
  case WI_COLOR_COLLECTION: return 0xC9A0DC;
  case WI_COLOR_WAIT: return 0xE4E4E8;
  default: return 0xA9A9B0; /* stands for stacks that were cut */
  }
}
