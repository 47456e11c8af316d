/*
 * The Firefox Profiler's processed format. If samples are ordered, threads are the program's, in
 * real time. Otherwise one thread, "time" (or "instructions", "ticks"), is weighted by these
 * values, in ms to the nanosecond, or in counts. The thread "calls" has the same stacks weighted by
 * calls. In a memory profile, the first thread also has a table of allocations.
 */
#include <inttypes.h>
#include <stdio.h>

#include "profile/threads.h"
#include "report/encode/json_parts.h"
#include "report/formats/firefox/allocations.h"
#include "report/formats/writers.h"
#include "report/model/time_line.h"
#include "support/arithmetic.h"

/* Version of the processed profile. From 66 on, callers' stacks are offsets rather than indices. */
#define FORMAT_VERSION "66"

/* Indices in the lists of categories and resources. */
enum { CATEGORY_OTHER, CATEGORY_GUEST, CATEGORY_HOST };
enum { RESOURCE_GUEST, RESOURCE_HOST, RESOURCE_COUNT };

static const char *const resource_names[RESOURCE_COUNT] = {"WebAssembly", "host"};

typedef struct firefox_writer {
  const wi_report *report;
  const wi_tree *tree;    /* borrowed from the report */
  unsigned time_decimals; /* of values in milliseconds */
  wi_json json;
} firefox_writer;

/* A thread that weights the same stacks by clock values or by calls. */
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

/* Writes 0, 1, 2, … */
static void write_indices(wi_json *json, const char *key, uint32_t count) {
  wi_json_open(json, key, '[');
  for (uint32_t i = 0; i < count && !wi_json_failed(json); i++)
    wi_json_integer(json, NULL, i);
  wi_json_close(json, ']');
}

static void write_by_side(firefox_writer *writer, const char *key, uint32_t guest, uint32_t host) {
  const wi_tree *tree = writer->tree;
  wi_json_open(&writer->json, key, '[');
  for (uint32_t i = 0; i < tree->labels.count && !wi_json_failed(&writer->json); i++)
    wi_json_integer(&writer->json, NULL, wi_tree_is_host(tree, i) ? host : guest);
  wi_json_close(&writer->json, ']');
}

/* Writes a table without rows. `columns` is NULL-terminated. */
static void write_empty_table(wi_json *json, const char *key, const char *const *columns) {
  wi_json_open(json, key, '{');
  wi_json_integer(json, "length", 0);
  for (; *columns; columns++)
    write_column(json, *columns, 0, "");
  wi_json_close(json, '}');
}

/* ---- Shared tables ------------------------------------------------------- */

/* Stack i is tree node i + 1, because the root has none. Its frame is the node's label. */
static void write_stacks(firefox_writer *writer) {
  wi_json *json = &writer->json;
  const wi_tree *tree = writer->tree;
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

static void write_frames(firefox_writer *writer) {
  static const char *const unknown[] = {"nativeSymbol", "innerWindowID",    "line",
                                        "column",       "originalLocation", NULL};
  wi_json *json = &writer->json;
  uint32_t count = writer->tree->labels.count;
  wi_json_open(json, "frameTable", '{');
  wi_json_integer(json, "length", count);
  write_indices(json, "func", count);
  write_by_side(writer, "category", CATEGORY_GUEST, CATEGORY_HOST);
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

/* Writes the source positions of functions: files as indices of the sources, and lines. */
static void write_places(firefox_writer *writer) {
  wi_json *json = &writer->json;
  const wi_tree *tree = writer->tree;
  wi_json_open(json, "source", '[');
  for (uint32_t i = 0; i < tree->labels.count && !wi_json_failed(json); i++)
    write_known(json, tree->places.items[i].file != WI_NO_FILE, tree->places.items[i].file);
  wi_json_close(json, ']');
  wi_json_open(json, "lineNumber", '[');
  for (uint32_t i = 0; i < tree->labels.count && !wi_json_failed(json); i++)
    write_known(json, tree->places.items[i].line > 0, tree->places.items[i].line);
  wi_json_close(json, ']');
}

static void write_functions(firefox_writer *writer) {
  static const char *const unknown[] = {"columnNumber", "originalLocation", NULL};
  wi_json *json = &writer->json;
  uint32_t count = writer->tree->labels.count;
  wi_json_open(json, "funcTable", '{');
  wi_json_integer(json, "length", count);
  write_indices(json, "name", count);
  write_by_side(writer, "resource", RESOURCE_GUEST, RESOURCE_HOST);
  write_column(json, "isJS", count, "false");
  write_column(json, "relevantForJS", count, "false");
  write_places(writer);
  for (const char *const *column = unknown; *column; column++)
    write_column(json, *column, count, "null");
  wi_json_close(json, '}');
}

/* Labels come first, so a label is also its string's index; resources and paths follow. */
static void write_strings(firefox_writer *writer) {
  wi_json *json = &writer->json;
  wi_json_open(json, "stringArray", '[');
  for (uint32_t i = 0; i < writer->tree->labels.count && !wi_json_failed(json); i++)
    wi_json_string(json, NULL, wi_tree_text(writer->tree, i));
  for (unsigned i = 0; i < RESOURCE_COUNT; i++)
    wi_json_string(json, NULL, resource_names[i]);
  for (uint32_t i = 0; i < writer->tree->places.file_count && !wi_json_failed(json); i++)
    wi_json_string(json, NULL, writer->tree->places.files[i]);
  wi_json_close(json, ']');
}

static void write_resources(firefox_writer *writer) {
  wi_json *json = &writer->json;
  wi_json_open(json, "resourceTable", '{');
  wi_json_integer(json, "length", RESOURCE_COUNT);
  wi_json_open(json, "name", '[');
  for (uint32_t i = 0; i < RESOURCE_COUNT; i++)
    wi_json_integer(json, NULL, writer->tree->labels.count + UINT64_C(0) + i);
  wi_json_close(json, ']');
  write_column(json, "lib", RESOURCE_COUNT, "null");
  write_column(json, "host", RESOURCE_COUNT, "null");
  write_column(json, "type", RESOURCE_COUNT, "1"); /* library */
  wi_json_close(json, '}');
}

static void write_sources(firefox_writer *writer) {
  wi_json *json = &writer->json;
  uint32_t count = writer->tree->places.file_count;
  wi_json_open(json, "sources", '{');
  wi_json_integer(json, "length", count);
  write_column(json, "id", count, "null");
  wi_json_open(json, "filename", '[');
  for (uint32_t i = 0; i < count; i++)
    wi_json_integer(json, NULL, writer->tree->labels.count + UINT64_C(0) + RESOURCE_COUNT + i);
  wi_json_close(json, ']');
  write_column(json, "startLine", count, "1");
  write_column(json, "startColumn", count, "1");
  write_column(json, "sourceMapURL", count, "null");
  write_column(json, "content", count, "null");
  wi_json_close(json, '}');
}

static void write_shared(firefox_writer *writer) {
  static const char *const symbols[] = {"libIndex", "address", "name", "functionSize", NULL};
  static const char *const locations[] = {"source", "line", "column", NULL};
  wi_json *json = &writer->json;
  wi_json_open(json, "shared", '{');
  write_strings(writer);
  write_functions(writer);
  write_resources(writer);
  write_frames(writer);
  write_stacks(writer);
  write_empty_table(json, "nativeSymbols", symbols);
  write_sources(writer);
  write_empty_table(json, "sourceLocationTable", locations);
  wi_json_close(json, '}');
}

/* ---- Threads ------------------------------------------------------------- */

static uint64_t weight_of(const firefox_thread *thread, const wi_tree_node *node) {
  return thread->counts_calls ? node->call_count : node->self;
}

/* The next node in preorder with a weight; 0 after the last. */
static uint32_t next_sample(const firefox_writer *writer, const firefox_thread *thread,
                            uint32_t node) {
  do
    node = wi_tree_next(writer->tree, node);
  while (node != 0 && weight_of(thread, &writer->tree->nodes[node]) == 0);
  return node;
}

/*
 * Both threads use the clock's values as times, so a range selects the same in both. If the other
 * threads are ordered by time, calls are placed at the beginning, since they apply to the whole
 * run.
 */
static void write_times(firefox_writer *writer, const firefox_thread *thread) {
  wi_json *json = &writer->json;
  const wi_tree_node *nodes = writer->tree->nodes;
  uint64_t now = 0;
  wi_json_open(json, "time", '[');
  for (uint32_t i = wi_tree_next(writer->tree, 0); i != 0 && !wi_json_failed(json);
       i = wi_tree_next(writer->tree, i)) {
    if (weight_of(thread, &nodes[i]) > 0)
      wi_json_decimal(json, NULL, now, writer->time_decimals);
    now = wi_time_line_is_there(writer->report) ? 0 : wi_saturating_add(now, nodes[i].self);
  }
  wi_json_decimal(json, NULL, now, writer->time_decimals);
  wi_json_close(json, ']');
}

/* A final sample without stack and weight ends the one before it. */
static void write_samples(firefox_writer *writer, const firefox_thread *thread) {
  wi_json *json = &writer->json;
  unsigned decimals = thread->is_time ? writer->time_decimals : 0;
  uint64_t count = 1;
  wi_json_open(json, "samples", '{');
  wi_json_open(json, "stack", '[');
  for (uint32_t i = next_sample(writer, thread, 0); i != 0; i = next_sample(writer, thread, i)) {
    wi_json_integer(json, NULL, i - 1);
    count++;
  }
  wi_json_literal(json, NULL, "null");
  wi_json_close(json, ']');
  write_times(writer, thread);
  wi_json_open(json, "weight", '[');
  for (uint32_t i = next_sample(writer, thread, 0); i != 0; i = next_sample(writer, thread, i))
    wi_json_decimal(json, NULL, weight_of(thread, &writer->tree->nodes[i]), decimals);
  wi_json_integer(json, NULL, 0);
  wi_json_close(json, ']');
  wi_json_string(json, "weightType", thread->is_time ? "tracing-ms" : "samples");
  wi_json_integer(json, "length", count);
  wi_json_close(json, '}');
}

static void begin_thread(firefox_writer *writer, const char *name, uint32_t process,
                         uint64_t number, bool is_main) {
  char pid[16];
  wi_json *json = &writer->json;
  snprintf(pid, sizeof pid, "%" PRIu32, process);
  wi_json_open(json, NULL, '{');
  wi_json_string(json, "name", name);
  wi_json_string(json, "processName", writer->report->title);
  wi_json_string(json, "processType", "default");
  wi_json_literal(json, "isMainThread", is_main ? "true" : "false");
  wi_json_string(json, "pid", pid);
  wi_json_integer(json, "tid", number);
  wi_json_literal(json, "processStartupTime", "0");
  wi_json_literal(json, "processShutdownTime", "null");
  wi_json_literal(json, "registerTime", "0");
  wi_json_literal(json, "unregisterTime", "null");
  write_column(json, "pausedRanges", 0, "");
}

static void end_thread(wi_json *json) {
  static const char *const markers[] = {"data",  "name",     "startTime", "endTime",
                                        "phase", "category", NULL};
  write_empty_table(json, "markers", markers);
  wi_json_close(json, '}');
}

static bool write_thread(firefox_writer *writer, const firefox_thread *thread) {
  begin_thread(writer, thread->name, 1, thread->counts_calls ? 2 : 1, !thread->counts_calls);
  write_samples(writer, thread);
  bool ok = thread->counts_calls || wi_firefox_write_allocations(&writer->json, writer->report);
  end_thread(&writer->json);
  return ok;
}

/* ---- Ordered threads --------------------------------------------------------- */

/* Writes a column of a thread's samples: a number per stretch, and one for the end of the last. */
static void write_order_column(firefox_writer *writer, const wasm_perf_thread *thread,
                               const char *key, unsigned which) {
  enum { STACK, TIME };
  wi_json *json = &writer->json;
  uint64_t now = thread->start - wi_threads_start(writer->report->profile);
  wi_json_open(json, key, '[');
  for (uint32_t i = 0; i <= thread->stretch_count && !wi_json_failed(json); i++) {
    bool is_end = i == thread->stretch_count;
    uint32_t node = is_end ? 0 : writer->tree->nodes_of[thread->stretches[i].node];
    uint32_t span = is_end ? 0 : thread->stretches[i].microseconds;
    if (which == STACK)
      write_known(json, node != 0, node - 1);
    else
      wi_json_decimal(json, NULL, which == TIME ? now : node != 0 ? span : 0, 3);
    now = wi_saturating_add(now, span);
  }
  wi_json_close(json, ']');
}

static void write_order(firefox_writer *writer, const wasm_perf_thread *thread) {
  static const char *const columns[] = {"stack", "time", "weight"};
  wi_json_open(&writer->json, "samples", '{');
  for (unsigned i = 0; i < 3; i++)
    write_order_column(writer, thread, columns[i], i);
  wi_json_string(&writer->json, "weightType", "tracing-ms");
  wi_json_integer(&writer->json, "length", (uint64_t)thread->stretch_count + 1);
  wi_json_close(&writer->json, '}');
}

static void write_ordered_threads(firefox_writer *writer) {
  const wasm_perf_profile *profile = writer->report->profile;
  wi_json *json = &writer->json;
  for (uint32_t i = 0; i < profile->thread_count; i++) {
    const wasm_perf_thread *thread = &profile->threads[i];
    begin_thread(writer, thread->name, thread->process, (uint64_t)thread->process + thread->number,
                 thread->number == 0);
    write_order(writer, thread);
    end_thread(json);
  }
}

static bool write_threads(firefox_writer *writer) {
  bool is_ordered = wi_time_line_is_there(writer->report);
  bool is_time = writer->report->unit == WI_UNIT_NANOSECONDS;
  firefox_thread values = {is_time ? "time" : wi_unit_name(writer->report->unit), false, is_time};
  firefox_thread calls = {"calls", true, false};
  wi_json_open(&writer->json, "threads", '[');
  bool ok = true;
  if (is_ordered)
    write_ordered_threads(writer);
  else
    ok = write_thread(writer, &values);
  if (writer->report->unit != WI_UNIT_CALLS)
    ok = write_thread(writer, &calls) && ok;
  wi_json_close(&writer->json, ']');
  return ok;
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

static void write_notes(firefox_writer *writer) {
  wi_json *json = &writer->json;
  const char *scale = wi_json_scale(writer->report->unit);
  const wi_summary *summary = &writer->report->summary;
  wi_json_open(json, "extra", '[');
  wi_json_open(json, NULL, '{');
  wi_json_string(json, "label", "Profile");
  wi_json_open(json, "entries", '[');
  write_note(json, "Unit", wi_unit_name(writer->report->unit));
  if (scale)
    write_note(json, "Timeline", scale);
  for (unsigned i = 0; i < summary->line_count; i++)
    write_note(json, i == 0 ? "Summary" : "Note", summary->lines[i]);
  wi_json_close(json, ']');
  wi_json_close(json, '}');
  wi_json_close(json, ']');
}

static void write_meta(firefox_writer *writer) {
  wi_json *json = &writer->json;
  wi_json_open(json, "meta", '{');
  wi_json_literal(json, "preprocessedProfileVersion", FORMAT_VERSION);
  wi_json_literal(json, "version", "30"); /* version of Firefox's own recordings; unused */
  wi_json_string(json, "product", writer->report->title);
  wi_json_string(json, "importedFrom", WI_JSON_PROGRAM);
  wi_json_literal(json, "interval", "0.001");
  wi_json_literal(json, "startTime", "0");
  wi_json_literal(json, "processType", "0");
  wi_json_literal(json, "stackwalk", "1");
  wi_json_literal(json, "symbolicated", "true");
  wi_json_literal(json, "symbolicationNotSupported", "true");
  wi_json_literal(json, "usesOnlyOneStackType", "true");
  wi_json_literal(json, "sourceCodeIsNotOnSearchfox", "true");
  wi_json_literal(json, "keepProfileThreadOrder", "true");
  uint32_t count =
      wi_time_line_is_there(writer->report) ? writer->report->profile->thread_count : 1;
  write_indices(json, "initialVisibleThreads",
                count + (writer->report->unit == WI_UNIT_CALLS ? 0 : 1));
  write_indices(json, "initialSelectedThreads", 1);
  write_column(json, "markerSchema", 0, "");
  wi_json_open(json, "categories", '[');
  write_category(json, "Other", "grey"); /* a grey category is mandatory */
  write_category(json, "WebAssembly", "blue");
  write_category(json, "Host", "orange");
  wi_json_close(json, ']');
  write_notes(writer);
  wi_json_close(json, '}');
}

bool wi_firefox_write(const wi_report *report, FILE *stream) {
  firefox_writer writer = {
      .report = report, .tree = report->tree, .time_decimals = wi_json_decimals(report->unit) + 3};
  wi_json_init(&writer.json, stream);
  wi_json_open(&writer.json, NULL, '{');
  write_meta(&writer);
  write_column(&writer.json, "libs", 0, "");
  write_shared(&writer);
  bool ok = write_threads(&writer);
  wi_json_close(&writer.json, '}');
  return wi_json_finish(&writer.json) && ok;
}
