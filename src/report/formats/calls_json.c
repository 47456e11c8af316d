/* Calls that were measured one by one, for programs: wasm_perf/calls.schema.json. */
#include <errno.h>

#include "report/encode/json_parts.h"
#include "report/model/measured.h"

#define FORMAT_VERSION 1

typedef struct calls_json {
  const wi_measured_calls *calls;
  wi_json json;
} calls_json;

static void write_head(calls_json *w, const wi_report *report) {
  wi_json_string(&w->json, "format", "wasm-perf calls");
  wi_json_integer(&w->json, "version", FORMAT_VERSION);
  wi_json_string(&w->json, "title", report->title);
  wi_json_string(&w->json, "measure", wi_call_measure_name(w->calls->measure));
  wi_json_string(&w->json, "unit", wi_unit_name(w->calls->unit));
}

static void write_values(wi_json *json, const wi_measured *row) {
  wi_json_integer(json, "calls", row->count);
  wi_json_integer(json, "p50", row->p50);
  wi_json_integer(json, "p90", row->p90);
  wi_json_integer(json, "p99", row->p99);
  wi_json_integer(json, "max", row->most);
  wi_json_literal(json, "max_is_exact", row->is_exact ? "true" : "false");
  wi_json_integer(json, "total", row->total);
}

static void write_buckets(calls_json *w, const wi_measured *row) {
  wi_bucket_sums sums = wi_measured_sums(w->calls, row);
  wi_json_open(&w->json, "histogram", '[');
  for (uint32_t i = 0; i < WASM_PERF_BUCKET_COUNT; i++) {
    if (sums.counts[i] == 0)
      continue;
    wi_json_open(&w->json, NULL, '{');
    wi_json_integer(&w->json, "first", wi_bucket_start(i));
    wi_json_integer(&w->json, "last", wi_bucket_start(i) + wi_bucket_width(i) - 1);
    wi_json_integer(&w->json, "calls", sums.counts[i]);
    wi_json_close(&w->json, '}');
  }
  wi_json_close(&w->json, ']');
}

/* Writes the callers that follow the row of their function. */
static void write_callers(calls_json *w, uint32_t function) {
  wi_json_open(&w->json, "callers", '[');
  for (uint32_t i = function + 1; i < w->calls->rows_count && w->calls->rows[i].is_caller; i++) {
    const wi_measured *row = &w->calls->rows[i];
    wi_json_open(&w->json, NULL, '{');
    if (row->caller != WI_NO_LABEL)
      wi_json_string(&w->json, "name", wi_tree_text(w->calls->tree, row->caller));
    write_values(&w->json, row);
    wi_json_close(&w->json, '}');
  }
  wi_json_close(&w->json, ']');
}

static void write_functions(calls_json *w) {
  wi_json_open(&w->json, "functions", '[');
  for (uint32_t i = 0; i < w->calls->rows_count && !wi_json_failed(&w->json); i++) {
    const wi_measured *row = &w->calls->rows[i];
    if (row->is_caller)
      continue;
    wi_json_open(&w->json, NULL, '{');
    wi_json_string(&w->json, "name", wi_tree_text(w->calls->tree, row->label));
    write_values(&w->json, row);
    wi_json_integer(&w->json, "unmeasured_calls", row->unmeasured_count);
    write_buckets(w, row);
    write_callers(w, i);
    wi_json_close(&w->json, '}');
  }
  wi_json_close(&w->json, ']');
}

static void write_kept(calls_json *w, const wi_tree *tree) {
  const wasm_perf_profile *profile = w->calls->profile;
  wi_json_open(&w->json, "kept", '[');
  for (uint32_t i = 0; i < profile->calls.kept_count && !wi_json_failed(&w->json); i++) {
    const wasm_perf_call *call = &profile->calls.kept[i];
    uint32_t label = wi_labels_find(&tree->labels, profile->nodes[call->node].function);
    wi_json_open(&w->json, NULL, '{');
    wi_json_integer(&w->json, "number", i + UINT64_C(1));
    wi_json_string(&w->json, "function", wi_tree_text(tree, label));
    wi_json_string(&w->json, "why", (call->why & WASM_PERF_KEPT_SLOW) != 0 ? "slow" : "typical");
    wi_json_integer(&w->json, "call", call->number);
    wi_json_integer(&w->json, "start", call->start);
    for (unsigned m = 0; m < WASM_PERF_CALL_MEASURE_COUNT; m++)
      if (call->values[m] > 0)
        wi_json_integer(&w->json, wi_call_measure_name((wasm_perf_call_measure)m), call->values[m]);
    wi_json_literal(&w->json, "has_tree", call->row_count > 0 ? "true" : "false");
    wi_json_close(&w->json, '}');
  }
  wi_json_close(&w->json, ']');
}

static bool write_json(const wi_report *report, FILE *stream) {
  wi_measured_calls calls;
  if (report->profile->calls.measures == 0) {
    errno = EINVAL;
    return false;
  }
  if (!wi_measured_calls_init(&calls, report, wi_shown_call_measure(report)))
    return false;
  calls_json w = {.calls = &calls};
  wi_json_init(&w.json, stream);
  wi_json_open(&w.json, NULL, '{');
  write_head(&w, report);
  write_functions(&w);
  write_kept(&w, report->tree);
  wi_json_close(&w.json, '}');
  wi_measured_calls_clear(&calls);
  return wi_json_finish(&w.json);
}

static bool report_json(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                        FILE *stream) {
  return wi_report_write(profile, options, WI_STACKS_WHOLE, write_json, stream);
}

const wasm_perf_report_format wasm_perf_measured_json = {"json", "json", "for programs",
                                                         report_json, 0};
