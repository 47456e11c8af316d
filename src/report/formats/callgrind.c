/*
 * A Callgrind profile: each function's self cost and, for each pair of caller and callee, the
 * number of calls and their inclusive cost. Recursive calls add no cost, so the calls of a function
 * add up to its total. The host is a separate object, with a function that calls the module's
 * outermost functions.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/formats/writers.h"
#include "report/model/call_lines.h"
#include "report/model/edges.h"
#include "report/model/line_costs.h"
#include "report/text/source_file.h"
#include "support/arithmetic.h"

#define HOST_NAME   "[host]" /* calls the outermost functions */
#define HOST_OBJECT "host"
#define NO_FILE     "???" /* Callgrind's name for an unknown source file */

#define NO_FILE_ID 1u /* the ids of known files follow */

/* Ids of the objects that functions belong to. */
enum { OBJECT_NONE, OBJECT_MODULE, OBJECT_HOST };

typedef struct callgrind_writer {
  const wi_report *report;
  const wi_tree *tree;  /* borrowed from the report */
  uint64_t *selves;     /* per label */
  wi_line_costs lines;  /* if the report shows instructions */
  wi_call_lines calls;  /* likewise */
  uint32_t *line_files; /* per file of the lines: its id */
  wi_edge *edges;
  uint32_t edge_count;
  bool *is_named;      /* per label and for the host: its id already has a name */
  bool *is_file_named; /* likewise, per file id */
  bool is_object_named[OBJECT_HOST + 1];
  unsigned object; /* of the function being written */
  uint32_t file;   /* likewise: its id */
  FILE *stream;
} callgrind_writer;

/* --- output --- */

static unsigned object_of(const callgrind_writer *writer, uint32_t label) {
  bool is_host = label == writer->tree->labels.count || wi_tree_is_host(writer->tree, label);
  return is_host ? OBJECT_HOST : OBJECT_MODULE;
}

static void write_object(callgrind_writer *writer, const char *key, unsigned object) {
  fprintf(writer->stream, "%s=(%u)", key, object);
  if (!writer->is_object_named[object])
    fprintf(writer->stream, " %s", object == OBJECT_HOST ? HOST_OBJECT : writer->report->title);
  fputc('\n', writer->stream);
  writer->is_object_named[object] = true;
}

static uint32_t file_of(const callgrind_writer *writer, uint32_t label) {
  const wi_label_place *place = wi_tree_place(writer->tree, label);
  return place ? NO_FILE_ID + 1 + place->file : NO_FILE_ID;
}

/* Files that only lines refer to have ids after the functions' files. */
static void write_path(const callgrind_writer *writer, uint32_t file) {
  char path[WI_LABEL_MAX_SIZE + 1];
  uint32_t index = file - NO_FILE_ID - 1, count = writer->tree->places.file_count;
  if (file == NO_FILE_ID) {
    fputs(" " NO_FILE, writer->stream);
    return;
  }
  wi_source_full_path(path, index < count ? writer->tree->places.files[index]
                                          : writer->report->profile->lines.files[index - count]);
  fprintf(writer->stream, " %s", path);
}

static void write_file(callgrind_writer *writer, const char *key, uint32_t file) {
  fprintf(writer->stream, "%s=(%" PRIu32 ")", key, file);
  if (!writer->is_file_named[file])
    write_path(writer, file);
  fputc('\n', writer->stream);
  writer->is_file_named[file] = true;
}

/* Line 0 means unknown. */
static uint32_t line_of(const callgrind_writer *writer, uint32_t label) {
  const wi_label_place *place = wi_tree_place(writer->tree, label);
  return place ? place->line : 0;
}

static void write_name(callgrind_writer *writer, const char *key, uint32_t label) {
  fprintf(writer->stream, "%s=(%" PRIu32 ")", key, label + 1);
  if (!writer->is_named[label]) {
    const char *name =
        label == writer->tree->labels.count ? HOST_NAME : wi_tree_text(writer->tree, label);
    fprintf(writer->stream, " %s", name);
  }
  fputc('\n', writer->stream);
  writer->is_named[label] = true;
}

/*
 * The line for costs without a line: 0 in a function whose lines are known, since its first line
 * would claim them; otherwise the function's line.
 */
static uint32_t rest_line_of(const callgrind_writer *writer, uint32_t label) {
  uint32_t count;
  wi_line_costs_find(&writer->lines, label, &count);
  return count > 0 ? 0 : line_of(writer, label);
}

/* Writes calls at a line of `at`, which is another file than the function's if it was inlined. */
static void write_call(callgrind_writer *writer, const wi_edge *edge, uint32_t at, uint32_t line) {
  unsigned object = object_of(writer, edge->callee);
  uint32_t file = file_of(writer, edge->callee);
  if (at != writer->file)
    write_file(writer, "fi", at);
  if (file != at || at != writer->file)
    write_file(writer, "cfi", file);
  if (object != writer->object)
    write_object(writer, "cob", object);
  write_name(writer, "cfn", edge->callee);
  fprintf(writer->stream, "calls=%" PRIu64 " %" PRIu32 "\n%" PRIu32 " %" PRIu64 "\n",
          edge->call_count, line_of(writer, edge->callee), line, edge->outer_total);
  if (at != writer->file)
    write_file(writer, "fe", writer->file);
}

/*
 * Writes an edge, by line if known; otherwise all of it has `line`. Readers would charge a cost
 * without calls to the caller itself, so it goes to the next line with calls, which the last one
 * has.
 */
static void write_edge(callgrind_writer *writer, const wi_edge *edge, uint32_t line) {
  uint32_t count;
  const wi_call_line *calls =
      wi_call_lines_find(&writer->calls, edge->caller, edge->callee, &count);
  wi_edge part = *edge;
  if (!calls)
    write_call(writer, edge, writer->file, line);
  part.outer_total = 0;
  for (uint32_t i = 0; calls && i < count; i++) {
    const wasm_perf_line *at = &writer->lines.items[calls[i].item].line;
    bool has_line = at->file != WASM_PERF_NO_FILE;
    part.call_count = wi_call_lines_part(calls, count, i, edge->call_count);
    part.outer_total += wi_call_lines_part(calls, count, i, edge->outer_total);
    if (part.call_count == 0)
      continue;
    write_call(writer, &part, has_line ? writer->line_files[at->file] : writer->file,
               has_line ? at->line : 0);
    part.outer_total = 0;
  }
}

/* Writes the function's self cost, by line if known. Lines of other files were inlined. */
static void write_self(callgrind_writer *writer, uint32_t label, uint64_t self) {
  uint32_t count, file = writer->file;
  const wi_line_cost *lines = wi_line_costs_find(&writer->lines, label, &count);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < count; i++)
    sum = wi_saturating_add(sum, lines[i].line.instruction_count);
  if (sum > self)
    count = 0, sum = 0;
  for (uint32_t i = 0; i < count; i++)
    if (lines[i].line.file == WASM_PERF_NO_FILE)
      sum -= lines[i].line.instruction_count;
  fprintf(writer->stream, "%" PRIu32 " %" PRIu64 "\n", rest_line_of(writer, label), self - sum);
  for (uint32_t i = 0; i < count; i++) {
    const wasm_perf_line *line = &lines[i].line;
    if (line->instruction_count == 0 || line->file == WASM_PERF_NO_FILE)
      continue;
    if (writer->line_files[line->file] != file)
      write_file(writer, "fi", file = writer->line_files[line->file]);
    fprintf(writer->stream, "%" PRIu32 " %" PRIu64 "\n", line->line, line->instruction_count);
  }
  if (file != writer->file)
    write_file(writer, "fe", writer->file);
}

/*
 * Writes the function with its self cost and its calls, which begin at `edge`; returns their end.
 * Only outer totals are costs, so that the calls of a function add up to its total, as readers
 * expect.
 */
static uint32_t write_function(callgrind_writer *writer, uint32_t label, uint64_t self,
                               uint32_t edge) {
  uint32_t caller = label == writer->tree->labels.count ? WI_EDGE_HOST : label;
  unsigned object = object_of(writer, label);
  uint32_t file = file_of(writer, label), line = rest_line_of(writer, label);
  fputc('\n', writer->stream);
  if (file != writer->file)
    write_file(writer, "fl", file);
  writer->file = file;
  if (object != writer->object)
    write_object(writer, "ob", object);
  writer->object = object;
  write_name(writer, "fn", label);
  write_self(writer, label, self);
  for (; edge < writer->edge_count && writer->edges[edge].caller == caller; edge++)
    if (writer->edges[edge].call_count > 0)
      write_edge(writer, &writer->edges[edge], line);
  return edge;
}

static void write_event(wi_unit unit, FILE *stream) {
  char meaning[32];
  snprintf(meaning, sizeof meaning, "%s", wi_unit_name(unit));
  meaning[0] = (char)(meaning[0] - 'a' + 'A');
  const char *name = unit == WI_UNIT_NANOSECONDS    ? "ns"
                     : unit == WI_UNIT_INSTRUCTIONS ? "Ir"
                                                    : meaning;
  fprintf(stream, "event: %s : %s\nevents: %s\n", name, meaning, name);
}

static void write_header(const callgrind_writer *writer) {
  const wi_summary *summary = &writer->report->summary;
  fprintf(writer->stream, "# callgrind format\nversion: 1\ncreator: wasm-perf\ncmd: %s\n",
          writer->report->title);
  for (unsigned i = 0; i < summary->line_count; i++)
    fprintf(writer->stream, "desc: %s: %s\n", i == 0 ? "Totals" : "Note", summary->lines[i]);
  fputs("positions: line\n", writer->stream);
  write_event(writer->report->unit, writer->stream);
  fprintf(writer->stream, "summary: %" PRIu64 "\n\n", writer->tree->nodes[0].total);
}

static void write_profile(callgrind_writer *writer) {
  uint32_t host = writer->tree->labels.count;
  write_header(writer);
  uint32_t edge = 0;
  for (uint32_t label = 0; label < host && !ferror(writer->stream); label++)
    edge = write_function(writer, label, writer->selves[label], edge);
  write_function(writer, host, 0, edge);
  fprintf(writer->stream, "\ntotals: %" PRIu64 "\n", writer->tree->nodes[0].total);
}

static int compare_path(const void *path, const void *item) {
  return strcmp(path, *(char *const *)item);
}

/* Files that contain both functions and lines have a single id. */
static void number_files(callgrind_writer *writer) {
  const wi_label_places *places = &writer->tree->places;
  const wasm_perf_lines *lines = &writer->report->profile->lines;
  for (uint32_t i = 0; i < lines->file_count; i++) {
    char path[WI_LABEL_MAX_SIZE + 1];
    wi_label_clean(path, lines->files[i], 0);
    char **known = places->file_count == 0 ? NULL
                                           : bsearch(path, places->files, places->file_count,
                                                     sizeof *places->files, compare_path);
    uint32_t index = known ? (uint32_t)(known - places->files) : places->file_count + i;
    writer->line_files[i] = NO_FILE_ID + 1 + index;
  }
}

static bool gather_lines(callgrind_writer *writer) {
  const wi_report *report = writer->report;
  writer->line_files =
      calloc(report->profile->lines.file_count + (size_t)1, sizeof *writer->line_files);
  if (!writer->line_files)
    return false;
  number_files(writer);
  return report->unit != WI_UNIT_INSTRUCTIONS ||
         (wi_line_costs_init(&writer->lines, report->tree, report->profile, false) &&
          wi_call_lines_init(&writer->calls, report->tree, report->profile, &writer->lines));
}

static bool gather(callgrind_writer *writer) {
  const wi_tree *tree = writer->tree;
  size_t label_count = tree->labels.count + (size_t)1;
  writer->selves = calloc(label_count, sizeof *writer->selves);
  writer->is_named = calloc(label_count, sizeof *writer->is_named);
  size_t file_count = tree->places.file_count + (size_t)writer->report->profile->lines.file_count;
  writer->is_file_named = calloc(file_count + NO_FILE_ID + 1, sizeof *writer->is_file_named);
  writer->edges = wi_edges_new(tree, &writer->edge_count);
  if (!writer->selves || !writer->is_named || !writer->is_file_named || !writer->edges)
    return false;
  for (uint32_t i = 1; i < tree->node_count; i++) {
    uint64_t *self = &writer->selves[tree->nodes[i].label];
    *self = wi_saturating_add(*self, tree->nodes[i].self);
  }
  return gather_lines(writer);
}

bool wi_callgrind_write(const wi_report *report, FILE *stream) {
  callgrind_writer writer = {.report = report, .tree = report->tree, .stream = stream};
  bool ok = gather(&writer);
  if (ok)
    write_profile(&writer);
  free(writer.selves);
  free(writer.is_named);
  free(writer.is_file_named);
  free(writer.line_files);
  wi_call_lines_clear(&writer.calls);
  wi_line_costs_clear(&writer.lines);
  free(writer.edges);
  return ok;
}
