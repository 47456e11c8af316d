#include "cli/perf/bench/rows.h"

#include <stdlib.h>
#include <string.h>

static void row_clear(cli_row *row) {
  free(row->name);
  free(row->problem);
  cli_counts_clear(&row->counts);
}

void cli_rows_clear(cli_rows *rows) {
  for (uint32_t i = 0; i < rows->items_count; i++)
    row_clear(&rows->items[i]);
  free(rows->items);
  *rows = (cli_rows){0};
}

cli_row *cli_rows_add(cli_rows *rows, char *name) {
  cli_row *row = WI_ARRAY_PUSH(rows, items);
  if (row)
    *row = (cli_row){.name = name};
  else
    free(name);
  return row;
}

void cli_rows_keep_first(cli_rows *rows) {
  while (rows->items_count > 1)
    row_clear(&rows->items[--rows->items_count]);
}

static int compare(const void *left, const void *right) {
  return strcmp(((const cli_row *)left)->name, ((const cli_row *)right)->name);
}

void cli_rows_sort(cli_rows *rows) {
  if (rows->items_count > 1)
    qsort(rows->items + 1, rows->items_count - 1, sizeof *rows->items, compare);
}

static void set_problem(cli_row *row, char *problem) {
  if (row->problem)
    free(problem);
  else
    row->problem = problem;
}

/* The second run of the same row. */
static void confirm(cli_row *row, cli_row *second) {
  if (second->problem) {
    set_problem(row, second->problem);
    second->problem = NULL;
  }
  if (!row->problem)
    row->problem = cli_counts_difference(&row->counts, &second->counts);
  if (!row->problem)
    cli_counts_complete(&row->counts, &second->counts);
}

static char *describe_single(void) {
  return cli_text("only one of two runs measures it");
}

/* Adds the measure, which only the second run has. */
static void add_single(cli_rows *rows, const cli_row *second) {
  cli_row *row = cli_rows_add(rows, cli_text("%s", second->name));
  if (row)
    row->problem = describe_single();
}

/* Both lists are sorted, so that they are read in step. */
void cli_rows_confirm(cli_rows *rows, cli_rows *second) {
  confirm(&rows->items[0], &second->items[0]);
  uint32_t count = rows->items_count;
  for (uint32_t i = 1, k = 1; i < count || k < second->items_count;) {
    int order = i == count                 ? 1
                : k == second->items_count ? -1
                                           : compare(&rows->items[i], &second->items[k]);
    if (order == 0)
      confirm(&rows->items[i++], &second->items[k++]);
    else if (order < 0)
      set_problem(&rows->items[i++], describe_single());
    else
      add_single(rows, &second->items[k++]);
  }
  cli_rows_sort(rows);
}
