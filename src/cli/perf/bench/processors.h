/* Runs programs on one processor. */
#ifndef WI_CLI_PERF_BENCH_PROCESSORS_H_
#define WI_CLI_PERF_BENCH_PROCESSORS_H_

#include <stdbool.h>

/* The processors that this thread may use. */
typedef struct cli_processors cli_processors;

/*
 * Lets this thread, and the processes that it starts, use one processor. Returns what to restore later;
 * NULL if nothing changed, because there is only one or the system has no such call.
 */
cli_processors *cli_processors_restrict(void);

/* Ends the restriction and frees it, unless it is NULL. */
void cli_processors_restore(cli_processors *before);

#endif /* WI_CLI_PERF_BENCH_PROCESSORS_H_ */
