/*
 * Trace events for chrome://tracing, Perfetto and Chrome's performance panel: a pair of B and E per
 * frame. If samples are ordered, frames are at their times, by thread. Otherwise they are at
 * running sums in µs, to the nanosecond, with calls in "args"; if values are not times, 1 µs stands
 * for one. The thread's name and "otherData" say which.
 */
#include "report/encode/json_parts.h"
#include "report/formats/writers.h"
#include "report/model/time_line.h"

/* The process and thread ids of events. */
typedef struct track {
  uint64_t process;
  uint64_t thread;
} track;

static void begin_event(wi_json *json, const track *of, const char *phase, const char *name) {
  wi_json_open(json, NULL, '{');
  wi_json_string(json, "ph", phase);
  wi_json_integer(json, "pid", of->process);
  wi_json_integer(json, "tid", of->thread);
  wi_json_string(json, "name", name);
}

static void write_name(wi_json *json, const track *of, const char *of_what, const char *name) {
  begin_event(json, of, "M", of_what);
  wi_json_open(json, "args", '{');
  wi_json_string(json, "name", name);
  wi_json_close(json, '}');
  wi_json_close(json, '}');
}

/* Leaves the event open. */
static void begin_frame(wi_json *json, const track *of, const wi_tree *tree, uint32_t node,
                        bool is_open) {
  uint32_t label = tree->nodes[node].label;
  begin_event(json, of, is_open ? "B" : "E", wi_tree_text(tree, label));
  if (is_open)
    wi_json_string(json, "cat", wi_tree_is_host(tree, label) ? "host" : "wasm");
}

/* ---- Sums of stacks -------------------------------------------------------- */

static const track sum_track = {1, 1};

static void write_event(wi_json *json, const wi_json_spans *spans, unsigned decimals) {
  const wi_tree_node *node = &spans->tree->nodes[spans->node];
  begin_frame(json, &sum_track, spans->tree, spans->node, spans->is_open);
  wi_json_decimal(json, "ts", spans->position, decimals);
  if (spans->is_open) {
    wi_json_open(json, "args", '{');
    if (wi_tree_is_counted(spans->tree, node->label))
      wi_json_integer(json, "calls", node->call_count);
    wi_json_close(json, '}');
  }
  wi_json_close(json, '}');
}

static void write_sums(wi_json *json, const wi_report *report) {
  const char *scale = wi_json_scale(report->unit);
  wi_json_spans spans;
  wi_json_spans_init(&spans, report->tree, false);
  write_name(json, &sum_track, "process_name", report->title);
  write_name(json, &sum_track, "thread_name",
             scale ? scale : "stacks merged, not in order of time");
  while (wi_json_spans_next(&spans) && !wi_json_failed(json))
    write_event(json, &spans, wi_json_decimals(report->unit));
}

/* ---- Ordered samples ------------------------------------------------------- */

static bool write_thread(wi_json *json, const wi_report *report, uint32_t index) {
  const wasm_perf_thread *thread = &report->profile->threads[index];
  const track of = {thread->process, (uint64_t)thread->process + thread->number};
  wi_time_events events;
  if (!wi_time_events_init(&events, report, index))
    return false;
  write_name(json, &of, "process_name", report->title);
  write_name(json, &of, "thread_name", thread->name);
  while (wi_time_events_next(&events) && !wi_json_failed(json)) {
    begin_frame(json, &of, events.tree, events.node, events.is_open);
    wi_json_integer(json, "ts", events.position);
    wi_json_close(json, '}');
  }
  wi_time_events_clear(&events);
  return true;
}

/* ---- Entry point ------------------------------------------------------------- */

static bool write_events(wi_json *json, const wi_report *report) {
  bool done = true;
  wi_json_open(json, "traceEvents", '[');
  if (wi_time_line_is_there(report))
    for (uint32_t i = 0; done && i < report->profile->thread_count; i++)
      done = write_thread(json, report, i);
  else
    write_sums(json, report);
  wi_json_close(json, ']');
  return done;
}

static void write_metadata(wi_json *json, const wi_report *report) {
  const char *scale = wi_json_scale(report->unit);
  wi_json_string(json, "displayTimeUnit", "ns");
  wi_json_open(json, "otherData", '{');
  wi_json_string(json, "exporter", WI_JSON_PROGRAM);
  wi_json_string(json, "unit", wi_unit_name(report->unit));
  if (scale)
    wi_json_string(json, "scale", scale);
  wi_json_summary(json, "notes", &report->summary);
  wi_json_close(json, '}');
}

bool wi_chrome_write(const wi_report *report, FILE *stream) {
  wi_json json;
  wi_json_init(&json, stream);
  wi_json_open(&json, NULL, '{');
  write_metadata(&json, report);
  bool done = write_events(&json, report);
  wi_json_close(&json, '}');
  return wi_json_finish(&json) && done;
}
