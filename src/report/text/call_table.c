/* Calls that were measured one by one, as text: their distribution, and the slowest ones. */
#include <errno.h>
#include <string.h>

#include "names/shorten.h"
#include "report/model/measured.h"
#include "report/text/text_table.h"
#include "support/arithmetic.h"

#define MULTIPLE "\xC3\x97 median" /* U+00D7 */
#define AT_MOST  "\xE2\x89\xA4 "   /* U+2264 */

enum { MAX_CELLS = 6 };

/* A row of a table: numbers, then a name, which may be shortened, and a remark. */
typedef struct table_row {
  wi_short_text cells[MAX_CELLS];
  const char *indent;
  const char *name;
  const char *remark; /* with the gap before it; empty: none */
} table_row;

/* Widths are measured first, then rows are written. */
typedef struct table {
  const wi_measured_calls *calls;
  const wasm_perf_report_options *options;
  FILE *stream;
  uint32_t widths[MAX_CELLS];
  uint32_t cell_count;
  bool is_measuring;
} table;

static void put_row(table *of, const char *style, const table_row *row) {
  char name[WI_SHORTENED_SIZE];
  uint32_t used = (uint32_t)(strlen(row->indent) + strlen(row->remark));
  for (uint32_t i = 0; i < of->cell_count; i++) {
    if (of->is_measuring)
      wi_widen(&of->widths[i], row->cells[i].text);
    else
      wi_write_cell(style, row->cells[i].text, of->widths[i], of->stream);
    used += of->widths[i] + WI_GAP_WIDTH;
  }
  if (of->is_measuring)
    return;
  uint32_t width = of->options->width;
  wi_shorten(name, row->name,
             width == 0                         ? UINT32_MAX
             : width > used + WI_NAME_MIN_WIDTH ? width - used
                                                : WI_NAME_MIN_WIDTH);
  fprintf(of->stream, "%s%s%s\n", row->indent, name, row->remark);
}

static void put_headings(table *of, const char *const *headings, const char *name) {
  table_row row = {.indent = "", .name = name, .remark = ""};
  for (uint32_t i = 0; i < of->cell_count; i++)
    snprintf(row.cells[i].text, sizeof row.cells[i].text, "%s", headings[i]);
  put_row(of, of->options->uses_color ? WI_STYLE_HEADING : WI_STYLE_PLAIN, &row);
}

/* Writes all rows of a table. */
typedef void table_filler(table *of);

static void write_table(const wi_measured_calls *calls, const wasm_perf_report_options *options,
                        uint32_t cell_count, table_filler *fill, FILE *stream) {
  table of = {.calls = calls,
              .options = options,
              .stream = stream,
              .cell_count = cell_count,
              .is_measuring = true};
  fill(&of);
  of.is_measuring = false;
  fputc('\n', stream);
  fill(&of);
}

/* ---- Functions ------------------------------------------------------------- */

static const char *text_of(const wi_measured_calls *calls, uint32_t label) {
  return label == WI_NO_LABEL ? "the host" : wi_tree_text(calls->tree, label);
}

static void put_function(table *of, const wi_measured *row) {
  wi_unit unit = of->calls->unit;
  table_row text = {.indent = row->is_caller ? "  from " : "",
                    .name = text_of(of->calls, row->is_caller ? row->caller : row->label),
                    .remark = ""};
  const uint64_t values[] = {row->p50, row->p90, row->p99};
  text.cells[0] = wi_format_count(row->count);
  for (uint32_t i = 0; i < 3; i++)
    text.cells[1 + i] = wi_format_measured(unit, values[i]);
  snprintf(text.cells[4].text, sizeof text.cells[4].text, "%s%.50s", row->is_exact ? "" : AT_MOST,
           wi_format_measured(unit, row->most).text);
  text.cells[5] = wi_format_measured(unit, row->total);
  put_row(of, WI_STYLE_PLAIN, &text);
}

static void fill_functions(table *of) {
  static const char *const headings[] = {"calls", "p50", "p90", "p99", "max", "total"};
  uint32_t shown = 0;
  put_headings(of, headings, "function");
  for (uint32_t i = 0; i < of->calls->rows_count; i++) {
    const wi_measured *row = &of->calls->rows[i];
    shown += !row->is_caller;
    if (shown <= of->options->row_limit && (!row->is_caller || of->options->by_caller))
      put_function(of, row);
  }
}

static void write_rest(const wi_measured_calls *calls, const wasm_perf_report_options *options,
                       FILE *stream) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < calls->rows_count; i++) {
    const wi_measured *row = &calls->rows[i];
    count += !row->is_caller;
    if (row->unmeasured_count > 0 && count <= options->row_limit)
      fprintf(stream, "Not measured: %s of %s\n",
              wi_format_quantity(row->unmeasured_count, "call").text, text_of(calls, row->label));
  }
  if (count > options->row_limit)
    fprintf(stream, "Not shown: %s\n",
            wi_format_quantity(count - options->row_limit, "function").text);
}

/* ---- Kept calls ------------------------------------------------------------ */

static const char *remark_of(const wasm_perf_call *call) {
  if ((call->why & WASM_PERF_KEPT_TYPICAL) != 0)
    return "  typical";
  if ((call->why & WASM_PERF_KEPT_MIXED) != 0)
    return "  with others in between";
  return call->row_count == 0 ? "  without its tree" : "";
}

static bool has_starts(const wasm_perf_calls *calls) {
  for (uint32_t i = 0; i < calls->kept_count; i++)
    if (calls->kept[i].start > 0)
      return true;
  return false;
}

static void put_kept(table *of, uint32_t index, bool with_start) {
  const wasm_perf_call *call = &of->calls->profile->calls.kept[index];
  const wi_measured *row = wi_measured_row(of->calls, call);
  uint64_t value = call->values[of->calls->measure];
  uint32_t label =
      wi_labels_find(&of->calls->tree->labels, of->calls->profile->nodes[call->node].function);
  table_row text = {.indent = "", .name = text_of(of->calls, label), .remark = remark_of(call)};
  text.cells[0] = wi_format_count(index + UINT64_C(1));
  text.cells[1] = wi_format_call(of->calls->unit, value);
  text.cells[2] = wi_format_multiple(value, row ? row->p50 : 0);
  text.cells[3] = wi_format_count(call->number);
  if (with_start)
    text.cells[4] = wi_format_value(WI_UNIT_NANOSECONDS, call->start);
  put_row(of, WI_STYLE_PLAIN, &text);
}

/* The slow ones that are shown, then the typical ones. */
static void fill_kept(table *of) {
  const wasm_perf_calls *calls = &of->calls->profile->calls;
  const char *headings[] = {"#", wi_call_measure_name(of->calls->measure), MULTIPLE, "call", "at"};
  uint32_t slow_count = wi_calls_slow_count(of->calls->profile), limit = of->options->row_limit;
  put_headings(of, headings, "function");
  for (uint32_t i = 0; i < calls->kept_count; i++)
    if (i < limit || (i >= slow_count && i - slow_count < limit))
      put_kept(of, i, of->cell_count > 4);
}

/* Which command says why the slowest call was slow. */
static void write_hint(const wi_report *report, FILE *stream) {
  const wasm_perf_calls *calls = &report->profile->calls;
  const wasm_perf_call *worst = wi_calls_slow_count(report->profile) > 0 ? &calls->kept[0] : NULL;
  const wasm_perf_call *typical = worst ? wi_typical_call(report->profile, worst) : NULL;
  if (worst && worst->row_count > 0 && typical && typical->row_count > 0)
    fprintf(stream,
            "\nwhy the slowest was slow: wasm-perf calls %s --call worst --against median\n",
            report->title);
}

/* ---- The whole ------------------------------------------------------------- */

static void write_all(const wi_measured_calls *calls, const wi_report *report, FILE *stream) {
  uint64_t count = 0;
  uint32_t function_count = 0;
  const wasm_perf_calls *of = &report->profile->calls;
  for (uint32_t i = 0; i < calls->rows_count; i++)
    if (!calls->rows[i].is_caller) {
      count = wi_saturating_add(count, calls->rows[i].count);
      function_count++;
    }
  fprintf(stream, "%s of %s, by %s\n", wi_format_quantity(count, "measured call").text,
          wi_format_quantity(function_count, "function").text,
          wi_call_measure_name(calls->measure));
  if (function_count > 0)
    write_table(calls, &report->options, 6, fill_functions, stream);
  write_rest(calls, &report->options, stream);
  if (of->kept_count > 0)
    write_table(calls, &report->options, has_starts(of) ? 5 : 4, fill_kept, stream);
  write_hint(report, stream);
}

static bool write_calls(const wi_report *report, FILE *stream) {
  wi_measured_calls calls;
  if (report->profile->calls.measures == 0) {
    errno = EINVAL;
    return false;
  }
  if (!wi_measured_calls_init(&calls, report, wi_shown_call_measure(report)))
    return false;
  write_all(&calls, report, stream);
  wi_measured_calls_clear(&calls);
  return true;
}

static bool report_calls(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                         FILE *stream) {
  return wi_report_write(profile, options, WI_STACKS_WHOLE, write_calls, stream);
}

const wasm_perf_report_format wasm_perf_measured = {"text", NULL, "for terminals", report_calls, 0};
