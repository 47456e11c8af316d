/* wasm-perf record --listen: serves profiles over HTTP like Go's net/http/pprof. */
#ifndef WI_CLI_PERF_RECORD_LIVE_H_
#define WI_CLI_PERF_RECORD_LIVE_H_

#include <stdbool.h>
#include <stdint.h>

#include "cli/perf/record/request.h"

typedef struct cli_live cli_live;

/*
 * Listens at the request's address and prints its URL. The program writes its parts of the profile
 * into `folder`. Borrows both arguments. NULL on failure; the request's failure says why. Times
 * below are in nanoseconds.
 */
cli_live *cli_live_begin(const cli_request *request, const char *folder);

/* Handles pending connections without blocking. Call it often. */
void cli_live_step(cli_live *live);

/* Whether a snapshot is due. If so, the requests that are due expect the next one. */
bool cli_live_wants_snapshot(cli_live *live, uint64_t now);

/* Reports that a snapshot was taken: its parts are in the folder. */
void cli_live_take_snapshot(cli_live *live, uint64_t now);

/*
 * Reports the end of the program, answers the waiting requests and frees `live`, which may be NULL.
 * A request for an interval gets the part of it that has passed.
 */
void cli_live_end(cli_live *live);

#endif /* WI_CLI_PERF_RECORD_LIVE_H_ */
