/* Demangles names of C++ and Rust, with libiberty, and of Scala.js. */
#include <libiberty/demangle.h>
#include <libiberty/safe-ctype.h>
#include <setjmp.h>
#include <string.h>

#include "names/mangling_markers.h"
#include "names/newer_mangling.h"
#include "names/scala_names.h"
#include "wasm_instrument/wasm_instrument.h"

/*
 * libiberty's demanglers have a licence that permits linking them into anything, but its table of
 * character classes is plain LGPL. This table replaces it, so that no such object is linked. It is
 * weak because a program that uses more of libiberty links the original.
 */
enum {
  DIGIT = _sch_isdigit | _sch_isxdigit | _sch_isprint,
  UPPER = _sch_isupper | _sch_isidst | _sch_isprint,
  LOWER = _sch_islower | _sch_isidst | _sch_isprint,
};
__attribute__((weak)) const unsigned short _sch_istable[256] = {
    ['0' ... '9'] = DIGIT,
    ['A' ... 'F'] = UPPER | _sch_isxdigit,
    ['G' ... 'Z'] = UPPER,
    ['a' ... 'f'] = LOWER | _sch_isxdigit,
    ['g' ... 'z'] = LOWER,
    ['_'] = _sch_isidst | _sch_ispunct | _sch_isprint,
    [' '] = _sch_isblank | _sch_isspace | _sch_isnvsp | _sch_isprint,
    ['!' ... '/'] = _sch_ispunct | _sch_isprint,
    [':' ... '@'] = _sch_ispunct | _sch_isprint,
    ['[' ... '^'] = _sch_ispunct | _sch_isprint,
    ['`'] = _sch_ispunct | _sch_isprint,
    ['{' ... '~'] = _sch_ispunct | _sch_isprint,
    ['\0' ... '\b'] = _sch_iscntrl,
    ['\t' ... '\r'] = _sch_iscntrl | _sch_isspace,
    ['\x0e' ... '\x1f'] = _sch_iscntrl,
    ['\x7f'] = _sch_iscntrl,
};

/*
 * Substitutions let a short mangled name expand to an exponentially long one, and libiberty would
 * print all of it. Its callback interface keeps its state on the stack, so it is safe to jump out
 * of the callback once the text is full.
 */
typedef struct sink {
  char *text;
  size_t size;
  size_t used;
  jmp_buf full;
} sink;

enum { MANGLED_SIZE_MAX = 16384, LIBIBERTY_SIZE_MAX = 1024 };

static void collect(const char *piece, size_t size, void *opaque) {
  sink *out = opaque;
  if (size == 0) /* `piece` may then be NULL */
    return;
  if (size >= out->size - out->used)
    longjmp(out->full, 1);
  memcpy(out->text + out->used, piece, size);
  out->used += size;
}

static bool is_mangled(const char *name) {
  return strncmp(name, "_Z", 2) == 0 || strncmp(name, "__Z", 3) == 0 || strncmp(name, "_R", 2) == 0;
}

/* Same for what libiberty does not know. */
static bool demangle_newer(const char *name, int options, sink *out) {
  char older[LIBIBERTY_SIZE_MAX + 1];
  size_t start = out->used;
  if (!wi_newer_mangling_rewrite(name, older, sizeof older) ||
      cplus_demangle_v3_callback(older, options, collect, out) == 0)
    return false;
  out->used = start + wi_mangling_markers_resolve(out->text + start, out->used - start);
  return out->used > start;
}

static bool demangle_into(const char *name, int options, sink *out) {
  size_t start = out->used;
  if (setjmp(out->full))
    return false;
  /* Rust's legacy names are also valid C++ names, so try Rust first. */
  if (rust_demangle_callback(name, options, collect, out))
    return out->used > start;
  out->used = start;
  if (cplus_demangle_v3_callback(name, options, collect, out) != 0)
    return out->used > start;
  out->used = start;
  return demangle_newer(name, options, out);
}

/* Size of the prefix before a mangled name: "orig$" in "orig$_ZN…", "~" in "~_ZN…". */
static size_t prefix_size(const char *name) {
  if (name[0] == '~' && is_mangled(name + 1))
    return 1;
  const char *mangled = is_mangled(name) ? name : strstr(name, "$_Z");
  return mangled ? (size_t)(mangled - name) + (mangled > name) : 0;
}

/*
 * Size without Rust's hash, "::h" and 16 digits, which other demanglers leave; 0 if there is none.
 */
static size_t size_before_hash(const char *name) {
  enum { HASH_SIZE = 19 };
  size_t size = strlen(name), start = size > HASH_SIZE ? size - HASH_SIZE : 0;
  bool is_hash = start > 0 && strncmp(name + start, "::h", 3) == 0 &&
                 strspn(name + start + 3, "0123456789abcdef") == HASH_SIZE - 3;
  return is_hash ? start : 0;
}

/* Size of a hash that rustc-demangle prints after a crate, "[48a3c19e601da739]"; 0 if none. */
static size_t crate_hash_size(const char *text) {
  enum { LEAST_DIGITS = 12, MOST_DIGITS = 16 };
  size_t digits = text[0] == '[' ? strspn(text + 1, "0123456789abcdef") : 0;
  bool is_hash = digits >= LEAST_DIGITS && digits <= MOST_DIGITS && text[digits + 1] == ']';
  return is_hash ? digits + 2 : 0;
}

/*
 * Copies a name that another demangler made, without Rust's hashes. Returns the size, 0 if the name
 * has none or is too long.
 */
static size_t copy_without_hashes(const char *name, char *text, size_t size) {
  size_t whole = strlen(name), trimmed = size_before_hash(name), used = 0;
  const char *end = name + (trimmed > 0 ? trimmed : whole);
  while (name < end && used < size) {
    name += crate_hash_size(name);
    if (name < end)
      text[used++] = *name++;
  }
  return used < whole && used < size ? used : 0;
}

static bool demangle(const char *name, int options, char *text, size_t size) {
  char readable[WI_READABLE_MAX_SIZE];
  sink out = {.text = readable, .size = sizeof readable};
  size_t prefix = prefix_size(name), whole = strlen(name);
  if (whole > MANGLED_SIZE_MAX || prefix >= sizeof readable)
    return false;
  if (is_mangled(name + prefix)) {
    memcpy(readable, name, prefix);
    out.used = prefix;
    name += prefix;
    /* Some tools prefix mangled names with the object format's underscore. */
    if (!demangle_into(name + (name[1] == '_'), options, &out))
      return false;
  } else {
    out.used = wi_scala_name_demangle(name, readable, sizeof readable);
    if (out.used == 0)
      out.used = copy_without_hashes(name, readable, sizeof readable);
  }
  if (out.used == 0 || out.used >= size)
    return false;
  memcpy(text, readable, out.used);
  text[out.used] = '\0';
  return true;
}

bool wi_demangle(const char *name, char *text, size_t size) {
  return demangle(name, DMGL_PARAMS | DMGL_ANSI, text, size);
}

bool wi_demangle_bare(const char *name, char *text, size_t size) {
  return demangle(name, DMGL_PARAMS | DMGL_ANSI | DMGL_RET_DROP, text, size);
}
