/* Profiles of a program that runs on: it is asked for what it has counted so far. */
#ifndef WI_CLI_PERF_RECORD_SNAPSHOT_H_
#define WI_CLI_PERF_RECORD_SNAPSHOT_H_

#include <stdbool.h>
#include <stdint.h>

typedef enum cli_snapshot_state {
  CLI_SNAPSHOT_NONE,    /* none was asked for */
  CLI_SNAPSHOT_AWAITED, /* not all processes have written what they have */
  CLI_SNAPSHOT_TAKEN    /* all have, or those that have not do not answer */
} cli_snapshot_state;

/* One at a time. Times are in nanoseconds. */
typedef struct cli_snapshot {
  const char *folder; /* the session's; borrowed */
  uint64_t asked_at;  /* when the one that is awaited was asked for; 0: none is */
  unsigned number;    /* of the last that was asked for */
} cli_snapshot;

/* Has all processes of the session write their parts. None may be awaited. */
void cli_snapshot_ask(cli_snapshot *snapshot, uint64_t now);

/* After CLI_SNAPSHOT_TAKEN there is none. */
cli_snapshot_state cli_snapshot_look(cli_snapshot *snapshot, uint64_t now);

#endif /* WI_CLI_PERF_RECORD_SNAPSHOT_H_ */
