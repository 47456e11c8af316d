#include "report/text_table.h"

#include <string.h>

#include "report/summary.h"
#include "report/text_width.h"

#define STYLE_HOT  "\x1b[1;31m"
#define STYLE_WARM "\x1b[33m"
#define STYLE_END  "\x1b[0m"

/* Percent from which a share stands out. */
#define HOT_SHARE  20u
#define WARM_SHARE 5u

/* ---- Cells --------------------------------------------------------------- */

static wasm_perf_short_text format_sum(const wasm_perf_table *table, uint64_t sum) {
  return wasm_perf_format_quotient(sum, table->divisor, table->divisor == 1 ? 0 : 3);
}

static uint64_t self_part(const wasm_perf_row *row) {
  return row->self;
}

static uint64_t total_part(const wasm_perf_row *row) {
  return row->total;
}

static wasm_perf_short_text self_sum(const wasm_perf_table *table, const wasm_perf_row *row) {
  return format_sum(table, row->self);
}

/* How far the time may be off for what was taken out of it. */
static wasm_perf_short_text self_error(const wasm_perf_table *table, const wasm_perf_row *row) {
  uint64_t ticks = wasm_perf_hook_time(row->hook_count, table->header->hook_cost_error);
  return format_sum(table, wasm_perf_value(table->header, ticks));
}

static wasm_perf_short_text total_sum(const wasm_perf_table *table, const wasm_perf_row *row) {
  return format_sum(table, row->total);
}

static wasm_perf_short_text call_count(const wasm_perf_table *table, const wasm_perf_row *row) {
  (void)table;
  return wasm_perf_format_count(row->call_count);
}

static wasm_perf_short_text self_per_call(const wasm_perf_table *table, const wasm_perf_row *row) {
  (void)table;
  if (row->call_count == 0)
    return (wasm_perf_short_text){"-"};
  return wasm_perf_format_quotient(row->self, row->call_count, 1);
}

static wasm_perf_short_text format_cell(const wasm_perf_table *table,
                                        const wasm_perf_column *column, const wasm_perf_row *row) {
  if (column->part)
    return wasm_perf_format_percentage(column->part(row), table->whole, 2);
  return column->format(table, row);
}

/* ---- Columns ------------------------------------------------------------- */

static wasm_perf_column *add_column(wasm_perf_table *table, const char *heading, const char *unit) {
  wasm_perf_column *column = &table->columns[table->column_count++];
  memset(column, 0, sizeof *column);
  snprintf(column->heading, sizeof column->heading, "%s%s", heading, unit);
  column->width = wasm_perf_text_width(column->heading);
  return column;
}

static void add_share(wasm_perf_table *table, const char *heading,
                      uint64_t (*part)(const wasm_perf_row *)) {
  add_column(table, heading, " %")->part = part;
}

static void add_numbers(wasm_perf_table *table, const char *heading, const char *unit,
                        wasm_perf_short_text (*format)(const wasm_perf_table *,
                                                       const wasm_perf_row *)) {
  add_column(table, heading, unit)->format = format;
}

/* One unit for a whole column, so that its numbers compare at a glance. */
static void choose_time_unit(wasm_perf_table *table) {
  static const struct {
    uint64_t divisor;
    const char *text;
  } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "\xC2\xB5s"}, {1, "ns"}};
  size_t i = 0;
  while (i < 3 && table->whole / 10 < units[i].divisor)
    i++;
  table->divisor = units[i].divisor;
  table->unit_text = units[i].text;
}

void wasm_perf_table_init(wasm_perf_table *table, const wasm_perf_profile *profile, uint64_t whole,
                          const wasm_perf_report_options *options) {
  *table = (wasm_perf_table){.header = &profile->header,
                             .unit = wasm_perf_unit_of(&profile->header),
                             .whole = whole,
                             .divisor = 1,
                             .uses_color = options && options->uses_color};
  switch (table->unit) {
  case WASM_PERF_UNIT_NANOSECONDS: choose_time_unit(table); break;
  case WASM_PERF_UNIT_INSTRUCTIONS: table->unit_text = "instr."; break;
  case WASM_PERF_UNIT_TICKS: table->unit_text = "ticks"; break;
  case WASM_PERF_UNIT_CALLS: table->unit_text = "calls"; break;
  }
}

void wasm_perf_table_add_columns(wasm_perf_table *table, bool is_compensated) {
  if (table->unit == WASM_PERF_UNIT_CALLS) {
    add_share(table, "calls", self_part);
    add_numbers(table, "calls", "", call_count);
    return;
  }
  bool is_time = table->unit == WASM_PERF_UNIT_NANOSECONDS;
  add_share(table, "self", self_part);
  add_numbers(table, "self ", table->unit_text, self_sum);
  if (is_compensated)
    add_numbers(table, "\xC2\xB1 ", table->unit_text, self_error);
  add_share(table, "total", total_part);
  add_numbers(table, "total ", table->unit_text, total_sum);
  add_numbers(table, "calls", "", call_count);
  add_numbers(table, is_time ? "self ns/call" : "self/call", "", self_per_call);
}

void wasm_perf_table_add_tree_columns(wasm_perf_table *table) {
  add_share(table, "total", total_part);
  add_numbers(table, "total ", table->unit_text, total_sum);
  if (table->unit != WASM_PERF_UNIT_CALLS)
    add_numbers(table, "self ", table->unit_text, self_sum);
  add_numbers(table, "calls", "", call_count);
}

void wasm_perf_table_measure(wasm_perf_table *table, const wasm_perf_row *row) {
  for (unsigned i = 0; i < table->column_count; i++) {
    wasm_perf_column *column = &table->columns[i];
    uint32_t width = wasm_perf_text_width(format_cell(table, column, row).text);
    column->width = width > column->width ? width : column->width;
  }
}

uint32_t wasm_perf_table_width(const wasm_perf_table *table) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < table->column_count; i++)
    sum += table->columns[i].width + 2;
  return sum;
}

uint32_t wasm_perf_table_name_width(const wasm_perf_table *table,
                                    const wasm_perf_report_options *options) {
  uint32_t width = wasm_perf_table_width(table);
  if (!options || options->width == 0)
    return 0;
  return options->width > width + WASM_PERF_NAME_MIN_WIDTH ? options->width - width
                                                           : WASM_PERF_NAME_MIN_WIDTH;
}

/* ---- Writing ------------------------------------------------------------- */

void wasm_perf_table_write_styled(const wasm_perf_table *table, const char *style, const char *text,
                                  FILE *stream) {
  if (table->uses_color && *style != 0 && *text != 0)
    fprintf(stream, "%s%s" STYLE_END, style, text);
  else
    fputs(text, stream);
}

static void write_cell(const wasm_perf_table *table, const wasm_perf_column *column,
                       const char *style, const char *text, FILE *stream) {
  fprintf(stream, "%*s", (int)(column->width - wasm_perf_text_width(text)), "");
  wasm_perf_table_write_styled(table, style, text, stream);
  fputs("  ", stream);
}

void wasm_perf_table_write_headings(const wasm_perf_table *table, FILE *stream) {
  for (unsigned i = 0; i < table->column_count; i++)
    write_cell(table, &table->columns[i], WASM_PERF_STYLE_HEADING, table->columns[i].heading,
               stream);
  wasm_perf_table_write_styled(table, WASM_PERF_STYLE_HEADING, "function", stream);
  fputc('\n', stream);
}

static const char *style_of(const wasm_perf_table *table, const wasm_perf_column *column,
                            const wasm_perf_row *row) {
  if (!column->part || table->whole == 0)
    return WASM_PERF_STYLE_PLAIN;
  uint64_t share = wasm_perf_scale(column->part(row), table->whole, 100);
  return share >= HOT_SHARE ? STYLE_HOT : share >= WARM_SHARE ? STYLE_WARM : WASM_PERF_STYLE_PLAIN;
}

void wasm_perf_table_write_cells(const wasm_perf_table *table, const wasm_perf_row *row,
                                 FILE *stream) {
  for (unsigned i = 0; i < table->column_count; i++) {
    const wasm_perf_column *column = &table->columns[i];
    write_cell(table, column, style_of(table, column, row), format_cell(table, column, row).text,
               stream);
  }
}

/* The end of the first line of `text`: of as many words as fit into `width`, and one at least. */
static const char *line_end(const char *text, uint32_t width) {
  const char *end = NULL;
  uint32_t used = 0, next_width;
  for (const char *at = text; *at != 0;
       at = wasm_perf_text_next(at, &next_width), used += next_width) {
    if (used > width && end)
      return end;
    if (*at == ' ')
      end = at;
  }
  return used > width && end ? end : text + strlen(text);
}

void wasm_perf_write_wrapped(const char *text, const wasm_perf_report_options *options,
                             FILE *stream) {
  uint32_t width = options && options->width > 0 ? options->width : UINT32_MAX;
  while (*text != 0) {
    const char *end = line_end(text, width);
    fprintf(stream, "%.*s\n", (int)(end - text), text);
    text = *end == ' ' ? end + 1 : end;
  }
}

void wasm_perf_table_write_summary(const wasm_perf_profile *profile, const wasm_perf_tree *tree,
                                   const wasm_perf_report_options *options, FILE *stream) {
  wasm_perf_summary summary;
  wasm_perf_summary_init(&summary, profile, tree);
  for (unsigned i = 0; i < summary.line_count; i++)
    wasm_perf_write_wrapped(summary.lines[i], options, stream);
}
