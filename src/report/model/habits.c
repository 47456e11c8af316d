#include "report/model/habits.h"

#include <stdbool.h>
#include <string.h>

#include "names/label.h"

/* Names in blanks; one that ends in '*' is the beginning of names. */
static const char *const functions[WI_HABIT_COUNT] = {
    [WI_HABIT_ALLOCATION] =
        " malloc calloc realloc free aligned_alloc posix_memalign sbrk dlmalloc dlcalloc dlrealloc"
        " dlfree internal_* try_realloc_chunk dispose_chunk prepend_alloc emmalloc_* operator_new*"
        " operator_delete* __rust_alloc __rust_dealloc __rust_realloc __rdl_* __wbindgen_malloc"
        " __wbindgen_realloc __wbindgen_free alloc::alloc::* alloc::raw_vec::* dlmalloc::*"
        " <dlmalloc::* runtime.malloc* runtime.newobject runtime.newarray runtime.growslice*"
        " runtime.makeslice* runtime.rawstring* runtime.rawbyteslice runtime.nextFree*"
        " runtime.(*mcache)* runtime.(*mcentral)* runtime.(*mheap)* runtime.alloc ~lib/rt/tlsf/* ",
    [WI_HABIT_COLLECTION] =
        " runtime.gc* runtime.scan* runtime.greyobject* runtime.sweep* runtime.bgsweep"
        " runtime.bgscavenge runtime.markroot* runtime.findObject runtime.wbBuf*"
        " runtime.bulkBarrier* runtime.(*gcWork)* runtime.(*sweep* runtime.tryDeferToSpanScan"
        " runtime.spanInlineMark* ~lib/rt/itcms/* ",
    [WI_HABIT_COPYING] = " memcpy memmove memset __memcpy __memmove __memset strcpy strncpy stpcpy"
                         " strcat runtime.memmove runtime.memclr* runtime.typedmemmove"
                         " runtime.typedslicecopy compiler_builtins::mem::* ",
    [WI_HABIT_COMPARISON] = " strcmp strncmp memcmp bcmp strcasecmp strncasecmp strcoll"
                            " runtime.memequal* runtime.cmpstring runtime.strequal memeqbody"
                            " cmpbody internal/bytealg.* ",
    [WI_HABIT_HASHING] = " runtime.memhash* runtime.strhash* runtime.aeshash* runtime.map*"
                         " internal/runtime/maps.* core::hash::* <core::hash::* hashbrown::*"
                         " <hashbrown::* std::collections::hash::* <std::hash::* siphash*"
                         " <std::collections::hash::* ",
    [WI_HABIT_PARSING] = " strtod strtof strtold strtol strtoul strtoll strtoull atoi atol atof"
                         " __floatscan __intscan decfloat hexfloat strtox core::num::dec2flt*"
                         " <core::num::dec2flt* strconv.Parse* strconv.parse* strconv.Ato*"
                         " strconv.ato* strconv.read* strconv.eiselLemire* ",
    [WI_HABIT_FORMATTING] = " printf_core fmt_fp fmt_u pad vfprintf vsnprintf fprintf printf"
                            " snprintf sprintf fmt.* core::fmt::* <core::fmt::* alloc::fmt::*"
                            " strconv.Append* strconv.Format* strconv.fmt* core::num::flt2dec*"
                            " __small_printf* ",
    [WI_HABIT_SORTING] = " qsort qsort_r sift trinkle smoothsort cycle sort.* slices.*"
                         " core::slice::sort::* <core::slice::sort* std::sort* std::__sort*"
                         " std::__introsort* std::stable_sort* std::__stable_sort* ",
};

/* Whether `name`, of `size` bytes without blanks, is in the list. */
static bool is_in(const char *list, const char *name, size_t size) {
  for (const char *word = list + 1; *word; word += strcspn(word, " ") + 1) {
    size_t length = strcspn(word, " ");
    bool is_start = word[length - 1] == '*' && length > 1;
    length -= is_start;
    if ((is_start ? size >= length : size == length) && memcmp(word, name, length) == 0)
      return true;
  }
  return false;
}

/*
 * Copies the name without the mark of a match, libc++'s inner namespaces, and blanks. Returns the
 * size without what distinguishes equal names.
 */
static size_t plain_name(char *text, size_t room, const char *name) {
  static const char inner[] = "__2::";
  size_t size = 0, name_size = wi_label_name_size(name);
  for (size_t i = *name == WI_MATCHED_MARK && name[1] != 'l'; i < name_size && size < room; i++)
    if (strncmp(name + i, inner, sizeof inner - 1) == 0)
      i += sizeof inner - 2;
    else
      text[size++] = name[i] == ' ' ? '_' : name[i];
  return size;
}

wi_habit wi_habit_of(const char *name, wi_color_kind kind) {
  char text[96];
  size_t size = plain_name(text, sizeof text, name);
  if (kind == WI_COLOR_COLLECTION)
    return WI_HABIT_COLLECTION;
  if (kind != WI_COLOR_PROGRAM && kind != WI_COLOR_RUNTIME)
    return WI_HABIT_NONE;
  for (unsigned habit = 0; habit < WI_HABIT_COUNT; habit++)
    if (is_in(functions[habit], text, size))
      return (wi_habit)habit;
  return WI_HABIT_NONE;
}

const char *wi_habit_words(wi_habit habit) {
#define WORDS(id, words, remedy) [WI_HABIT_##id] = words,
  static const char *const texts[] = {WI_HABITS(WORDS)};
#undef WORDS
  return texts[habit];
}

const char *wi_habit_remedy(wi_habit habit) {
#define REMEDY(id, words, remedy) [WI_HABIT_##id] = remedy,
  static const char *const texts[] = {WI_HABITS(REMEDY)};
#undef REMEDY
  return texts[habit];
}
