/* Snapshots: asks a running program to write its profile so far. */
#ifndef WI_CLI_PERF_RECORD_SNAPSHOT_H_
#define WI_CLI_PERF_RECORD_SNAPSHOT_H_

#include <stdbool.h>
#include <stdint.h>

typedef enum cli_snapshot_state {
  CLI_SNAPSHOT_NONE,    /* none was requested */
  CLI_SNAPSHOT_AWAITED, /* some processes have not written their parts yet */
  CLI_SNAPSHOT_TAKEN    /* all parts are written, or the other processes do not answer */
} cli_snapshot_state;

/* One snapshot at a time. Times are in nanoseconds. */
typedef struct cli_snapshot {
  const char *folder; /* of the session; borrowed */
  uint64_t asked_at;  /* time of the pending request; 0 if none is pending */
  unsigned number;    /* of the last request */
  uint64_t took;      /* until all processes had answered the last request; 0: they did not */
  uint64_t rest_end;  /* time of the next request at the earliest */
} cli_snapshot;

/* Asks all processes of the session to write their parts. No snapshot may be pending. */
void cli_snapshot_ask(cli_snapshot *snapshot, uint64_t now);

/* The state of the snapshot. Returns CLI_SNAPSHOT_TAKEN once, then CLI_SNAPSHOT_NONE. */
cli_snapshot_state cli_snapshot_look(cli_snapshot *snapshot, uint64_t now);

/*
 * Whether the program has to get on before the next request: for ten times as long as the last
 * snapshot took.
 */
bool cli_snapshot_rests(const cli_snapshot *snapshot, uint64_t now);

#endif /* WI_CLI_PERF_RECORD_SNAPSHOT_H_ */
