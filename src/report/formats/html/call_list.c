#include "report/formats/html/call_list.h"

#include <inttypes.h>

#include "report/encode/markup.h"
#include "report/model/measured.h"
#include "support/arithmetic.h"

/* Size of a chart, in its own units, and the most bars in it. */
enum { WIDTH = 240, HEIGHT = 32, MOST_BARS = 60, MOST_ROWS = 20 };

/* What all charts of a table have in common: buckets, whose widths grow with their values. */
typedef struct axis {
  uint32_t first, last; /* buckets */
  uint32_t step;        /* buckets in a bar */
  uint64_t most;        /* calls in a bar */
} axis;

/* ---- Charts ---------------------------------------------------------------- */

static uint64_t calls_in_bar(const wi_bucket_sums *sums, const axis *of, uint32_t bar) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < of->step; i++) {
    uint32_t bucket = of->first + bar * of->step + i;
    count = wi_saturating_add(count, bucket <= of->last ? sums->counts[bucket] : 0);
  }
  return count;
}

static uint32_t bar_count(const axis *of) {
  return (of->last - of->first) / of->step + 1;
}

static axis axis_of(const wi_measured_calls *calls) {
  axis of = {.first = WASM_PERF_BUCKET_COUNT, .step = 1};
  for (uint32_t i = 0; i < calls->rows_count; i++) {
    if (calls->rows[i].is_caller)
      continue;
    wi_bucket_sums sums = wi_measured_sums(calls, &calls->rows[i]);
    for (uint32_t bucket = 0; bucket < WASM_PERF_BUCKET_COUNT; bucket++)
      if (sums.counts[bucket] > 0) {
        of.first = bucket < of.first ? bucket : of.first;
        of.last = bucket > of.last ? bucket : of.last;
      }
  }
  of.step = (of.last - of.first) / MOST_BARS + 1;
  for (uint32_t i = 0; i < calls->rows_count; i++) {
    if (calls->rows[i].is_caller)
      continue;
    wi_bucket_sums sums = wi_measured_sums(calls, &calls->rows[i]);
    for (uint32_t bar = 0; bar < bar_count(&of); bar++) {
      uint64_t count = calls_in_bar(&sums, &of, bar);
      of.most = count > of.most ? count : of.most;
    }
  }
  return of;
}

/*
 * Draws a bar for each range of values. Its height grows with the logarithm of the calls, for which
 * their bucket stands, so that a single slow call is still seen.
 */
static void write_chart(const wi_measured_calls *calls, const wi_measured *row, const axis *of,
                        FILE *stream) {
  wi_bucket_sums sums = wi_measured_sums(calls, row);
  uint32_t bars = bar_count(of);
  fprintf(stream,
          "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"p50 "
          "%s, p99 %s\"><path d=\"",
          WIDTH, HEIGHT, wi_format_measured(calls->unit, row->p50).text,
          wi_format_measured(calls->unit, row->p99).text);
  for (uint32_t bar = 0; bar < bars; bar++) {
    uint64_t count = calls_in_bar(&sums, of, bar);
    if (count == 0)
      continue;
    uint32_t from = bar * WIDTH / bars, to = (bar + 1) * WIDTH / bars;
    uint32_t height =
        4 + wasm_perf_bucket_of(count) * (HEIGHT - 4) / (wasm_perf_bucket_of(of->most) + 1);
    fprintf(stream, "M%u %dv-%uh%uv%uz", from, HEIGHT, height, to > from + 1 ? to - from - 1 : 1,
            height);
  }
  fputs("\"/></svg>", stream);
}

/* ---- Tables ---------------------------------------------------------------- */

static void write_function(const wi_measured_calls *calls, const wi_measured *row, const axis *of,
                           FILE *stream) {
  fputs("<tr><th scope=\"row\">", stream);
  wi_markup_write(wi_tree_text(calls->tree, row->label), stream);
  fprintf(stream, "</th><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s%s</td><td>",
          wi_format_count(row->count).text, wi_format_measured(calls->unit, row->p50).text,
          wi_format_measured(calls->unit, row->p90).text,
          wi_format_measured(calls->unit, row->p99).text, row->is_exact ? "" : "\xE2\x89\xA4 ",
          wi_format_measured(calls->unit, row->most).text);
  write_chart(calls, row, of, stream);
  fputs("</td></tr>\n", stream);
}

static void write_functions(const wi_measured_calls *calls, FILE *stream) {
  const axis of = axis_of(calls);
  uint32_t shown = 0;
  fprintf(
      stream,
      "<div class=\"scroller\"><table class=\"measured\">\n<thead><tr><th "
      "scope=\"col\">Function</th><th scope=\"col\">Calls</th><th scope=\"col\">p50</th><th "
      "scope=\"col\">p90</th><th scope=\"col\">p99</th><th scope=\"col\">Max</th><th "
      "scope=\"col\">%s to %s, logarithmic</th></tr></thead>\n<tbody>\n",
      wi_format_measured(calls->unit, wi_bucket_start(of.first)).text,
      wi_format_measured(calls->unit, wi_bucket_start(of.last) + wi_bucket_width(of.last)).text);
  for (uint32_t i = 0; i < calls->rows_count && shown < MOST_ROWS; i++)
    if (!calls->rows[i].is_caller) {
      write_function(calls, &calls->rows[i], &of, stream);
      shown++;
    }
  fputs("</tbody>\n</table></div>\n", stream);
}

static void write_kept(const wi_measured_calls *calls, uint32_t index, FILE *stream) {
  const wasm_perf_call *call = &calls->profile->calls.kept[index];
  const wi_measured *row = wi_measured_row(calls, call);
  uint64_t value = call->values[calls->measure];
  uint32_t label = wi_labels_find(&calls->tree->labels, calls->profile->nodes[call->node].function);
  fprintf(stream, "<tr><th scope=\"row\">%u</th><td>", index + 1);
  wi_markup_write(wi_tree_text(calls->tree, label), stream);
  fprintf(stream, "</td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
          wi_format_call(calls->unit, value).text,
          wi_format_multiple(value, row ? row->p50 : 0).text,
          call->start > 0 ? wi_format_value(WI_UNIT_NANOSECONDS, call->start).text : "");
}

static void write_slowest(const wi_measured_calls *calls, FILE *stream) {
  uint32_t count = wi_calls_slow_count(calls->profile);
  if (count == 0)
    return;
  fprintf(stream,
          "<h2>The slowest calls</h2>\n<div class=\"scroller\"><table class=\"slowest\">\n<thead>"
          "<tr><th scope=\"col\">#</th><th scope=\"col\">Function</th><th scope=\"col\">%s</th><th "
          "scope=\"col\">\xC3\x97 median</th><th scope=\"col\">At</th></tr></thead>\n<tbody>\n",
          calls->unit == WI_UNIT_NANOSECONDS ? "Time" : "Instructions");
  for (uint32_t i = 0; i < count && i < MOST_ROWS; i++)
    write_kept(calls, i, stream);
  fputs("</tbody>\n</table></div>\n<p class=\"fact\"><code>wasm-perf calls FILE --call 1 --against "
        "median</code> says why call 1 was slow.</p>\n",
        stream);
}

/* ---- The section ------------------------------------------------------------- */

static bool write_run(const wi_report *report, bool is_one_of_several, FILE *stream) {
  wi_measured_calls calls;
  if (report->profile->calls.measures == 0)
    return true;
  if (!wi_measured_calls_init(&calls, report, wi_calls_rank(report->profile)))
    return false;
  if (calls.rows_count > 0) {
    fputs("<h2>Calls", stream);
    if (is_one_of_several) {
      fputs(" of ", stream);
      wi_markup_write(report->title, stream);
    }
    fputs("</h2>\n", stream);
    write_functions(&calls, stream);
  }
  write_slowest(&calls, stream);
  wi_measured_calls_clear(&calls);
  return true;
}

bool wi_html_calls_write(const wi_html_data *data, FILE *stream) {
  bool done = true;
  fputs("<section id=\"measured\" aria-label=\"Calls\">\n", stream);
  for (uint32_t r = 0; done && r < data->run_count; r++)
    done = write_run(data->runs[r].report, data->run_count > 1, stream);
  fputs("</section>\n", stream);
  return done;
}
