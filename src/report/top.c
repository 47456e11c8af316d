#include <stdlib.h>
#include <string.h>

#include "report/exporters.h"
#include "report/numbers.h"
#include "report/rows.h"
#include "report/summary.h"
#include "report/tree.h"

#define DEFAULT_ROW_LIMIT 50u
#define MAX_COLUMNS       7u

typedef struct top_report top_report;

/* Headings and cells are aligned to the right, `width` characters wide. */
typedef struct top_column {
  char heading[24];
  wasm_perf_short_text (*format)(const top_report *report, const wasm_perf_row *row);
  int width;
} top_column;

struct top_report {
  const wasm_perf_header *header;
  const wasm_perf_tree *tree;
  wasm_perf_row *rows;
  uint32_t row_count;
  uint32_t shown_count;
  wasm_perf_unit unit;
  bool is_compensated;
  uint64_t divisor; /* of the sums shown: nanoseconds in the unit of time columns, else 1 */
  top_column columns[MAX_COLUMNS];
  unsigned column_count;
};

static wasm_perf_short_text format_share(const top_report *report, uint64_t part) {
  return wasm_perf_format_percentage(part, report->tree->nodes[0].total, 2);
}

static wasm_perf_short_text format_sum(const top_report *report, uint64_t sum) {
  return wasm_perf_format_quotient(sum, report->divisor, report->divisor == 1 ? 0 : 3);
}

static wasm_perf_short_text self_share(const top_report *report, const wasm_perf_row *row) {
  return format_share(report, row->self);
}

static wasm_perf_short_text self_sum(const top_report *report, const wasm_perf_row *row) {
  return format_sum(report, row->self);
}

/* How far the time may be off for what was taken out of it. */
static wasm_perf_short_text self_error(const top_report *report, const wasm_perf_row *row) {
  uint64_t ticks = wasm_perf_hook_time(row->hook_count, report->header->hook_cost_error);
  return format_sum(report, wasm_perf_value(report->header, ticks));
}

static wasm_perf_short_text total_share(const top_report *report, const wasm_perf_row *row) {
  return format_share(report, row->total);
}

static wasm_perf_short_text total_sum(const top_report *report, const wasm_perf_row *row) {
  return format_sum(report, row->total);
}

static wasm_perf_short_text call_count(const top_report *report, const wasm_perf_row *row) {
  (void)report;
  return wasm_perf_format_count(row->call_count);
}

static wasm_perf_short_text self_per_call(const top_report *report, const wasm_perf_row *row) {
  (void)report;
  if (row->call_count == 0)
    return (wasm_perf_short_text){"-"};
  return wasm_perf_format_quotient(row->self, row->call_count, 1);
}

static int text_width(const char *text) {
  int width = 0;
  for (; *text != 0; text++)
    width += (*text & 0xC0) != 0x80; /* every byte but UTF-8 continuations */
  return width;
}

static void add_column(top_report *report, const char *heading, const char *unit,
                       wasm_perf_short_text (*format)(const top_report *, const wasm_perf_row *)) {
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
  uint64_t total = report->tree->nodes[0].total;
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
    const wasm_perf_row *row = &report->rows[i];
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

bool wasm_perf_top_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                         FILE *stream) {
  wasm_perf_tree *tree = wasm_perf_tree_new(profile, WASM_PERF_NO_DEPTH_LIMIT, 0);
  wasm_perf_row *rows = tree ? wasm_perf_rows_new(tree) : NULL;
  bool ok = false;
  if (rows) {
    top_report report = {.header = &profile->header, .tree = tree, .rows = rows, .divisor = 1};
    uint32_t row_limit = options && options->row_limit ? options->row_limit : DEFAULT_ROW_LIMIT;
    report.unit = wasm_perf_unit_of(report.header);
    report.is_compensated = profile->hook_time > 0;
    report.row_count = tree->labels.count;
    report.shown_count = report.row_count < row_limit ? report.row_count : row_limit;
    ok = write_report(&report, profile, stream);
  }
  free(rows);
  wasm_perf_tree_free(tree);
  return ok;
}
