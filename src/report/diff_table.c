#include <stdlib.h>
#include <string.h>

#include "report/diff.h"

#define DEFAULT_ROW_LIMIT 50u
#define GROUP_COUNT       3u
#define CELL_COUNT        4u /* before, after, change, percentage */

typedef struct table_row {
  wasm_perf_diff_row values;
  uint32_t position; /* of a function: in the diff; of a stack: its pair */
  uint64_t size;     /* of the change that rows are sorted by */
} table_row;

/* Four columns about one value. */
typedef struct column_group {
  char heading[32];
  wasm_perf_diff_sort value;
  uint64_t divisor;
  int widths[CELL_COUNT];
} column_group;

typedef struct table {
  const wasm_perf_diff *diff;
  const wasm_perf_pairs *pairs; /* NULL: rows are functions */
  table_row *rows;              /* only what changed */
  uint32_t row_count;
  uint32_t shown_count;
  uint32_t unchanged_count;
  bool marks_rows; /* some that are shown are new or gone */
  column_group groups[GROUP_COUNT];
} table;

static const char *const cell_headings[CELL_COUNT] = {"before", "after", "change", "%"};

/* ---- Rows ---------------------------------------------------------------- */

static wasm_perf_change value_of(const wasm_perf_diff_row *row, wasm_perf_diff_sort value) {
  switch (value) {
  case WASM_PERF_DIFF_SORT_SELF: return row->self;
  case WASM_PERF_DIFF_SORT_TOTAL: return row->total;
  case WASM_PERF_DIFF_SORT_CALLS: break;
  }
  return row->call_count;
}

static bool has_changed(const wasm_perf_diff_row *row) {
  return row->is_new || row->is_gone || wasm_perf_change_size(row->self) > 0 ||
         wasm_perf_change_size(row->total) > 0 || wasm_perf_change_size(row->call_count) > 0;
}

static void add_row(table *report, const wasm_perf_diff_row *row, uint32_t position,
                    wasm_perf_diff_sort sort) {
  if (!has_changed(row)) {
    report->unchanged_count++;
    return;
  }
  uint64_t size = wasm_perf_change_size(value_of(row, sort));
  report->rows[report->row_count++] = (table_row){*row, position, size};
}

static int compare_rows(const void *left, const void *right) {
  const table_row *a = left;
  const table_row *b = right;
  if (a->size != b->size)
    return a->size > b->size ? -1 : 1;
  return (a->position > b->position) - (a->position < b->position);
}

static bool collect_rows(table *report, const wasm_perf_diff_options *options) {
  uint32_t count = report->pairs ? report->pairs->pair_count : report->diff->row_count;
  report->rows = malloc((count + (size_t)1) * sizeof *report->rows);
  if (!report->rows)
    return false;
  for (uint32_t i = report->pairs != NULL; i < count; i++) { /* the root is no stack */
    wasm_perf_diff_row row =
        report->pairs ? wasm_perf_pairs_row(report->pairs, i) : report->diff->rows[i];
    add_row(report, &row, i, options->sort);
  }
  qsort(report->rows, report->row_count, sizeof *report->rows, compare_rows);
  uint32_t row_limit = options->row_limit ? options->row_limit : DEFAULT_ROW_LIMIT;
  report->shown_count = report->row_count < row_limit ? report->row_count : row_limit;
  for (uint32_t i = 0; i < report->shown_count; i++)
    report->marks_rows |= report->rows[i].values.is_new || report->rows[i].values.is_gone;
  return true;
}

/* ---- Columns ------------------------------------------------------------- */

static wasm_perf_short_text format_cell(const column_group *group, const wasm_perf_diff_row *row,
                                        unsigned cell) {
  wasm_perf_change change = value_of(row, group->value);
  unsigned decimals = group->divisor == 1 ? 0 : 3;
  switch (cell) {
  case 0: return wasm_perf_format_quotient(change.before, group->divisor, decimals);
  case 1: return wasm_perf_format_quotient(change.after, group->divisor, decimals);
  case 2: return wasm_perf_format_change(change, group->divisor, decimals);
  default: return wasm_perf_format_change_of(change, change.before);
  }
}

/* One unit for all times, so that they compare at a glance. Returns its name. */
static const char *choose_time_unit(const wasm_perf_diff *diff, uint64_t *divisor) {
  static const struct {
    uint64_t divisor;
    const char *name;
  } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "\xC2\xB5s"}, {1, "ns"}};
  wasm_perf_change total = diff->total;
  uint64_t larger = total.before > total.after ? total.before : total.after;
  size_t i = 0;
  while (i < 3 && larger / 10 < units[i].divisor)
    i++;
  *divisor = units[i].divisor;
  return units[i].name;
}

static const char *choose_unit(const wasm_perf_diff *diff, uint64_t *divisor) {
  *divisor = 1;
  switch (wasm_perf_diff_unit(diff)) {
  case WASM_PERF_UNIT_NANOSECONDS: return choose_time_unit(diff, divisor);
  case WASM_PERF_UNIT_INSTRUCTIONS: return "instr.";
  case WASM_PERF_UNIT_TICKS: return "ticks";
  case WASM_PERF_UNIT_CALLS: break;
  }
  return "calls";
}

static void set_group(table *report, unsigned index, const char *heading, const char *unit,
                      wasm_perf_diff_sort value, uint64_t divisor) {
  column_group *group = &report->groups[index];
  snprintf(group->heading, sizeof group->heading, "%s%s", heading, unit);
  group->value = value;
  group->divisor = divisor;
  for (unsigned c = 0; c < CELL_COUNT; c++) {
    size_t width = strlen(cell_headings[c]);
    for (uint32_t i = 0; i < report->shown_count; i++) {
      size_t size = strlen(format_cell(group, &report->rows[i].values, c).text); /* ASCII */
      width = size > width ? size : width;
    }
    group->widths[c] = (int)width;
  }
}

static void set_groups(table *report) {
  uint64_t divisor;
  const char *unit = choose_unit(report->diff, &divisor);
  set_group(report, 0, "self ", unit, WASM_PERF_DIFF_SORT_SELF, divisor);
  set_group(report, 1, "total ", unit, WASM_PERF_DIFF_SORT_TOTAL, divisor);
  set_group(report, 2, "calls", "", WASM_PERF_DIFF_SORT_CALLS, 1);
}

/* Without a clock the calls are the values. */
static unsigned group_count(const table *report) {
  bool has_clock = wasm_perf_diff_unit(report->diff) != WASM_PERF_UNIT_CALLS;
  return has_clock ? GROUP_COUNT : GROUP_COUNT - 1;
}

/* ---- Output -------------------------------------------------------------- */

static int text_width(const char *text) {
  int width = 0;
  for (; *text != 0; text++)
    width += (*text & 0xC0) != 0x80; /* every byte but UTF-8 continuations */
  return width;
}

static void write_headings(const table *report, FILE *stream) {
  fputc('\n', stream);
  for (unsigned g = 0; g < group_count(report); g++) {
    const column_group *group = &report->groups[g];
    int width = -text_width(group->heading);
    for (unsigned c = 0; c < CELL_COUNT; c++)
      width += group->widths[c] + 2;
    bool is_last = g + 1 == group_count(report); /* no space at the end of a line */
    fprintf(stream, "%s%*s", group->heading, is_last ? 0 : width, "");
  }
  fputc('\n', stream);
  for (unsigned g = 0; g < group_count(report); g++)
    for (unsigned c = 0; c < CELL_COUNT; c++)
      fprintf(stream, "%*s  ", report->groups[g].widths[c], cell_headings[c]);
  fprintf(stream, "%s%s\n", report->marks_rows ? "      " : "",
          report->pairs ? "stack" : "function");
}

static void write_row(const table *report, const table_row *row, FILE *stream) {
  for (unsigned g = 0; g < group_count(report); g++)
    for (unsigned c = 0; c < CELL_COUNT; c++)
      fprintf(stream, "%*s  ", report->groups[g].widths[c],
              format_cell(&report->groups[g], &row->values, c).text);
  if (report->marks_rows)
    fprintf(stream, "%-4s  ", row->values.is_new ? "new" : row->values.is_gone ? "gone" : "");
  if (report->pairs)
    wasm_perf_pairs_write_stack(report->pairs, row->position, stream);
  else
    fputs(row->values.name, stream);
  fputc('\n', stream);
}

static void write_remainder(const table *report, FILE *stream) {
  uint32_t hidden_count = report->row_count - report->shown_count;
  if (hidden_count > 0 || report->unchanged_count > 0)
    fputc('\n', stream);
  if (hidden_count > 0)
    fprintf(stream, "Changed less: %s.\n",
            wasm_perf_format_quantity(hidden_count, report->pairs ? "stack" : "function").text);
  if (report->unchanged_count > 0)
    fprintf(stream, "Unchanged: %s.\n",
            wasm_perf_format_quantity(report->unchanged_count, report->pairs ? "stack" : "function")
                .text);
}

static bool write_table(table *report, FILE *stream) {
  wasm_perf_summary summary;
  wasm_perf_diff_summary_init(&summary, report->diff);
  for (unsigned i = 0; i < summary.line_count; i++)
    fprintf(stream, "%s\n", summary.lines[i]);
  set_groups(report);
  if (report->shown_count > 0)
    write_headings(report, stream);
  for (uint32_t i = 0; i < report->shown_count && !ferror(stream); i++)
    write_row(report, &report->rows[i], stream);
  write_remainder(report, stream);
  return fflush(stream) == 0 && !ferror(stream);
}

bool wasm_perf_diff_table_write(const wasm_perf_diff *diff, const wasm_perf_diff_options *options,
                                FILE *stream) {
  static const wasm_perf_diff_options defaults = {0};
  options = options ? options : &defaults;
  wasm_perf_pairs pairs = {0};
  if (options->by_stack && !wasm_perf_pairs_init(&pairs, diff, WASM_PERF_DEPTH_LIMIT, ';'))
    return false;
  table report = {.diff = diff, .pairs = options->by_stack ? &pairs : NULL};
  bool ok = collect_rows(&report, options) && write_table(&report, stream);
  free(report.rows);
  wasm_perf_pairs_clear(&pairs);
  return ok;
}
