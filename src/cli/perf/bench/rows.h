/* The rows of one benchmark: the whole program, and each measure of the User Timing API in it. */
#ifndef WI_CLI_PERF_BENCH_ROWS_H_
#define WI_CLI_PERF_BENCH_ROWS_H_

#include "cli/perf/bench/counts.h"

typedef struct cli_row {
  char *name;    /* BENCHMARK or BENCHMARK/MEASURE; owned */
  char *problem; /* why its counts are not reliable; NULL if they are; owned */
  cli_counts counts;
} cli_row;

/* Zero it before use; clear it afterwards. */
typedef struct cli_rows {
  WI_ARRAY(cli_row, items); /* the whole, then measures sorted by names as bytes; owned */
} cli_rows;

/* Adds a row and takes ownership of the name. Returns NULL if out of memory. */
cli_row *cli_rows_add(cli_rows *rows, char *name);
void cli_rows_clear(cli_rows *rows);

/* Removes the measures. */
void cli_rows_keep_first(cli_rows *rows);

/* Sorts the measures. */
void cli_rows_sort(cli_rows *rows);

/*
 * Compares with a second run, which also counted lines: rows that differ get a problem, the others
 * what only that run counted. It changes both. Only for rows that are sorted.
 */
void cli_rows_confirm(cli_rows *rows, cli_rows *second);

#endif /* WI_CLI_PERF_BENCH_ROWS_H_ */
