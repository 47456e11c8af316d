#include "report/model/own_files.h"

#include <string.h>

#include "support/glob.h"

/* Beginnings of paths of system headers and standard libraries, and of texts without a file. */
static const char *const beginnings[] = {
    "/usr/include/", "/usr/lib/", "/usr/local/",        "/usr/share/", "/opt/",
    "/rustc/",       "/emsdk/",   "/nix/store/",        "/wasi-sdk",   "wasisdk://",
    "~lib/",         "<",         WASM_PERF_TEXT_PREFIX};

/* Folders of dependencies and standard libraries, anywhere in a path. */
static const char *const folders[] = {"/.cargo/registry/", "/.cargo/git/",       "/.rustup/",
                                      "/rustlib/",         "/node_modules/",     "/pkg/mod/",
                                      "/goroot/",          "/go/src/runtime/",   "/rust/deps/",
                                      "/c++/v1/",          "/include/c++/",      "/lib/clang/",
                                      "/dlmalloc/",        "/libc-bottom-half/", "/libc-top-half/",
                                      "/wasi-libc/",       "/zig/lib/",          "/lib/std/"};

static bool begins_with(const char *text, const char *beginning) {
  return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool is_foreign(const char *path) {
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (begins_with(path, beginnings[i]))
      return true;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (strstr(path, folders[i]) || begins_with(path, folders[i] + 1))
      return true;
  return false;
}

bool wi_file_is_own(const wasm_perf_report_options *options, const char *path) {
  const char *const *glob = options->coverage_of;
  if (!glob)
    return !is_foreign(path);
  while (*glob && !wi_glob_matches(*glob, path))
    glob++;
  return *glob && !begins_with(path, WASM_PERF_TEXT_PREFIX);
}
