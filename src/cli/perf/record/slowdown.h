/* Measures how much slower a program runs with the profiler: alternate runs without it and with it. */
#ifndef WI_CLI_PERF_RECORD_SLOWDOWN_H_
#define WI_CLI_PERF_RECORD_SLOWDOWN_H_

#include "cli/perf/record/trials.h"

#define CLI_SLOWDOWN_MAX_PAIRS 10u
#define CLI_SLOWDOWN_SECONDS   60u /* after which no other pair begins */

/* What is known so far. Times are in nanoseconds. */
typedef struct cli_slowdown {
  uint64_t plain_time; /* median of the runs without the profiler */
  uint64_t time;       /* estimate with it, relative to plain_time */
  uint64_t low, high;  /* 95 % confidence interval of `time`; of few pairs, the extremes */
  uint32_t pair_count;
} cli_slowdown;

/* How to measure. Everything is borrowed. */
typedef struct cli_slowdown_plan {
  const cli_trials *trials;
  const cli_request *request; /* of the runs with the profiler */
  wasm_perf_clock clock;      /* likewise */
  const char *what;           /* describes these runs, for the progress line */
  bool shows_last;            /* the last run with the profiler prints; the others are silent */
  bool (*is_known)(const cli_slowdown *slowdown, const void *user); /* no more pairs are needed */
  const void *user;
} cli_slowdown_plan;

/*
 * Runs pairs until is_known, CLI_SLOWDOWN_MAX_PAIRS or CLI_SLOWDOWN_SECONDS, or until one has no
 * time, as its program used no module. Each run with the profiler is compared with the one just
 * before it, since other load on the machine slows both. Returns the exit code of the last run, as
 * cli_session_run has it; *profile is of the last run with the profiler, NULL if there is none. If
 * the runs were stopped (cli_trials_are_over), *slowdown covers the pairs before; plain_time is 0
 * if there are none.
 */
int cli_slowdown_measure(const cli_slowdown_plan *plan, cli_slowdown *slowdown,
                         wasm_perf_profile **profile);

/* Whether the pairs are enough for an interval. */
bool cli_slowdown_has_interval(const cli_slowdown *slowdown);

/* Writes the result to a profile's facts. */
void cli_slowdown_note(const cli_slowdown *slowdown, wasm_perf_facts *facts);

#endif /* WI_CLI_PERF_RECORD_SLOWDOWN_H_ */
