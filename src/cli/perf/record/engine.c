/* Finds the installed engines and runs programs in them. */
#define _GNU_SOURCE /* readlink, realpath */

#include "cli/perf/record/engine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/file.h"
#include "cli/common/process.h"
#include "cli/perf/record/engine_tables.h"
#include "cli/perf/record/line_filter.h"

static const struct {
  const cli_host *host;
  const char *variable; /* environment variable that overrides the executable */
} hosts[] = {
#define CLI_HOST(name, variable, variable_help, help) {&cli_##name##_host, variable},
#include "cli/perf/record/hosts.def"
#undef CLI_HOST
};
static const size_t host_count = sizeof hosts / sizeof *hosts;

const char *cli_engine_with(cli_capability capability) {
  size_t i = 0;
  while (i + 1 < host_count && !(hosts[i].host->capabilities & (unsigned)capability))
    i++;
  return hosts[i].host->name;
}

/* ---- Finding things ------------------------------------------------------ */

static bool is_share_folder(const char *folder) {
  char *file = cli_text("%s/wasm_perf.wasm", folder);
  bool readable = access(file, R_OK) == 0;
  free(file);
  return readable;
}

/*
 * The folder of the runtime's files: next to this program in a build tree, else the installed one.
 * The caller frees it; NULL on failure.
 */
static char *find_share_folder(void) {
  const char *given = cli_variable("WASM_PERF_SHARE");
  if (given)
    return cli_text("%s", given);
  char self[4096];
  ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
  if (size < 0)
    return NULL;
  self[size] = '\0';
  int folder_size = (int)(wi_path_name(self) - self);
  char *folder = cli_text("%.*s.", folder_size, self);
  if (is_share_folder(folder))
    return folder;
  free(folder);
  return cli_text("%.*s../share/wasm_instrument", folder_size, self);
}

/* Whether the engine can load files from `folder`, which may be NULL. */
static bool check_share_folder(const cli_host *host, const char *folder, cli_failure *failure) {
  if (!folder || !is_share_folder(folder))
    return cli_fail(failure, NULL,
                    "wasm_perf.wasm is not in %s; set WASM_PERF_SHARE to the folder that has it",
                    folder ? folder : "the folder of this program");
  char *path = realpath(folder, NULL);
  bool is_refused = (host->capabilities & CLI_NEEDS_PLAIN_PATHS) && path && strchr(path, '\\');
  if (is_refused)
    cli_fail(failure, path,
             "Node.js cannot import files from a path with a backslash; install wasm-perf "
             "in another folder, or set WASM_PERF_SHARE");
  free(path);
  return !is_refused;
}

static cli_engine *engine_new(const cli_host *host, char *executable, cli_failure *failure) {
  char *share_folder = find_share_folder();
  bool is_usable = check_share_folder(host, share_folder, failure);
  cli_engine *engine = is_usable ? calloc(1, sizeof *engine) : NULL;
  if (engine) {
    *engine = (cli_engine){host, executable, share_folder};
    return engine;
  }
  if (is_usable)
    cli_fail_memory(failure);
  free(share_folder);
  free(executable);
  return NULL;
}

cli_engine *cli_engine_find(const char *name, cli_failure *failure) {
  for (size_t i = 0; i < host_count; i++) {
    const cli_host *host = hosts[i].host;
    if (name && strcmp(host->name, name) != 0)
      continue;
    const char *given = cli_variable(hosts[i].variable);
    char *executable = cli_executable_find(given ? given : host->name);
    if (executable)
      return engine_new(host, executable, failure);
    if (given)
      cli_fail(failure, given, "cannot be executed (%s names it)", hosts[i].variable);
    else if (name)
      cli_fail(failure, NULL, "no %s on PATH; set %s to its path", name, hosts[i].variable);
    if (given || name)
      return NULL;
  }
  char names[128];
  cli_choices_list(cli_engine_choice, names, sizeof names);
  cli_fail(failure, NULL, "no engine on PATH: %s", names);
  return NULL;
}

void cli_engine_free(cli_engine *engine) {
  if (!engine)
    return;
  free(engine->executable);
  free(engine->share_folder);
  free(engine);
}

bool cli_engine_can(const cli_engine *engine, cli_capability capability) {
  return engine->host->capabilities & (unsigned)capability;
}

/* ---- Running ------------------------------------------------------------- */

int cli_engine_run(const cli_engine *engine, const cli_program *program, cli_failure *failure) {
  cli_list words = {0};
  cli_list_add(&words, cli_text("%s", engine->host->name));
  bool is_beside = program->sample || !program->file_name;
  (is_beside ? engine->host->add_words : engine->host->add_plain_words)(engine, program, &words);
  bool is_talking = program->sample && engine->host->unwanted[0];
  cli_line_filter filter = {.unwanted = {engine->host->unwanted[0], engine->host->unwanted[1]}};
  int exit_code = is_talking ? wi_process_run_reading(engine->executable, words.items,
                                                      cli_line_filter_take, &filter)
                             : wi_process_run(engine->executable, words.items, program->streams);
  cli_line_filter_end(&filter);
  if (exit_code < 0)
    cli_fail(failure, engine->executable, "%s", strerror(errno));
  cli_list_clear(&words);
  return exit_code;
}

int cli_engine_run_component(const cli_engine *engine, const cli_program *program,
                             wi_process_output *take, void *user, cli_failure *failure) {
  cli_list words = {0};
  cli_list_add(&words, cli_text("%s", engine->host->name));
  engine->host->add_component_words(engine, program, &words);
  int exit_code = wi_process_run_reading(engine->executable, words.items, take, user);
  if (exit_code < 0)
    cli_fail(failure, engine->executable, "%s", strerror(errno));
  cli_list_clear(&words);
  return exit_code;
}

void cli_engine_plain_words(const cli_engine *engine, const cli_program *program, cli_list *words) {
  cli_list_add(words, cli_text("%s", engine->executable));
  engine->host->add_plain_words(engine, program, words);
}
