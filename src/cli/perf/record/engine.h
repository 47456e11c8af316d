/* The installed engines. */
#ifndef WI_CLI_PERF_RECORD_ENGINE_H_
#define WI_CLI_PERF_RECORD_ENGINE_H_

#include "cli/common/process.h"
#include "cli/perf/record/host.h"

/*
 * Finds the engine called `name`, or the first installed one if `name` is NULL. Returns NULL if it
 * is not installed; here and below, `failure` says why (cli_fail). The caller frees the result.
 */
cli_engine *cli_engine_find(const char *name, cli_failure *failure);
void cli_engine_free(cli_engine *engine); /* NULL is allowed */

/* The name of the first engine with the capability, installed or not. */
const char *cli_engine_with(cli_capability capability);

bool cli_engine_can(const cli_engine *engine, cli_capability capability);

/* Appends the words of a command that runs a module without the linked runtime. */
void cli_engine_plain_words(const cli_engine *engine, const cli_program *program, cli_list *words);

/*
 * Runs the program and waits for it. Returns its exit code, 128+n if signal n killed it, or -1 if
 * it could not be run.
 */
int cli_engine_run(const cli_engine *engine, const cli_program *program, cli_failure *failure);

/* Like cli_engine_run for a component (CLI_RUNS_COMPONENTS); `take` receives its stderr. */
int cli_engine_run_component(const cli_engine *engine, const cli_program *program,
                             wi_process_output *take, void *user, cli_failure *failure);

#endif /* WI_CLI_PERF_RECORD_ENGINE_H_ */
