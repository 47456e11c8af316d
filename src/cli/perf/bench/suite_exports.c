#include "cli/perf/bench/suite_exports.h"

#include <stdlib.h>
#include <string.h>

#include "module/read.h"
#include "support/glob.h"

/* Adds the benchmark of an export, whose name may be anything. */
static bool add_export(cli_suite *suite, uint32_t from, const char *name) {
  const cli_benchmark *given = &suite->benchmarks[from];
  char *full = cli_text("%s/%s", given->name, name);
  bool done = cli_text_is_clean(full) && !cli_suite_find(suite, full);
  if (!done)
    cli_error(given->module.items[0], "export %.80s cannot be a benchmark of its own",
              cli_text_is_clean(name) ? name : "?");
  cli_benchmark *added = done ? WI_ARRAY_PUSH(suite, benchmarks) : NULL;
  if (added) {
    *added = cli_benchmark_copy(&suite->benchmarks[from], full);
    cli_list_clear(&added->invoke);
    cli_list_add(&added->invoke, cli_text("%s", name));
  }
  free(full);
  return added != NULL;
}

static bool add_exports(cli_suite *suite, uint32_t from, const wi_module *module) {
  uint32_t count = suite->benchmarks_count;
  const char *glob = suite->benchmarks[from].invoke.items[0];
  bool done = true;
  for (uint32_t i = 0; i < module->exports_count && done; i++) {
    wi_span span = module->exports[i].name;
    char *name = cli_text("%.*s", (int)span.size, (const char *)module->bytes + span.offset);
    if (wi_glob_matches(glob, name))
      done = add_export(suite, from, name);
    free(name);
  }
  if (done && suite->benchmarks_count == count)
    return cli_error(suite->benchmarks[from].name, "no exported function matches '%s'", glob),
           false;
  return done;
}

static bool expand(cli_suite *suite, uint32_t from) {
  const char *path = suite->benchmarks[from].module.items[0];
  uint8_t *bytes;
  size_t size;
  wi_module module;
  wi_error error;
  if (!cli_file_read(path, &bytes, &size, NULL))
    return false;
  wi_error_reset(&error);
  bool is_read = wi_module_read(&module, bytes, size, &error);
  if (!is_read)
    cli_module_error(path, &error);
  bool done = is_read && add_exports(suite, from, &module);
  if (is_read)
    wi_module_clear(&module);
  free(bytes);
  return done;
}

bool cli_suite_expand(cli_suite *suite) {
  uint32_t given_count = suite->benchmarks_count;
  bool done = true;
  for (uint32_t i = 0; i < given_count && done;) {
    const cli_benchmark *benchmark = &suite->benchmarks[i];
    bool is_pattern = benchmark->module.count > 0 && benchmark->invoke.count > 0 &&
                      strpbrk(benchmark->invoke.items[0], "*?");
    if (!is_pattern) {
      i++;
      continue;
    }
    done = expand(suite, i);
    cli_suite_remove(suite, i);
    given_count--;
  }
  return done;
}
