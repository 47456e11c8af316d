#include <stdlib.h>
#include <string.h>

#include "report/exporters.h"
#include "report/numbers.h"
#include "report/summary.h"
#include "report/tree.h"

#define MAX_ROWS    50u
#define MAX_COLUMNS 7u

/* A function, or several of the same name. */
typedef struct top_row {
  uint32_t label;
  uint64_t self; /* clock units, as in the tree */
  uint64_t total;
  uint64_t call_count;
  uint64_t hook_count; /* calls whose hooks cost it time: of it and by it */
} top_row;

typedef struct top_report top_report;

/* Headings and cells are aligned to the right, `width` characters wide. */
typedef struct top_column {
  char heading[24];
  wasm_perf_short_text (*format)(const top_report *report, const top_row *row);
  int width;
} top_column;

struct top_report {
  const wasm_perf_header *header;
  const wasm_perf_tree *tree;
  top_row *rows; /* one per label */
  uint32_t row_count;
  uint32_t shown_count;
  wasm_perf_unit unit;
  bool is_compensated;
  uint64_t divisor; /* of the sums shown: nanoseconds in the unit of time columns, else 1 */
  top_column columns[MAX_COLUMNS];
  unsigned column_count;
};

/* Sums the tree by label. `open_counts`: one zero per label. */
static void sum_rows(const wasm_perf_tree *tree, top_row *rows, uint32_t *open_counts) {
  uint32_t last = 0;
  for (uint32_t i = wasm_perf_tree_next(tree, 0); i != 0; i = wasm_perf_tree_next(tree, i)) {
    const wasm_perf_tree_node *node = &tree->nodes[i];
    for (; tree->nodes[last].depth >= node->depth; last = tree->nodes[last].parent)
      open_counts[tree->nodes[last].label]--;
    last = i;
    top_row *row = &rows[node->label];
    row->self = wasm_perf_add(row->self, node->self);
    row->call_count = wasm_perf_add(row->call_count, node->call_count);
    row->hook_count = wasm_perf_add(row->hook_count, node->call_count);
    if (node->parent != 0) {
      top_row *caller = &rows[tree->nodes[node->parent].label];
      caller->hook_count = wasm_perf_add(caller->hook_count, node->call_count);
    }
    if (open_counts[node->label]++ == 0)
      row->total = wasm_perf_add(row->total, node->total);
  }
}

static int compare_rows(const void *left, const void *right) {
  const top_row *a = left;
  const top_row *b = right;
  if (a->self != b->self)
    return a->self > b->self ? -1 : 1;
  return (a->label > b->label) - (a->label < b->label); /* labels are in order of names */
}

static top_row *rows_new(const wasm_perf_tree *tree) {
  uint32_t count = tree->labels.count;
  top_row *rows = calloc(count + (size_t)1, sizeof *rows);
  uint32_t *open_counts = calloc(count + (size_t)1, sizeof *open_counts);
  if (!rows || !open_counts) {
    free(rows);
    free(open_counts);
    return NULL;
  }
  for (uint32_t i = 0; i < count; i++)
    rows[i].label = i;
  sum_rows(tree, rows, open_counts);
  free(open_counts);
  qsort(rows, count, sizeof *rows, compare_rows);
  return rows;
}

static wasm_perf_short_text format_share(const top_report *report, uint64_t part) {
  return wasm_perf_format_percentage(part, report->tree->nodes[0].total, 2);
}

static wasm_perf_short_text format_sum(const top_report *report, uint64_t sum) {
  return wasm_perf_format_quotient(wasm_perf_value(report->header, sum), report->divisor,
                                   report->divisor == 1 ? 0 : 3);
}

static wasm_perf_short_text self_share(const top_report *report, const top_row *row) {
  return format_share(report, row->self);
}

static wasm_perf_short_text self_sum(const top_report *report, const top_row *row) {
  return format_sum(report, row->self);
}

/* How far the time may be off for what was taken out of it. */
static wasm_perf_short_text self_error(const top_report *report, const top_row *row) {
  return format_sum(report, wasm_perf_hook_time(row->hook_count, report->header->hook_cost_error));
}

static wasm_perf_short_text total_share(const top_report *report, const top_row *row) {
  return format_share(report, row->total);
}

static wasm_perf_short_text total_sum(const top_report *report, const top_row *row) {
  return format_sum(report, row->total);
}

static wasm_perf_short_text call_count(const top_report *report, const top_row *row) {
  (void)report;
  return wasm_perf_format_count(row->call_count);
}

static wasm_perf_short_text self_per_call(const top_report *report, const top_row *row) {
  if (row->call_count == 0)
    return (wasm_perf_short_text){"-"};
  return wasm_perf_format_quotient(wasm_perf_value(report->header, row->self), row->call_count, 1);
}

static int text_width(const char *text) {
  int width = 0;
  for (; *text != 0; text++)
    width += (*text & 0xC0) != 0x80; /* every byte but UTF-8 continuations */
  return width;
}

static void add_column(top_report *report, const char *heading, const char *unit,
                       wasm_perf_short_text (*format)(const top_report *, const top_row *)) {
  top_column *column = &report->columns[report->column_count++];
  snprintf(column->heading, sizeof column->heading, "%s%s", heading, unit);
  column->format = format;
  column->width = text_width(column->heading);
  for (uint32_t i = 0; i < report->shown_count; i++) {
    int width = text_width(format(report, &report->rows[i]).text);
    column->width = width > column->width ? width : column->width;
  }
}

/* One unit for a whole column, so that its numbers compare at a glance. Returns its name. */
static const char *choose_time_unit(top_report *report) {
  static const struct {
    uint64_t divisor;
    const char *name;
  } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "\xC2\xB5s"}, {1, "ns"}};
  uint64_t total = wasm_perf_value(report->header, report->tree->nodes[0].total);
  size_t i = 0;
  while (i < 3 && total / 10 < units[i].divisor)
    i++;
  report->divisor = units[i].divisor;
  return units[i].name;
}

static void add_columns(top_report *report) {
  if (report->unit == WASM_PERF_UNIT_CALLS) {
    add_column(report, "calls %", "", self_share);
    add_column(report, "calls", "", call_count);
    return;
  }
  bool is_time = report->unit == WASM_PERF_UNIT_NANOSECONDS;
  const char *unit = is_time                                       ? choose_time_unit(report)
                     : report->unit == WASM_PERF_UNIT_INSTRUCTIONS ? "instr."
                                                                   : "ticks";
  add_column(report, "self %", "", self_share);
  add_column(report, "self ", unit, self_sum);
  if (report->is_compensated)
    add_column(report, "\xC2\xB1 ", unit, self_error);
  add_column(report, "total %", "", total_share);
  add_column(report, "total ", unit, total_sum);
  add_column(report, "calls", "", call_count);
  add_column(report, is_time ? "self ns/call" : "self/call", "", self_per_call);
}

static void write_cell(const top_column *column, const char *text, FILE *stream) {
  fprintf(stream, "%*s%s  ", column->width - text_width(text), "", text);
}

static void write_table(const top_report *report, FILE *stream) {
  fputc('\n', stream);
  for (unsigned c = 0; c < report->column_count; c++)
    write_cell(&report->columns[c], report->columns[c].heading, stream);
  fputs("function\n", stream);
  for (uint32_t i = 0; i < report->shown_count; i++) {
    const top_row *row = &report->rows[i];
    for (unsigned c = 0; c < report->column_count; c++) {
      const top_column *column = &report->columns[c];
      write_cell(column, column->format(report, row).text, stream);
    }
    fprintf(stream, "%s\n", wasm_perf_tree_text(report->tree, row->label));
  }
}

static void write_remainder(const top_report *report, FILE *stream) {
  uint32_t count = report->row_count - report->shown_count;
  uint64_t self = 0;
  for (uint32_t i = report->shown_count; i < report->row_count; i++)
    self = wasm_perf_add(self, report->rows[i].self);
  fprintf(stream, "\n%s more: %s %% of the %s together\n", wasm_perf_format_count(count).text,
          format_share(report, self).text,
          report->unit == WASM_PERF_UNIT_CALLS ? "calls" : "total");
}

static bool write_report(top_report *report, const wasm_perf_profile *profile, FILE *stream) {
  wasm_perf_summary summary;
  wasm_perf_summary_init(&summary, profile, report->tree);
  for (unsigned i = 0; i < summary.line_count; i++)
    fprintf(stream, "%s\n", summary.lines[i]);
  if (report->row_count > 0) {
    add_columns(report);
    write_table(report, stream);
  }
  if (report->shown_count < report->row_count)
    write_remainder(report, stream);
  return fflush(stream) == 0 && !ferror(stream);
}

bool wasm_perf_top_write(const wasm_perf_profile *profile, FILE *stream) {
  wasm_perf_tree *tree = wasm_perf_tree_new(profile, WASM_PERF_NO_DEPTH_LIMIT, 0);
  top_row *rows = tree ? rows_new(tree) : NULL;
  bool ok = false;
  if (rows) {
    top_report report = {.header = &profile->header, .tree = tree, .rows = rows, .divisor = 1};
    report.unit = wasm_perf_unit_of(report.header);
    report.is_compensated = profile->hook_time > 0;
    report.row_count = tree->labels.count;
    report.shown_count = report.row_count < MAX_ROWS ? report.row_count : MAX_ROWS;
    ok = write_report(&report, profile, stream);
  }
  free(rows);
  wasm_perf_tree_free(tree);
  return ok;
}
