/*
 * A table of functions or stacks, largest change first; unchanged ones are only counted. Stacks are
 * cut at WI_DEPTH_LIMIT, as in the folded report.
 */
#include <stdlib.h>

#include "names/shorten.h"
#include "names/text_width.h"
#include "report/diff/change.h"
#include "report/diff/diff_findings.h"
#include "report/diff/diff_pairs.h"
#include "report/diff/diff_summary.h"
#include "report/diff/diff_writers.h"
#include "report/text/text_table.h"

#define DEFAULT_ROW_LIMIT 20u
#define GROUP_COUNT       3u

enum { CELL_BEFORE, CELL_AFTER, CELL_CHANGE, CELL_ERROR, CELL_PERCENTAGE, CELL_COUNT };

typedef struct table_row {
  wasm_perf_diff_row values;
  uint32_t position; /* for a function: in the diff; for a stack: its pair */
  uint64_t size;     /* of the change by which rows are sorted */
  bool comes_first;  /* it grew, where that matters more */
} table_row;

/* The columns of one value. */
typedef struct column_group {
  const char *name; /* the heading up to the unit */
  wasm_perf_sort value;
  wi_display_unit unit;
  wasm_perf_change sample_period; /* 0: not sampled, so there is no column of errors */
  uint32_t widths[CELL_COUNT];
} column_group;

typedef struct table {
  const wasm_perf_diff *diff;
  const wi_diff_pairs *pairs; /* NULL: rows are functions */
  bool is_of_calls;           /* as in the options */
  table_row *rows;            /* only those that changed */
  uint32_t row_count;
  uint32_t shown_count;
  uint32_t unchanged_count;
  bool marks_rows; /* some shown rows are new or gone */
  column_group groups[GROUP_COUNT];
  unsigned group_count; /* shown groups; without room, the least important are dropped */
  uint32_t name_width;  /* 0: unlimited */
} table;

static const char *const cell_headings[][CELL_COUNT] = {
    {"before", "after", "change", "\xC2\xB1", "%"}, {"typical", "slow", "change", "\xC2\xB1", "%"}};

/* ---- Rows ---------------------------------------------------------------- */

static wasm_perf_change value_of(const wasm_perf_diff_row *row, wasm_perf_sort value) {
  switch (value) {
  case WASM_PERF_SORT_SELF: return row->self;
  case WASM_PERF_SORT_TOTAL: return row->total;
  case WASM_PERF_SORT_CALLS: break;
  }
  return row->call_count;
}

static bool has_changed(const wasm_perf_diff_row *row) {
  return wi_change_size(row->self) > 0 || wi_change_size(row->total) > 0 ||
         wi_change_size(row->call_count) > 0;
}

static void add_row(table *report, const wasm_perf_diff_row *row, uint32_t position,
                    const wasm_perf_diff_options *options) {
  if (!has_changed(row)) {
    report->unchanged_count++;
    return;
  }
  wasm_perf_change change = value_of(row, options->sort);
  report->rows[report->row_count++] = (table_row){
      *row, position, wi_change_size(change), report->is_of_calls && change.after > change.before};
}

static int compare_rows(const void *left, const void *right) {
  const table_row *a = left;
  const table_row *b = right;
  if (a->comes_first != b->comes_first)
    return a->comes_first ? -1 : 1;
  if (a->size != b->size)
    return a->size > b->size ? -1 : 1;
  return (a->position > b->position) - (a->position < b->position);
}

static bool collect_rows(table *report, const wasm_perf_diff_options *options) {
  uint32_t count = report->pairs ? report->pairs->pair_count : report->diff->row_count;
  report->rows = malloc((count + (size_t)1) * sizeof *report->rows);
  if (!report->rows)
    return false;
  for (uint32_t i = report->pairs != NULL; i < count; i++) { /* the root is not a stack */
    wasm_perf_diff_row row =
        report->pairs ? wi_diff_pairs_row(report->pairs, i) : report->diff->rows[i];
    add_row(report, &row, i, options);
  }
  qsort(report->rows, report->row_count, sizeof *report->rows, compare_rows);
  uint32_t row_limit = options->row_limit ? options->row_limit : DEFAULT_ROW_LIMIT;
  report->shown_count = report->row_count < row_limit ? report->row_count : row_limit;
  for (uint32_t i = 0; i < report->shown_count; i++)
    report->marks_rows |= report->rows[i].values.is_new || report->rows[i].values.is_gone;
  return true;
}

/* ---- Columns ------------------------------------------------------------- */

static wi_short_text format_cell(const column_group *group, const wasm_perf_diff_row *row,
                                 unsigned cell) {
  wasm_perf_change change = value_of(row, group->value);
  uint64_t error = wi_change_error(change, group->sample_period);
  if (group->value == WASM_PERF_SORT_CALLS && row->is_uncounted)
    return (wi_short_text){WI_UNKNOWN_TEXT};
  switch (cell) {
  case CELL_BEFORE: return wi_format_in(group->unit, change.before);
  case CELL_AFTER: return wi_format_in(group->unit, change.after);
  case CELL_ERROR: return error > 0 ? wi_format_in(group->unit, error) : (wi_short_text){""};
  case CELL_CHANGE: return wi_format_change(change, group->unit);
  default: return wi_format_change_of(change, change.before);
  }
}

/* With the gap; 0: the group does not have the column. */
static uint32_t cell_width(const column_group *group, unsigned cell) {
  bool is_sampled = group->sample_period.before > 0 || group->sample_period.after > 0;
  return cell == CELL_ERROR && !is_sampled ? 0 : group->widths[cell] + WI_GAP_WIDTH;
}

static void write_cell(const column_group *group, unsigned cell, const char *text, FILE *stream) {
  if (cell_width(group, cell) > 0)
    wi_write_cell(WI_STYLE_PLAIN, text, group->widths[cell], stream);
}

static column_group make_group(const table *report, const char *name, wasm_perf_sort value,
                               wi_display_unit unit) {
  column_group group = {.name = name, .value = value, .unit = unit};
  if (value != WASM_PERF_SORT_CALLS)
    group.sample_period = report->diff->sample_period;
  for (unsigned c = 0; c < CELL_COUNT; c++) {
    wi_widen(&group.widths[c], cell_headings[report->is_of_calls][c]);
    for (uint32_t i = 0; i < report->shown_count; i++)
      wi_widen(&group.widths[c], format_cell(&group, &report->rows[i].values, c).text);
  }
  return group;
}

static void set_groups(table *report) {
  wasm_perf_change total = report->diff->total;
  uint64_t larger = total.before > total.after ? total.before : total.after;
  wi_display_unit unit = wi_display_unit_of(wi_diff_unit(report->diff), larger);
  wi_display_unit calls = wi_display_unit_of(WI_UNIT_CALLS, 0);
  report->groups[0] = make_group(report, "self ", WASM_PERF_SORT_SELF, unit);
  report->groups[1] = make_group(report, "total ", WASM_PERF_SORT_TOTAL, unit);
  report->groups[2] = make_group(report, "", WASM_PERF_SORT_CALLS, calls);
}

static uint32_t width_of(const table *report) {
  uint32_t width = report->marks_rows ? 6 : 0;
  for (unsigned g = 0; g < report->group_count; g++)
    for (unsigned c = 0; c < CELL_COUNT; c++)
      width += cell_width(&report->groups[g], c);
  return width;
}

/* Without a clock, the values are calls. */
static void fit_groups(table *report, uint32_t width) {
  bool has_clock = wi_diff_unit(report->diff) != WI_UNIT_CALLS;
  report->group_count = has_clock ? GROUP_COUNT : GROUP_COUNT - 1;
  if (width == 0)
    return;
  while (report->group_count > 1 && width_of(report) + WI_NAME_MIN_WIDTH > width)
    report->group_count--;
  uint32_t used = width_of(report);
  report->name_width = width > used + WI_NAME_MIN_WIDTH ? width - used : WI_NAME_MIN_WIDTH;
}

/* ---- Output -------------------------------------------------------------- */

static void write_headings(const table *report, FILE *stream) {
  fputc('\n', stream);
  for (unsigned g = 0; g < report->group_count; g++) {
    const column_group *group = &report->groups[g];
    uint32_t width = 0;
    for (unsigned c = 0; c < CELL_COUNT; c++)
      width += cell_width(group, c);
    width -= wi_text_width(group->name) + wi_text_width(group->unit.text);
    bool is_last = g + 1 == report->group_count; /* no space at the end of a line */
    fprintf(stream, "%s%s%*s", group->name, group->unit.text, is_last ? 0 : (int)width, "");
  }
  fputc('\n', stream);
  for (unsigned g = 0; g < report->group_count; g++)
    for (unsigned c = 0; c < CELL_COUNT; c++)
      write_cell(&report->groups[g], c, cell_headings[report->is_of_calls][c], stream);
  fprintf(stream, "%s%s\n", report->marks_rows ? "      " : "",
          report->pairs ? "stack" : "function");
}

static void write_name(const table *report, const char *name, FILE *stream) {
  char text[WI_SHORTENED_SIZE];
  if (report->name_width > 0) {
    wi_shorten(text, name, report->name_width);
    name = text;
  }
  fputs(name, stream);
}

static void write_row(const table *report, const table_row *row, FILE *stream) {
  for (unsigned g = 0; g < report->group_count; g++)
    for (unsigned c = 0; c < CELL_COUNT; c++)
      write_cell(&report->groups[g], c, format_cell(&report->groups[g], &row->values, c).text,
                 stream);
  if (report->marks_rows)
    fprintf(stream, "%-4s  ", row->values.is_new ? "new" : row->values.is_gone ? "gone" : "");
  if (report->pairs)
    wi_diff_pairs_write_stack(report->pairs, row->position, stream);
  else
    write_name(report, row->values.name, stream);
  fputc('\n', stream);
}

static void write_remainder(const table *report, FILE *stream) {
  uint32_t hidden_count = report->row_count - report->shown_count;
  if (hidden_count > 0 || report->unchanged_count > 0)
    fputc('\n', stream);
  if (hidden_count > 0)
    fprintf(stream, "Changed less: %s.\n",
            wi_format_quantity(hidden_count, report->pairs ? "stack" : "function").text);
  if (report->unchanged_count > 0)
    fprintf(stream, "Unchanged: %s.\n",
            wi_format_quantity(report->unchanged_count, report->pairs ? "stack" : "function").text);
}

/* Writes what changed most, each with its name. */
static void write_findings(const table *report, uint32_t width, FILE *stream) {
  uint32_t rows[WI_DIFF_FINDINGS];
  unsigned count = wi_diff_find(report->diff, rows);
  wi_long_text holder = wi_diff_holder(report->diff);
  if (*holder.text)
    fprintf(stream, "%s\n", holder.text);
  for (unsigned i = 0; i < count; i++) {
    const wasm_perf_diff_row *row = &report->diff->rows[rows[i]];
    wi_long_text text = wi_diff_finding(report->diff, row, wi_diff_unit(report->diff));
    char name[WI_SHORTENED_SIZE];
    uint32_t used = wi_text_width(text.text) + 1;
    if (width > 0)
      wi_shorten(name, row->name,
                 width > used + WI_NAME_MIN_WIDTH ? width - used : WI_NAME_MIN_WIDTH);
    fprintf(stream, "%s %s\n", width > 0 ? name : row->name, text.text);
  }
}

static bool write_table(table *report, uint32_t width, FILE *stream) {
  wi_summary summary;
  wi_diff_summary_init(&summary, report->diff);
  for (unsigned i = 0; i < summary.line_count && !report->is_of_calls; i++) {
    fprintf(stream, "%s\n", summary.lines[i]);
    if (i == 0)
      write_findings(report, width, stream);
  }
  set_groups(report);
  fit_groups(report, width);
  if (report->shown_count > 0)
    write_headings(report, stream);
  for (uint32_t i = 0; i < report->shown_count && !ferror(stream); i++)
    write_row(report, &report->rows[i], stream);
  write_remainder(report, stream);
  return fflush(stream) == 0 && !ferror(stream);
}

bool wi_diff_table_write(const wasm_perf_diff *diff, const wasm_perf_diff_options *options,
                         FILE *stream) {
  static const wasm_perf_diff_options defaults = {0};
  options = options ? options : &defaults;
  wi_diff_pairs pairs = {0};
  if (options->by_stack && !wi_diff_pairs_init(&pairs, diff, WI_DEPTH_LIMIT, ';'))
    return false;
  table report = {.diff = diff,
                  .pairs = options->by_stack ? &pairs : NULL,
                  .is_of_calls = options->is_of_calls};
  bool ok = collect_rows(&report, options) && write_table(&report, options->width, stream);
  free(report.rows);
  wi_diff_pairs_clear(&pairs);
  return ok;
}
