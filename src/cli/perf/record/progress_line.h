/*
 * A progress line on the terminal for programs that run longer than two seconds: time, calls and
 * nodes. It cannot mix with the program's output: it has a separate line, which is left alone as
 * soon as anybody else writes to the terminal or reads from it. Otherwise it is erased at the end.
 */
#ifndef WI_CLI_PERF_RECORD_PROGRESS_LINE_H_
#define WI_CLI_PERF_RECORD_PROGRESS_LINE_H_

#include <stdbool.h>
#include <stdint.h>

/* Times are from cli_progress_now. Strings are borrowed. */
typedef struct cli_progress_line {
  const char *folder;  /* of the session whose processes report counts */
  const char *warning; /* shown until there are counts; or NULL */
  const char *phase;   /* shown instead of counts; or NULL */
  uint64_t start;
  uint64_t next;       /* time of the next update */
  uint64_t next_count; /* time when processes are asked for counts, before the update */
  int terminal;        /* file descriptor; -1 if nothing is shown */
  int changes;         /* inotify descriptor: reports when others use the terminal */
  bool is_shown;
} cli_progress_line;

/* Starts the line if standard error is a terminal. End it with cli_progress_line_end. */
void cli_progress_line_begin(cli_progress_line *line, const char *folder, const char *warning,
                             uint64_t now);

/* Updates the line when due. Call it often. */
void cli_progress_line_step(cli_progress_line *line, uint64_t now);

void cli_progress_line_end(cli_progress_line *line);

#endif /* WI_CLI_PERF_RECORD_PROGRESS_LINE_H_ */
