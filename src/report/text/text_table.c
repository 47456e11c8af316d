#include "report/text/text_table.h"

#include <inttypes.h>
#include <string.h>

#include "names/text_width.h"
#include "report/model/holdings.h"
#include "support/arithmetic.h"

#define STYLE_HOT  "\x1b[1;31m"
#define STYLE_WARM "\x1b[33m"
#define STYLE_END  "\x1b[0m"

/* Percentages from which a share is highlighted. */
#define HOT_SHARE  20u
#define WARM_SHARE 5u

/* ---- Columns ------------------------------------------------------------- */

void wi_text_table_init(wi_text_table *table, const wi_columns *columns,
                        const wasm_perf_report_options *options) {
  *table = (wi_text_table){.columns = *columns, .uses_color = options->uses_color};
  for (unsigned i = 0; i < columns->count; i++)
    table->widths[i] = wi_text_width(wi_column_heading(columns, columns->list[i]).text);
}

void wi_text_table_measure(wi_text_table *table, const wi_function_stats *row) {
  const wi_columns *columns = &table->columns;
  for (unsigned i = 0; i < columns->count; i++)
    wi_widen(&table->widths[i], wi_column_format(columns, columns->list[i], row).text);
}

void wi_text_table_fit(wi_text_table *table, const wasm_perf_report_options *options) {
  unsigned dropped;
  while (options->width > 0 && wi_text_table_width(table) + WI_NAME_MIN_WIDTH > options->width &&
         wi_columns_drop(&table->columns, &dropped))
    memmove(&table->widths[dropped], &table->widths[dropped + 1],
            (table->columns.count - dropped) * sizeof table->widths[0]);
}

uint32_t wi_text_table_width(const wi_text_table *table) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < table->columns.count; i++)
    sum += table->widths[i] + WI_GAP_WIDTH;
  return sum;
}

uint32_t wi_text_table_name_width(const wi_text_table *table,
                                  const wasm_perf_report_options *options) {
  uint32_t width = wi_text_table_width(table);
  if (options->width == 0)
    return 0;
  return options->width > width + WI_NAME_MIN_WIDTH ? options->width - width : WI_NAME_MIN_WIDTH;
}

/* ---- Writing ------------------------------------------------------------- */

void wi_widen(uint32_t *width, const char *text) {
  uint32_t needed = wi_text_width(text);
  *width = needed > *width ? needed : *width;
}

static void write_styled(const char *style, const char *text, FILE *stream) {
  if (*style != 0 && *text != 0)
    fprintf(stream, "%s%s" STYLE_END, style, text);
  else
    fputs(text, stream);
}

void wi_write_cell(const char *style, const char *text, uint32_t width, FILE *stream) {
  fprintf(stream, "%*s", (int)(width - wi_text_width(text)), "");
  write_styled(style, text, stream);
  fprintf(stream, "%*s", (int)WI_GAP_WIDTH, "");
}

/* `style` if the table uses colours, otherwise plain. */
static const char *shown_style(const wi_text_table *table, const char *style) {
  return table->uses_color ? style : WI_STYLE_PLAIN;
}

void wi_text_table_write_styled(const wi_text_table *table, const char *style, const char *text,
                                FILE *stream) {
  write_styled(shown_style(table, style), text, stream);
}

void wi_text_table_write_headings(const wi_text_table *table, const char *names, FILE *stream) {
  const char *style = shown_style(table, WI_STYLE_HEADING);
  const wi_columns *columns = &table->columns;
  for (unsigned i = 0; i < columns->count; i++)
    wi_write_cell(style, wi_column_heading(columns, columns->list[i]).text, table->widths[i],
                  stream);
  write_styled(style, names, stream);
  fputc('\n', stream);
}

static const char *style_of(const wi_columns *columns, const wi_column *column,
                            const wi_function_stats *row) {
  if (column != columns->list[0] || column->kind != WI_COLUMN_SHARE || columns->whole == 0)
    return WI_STYLE_PLAIN;
  uint64_t share = wi_scale(column->value(columns, row), columns->whole, 100);
  return share >= HOT_SHARE ? STYLE_HOT : share >= WARM_SHARE ? STYLE_WARM : WI_STYLE_PLAIN;
}

const char *wi_text_table_style(const wi_text_table *table, const wi_function_stats *row) {
  const wi_columns *columns = &table->columns;
  return columns->count > 0 ? style_of(columns, columns->list[0], row) : WI_STYLE_PLAIN;
}

void wi_text_table_write_cells(const wi_text_table *table, const wi_function_stats *row,
                               FILE *stream) {
  const wi_columns *columns = &table->columns;
  for (unsigned i = 0; i < columns->count; i++) {
    const wi_column *column = columns->list[i];
    wi_write_cell(shown_style(table, style_of(columns, column, row)),
                  wi_column_format(columns, column, row).text, table->widths[i], stream);
  }
}

static void write_note(const wi_text_table *table, const char *text, FILE *stream) {
  fprintf(stream, "%*s", (int)WI_GAP_WIDTH, "");
  wi_text_table_write_styled(table, WI_STYLE_FAINT, text, stream);
}

void wi_text_table_write_remark(const wi_text_table *table, const wasm_perf_report_options *options,
                                const char *text, uint32_t *used, FILE *stream) {
  uint32_t width = WI_GAP_WIDTH + wi_text_width(text);
  if (*text == '\0' || (options->width > 0 && *used + width > options->width))
    return;
  write_note(table, text, stream);
  *used += width;
}

static void write_place(const wi_text_table *table, const wi_report *report, uint32_t label,
                        uint32_t used, FILE *stream) {
  char text[WI_LABEL_MAX_SIZE + 32];
  uint32_t line, width = report->options.width;
  const char *file = wi_tree_file(report->tree, label, &line);
  if (!file)
    return;
  const char *slash = strrchr(file, '/');
  int size = snprintf(text, sizeof text, "%s", slash ? slash + 1 : file);
  if (line > 0)
    snprintf(text + size, sizeof text - (size_t)size, ":%" PRIu32, line);
  bool is_in_name = strstr(wi_tree_text(report->tree, label), text);
  if (is_in_name || (width > 0 && used + WI_GAP_WIDTH + wi_text_width(text) > width))
    return;
  write_note(table, text, stream);
}

uint32_t wi_text_table_mark_width(const wi_function_stats *row) {
  const char *text = wi_time_note_text(row->note);
  return *text ? WI_GAP_WIDTH + (uint32_t)strlen(text) : 0;
}

void wi_text_table_write_notes(const wi_text_table *table, const wi_report *report,
                               const wi_function_stats *row, uint32_t used, FILE *stream) {
  if (row->note != WI_TIME_NONE)
    write_note(table, wi_time_note_text(row->note), stream);
  write_place(table, report, row->label, used + wi_text_table_mark_width(row), stream);
}

/* The end of the first line of `text`: as many words as fit into `width`, but at least one. */
static const char *line_end(const char *text, uint32_t width) {
  const char *end = NULL;
  uint32_t used = 0, next_width;
  for (const char *at = text; *at != 0; at = wi_text_next(at, &next_width), used += next_width) {
    if (used > width && end)
      return end;
    if (*at == ' ')
      end = at;
  }
  return used > width && end ? end : text + strlen(text);
}

void wi_write_wrapped(const char *text, const wasm_perf_report_options *options, FILE *stream) {
  uint32_t width = options->width > 0 ? options->width : UINT32_MAX;
  while (*text != 0) {
    const char *end = line_end(text, width);
    fprintf(stream, "%.*s\n", (int)(end - text), text);
    text = *end == ' ' ? end + 1 : end;
  }
}

static void write_lines(const wi_report *report, unsigned from, unsigned to, FILE *stream) {
  for (unsigned i = from; i < to; i++)
    wi_write_wrapped(report->summary.lines[i], &report->options, stream);
}

/* Which JavaScript holds most, if memory is shown. Without memory for it, the line is left out. */
static void write_holder(const wi_report *report, FILE *stream) {
  wi_holdings holdings;
  char text[256 + WI_LABEL_MAX_SIZE];
  if (!wi_view_has_measure(&report->tree->view, NULL) || !wi_holdings_init(&holdings, report))
    return;
  const wi_holding *most = holdings.items_count > 0 ? &holdings.items[0] : NULL;
  if (most) {
    snprintf(text, sizeof text, "%s%s", wi_holding_describe(most).text, most->name);
    wi_write_wrapped(text, &report->options, stream);
  }
  wi_holdings_clear(&holdings);
}

void wi_write_totals(const wi_report *report, FILE *stream) {
  write_lines(report, 0, wi_summary_notes(&report->summary), stream);
  write_holder(report, stream);
}

/*
 * Chooses the cautions, and other notes where two lines have room: the last ones, which advise.
 * Returns how many are left.
 */
static unsigned choose_notes(const wi_summary *summary, unsigned first,
                             bool chosen[WI_SUMMARY_MAX_LINES]) {
  enum { ROOM = 2 };
  unsigned left = summary->line_count - first, count = 0;
  for (unsigned i = first; i < summary->line_count; i++) {
    chosen[i] = summary->is_caution[i];
    count += chosen[i];
  }
  left -= count;
  for (unsigned i = summary->line_count; i-- > first && left > 0 && count + (left > 1) < ROOM;) {
    count += !chosen[i];
    left -= !chosen[i];
    chosen[i] = true;
  }
  return left;
}

static void write_short_notes(const wi_report *report, unsigned first, FILE *stream) {
  bool chosen[WI_SUMMARY_MAX_LINES];
  unsigned left = choose_notes(&report->summary, first, chosen);
  char rest[WI_LABEL_MAX_SIZE + 128];
  for (unsigned i = first; i < report->summary.line_count; i++)
    if (chosen[i])
      write_lines(report, i, i + 1, stream);
  snprintf(rest, sizeof rest, "%s: wasm-perf explain %s",
           wi_format_quantity(left, "more note").text, report->title);
  if (left > 0)
    wi_write_wrapped(rest, &report->options, stream);
}

void wi_write_notes(const wi_report *report, FILE *stream) {
  unsigned first = wi_summary_notes(&report->summary), count = report->summary.line_count;
  bool is_terminal = report->options.width > 0;
  if (first < count)
    fputc('\n', stream);
  if (is_terminal)
    write_short_notes(report, first, stream);
  else
    write_lines(report, first, count, stream);
}
