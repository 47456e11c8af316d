#include "samples/v8_frame.h"

#include <string.h>

static bool starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

/*
 * Wrappers between a module and JavaScript; older versions of V8 report them as functions of the
 * module.
 */
static bool is_wrapper(const char *name, const char *direction) {
  size_t size = strlen(direction);
  return starts_with(name, direction) && (name[size] == '\0' || name[size] == ':');
}

bool wi_v8_is_entry(const char *name) {
  return is_wrapper(name, "js-to-wasm");
}

bool wi_v8_is_exit(const char *name) {
  return is_wrapper(name, "wasm-to-js");
}

/* Whether it is a function of the runtime in a module, or of the script for pages. */
static bool is_profiler(const char *name, const char *url) {
  bool is_wasm = starts_with(url, "wasm:");
  return is_wasm ? strcmp(name, "wasm_perf.runtime") == 0
                 : strstr(url, "/wasm-perf/js/") || strstr(url, "/wasm-perf-browser.js");
}

/* Functions without a URL: V8's, Node's in C++, and states of V8, in brackets. */
static wasm_perf_kind kind_of_native(const char *name) {
  static const struct {
    const char *name;
    wasm_perf_kind kind;
  } known[] = {{"(idle)", WASM_PERF_KIND_IDLE},
               {"(garbage collector)", WASM_PERF_KIND_COLLECTION},
               {"poll_oneoff", WASM_PERF_KIND_WAIT},
               {"Module", WASM_PERF_KIND_COMPILATION}, /* new WebAssembly.Module */
               {"compile", WASM_PERF_KIND_COMPILATION},
               {"instantiate", WASM_PERF_KIND_COMPILATION},
               {"compileFunctionForCJSLoader", WASM_PERF_KIND_COMPILATION}, /* Node's, of scripts */
               {"ContextifyScript", WASM_PERF_KIND_COMPILATION},
               {"ModuleWrap", WASM_PERF_KIND_COMPILATION}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(name, known[i].name) == 0)
      return known[i].kind;
  return WASM_PERF_KIND_NATIVE;
}

wasm_perf_kind wi_v8_kind(const char *name, const char *url) {
  if (wi_v8_is_exit(name))
    return WASM_PERF_KIND_IMPORT;
  if (is_profiler(name, url))
    return WASM_PERF_KIND_PROFILER;
  if (starts_with(url, "wasm:"))
    return WASM_PERF_KIND_WASM;
  return *url == '\0' ? kind_of_native(name) : WASM_PERF_KIND_JAVASCRIPT;
}
