/*
 * A line on the terminal while a program runs for more than two seconds: how long, how many calls
 * and nodes. It never gets into the program's own output: it stands on a line of its own, and once
 * somebody else has written to the terminal or read from it, it is not touched again. Else it is
 * gone in the end.
 */
#ifndef WI_CLI_PERF_RECORD_PROGRESS_LINE_H_
#define WI_CLI_PERF_RECORD_PROGRESS_LINE_H_

#include <stdbool.h>
#include <stdint.h>

/* Times are those of cli_progress_now. */
typedef struct cli_progress_line {
  const char *folder;  /* the session's, whose processes are asked for their counts; borrowed */
  const char *warning; /* what is to be said besides; NULL: nothing. Borrowed */
  const char *phase;   /* what is to be said instead of counts; NULL: nothing. Borrowed */
  uint64_t start;
  uint64_t next;       /* when it is shown again */
  uint64_t next_count; /* when processes are asked again, some time before */
  int terminal;        /* where it is shown; -1: nowhere */
  int changes;         /* tells of what others write to the terminal */
  bool is_shown;
} cli_progress_line;

/* From now on, where standard error is a terminal. To be ended. */
void cli_progress_line_begin(cli_progress_line *line, const char *folder, const char *warning,
                             uint64_t now);

/* To be called often. */
void cli_progress_line_step(cli_progress_line *line, uint64_t now);

void cli_progress_line_end(cli_progress_line *line);

#endif /* WI_CLI_PERF_RECORD_PROGRESS_LINE_H_ */
