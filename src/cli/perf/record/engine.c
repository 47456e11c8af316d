/* Runs an instrumented WASI command in an engine that is installed. */
#define _GNU_SOURCE /* readlink, realpath */

#include "cli/perf/record/engine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/file.h"
#include "cli/common/process.h"
#include "cli/perf/record/line_filter.h"

/* One kind of engine: how to find it and what to say to it. */
typedef struct engine_kind {
  const char *name; /* also of the executable */
  const char *help;
  const char *variable; /* of the environment: overrides the executable */
  bool needs_flush;
  bool samples; /* what --clock sampled needs */
  /* All but the engine's name: with the linked runtime, or to be sampled; and with neither. */
  void (*add_words)(const cli_engine *engine, const cli_program *program, cli_list *words);
  void (*add_plain_words)(const cli_engine *engine, const cli_program *program, cli_list *words);
} engine_kind;

struct cli_engine {
  const engine_kind *kind;
  char *executable;   /* owned */
  char *share_folder; /* owned; holds wasm_perf.wasm and js/ */
};

/* --option=value for each value, which may begin with a dash. */
static void add_options(cli_list *words, const char *option, const cli_list *values) {
  for (size_t i = 0; i < values->count; ++i)
    cli_list_add(words, cli_text("%s=%s", option, values->items[i]));
}

static void add_words(cli_list *words, char *const *values, size_t count) {
  for (size_t i = 0; i < count; ++i)
    cli_list_add(words, cli_text("%s", values[i]));
}

static void add_program(cli_list *words, const cli_program *program) {
  cli_list_add(words, cli_text("%s", program->module_path));
  add_words(words, program->args, program->arg_count);
}

static void add_invocation(cli_list *words, const cli_program *program) {
  if (!program->invoke)
    return;
  cli_list_add(words, cli_text("--invoke=%s", program->invoke));
  add_options(words, "--argument", program->invoke_arguments);
}

static void add_node_words(const cli_engine *engine, const cli_program *program, cli_list *words) {
  add_words(words, program->engine_options->items, program->engine_options->count);
  cli_list_add(words, cli_text("%s/js/bundle/node_wasi.mjs", engine->share_folder));
  cli_list_add(words, cli_text("--runtime=%s/wasm_perf.wasm", engine->share_folder));
  cli_list_add(words, cli_text("--output=%s/" CLI_PROFILE_NAME, program->folder));
  if (program->sample)
    cli_list_add(words, cli_text("--sample"));
  if (program->sample && program->no_inlining)
    cli_list_add(words, cli_text("--no-inlining"));
  if (program->node_limit != 0)
    cli_list_add(words, cli_text("--node-limit=%" PRIu32, program->node_limit));
  if (program->folds_recursion)
    cli_list_add(words, cli_text("--recursion=fold"));
  add_options(words, "--dir", program->dirs);
  add_options(words, "--env", program->variables);
  add_invocation(words, program);
  cli_list_add(words, cli_text("--"));
  add_program(words, program);
}

/* Where the module is to write its profile; after the folders that the program counts on. */
static void add_file(const cli_program *program, cli_list *words) {
  if (!program->file_name)
    return;
  cli_list_add(words, cli_text("--dir=%s::/wasm_perf", program->folder));
  cli_list_add(words, cli_text("--env=WASM_PERF_FILE=/wasm_perf/%s", program->file_name));
}

static void add_plain_node_words(const cli_engine *engine, const cli_program *program,
                                 cli_list *words) {
  add_words(words, program->engine_options->items, program->engine_options->count);
  cli_list_add(words, cli_text("%s/js/bundle/node_wasi.mjs", engine->share_folder));
  cli_list_add(words, cli_text("--plain"));
  add_options(words, "--dir", program->dirs);
  add_options(words, "--env", program->variables);
  add_file(program, words);
  add_invocation(words, program);
  cli_list_add(words, cli_text("--"));
  add_program(words, program);
}

/*
 * The runtime is a second module here and writes its profile itself: to a folder that WASI shows
 * it under the name it expects, after the folders that the program counts on.
 */
static void add_linked_wasmtime_words(const cli_engine *engine, const cli_program *program,
                                      cli_list *words) {
  const wi_marker *marker = program->marker;
  cli_list_add(words, cli_text("--preload=%s=%s/wasm_perf.wasm", marker->import_module,
                               engine->share_folder));
  add_options(words, "--dir", program->dirs);
  cli_list_add(words, cli_text("--dir=%s::/wasm_perf", program->folder));
  add_options(words, "--env", program->variables);
  if (strcmp(marker->clock, "wall") != 0)
    cli_list_add(words, cli_text("--env=WASM_PERF_CLOCK=%s", marker->clock));
  if (program->node_limit != 0)
    cli_list_add(words, cli_text("--env=WASM_PERF_NODE_LIMIT=%" PRIu32, program->node_limit));
  if (program->folds_recursion)
    cli_list_add(words, cli_text("--env=WASM_PERF_RECURSION=fold"));
}

/* wasmtime's own profiler, of the module as it is; the shortest interval at which it keeps up. */
static void add_sampled_wasmtime_words(const cli_program *program, cli_list *words) {
  cli_list_add(words, cli_text("--profile=guest,%s/" CLI_PROFILE_NAME ",1ms", program->folder));
  add_options(words, "--dir", program->dirs);
  add_options(words, "--env", program->variables);
}

static void add_wasmtime_words(const cli_engine *engine, const cli_program *program,
                               cli_list *words) {
  cli_list_add(words, cli_text("run"));
  cli_list_add(words, cli_text("-Wall-proposals"));
  add_words(words, program->engine_options->items, program->engine_options->count);
  if (program->sample)
    add_sampled_wasmtime_words(program, words);
  else
    add_linked_wasmtime_words(engine, program, words);
  add_program(words, program);
}

static void add_plain_wasmtime_words(const cli_engine *engine, const cli_program *program,
                                     cli_list *words) {
  (void)engine;
  cli_list_add(words, cli_text("run"));
  cli_list_add(words, cli_text("-Wall-proposals"));
  add_words(words, program->engine_options->items, program->engine_options->count);
  add_options(words, "--dir", program->dirs);
  add_options(words, "--env", program->variables);
  add_file(program, words);
  add_program(words, program);
}

void cli_engine_plain_words(const cli_engine *engine, const cli_program *program, cli_list *words) {
  cli_list_add(words, cli_text("%s", engine->executable));
  engine->kind->add_plain_words(engine, program, words);
}

#define NODE_VARIABLE     "WASM_PERF_NODE"
#define WASMTIME_VARIABLE "WASM_PERF_WASMTIME"

static const engine_kind engine_kinds[] = {
    {"node", "Node.js", NODE_VARIABLE, false, true, add_node_words, add_plain_node_words},
    {"wasmtime",
     "the program sees a folder /wasm_perf, where the profile goes; some traps leave no profile",
     WASMTIME_VARIABLE, true, false, add_wasmtime_words, add_plain_wasmtime_words},
};
static const size_t engine_kind_count = sizeof engine_kinds / sizeof engine_kinds[0];

const cli_entry cli_engine_environment[] = {
    {NODE_VARIABLE, "the node to run modules with; default: the one on PATH"},
    {WASMTIME_VARIABLE, "the wasmtime, likewise"},
    {"WASM_PERF_SHARE", "the folder of the runtime's files, if they were moved"},
    {"WASM_PERF_CACHE",
     "the folder of modules that Node.js got instrumented, for later runs; empty: none. Default: "
     "wasm-instrument/modules in $XDG_CACHE_HOME or ~/.cache, up to 512 MB"},
    {"TMPDIR", "the folder for temporary files; default: /tmp"},
    {0}};

bool cli_engine_choice(size_t index, cli_choice *choice) {
  if (index >= engine_kind_count)
    return false;
  snprintf(choice->name, sizeof choice->name, "%s", engine_kinds[index].name);
  choice->help = engine_kinds[index].help;
  return true;
}

/* ---- Finding things ------------------------------------------------------ */

static bool is_share_folder(const char *folder) {
  char *file = cli_text("%s/wasm_perf.wasm", folder);
  bool readable = access(file, R_OK) == 0;
  free(file);
  return readable;
}

/* Where the runtime's files are: beside this program in a build tree, else where installed. */
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

/* Whether the engine can load our files from the folder, which may be NULL; prints an error if
 * not. */
static bool check_share_folder(const engine_kind *kind, const char *folder) {
  if (!folder || !is_share_folder(folder)) {
    cli_error(NULL, "wasm_perf.wasm is not in %s; set WASM_PERF_SHARE to the folder that has it",
              folder ? folder : "the folder of this program");
    return false;
  }
  char *path = realpath(folder, NULL);
  bool is_refused = kind->samples && path && strchr(path, '\\');
  if (is_refused)
    cli_error(path, "Node.js imports nothing from a folder with a backslash in its path; install "
                    "wasm-perf in another, or set WASM_PERF_SHARE");
  free(path);
  return !is_refused;
}

static cli_engine *engine_new(const engine_kind *kind, char *executable) {
  char *share_folder = find_share_folder();
  bool is_usable = check_share_folder(kind, share_folder);
  cli_engine *engine = is_usable ? calloc(1, sizeof *engine) : NULL;
  if (engine) {
    *engine = (cli_engine){kind, executable, share_folder};
    return engine;
  }
  free(engine);
  free(share_folder);
  free(executable);
  return NULL;
}

cli_engine *cli_engine_find(const char *name) {
  for (size_t i = 0; i < engine_kind_count; ++i) {
    const engine_kind *kind = &engine_kinds[i];
    if (name && strcmp(kind->name, name) != 0)
      continue;
    const char *given = cli_variable(kind->variable);
    char *executable = cli_executable_find(given ? given : kind->name);
    if (executable)
      return engine_new(kind, executable);
    if (given)
      cli_error(given, "cannot be executed (%s names it)", kind->variable);
    else if (name)
      cli_error(NULL, "no %s on PATH; set %s to its path", name, kind->variable);
    if (given || name)
      return NULL;
  }
  char names[128];
  cli_choices_list(cli_engine_choice, names, sizeof names);
  cli_error(NULL, "no engine on PATH: %s", names);
  return NULL;
}

void cli_engine_free(cli_engine *engine) {
  if (!engine)
    return;
  free(engine->executable);
  free(engine->share_folder);
  free(engine);
}

const char *cli_engine_share_folder(const cli_engine *engine) {
  return engine->share_folder;
}

bool cli_engine_needs_flush(const cli_engine *engine) {
  return engine->kind->needs_flush;
}

bool cli_engine_embeds(const cli_engine *engine) {
  if (!engine->kind->samples)
    return true;
  if (strchr(engine->executable, '\''))
    return false;
  char *command = cli_text("'%s' --version", engine->executable);
  FILE *stream = popen(command, "r");
  free(command);
  if (!stream)
    return false;
  char answer[32] = "";
  bool read = fgets(answer, sizeof answer, stream) != NULL;
  pclose(stream);
  return read && answer[0] == 'v' && strtoul(answer + 1, NULL, 10) >= 22;
}

bool cli_engine_samples(const cli_engine *engine) {
  return engine->kind->samples;
}

/* ---- Running ------------------------------------------------------------- */

int cli_engine_run(const cli_engine *engine, const cli_program *program) {
  cli_list words = {0};
  cli_list_add(&words, cli_text("%s", engine->kind->name));
  bool is_beside = program->sample || !program->marker->is_embedded;
  (is_beside ? engine->kind->add_words : engine->kind->add_plain_words)(engine, program, &words);
  bool is_talking = program->sample && !engine->kind->samples;
  cli_line_filter filter = {.unwanted = {"\nProfile written to: ", "View this profile at "}};
  int exit_code = is_talking ? wi_process_run_reading(engine->executable, words.items,
                                                      cli_line_filter_take, &filter)
                             : wi_process_run(engine->executable, words.items);
  cli_line_filter_end(&filter);
  if (exit_code < 0)
    cli_error(engine->executable, "%s", strerror(errno));
  cli_list_clear(&words);
  return exit_code;
}

bool cli_engine_runs_components(const cli_engine *engine) {
  return !engine->kind->samples;
}

int cli_engine_run_component(const cli_engine *engine, const cli_program *program,
                             wi_process_output *take, void *user) {
  cli_list words = {0};
  cli_list_add(&words, cli_text("%s", engine->kind->name));
  cli_list_add(&words, cli_text("run"));
  add_words(&words, program->engine_options->items, program->engine_options->count);
  add_options(&words, "--dir", program->dirs);
  add_options(&words, "--env", program->variables);
  add_program(&words, program);
  int exit_code = wi_process_run_reading(engine->executable, words.items, take, user);
  if (exit_code < 0)
    cli_error(engine->executable, "%s", strerror(errno));
  cli_list_clear(&words);
  return exit_code;
}
