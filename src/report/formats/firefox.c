/*
 * The Firefox Profiler's processed format. Thread "time" (or "instructions", "ticks") is weighted
 * by that, in ms to the nanosecond, or in counts; thread "calls" has the same stacks weighted by
 * calls.
 */
#include "report/encode/json_parts.h"
#include "report/formats/writers.h"
#include "report/model/summary.h"
#include "support/arithmetic.h"

/* Of the processed profile; version 66 has offsets to the callers' stacks, not their indices. */
#define FORMAT_VERSION "66"

/* Indices in the list of categories and, but for the first, the resources that stand before. */
enum { CATEGORY_OTHER, CATEGORY_GUEST, CATEGORY_HOST };
enum { RESOURCE_GUEST, RESOURCE_HOST, RESOURCE_COUNT };

static const char *const resource_names[RESOURCE_COUNT] = {"WebAssembly", "host"};

typedef struct firefox_report {
  const wasm_perf_profile *profile;
  const wi_tree *tree;
  const char *title;
  wi_unit unit;
  unsigned time_decimals; /* of values where milliseconds are asked for */
  wi_json json;
} firefox_report;

/* One thread: the same stacks, weighted by the clock's values or by calls. */
typedef struct firefox_thread {
  const char *name;
  bool counts_calls;
  bool is_time;
} firefox_thread;

/* ---- Columns ------------------------------------------------------------- */

static void write_column(wi_json *json, const char *key, uint32_t count, const char *literal) {
  wi_json_open(json, key, '[');
  for (uint32_t i = 0; i < count && !wi_json_failed(json); i++)
    wi_json_literal(json, NULL, literal);
  wi_json_close(json, ']');
}

/* 0, 1, 2, … */
static void write_indices(wi_json *json, const char *key, uint32_t count) {
  wi_json_open(json, key, '[');
  for (uint32_t i = 0; i < count && !wi_json_failed(json); i++)
    wi_json_integer(json, NULL, i);
  wi_json_close(json, ']');
}

static void write_by_side(firefox_report *report, const char *key, uint32_t guest, uint32_t host) {
  const wi_tree *tree = report->tree;
  wi_json_open(&report->json, key, '[');
  for (uint32_t i = 0; i < tree->labels.count && !wi_json_failed(&report->json); i++)
    wi_json_integer(&report->json, NULL, wi_tree_is_host(tree, i) ? host : guest);
  wi_json_close(&report->json, ']');
}

/* A table without rows. `columns` ends with NULL. */
static void write_empty_table(wi_json *json, const char *key, const char *const *columns) {
  wi_json_open(json, key, '{');
  wi_json_integer(json, "length", 0);
  for (; *columns; columns++)
    write_column(json, *columns, 0, "");
  wi_json_close(json, '}');
}

/* ---- What the threads share ---------------------------------------------- */

/* Stack i is node i + 1 of the tree, the root having none; its frame is the node's label. */
static void write_stacks(firefox_report *report) {
  wi_json *json = &report->json;
  const wi_tree *tree = report->tree;
  wi_json_open(json, "stackTable", '{');
  wi_json_integer(json, "length", tree->node_count - 1);
  wi_json_open(json, "frame", '[');
  for (uint32_t i = 1; i < tree->node_count && !wi_json_failed(json); i++)
    wi_json_integer(json, NULL, tree->nodes[i].label);
  wi_json_close(json, ']');
  wi_json_open(json, "prefixOffset", '[');
  for (uint32_t i = 1; i < tree->node_count && !wi_json_failed(json); i++) {
    uint32_t parent = tree->nodes[i].parent;
    wi_json_integer(json, NULL, parent == 0 ? 0 : i - parent);
  }
  wi_json_close(json, ']');
  wi_json_close(json, '}');
}

static void write_frames(firefox_report *report) {
  static const char *const unknown[] = {"nativeSymbol", "innerWindowID",    "line",
                                        "column",       "originalLocation", NULL};
  wi_json *json = &report->json;
  uint32_t count = report->tree->labels.count;
  wi_json_open(json, "frameTable", '{');
  wi_json_integer(json, "length", count);
  write_indices(json, "func", count);
  write_by_side(report, "category", CATEGORY_GUEST, CATEGORY_HOST);
  write_column(json, "subcategory", count, "0");
  write_column(json, "address", count, "-1");
  write_column(json, "inlineDepth", count, "0");
  for (const char *const *column = unknown; *column; column++)
    write_column(json, *column, count, "null");
  wi_json_close(json, '}');
}

static void write_known(wi_json *json, bool is_known, uint32_t value) {
  if (is_known)
    wi_json_integer(json, NULL, value);
  else
    wi_json_literal(json, NULL, "null");
}

/* Where the functions stand: files as indices of the sources, and lines. */
static void write_places(firefox_report *report) {
  wi_json *json = &report->json;
  const wi_tree *tree = report->tree;
  wi_json_open(json, "source", '[');
  for (uint32_t i = 0; i < tree->labels.count && !wi_json_failed(json); i++)
    write_known(json, tree->places.items[i].file != WI_NO_FILE, tree->places.items[i].file);
  wi_json_close(json, ']');
  wi_json_open(json, "lineNumber", '[');
  for (uint32_t i = 0; i < tree->labels.count && !wi_json_failed(json); i++)
    write_known(json, tree->places.items[i].line > 0, tree->places.items[i].line);
  wi_json_close(json, ']');
}

static void write_functions(firefox_report *report) {
  static const char *const unknown[] = {"columnNumber", "originalLocation", NULL};
  wi_json *json = &report->json;
  uint32_t count = report->tree->labels.count;
  wi_json_open(json, "funcTable", '{');
  wi_json_integer(json, "length", count);
  write_indices(json, "name", count);
  write_by_side(report, "resource", RESOURCE_GUEST, RESOURCE_HOST);
  write_column(json, "isJS", count, "false");
  write_column(json, "relevantForJS", count, "false");
  write_places(report);
  for (const char *const *column = unknown; *column; column++)
    write_column(json, *column, count, "null");
  wi_json_close(json, '}');
}

/* Labels come first, so that a label is the index of its string; then resources and paths. */
static void write_strings(firefox_report *report) {
  wi_json *json = &report->json;
  wi_json_open(json, "stringArray", '[');
  for (uint32_t i = 0; i < report->tree->labels.count && !wi_json_failed(json); i++)
    wi_json_string(json, NULL, wi_tree_text(report->tree, i));
  for (unsigned i = 0; i < RESOURCE_COUNT; i++)
    wi_json_string(json, NULL, resource_names[i]);
  for (uint32_t i = 0; i < report->tree->places.file_count && !wi_json_failed(json); i++)
    wi_json_string(json, NULL, report->tree->places.files[i]);
  wi_json_close(json, ']');
}

static void write_resources(firefox_report *report) {
  wi_json *json = &report->json;
  wi_json_open(json, "resourceTable", '{');
  wi_json_integer(json, "length", RESOURCE_COUNT);
  wi_json_open(json, "name", '[');
  for (uint32_t i = 0; i < RESOURCE_COUNT; i++)
    wi_json_integer(json, NULL, report->tree->labels.count + UINT64_C(0) + i);
  wi_json_close(json, ']');
  write_column(json, "lib", RESOURCE_COUNT, "null");
  write_column(json, "host", RESOURCE_COUNT, "null");
  write_column(json, "type", RESOURCE_COUNT, "1"); /* a library */
  wi_json_close(json, '}');
}

static void write_sources(firefox_report *report) {
  wi_json *json = &report->json;
  uint32_t count = report->tree->places.file_count;
  wi_json_open(json, "sources", '{');
  wi_json_integer(json, "length", count);
  write_column(json, "id", count, "null");
  wi_json_open(json, "filename", '[');
  for (uint32_t i = 0; i < count; i++)
    wi_json_integer(json, NULL, report->tree->labels.count + UINT64_C(0) + RESOURCE_COUNT + i);
  wi_json_close(json, ']');
  write_column(json, "startLine", count, "1");
  write_column(json, "startColumn", count, "1");
  write_column(json, "sourceMapURL", count, "null");
  write_column(json, "content", count, "null");
  wi_json_close(json, '}');
}

static void write_shared(firefox_report *report) {
  static const char *const symbols[] = {"libIndex", "address", "name", "functionSize", NULL};
  static const char *const locations[] = {"source", "line", "column", NULL};
  wi_json *json = &report->json;
  wi_json_open(json, "shared", '{');
  write_strings(report);
  write_functions(report);
  write_resources(report);
  write_frames(report);
  write_stacks(report);
  write_empty_table(json, "nativeSymbols", symbols);
  write_sources(report);
  write_empty_table(json, "sourceLocationTable", locations);
  wi_json_close(json, '}');
}

/* ---- Threads ------------------------------------------------------------- */

static uint64_t weight_of(const firefox_thread *thread, const wi_tree_node *node) {
  return thread->counts_calls ? node->call_count : node->self;
}

/* The next node in preorder that has a weight, 0 after the last one. */
static uint32_t next_sample(const firefox_report *report, const firefox_thread *thread,
                            uint32_t node) {
  do
    node = wi_tree_next(report->tree, node);
  while (node != 0 && weight_of(thread, &report->tree->nodes[node]) == 0);
  return node;
}

/* Both threads have the clock's values for their times, so that a range means the same in both. */
static void write_times(firefox_report *report, const firefox_thread *thread) {
  wi_json *json = &report->json;
  const wi_tree_node *nodes = report->tree->nodes;
  uint64_t now = 0;
  wi_json_open(json, "time", '[');
  for (uint32_t i = wi_tree_next(report->tree, 0); i != 0 && !wi_json_failed(json);
       i = wi_tree_next(report->tree, i)) {
    if (weight_of(thread, &nodes[i]) > 0)
      wi_json_decimal(json, NULL, now, report->time_decimals);
    now = wi_saturating_add(now, nodes[i].self);
  }
  wi_json_decimal(json, NULL, now, report->time_decimals);
  wi_json_close(json, ']');
}

/* A last sample without stack or weight says where the one before it ends. */
static void write_samples(firefox_report *report, const firefox_thread *thread) {
  wi_json *json = &report->json;
  unsigned decimals = thread->is_time ? report->time_decimals : 0;
  uint64_t count = 1;
  wi_json_open(json, "samples", '{');
  wi_json_open(json, "stack", '[');
  for (uint32_t i = next_sample(report, thread, 0); i != 0; i = next_sample(report, thread, i)) {
    wi_json_integer(json, NULL, i - 1);
    count++;
  }
  wi_json_literal(json, NULL, "null");
  wi_json_close(json, ']');
  write_times(report, thread);
  wi_json_open(json, "weight", '[');
  for (uint32_t i = next_sample(report, thread, 0); i != 0; i = next_sample(report, thread, i))
    wi_json_decimal(json, NULL, weight_of(thread, &report->tree->nodes[i]), decimals);
  wi_json_integer(json, NULL, 0);
  wi_json_close(json, ']');
  wi_json_string(json, "weightType", thread->is_time ? "tracing-ms" : "samples");
  wi_json_integer(json, "length", count);
  wi_json_close(json, '}');
}

static void write_thread(firefox_report *report, const firefox_thread *thread) {
  static const char *const markers[] = {"data",  "name",     "startTime", "endTime",
                                        "phase", "category", NULL};
  wi_json *json = &report->json;
  wi_json_open(json, NULL, '{');
  wi_json_string(json, "name", thread->name);
  wi_json_string(json, "processName", report->title);
  wi_json_string(json, "processType", "default");
  wi_json_literal(json, "isMainThread", thread->counts_calls ? "false" : "true");
  wi_json_string(json, "pid", "1");
  wi_json_integer(json, "tid", thread->counts_calls ? 2 : 1);
  wi_json_literal(json, "processStartupTime", "0");
  wi_json_literal(json, "processShutdownTime", "null");
  wi_json_literal(json, "registerTime", "0");
  wi_json_literal(json, "unregisterTime", "null");
  write_column(json, "pausedRanges", 0, "");
  write_samples(report, thread);
  write_empty_table(json, "markers", markers);
  wi_json_close(json, '}');
}

static void write_threads(firefox_report *report) {
  bool is_time = report->unit == WI_UNIT_NANOSECONDS;
  firefox_thread values = {is_time ? "time" : wi_json_unit(report->unit), false, is_time};
  firefox_thread calls = {"calls", true, false};
  wi_json_open(&report->json, "threads", '[');
  write_thread(report, &values);
  if (report->unit != WI_UNIT_CALLS)
    write_thread(report, &calls);
  wi_json_close(&report->json, ']');
}

/* ---- The profile --------------------------------------------------------- */

static void write_category(wi_json *json, const char *name, const char *color) {
  wi_json_open(json, NULL, '{');
  wi_json_string(json, "name", name);
  wi_json_string(json, "color", color);
  wi_json_open(json, "subcategories", '[');
  wi_json_string(json, NULL, "Other");
  wi_json_close(json, ']');
  wi_json_close(json, '}');
}

static void write_note(wi_json *json, const char *label, const char *text) {
  wi_json_open(json, NULL, '{');
  wi_json_string(json, "label", label);
  wi_json_string(json, "format", "string");
  wi_json_string(json, "value", text);
  wi_json_close(json, '}');
}

static void write_notes(firefox_report *report) {
  wi_json *json = &report->json;
  const char *scale = wi_json_scale(report->unit);
  wi_summary summary;
  wi_summary_init(&summary, report->profile, report->tree);
  wi_json_open(json, "extra", '[');
  wi_json_open(json, NULL, '{');
  wi_json_string(json, "label", "Profile");
  wi_json_open(json, "entries", '[');
  write_note(json, "Unit", wi_json_unit(report->unit));
  if (scale)
    write_note(json, "Timeline", scale);
  for (unsigned i = 0; i < summary.line_count; i++)
    write_note(json, i == 0 ? "Summary" : "Note", summary.lines[i]);
  wi_json_close(json, ']');
  wi_json_close(json, '}');
  wi_json_close(json, ']');
}

static void write_meta(firefox_report *report) {
  wi_json *json = &report->json;
  wi_json_open(json, "meta", '{');
  wi_json_literal(json, "preprocessedProfileVersion", FORMAT_VERSION);
  wi_json_literal(json, "version", "30"); /* of what Firefox itself records; unused */
  wi_json_string(json, "product", report->title);
  wi_json_string(json, "importedFrom", WI_JSON_EXPORTER);
  wi_json_literal(json, "interval", "0.001");
  wi_json_literal(json, "startTime", "0");
  wi_json_literal(json, "processType", "0");
  wi_json_literal(json, "stackwalk", "1");
  wi_json_literal(json, "symbolicated", "true");
  wi_json_literal(json, "symbolicationNotSupported", "true");
  wi_json_literal(json, "usesOnlyOneStackType", "true");
  wi_json_literal(json, "sourceCodeIsNotOnSearchfox", "true");
  wi_json_literal(json, "keepProfileThreadOrder", "true");
  write_indices(json, "initialVisibleThreads", report->unit == WI_UNIT_CALLS ? 1 : 2);
  write_indices(json, "initialSelectedThreads", 1);
  write_column(json, "markerSchema", 0, "");
  wi_json_open(json, "categories", '[');
  write_category(json, "Other", "grey"); /* there must be a grey one */
  write_category(json, "WebAssembly", "blue");
  write_category(json, "Host", "orange");
  wi_json_close(json, ']');
  write_notes(report);
  wi_json_close(json, '}');
}

bool wi_firefox_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                      FILE *stream) {
  wi_tree *tree = wi_tree_new(profile, WI_NO_DEPTH_LIMIT, 0);
  if (!tree)
    return false;
  firefox_report report = {.profile = profile,
                           .tree = tree,
                           .title = wi_json_title(options),
                           .unit = wi_unit_of(&profile->header)};
  report.time_decimals = wi_json_decimals(report.unit) + 3;
  wi_json_init(&report.json, stream);
  wi_json_open(&report.json, NULL, '{');
  write_meta(&report);
  write_column(&report.json, "libs", 0, "");
  write_shared(&report);
  write_threads(&report);
  wi_json_close(&report.json, '}');
  wi_tree_free(tree);
  return wi_json_finish(&report.json);
}
