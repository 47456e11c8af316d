/* Engines that run modules. */
#ifndef WI_CLI_PERF_RECORD_ENGINE_H_
#define WI_CLI_PERF_RECORD_ENGINE_H_

#include "cli/common/process.h"
#include "cli/perf/common.h"

typedef struct cli_engine cli_engine;

/* A module and what it is to see of the world. Everything is borrowed. */
typedef struct cli_program {
  const char *module_path;
  const wi_marker *marker;          /* NULL: it is not instrumented */
  bool sample;                      /* which is why */
  bool no_inlining;                 /* V8 is told to inline nothing */
  const char *invoke;               /* the function that is called; NULL: the program runs */
  const cli_list *invoke_arguments; /* with their types, as invoke.h has them */
  char *const *args;                /* without the program's name */
  size_t arg_count;
  const cli_list *engine_options; /* handed to the engine as they are */
  const cli_list *dirs;           /* "HOST" or "HOST::GUEST" */
  const cli_list *variables;      /* "NAME=VALUE" */
  uint32_t node_limit;            /* 0: the default */
  bool folds_recursion;           /* of the linked form, which else keeps full stacks */
  const char *folder;             /* where the profile goes, under the name below */
  const char
      *file_name; /* there, of the file that the module writes itself; NULL: it writes none */
} cli_program;

#define CLI_PROFILE_NAME "profile.wperf"

/* All engines; and the variables of the environment that say where they are. */
bool cli_engine_choice(size_t index, cli_choice *choice);
extern const cli_entry cli_engine_environment[];

/*
 * Finds the engine of that name, or the first one there is where `name` is NULL. NULL where it
 * is not installed, which it has printed on stderr. The caller frees it.
 */
cli_engine *cli_engine_find(const char *name);
void cli_engine_free(cli_engine *engine); /* NULL is allowed */

/* Appends the words of a command that runs a module without a runtime beside it. */
void cli_engine_plain_words(const cli_engine *engine, const cli_program *program, cli_list *words);

/* The folder of the runtime's files; the engine's. */
const char *cli_engine_share_folder(const cli_engine *engine);

/* Whether the engine keeps a profile only if the module calls perf_flush. */
bool cli_engine_needs_flush(const cli_engine *engine);

/*
 * Whether it knows modules of several memories, as embedding the runtime makes them: wasmtime, and
 * Node 22 and newer.
 */
bool cli_engine_embeds(const cli_engine *engine);

/* Whether it has our JavaScript host, which takes samples, too. */
bool cli_engine_samples(const cli_engine *engine);

/*
 * Runs the program and waits for its end. Returns its exit code, 128+n if signal n killed it; -1
 * where it could not be run, which it has printed on stderr.
 */
int cli_engine_run(const cli_engine *engine, const cli_program *program);

/* Whether it runs components. */
bool cli_engine_runs_components(const cli_engine *engine);

/* The same of a component, whose messages on stderr go to `take`. */
int cli_engine_run_component(const cli_engine *engine, const cli_program *program,
                             wi_process_output *take, void *user);

#endif /* WI_CLI_PERF_RECORD_ENGINE_H_ */
