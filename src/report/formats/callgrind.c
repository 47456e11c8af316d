/*
 * A Callgrind profile: the cost of each function by itself, and for each pair of caller and callee
 * the number of calls and their cost with all that they called. A call of a function that is open
 * already adds no cost, so the calls of a function sum up to its total. The host is an object of
 * its own, and the function that calls the module's first ones.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "profile/units.h"
#include "report/formats/writers.h"
#include "report/model/edges.h"
#include "report/model/summary.h"
#include "report/model/tree.h"
#include "support/arithmetic.h"

#define DEFAULT_NAME "module.wasm"
#define HOST_NAME    "[host]" /* the function that calls the first ones */
#define HOST_OBJECT  "host"
#define NO_FILE      "???" /* Callgrind's own word where no source is known */

#define NO_FILE_ID 1u /* the ids of the files that are known follow */

/* The ids of the objects, which functions belong to. */
enum { OBJECT_NONE, OBJECT_MODULE, OBJECT_HOST };

typedef struct callgrind_report {
  const wi_tree *tree;
  uint64_t *selves; /* per label */
  wi_edge *edges;
  uint32_t edge_count;
  bool *is_named;      /* per label, and of the host: its id has been given a name */
  bool *is_file_named; /* the same, per id of a file */
  bool is_object_named[OBJECT_HOST + 1];
  unsigned object; /* of the function whose costs are being written */
  uint32_t file;   /* the same: its id */
  const char *title;
  FILE *stream;
} callgrind_report;

/* --- output --- */

static unsigned object_of(const callgrind_report *report, uint32_t label) {
  bool is_host = label == report->tree->labels.count || wi_tree_is_host(report->tree, label);
  return is_host ? OBJECT_HOST : OBJECT_MODULE;
}

static void write_object(callgrind_report *report, const char *key, unsigned object) {
  fprintf(report->stream, "%s=(%u)", key, object);
  if (!report->is_object_named[object])
    fprintf(report->stream, " %s", object == OBJECT_HOST ? HOST_OBJECT : report->title);
  fputc('\n', report->stream);
  report->is_object_named[object] = true;
}

static uint32_t file_of(const callgrind_report *report, uint32_t label) {
  const wi_label_place *place = wi_tree_place(report->tree, label);
  return place ? NO_FILE_ID + 1 + place->file : NO_FILE_ID;
}

static void write_file(callgrind_report *report, const char *key, uint32_t file) {
  fprintf(report->stream, "%s=(%" PRIu32 ")", key, file);
  if (!report->is_file_named[file])
    fprintf(report->stream, " %s",
            file == NO_FILE_ID ? NO_FILE : report->tree->places.files[file - NO_FILE_ID - 1]);
  fputc('\n', report->stream);
  report->is_file_named[file] = true;
}

/* Line 0 stands for none. */
static uint32_t line_of(const callgrind_report *report, uint32_t label) {
  const wi_label_place *place = wi_tree_place(report->tree, label);
  return place ? place->line : 0;
}

/* A name begins where the spaces after its id end, so one of its own would be lost. */
static void write_name(callgrind_report *report, const char *key, uint32_t label) {
  fprintf(report->stream, "%s=(%" PRIu32 ")", key, label + 1);
  if (!report->is_named[label]) {
    const char *name =
        label == report->tree->labels.count ? HOST_NAME : wi_tree_text(report->tree, label);
    fprintf(report->stream, " %s%s", *name == ' ' ? "_" : "", *name == ' ' ? name + 1 : name);
  }
  fputc('\n', report->stream);
  report->is_named[label] = true;
}

/* Which of its lines a function calls from is not known: its first one. */
static void write_call(callgrind_report *report, const wi_edge *edge, uint32_t line) {
  unsigned object = object_of(report, edge->callee);
  uint32_t file = file_of(report, edge->callee);
  if (file != report->file)
    write_file(report, "cfi", file);
  if (object != report->object)
    write_object(report, "cob", object);
  write_name(report, "cfn", edge->callee);
  fprintf(report->stream, "calls=%" PRIu64 " %" PRIu32 "\n%" PRIu32 " %" PRIu64 "\n",
          edge->call_count, line_of(report, edge->callee), line, edge->outer_total);
}

/*
 * The function with its own cost and its calls, which begin at `edge`. Returns where they end. Only
 * outer totals are costs, so that the calls of a function add up to its total, as readers expect.
 */
static uint32_t write_function(callgrind_report *report, uint32_t label, uint64_t self,
                               uint32_t edge) {
  uint32_t caller = label == report->tree->labels.count ? WI_EDGE_HOST : label;
  unsigned object = object_of(report, label);
  uint32_t file = file_of(report, label), line = line_of(report, label);
  fputc('\n', report->stream);
  if (file != report->file)
    write_file(report, "fl", file);
  report->file = file;
  if (object != report->object)
    write_object(report, "ob", object);
  report->object = object;
  write_name(report, "fn", label);
  fprintf(report->stream, "%" PRIu32 " %" PRIu64 "\n", line, self);
  for (; edge < report->edge_count && report->edges[edge].caller == caller; edge++) {
    /* Readers take a cost without calls for one of the caller itself. */
    if (report->edges[edge].call_count > 0)
      write_call(report, &report->edges[edge], line);
  }
  return edge;
}

static void write_event(wi_unit unit, FILE *stream) {
  static const struct {
    const char *name;
    const char *meaning;
  } events[] = {
      [WI_UNIT_CALLS] = {"Calls", "Calls"},
      [WI_UNIT_NANOSECONDS] = {"ns", "Nanoseconds"},
      [WI_UNIT_INSTRUCTIONS] = {"Ir", "Instructions"},
      [WI_UNIT_TICKS] = {"Ticks", "Ticks"},
  };
  fprintf(stream, "event: %s : %s\nevents: %s\n", events[unit].name, events[unit].meaning,
          events[unit].name);
}

static void write_header(const callgrind_report *report, const wasm_perf_profile *profile) {
  wi_summary summary;
  wi_summary_init(&summary, profile, report->tree);
  fprintf(report->stream, "# callgrind format\nversion: 1\ncreator: wasm-perf\ncmd: %s\n",
          report->title);
  for (unsigned i = 0; i < summary.line_count; i++)
    fprintf(report->stream, "desc: %s: %s\n", i == 0 ? "Totals" : "Note", summary.lines[i]);
  fputs("positions: line\n", report->stream);
  write_event(wi_unit_of(&profile->header), report->stream);
  fprintf(report->stream, "summary: %" PRIu64 "\n\n", report->tree->nodes[0].total);
}

static bool write_report(callgrind_report *report, const wasm_perf_profile *profile) {
  uint32_t host = report->tree->labels.count;
  write_header(report, profile);
  uint32_t edge = 0;
  for (uint32_t label = 0; label < host && !ferror(report->stream); label++)
    edge = write_function(report, label, report->selves[label], edge);
  write_function(report, host, 0, edge);
  fprintf(report->stream, "\ntotals: %" PRIu64 "\n", report->tree->nodes[0].total);
  return fflush(report->stream) == 0 && !ferror(report->stream);
}

static bool build_report(callgrind_report *report) {
  const wi_tree *tree = report->tree;
  size_t label_count = tree->labels.count + (size_t)1;
  report->selves = calloc(label_count, sizeof *report->selves);
  report->is_named = calloc(label_count, sizeof *report->is_named);
  report->is_file_named =
      calloc(tree->places.file_count + NO_FILE_ID + (size_t)1, sizeof *report->is_file_named);
  report->edges = wi_edges_new(tree, &report->edge_count);
  if (!report->selves || !report->is_named || !report->is_file_named || !report->edges)
    return false;
  for (uint32_t i = 1; i < tree->node_count; i++) {
    uint64_t *self = &report->selves[tree->nodes[i].label];
    *self = wi_saturating_add(*self, tree->nodes[i].self);
  }
  return true;
}

bool wi_callgrind_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                        FILE *stream) {
  char title[WI_LABEL_MAX_SIZE + 1];
  wi_label_clean(title, options && options->title ? options->title : DEFAULT_NAME, 0);
  wi_tree *tree = wi_tree_new(profile, WI_NO_DEPTH_LIMIT, 0);
  callgrind_report report = {.tree = tree, .title = title, .stream = stream};
  bool ok = tree && build_report(&report) && write_report(&report, profile);
  free(report.selves);
  free(report.is_named);
  free(report.is_file_named);
  free(report.edges);
  wi_tree_free(tree);
  return ok;
}
