/* wasm-perf run and record --listen: profiles over HTTP, as Go's net/http/pprof has them. */
#ifndef WI_CLI_PERF_RECORD_LIVE_H_
#define WI_CLI_PERF_RECORD_LIVE_H_

#include <stdbool.h>
#include <stdint.h>

#include "cli/perf/record/request.h"

typedef struct cli_live cli_live;

/*
 * Listens where the request says so, and tells where that is. The program writes its parts into
 * `folder`. NULL on failure, which it has printed on stderr. Both are borrowed. Times below are in
 * nanoseconds.
 */
cli_live *cli_live_begin(const cli_request *request, const char *folder);

/* Answers what can be answered; to be called often. */
void cli_live_step(cli_live *live);

/* Whether a snapshot is due. Those who wait for one then count on the next. */
bool cli_live_wants_snapshot(cli_live *live, uint64_t now);

/* It was taken: its parts are in the folder. */
void cli_live_take_snapshot(cli_live *live, uint64_t now);

/* The program has ended: who waited for a difference gets that up to here. NULL is allowed. */
void cli_live_end(cli_live *live);

#endif /* WI_CLI_PERF_RECORD_LIVE_H_ */
