/*
 * Memory as text: the sizes of allocated blocks, and the live bytes over time, each as a table with
 * bars.
 */
#include <stdlib.h>

#include "names/text_width.h"
#include "report/formats/writers.h"
#include "report/model/size_classes.h"
#include "report/text/text_table.h"
#include "support/arithmetic.h"

#define BAR             "\xE2\x96\x88" /* U+2588 */
#define MAX_BAR_WIDTH   40u
#define TIME_LINE_COUNT 20u /* maximum number of rows */

/* A row of a table with two columns and a bar. */
typedef struct bar_row {
  wi_short_text name;
  wi_short_text value;
  uint64_t size; /* of the bar, relative to the table's largest */
} bar_row;

static uint32_t bar_width(const bar_row *row, uint64_t largest, uint32_t room) {
  return row->size == 0 ? 0 : (uint32_t)wi_scale(row->size, largest, room - 1) + 1;
}

static void write_row(const bar_row *row, const uint32_t widths[2], uint32_t bar, FILE *stream) {
  wi_write_cell(WI_STYLE_PLAIN, row->name.text, widths[0], stream);
  wi_write_cell(WI_STYLE_PLAIN, row->value.text, widths[1], stream);
  for (uint32_t i = 0; i < bar; i++)
    fputs(BAR, stream);
  fputc('\n', stream);
}

/* rows[0] contains the headings. */
static void write_bars(const bar_row *rows, unsigned count, const wasm_perf_report_options *options,
                       FILE *stream) {
  const char *style = options->uses_color ? WI_STYLE_HEADING : WI_STYLE_PLAIN;
  uint32_t widths[2] = {0}, room = MAX_BAR_WIDTH;
  uint64_t largest = 1;
  for (unsigned i = 0; i < count; i++) {
    wi_widen(&widths[0], rows[i].name.text);
    wi_widen(&widths[1], rows[i].value.text);
    largest = rows[i].size > largest ? rows[i].size : largest;
  }
  uint32_t used = widths[0] + widths[1] + 2 * WI_GAP_WIDTH;
  if (options->width > 0 && options->width < used + room)
    room = options->width > used ? options->width - used : 1;
  fputc('\n', stream);
  wi_write_cell(style, rows[0].name.text, widths[0], stream);
  wi_write_cell(style, rows[0].value.text, widths[1], stream);
  fputc('\n', stream);
  for (unsigned i = 1; i < count; i++)
    write_row(&rows[i], widths, bar_width(&rows[i], largest, room), stream);
}

static void write_sizes(const wi_report *report, FILE *stream) {
  wi_size_class classes[WASM_PERF_SIZE_CLASSES];
  bar_row rows[WASM_PERF_SIZE_CLASSES + 1] = {{{"size"}, {"allocated"}, 0}};
  unsigned count = wi_size_classes(report->profile, classes);
  for (unsigned i = 0; i < count; i++)
    rows[i + 1] = (bar_row){wi_size_class_text(&classes[i]), wi_format_count(classes[i].count),
                            classes[i].count};
  if (count > 0)
    write_bars(rows, count + 1, &report->options, stream);
}

/* Consecutive moments are merged into rows: each shows the last moment and the maximum. */
static void write_time_line(const wi_report *report, FILE *stream) {
  const wasm_perf_profile *profile = report->profile;
  bar_row rows[TIME_LINE_COUNT + 1] = {{{"allocations"}, {"most live"}, 0}};
  uint32_t step = (profile->moment_count + TIME_LINE_COUNT - 1) / TIME_LINE_COUNT;
  unsigned count = 1;
  for (uint32_t i = 0; i < profile->moment_count; count++) {
    uint64_t most = 0, allocation = 0;
    for (uint32_t end = i + step; i < end && i < profile->moment_count; i++) {
      most = profile->moments[i].byte_count > most ? profile->moments[i].byte_count : most;
      allocation = profile->moments[i].allocation_count;
    }
    rows[count] =
        (bar_row){wi_format_count(allocation), wi_format_value(WI_UNIT_BYTES, most), most};
  }
  if (count > 1)
    write_bars(rows, count, &report->options, stream);
}

bool wi_memory_write(const wi_report *report, FILE *stream) {
  wi_write_totals(report, stream);
  if (!report->profile->follows_memory)
    wi_write_wrapped("No memory data: record it with --memory", &report->options, stream);
  write_sizes(report, stream);
  write_time_line(report, stream);
  wi_write_notes(report, stream);
  return true;
}
