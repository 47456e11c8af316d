/* The engines that are installed. */
#ifndef WI_CLI_PERF_RECORD_ENGINE_H_
#define WI_CLI_PERF_RECORD_ENGINE_H_

#include "cli/common/process.h"
#include "cli/perf/record/host.h"

/* All engines; and the variables of the environment that say where they are. */
bool cli_engine_choice(size_t index, cli_choice *choice);
extern const cli_entry cli_engine_environment[];

/*
 * Finds the engine of that name, or the first one there is where `name` is NULL. NULL where it
 * is not installed, which it has printed on stderr. The caller frees it.
 */
cli_engine *cli_engine_find(const char *name);
void cli_engine_free(cli_engine *engine); /* NULL is allowed */

/* The name of the first engine that can do that, installed or not. */
const char *cli_engine_with(cli_capability capability);

bool cli_engine_can(const cli_engine *engine, cli_capability capability);

/* Appends the words of a command that runs a module without a runtime beside it. */
void cli_engine_plain_words(const cli_engine *engine, const cli_program *program, cli_list *words);

/*
 * Runs the program and waits for its end. Returns its exit code, 128+n if signal n killed it; -1
 * where it could not be run, which it has printed on stderr.
 */
int cli_engine_run(const cli_engine *engine, const cli_program *program);

/* The same of a component (CLI_RUNS_COMPONENTS), whose messages on stderr go to `take`. */
int cli_engine_run_component(const cli_engine *engine, const cli_program *program,
                             wi_process_output *take, void *user);

#endif /* WI_CLI_PERF_RECORD_ENGINE_H_ */
