/* Packs the data of the HTML report for the page to unpack. */
#include "report/formats/html/pack.h"

#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include <stdlib.h>

#include "profile/threads.h"
#include "report/encode/gzip.h"
#include "report/encode/json_parts.h"
#include "report/formats/html/data.h"
#include "report/formats/html/findings.h"
#include "report/formats/html/lines.h"
#include "report/formats/html/names.h"
#include "report/model/layers.h"
#include "report/model/sampling.h"
#include "report/model/time_line.h"
#include "report/text/explain.h"
#include "support/json_writer.h"

/* ---- The JSON ------------------------------------------------------------- */

static void write_values(wi_json *json, const wi_html_data *data) {
  wi_json_open(json, "values", '[');
  for (unsigned v = 0; v < data->value_count; v++) {
    wi_json_open(json, NULL, '{');
    wi_json_string(json, "key", data->values[v].key);
    wi_json_string(json, "name", data->values[v].name);
    wi_json_string(json, "unit", wi_unit_name(data->values[v].unit));
    if (data->values[v].is_measure)
      wi_json_literal(json, "memory", "true");
    wi_json_close(json, '}');
  }
  wi_json_close(json, ']');
}

static void write_runs(wi_json *json, const wi_html_data *data) {
  wi_json_open(json, "runs", '[');
  for (uint32_t r = 0; r < data->run_count; r++) {
    wi_json_open(json, NULL, '{');
    wi_json_string(json, "name", data->runs[r].report->title);
    const wi_report *report = data->runs[r].report;
    uint64_t period = wi_sample_period(report->tree);
    if (data->runs[r].report->summary.is_rough)
      wi_json_literal(json, "isRough", "true");
    if (period > 0)
      wi_json_integer(json, "samplePeriod", period);
    wi_json_close(json, '}');
  }
  wi_json_close(json, ']');
}

/* The caller frees the array; NULL: out of memory. Of several places of a name, the last counts. */
static wi_part_function *list_functions(const wi_html_data *data) {
  wi_part_function *functions = calloc(data->name_count + (size_t)1, sizeof *functions);
  for (uint32_t r = 0; functions && r < data->run_count; r++) {
    const wi_html_run *run = &data->runs[r];
    for (uint32_t label = 0; label < run->report->tree->labels.count; label++) {
      uint32_t line;
      const char *file = wi_tree_file(run->report->tree, label, &line);
      wi_part_function *function = &functions[run->labels[label]];
      if (file) {
        function->file = file;
        function->line = line;
      }
    }
  }
  for (uint32_t i = 0; functions && i < data->name_count; i++) {
    functions[i].name = data->names[i];
    functions[i].kind =
        wi_color_kind_of(data->names[i], functions[i].file, (wasm_perf_kind)data->kinds[i]);
  }
  return functions;
}

/* `order`: per node of the data, its position in preorder. */
static bool write_names(wi_json *json, const wi_html_data *data, const uint32_t *order) {
  wi_part_function *functions = list_functions(data);
  bool done = functions && wi_html_names_write(json, functions, data->name_count) &&
              wi_html_findings_write(json, data, order);
  free(functions);
  return done;
}

/* Writes the confidence in names from other builds: name, thousandths. */
static void write_confidences(wi_json *json, const wi_html_data *data) {
  wi_json_open(json, "confidences", '[');
  for (uint32_t r = 0; r < data->run_count; r++) {
    const wi_html_run *run = &data->runs[r];
    for (uint32_t label = 0; label < run->report->tree->labels.count; label++) {
      uint32_t thousandths = wi_tree_confidence(run->report->tree, label);
      if (thousandths == 0)
        continue;
      wi_json_open(json, NULL, '[');
      wi_json_integer(json, NULL, run->labels[label]);
      wi_json_integer(json, NULL, thousandths);
      wi_json_close(json, ']');
    }
  }
  wi_json_close(json, ']');
}

/* Writes the names of functions whose calls at least one run does not count. */
static void write_uncounted(wi_json *json, const wi_html_data *data) {
  wi_json_open(json, "uncounted", '[');
  for (uint32_t r = 0; r < data->run_count; r++) {
    const wi_html_run *run = &data->runs[r];
    const wi_tree *tree = run->report->tree;
    bool counts_none = !wi_tree_counts_calls(tree);
    for (uint32_t name = 0; counts_none && name < data->name_count; name++)
      wi_json_integer(json, NULL, name);
    for (uint32_t label = 0; !counts_none && label < tree->labels.count; label++)
      if (!wi_tree_is_counted(tree, label))
        wi_json_integer(json, NULL, run->labels[label]);
  }
  wi_json_close(json, ']');
}

/* Writes what is known of functions' own times: name, wi_time_note; and what these mean: words,
   advice, whether they hide the time per call. */
static void write_time_notes(wi_json *json, const wi_html_data *data) {
  wi_json_open(json, "noteTexts", '[');
  for (unsigned note = 0; note < WI_TIME_NOTE_COUNT; note++) {
    wi_json_open(json, NULL, '[');
    wi_json_string(json, NULL, wi_time_note_text((wi_time_note)note));
    wi_json_string(json, NULL, wi_time_note_advice((wi_time_note)note));
    wi_json_literal(json, NULL, wi_time_note_hides_mean((wi_time_note)note) ? "true" : "false");
    wi_json_close(json, ']');
  }
  wi_json_close(json, ']');
  wi_json_open(json, "timeNotes", '[');
  for (uint32_t r = 0; r < data->run_count; r++) {
    const wi_html_run *run = &data->runs[r];
    for (uint32_t label = 0; label < run->report->tree->labels.count; label++) {
      uint8_t note = run->report->notes.of[label];
      if (note == WI_TIME_NONE)
        continue;
      wi_json_open(json, NULL, '[');
      wi_json_integer(json, NULL, run->labels[label]);
      wi_json_integer(json, NULL, note);
      wi_json_close(json, ']');
    }
  }
  wi_json_close(json, ']');
}

/* Writes for whom layers of an allocator allocate: value, name, text. */
static bool write_layers(wi_json *json, const wi_html_data *data) {
  const wi_html_run *run = data->runs;
  const wi_tree *tree = run->report->tree;
  bool ok = true;
  wi_json_open(json, "layers", '[');
  for (unsigned v = 0; ok && data->run_count == 1 && v < data->value_count; v++) {
    if (!data->values[v].is_measure)
      continue;
    wi_layer *layers = wi_layers_new(run->report, data->values[v].measure);
    ok = layers != NULL;
    for (uint32_t label = 0; ok && label < tree->labels.count; label++) {
      wi_layer_text text;
      wi_layer_describe(tree, &layers[label], &text);
      if (!*text.text)
        continue;
      wi_json_open(json, NULL, '[');
      wi_json_integer(json, NULL, v);
      wi_json_integer(json, NULL, run->labels[label]);
      wi_json_string(json, NULL, text.text);
      wi_json_close(json, ']');
    }
    free(layers);
  }
  wi_json_close(json, ']');
  return ok;
}

/* Writes the URL of the sources, for readers of the page. */
static void write_source_url(wi_json *json, const wasm_perf_report_options *options) {
  wi_json_string(json, "sourceUrl", options->source_url ? options->source_url : "");
  wi_json_string(json, "sourceFolder", options->source_root ? options->source_root : "");
}

/* Several runs have no common time line. */
static bool has_threads(const wi_html_data *data) {
  return data->run_count == 1 && wi_time_line_is_there(data->runs[0].report);
}

static void write_threads(wi_json *json, const wi_html_data *data) {
  const wasm_perf_profile *profile = data->runs[0].report->profile;
  uint64_t start = wi_threads_start(profile);
  wi_json_open(json, "threads", '[');
  for (uint32_t i = 0; has_threads(data) && i < profile->thread_count; i++) {
    const wasm_perf_thread *thread = &profile->threads[i];
    char name[WI_LABEL_MAX_SIZE + 1];
    wi_label_clean(name, thread->name, 0);
    wi_json_open(json, NULL, '{');
    wi_json_string(json, "name", name);
    wi_json_integer(json, "start", thread->start - start);
    wi_json_integer(json, "dropped", thread->dropped);
    wi_json_integer(json, "stretches", thread->stretch_count);
    wi_json_close(json, '}');
  }
  wi_json_close(json, ']');
}

/* Writes what wasm-perf explain says of a single profile, as Markdown. */
static bool write_explanation(wi_json *json, const wi_html_data *data) {
  char *text = NULL;
  size_t size = 0;
  if (data->run_count > 1)
    return true;
  FILE *memory = open_memstream(&text, &size);
  bool done = memory && wi_explain_write_markdown(data->runs[0].report, memory);
  if (memory)
    done = fclose(memory) == 0 && done;
  if (done)
    wi_json_string(json, "explanation", text);
  free(text);
  return done;
}

static bool write_head(const wi_html_data *data, const uint32_t *order, FILE *stream) {
  wi_json json;
  wi_json_init(&json, stream);
  wi_json_open(&json, NULL, '{');
  wi_json_string(&json, "mode", data->is_difference ? "diff" : "report");
  wi_json_integer(&json, "nodes", data->node_count);
  write_values(&json, data);
  write_runs(&json, data);
  bool has_memory = write_names(&json, data, order);
  write_confidences(&json, data);
  write_uncounted(&json, data);
  write_time_notes(&json, data);
  has_memory = write_layers(&json, data) && has_memory;
  write_threads(&json, data);
  write_source_url(&json, &data->runs[0].report->options);
  has_memory = wi_html_lines_write(&json, data) && has_memory;
  has_memory = write_explanation(&json, data) && has_memory;
  wi_json_close(&json, '}');
  return wi_json_finish(&json) && has_memory;
}

static bool pack_head(wi_gzip *gzip, const wi_html_data *data, const uint32_t *order) {
  char *text = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&text, &size);
  if (!memory)
    return false;
  bool ok = write_head(data, order, memory);
  ok = fclose(memory) == 0 && ok;
  if (ok) {
    uint8_t head[4];
    for (unsigned i = 0; i < 4; i++)
      head[i] = (uint8_t)(size >> 8 * i);
    wi_gzip_write(gzip, head, sizeof head);
    wi_gzip_write(gzip, text, size);
  }
  free(text);
  return ok;
}

/* ---- The columns ---------------------------------------------------------- */

/* Writes LEB128 in blocks: a call of zlib per number would be slow. */
typedef struct column_writer {
  wi_gzip *gzip;
  size_t size;
  uint8_t bytes[65536];
} column_writer;

static void write_number(column_writer *writer, uint64_t number) {
  if (sizeof writer->bytes - writer->size < 10) {
    wi_gzip_write(writer->gzip, writer->bytes, writer->size);
    writer->size = 0;
  }
  for (; number >= 0x80; number >>= 7)
    writer->bytes[writer->size++] = (uint8_t)(number | 0x80);
  writer->bytes[writer->size++] = (uint8_t)number;
}

/*
 * `next`: two numbers per node, its first child and its next sibling; 0: none. Siblings are in the
 * order of their runs' profiles; each node's `order` is its own.
 */
static bool link_nodes(const wi_html_data *data, uint32_t (*next)[2]) {
  size_t end = 0;
  for (uint32_t r = 0; r < data->run_count; r++)
    end += data->runs[r].report->profile->header.node_count;
  uint32_t *nodes = calloc(end, sizeof *nodes); /* by order; 0: none */
  if (!nodes)
    return false;
  for (uint32_t i = 1; i < data->node_count; i++)
    nodes[(size_t)data->orders[i]] = i;
  for (size_t i = end; i-- > 0;) {
    uint32_t node = nodes[i];
    if (node == 0)
      continue;
    next[node][1] = next[data->parents[node]][0];
    next[data->parents[node]][0] = node;
  }
  free(nodes);
  return true;
}

/*
 * Lists the nodes except the root in preorder, and how many levels above the previous node each
 * node's parent is.
 */
static void list_preorder(const wi_html_data *data, uint32_t (*next)[2], uint32_t *nodes,
                          uint32_t *levels) {
  uint32_t node = 0, above = 0;
  for (uint32_t i = 0; i + 1 < data->node_count; i++) {
    above = 0;
    if (next[node][0] != 0) {
      node = next[node][0];
    } else {
      for (above = 1; next[node][1] == 0; above++)
        node = data->parents[node];
      node = next[node][1];
    }
    nodes[i] = node;
    levels[i] = above;
  }
}

static void pack_columns(column_writer *writer, const wi_html_data *data, const uint32_t *nodes,
                         const uint32_t *levels) {
  uint32_t count = data->node_count - 1;
  for (uint32_t i = 0; i < count; i++)
    write_number(writer, levels[i]);
  for (uint32_t i = 0; i < count; i++)
    write_number(writer, data->functions[nodes[i]]);
  for (uint32_t r = 0; r < data->run_count; r++)
    for (unsigned v = 0; v < data->value_count; v++)
      for (uint32_t i = 0; i < count; i++)
        write_number(writer, data->runs[r].columns[v][nodes[i]]);
}

/* `order`: per node of the data, its position in preorder. */
static void pack_shared(column_writer *writer, const wi_html_data *data, const uint32_t *order) {
  const uint32_t *places = data->places;
  for (uint32_t r = 0; r < data->run_count; r++) {
    const wi_tree *tree = data->runs[r].report->tree;
    write_number(writer, tree->shared_count);
    for (uint32_t i = 0; i < tree->shared_count; i++) {
      const wi_shared_calls *shared = &tree->shared[i];
      write_number(writer, order[places[shared->node]]);
      write_number(writer, 2 * (uint64_t)shared->group + tree->groups[shared->group].is_open);
      write_number(writer, shared->call_count);
    }
    places += tree->node_count;
  }
}

static void pack_threads(column_writer *writer, const wi_html_data *data, const uint32_t *order) {
  const wi_report *report = data->runs[0].report;
  for (uint32_t t = 0; t < report->profile->thread_count; t++) {
    const wasm_perf_thread *thread = &report->profile->threads[t];
    for (uint32_t i = 0; i < thread->stretch_count; i++)
      write_number(writer, thread->stretches[i].microseconds);
    for (uint32_t i = 0; i < thread->stretch_count; i++)
      write_number(writer, order[data->places[report->tree->nodes_of[thread->stretches[i].node]]]);
  }
}

/* The nodes but the root in preorder, and what a page calls them. All arrays are owned. */
typedef struct preorder {
  uint32_t *nodes;
  uint32_t *levels; /* as list_preorder sets them */
  uint32_t *order;  /* per node of the data, its position in preorder */
} preorder;

static void preorder_clear(preorder *of) {
  free(of->nodes);
  free(of->levels);
  free(of->order);
}

static bool preorder_init(preorder *of, const wi_html_data *data) {
  size_t count = data->node_count;
  uint32_t(*next)[2] = calloc(count, sizeof *next);
  *of = (preorder){malloc(count * sizeof *of->nodes), malloc(count * sizeof *of->levels),
                   calloc(count, sizeof *of->order)};
  bool ok = next && of->nodes && of->levels && of->order && link_nodes(data, next);
  if (ok) {
    list_preorder(data, next, of->nodes, of->levels);
    for (uint32_t i = 1; i < data->node_count; i++)
      of->order[of->nodes[i - 1]] = i;
  }
  free(next);
  return ok;
}

static bool pack_tree(wi_gzip *gzip, const wi_html_data *data, const preorder *of) {
  column_writer *writer = malloc(sizeof *writer);
  if (!writer)
    return false;
  writer->gzip = gzip;
  writer->size = 0;
  pack_columns(writer, data, of->nodes, of->levels);
  pack_shared(writer, data, of->order);
  if (has_threads(data))
    pack_threads(writer, data, of->order);
  wi_gzip_write(writer->gzip, writer->bytes, writer->size);
  free(writer);
  return true;
}

bool wi_html_data_write(const wi_html_data *data, FILE *stream) {
  wi_gzip *gzip = malloc(sizeof *gzip);
  preorder of;
  bool ok = preorder_init(&of, data) && gzip && wi_gzip_open_base64(gzip, stream);
  if (ok) {
    ok = pack_head(gzip, data, of.order) && pack_tree(gzip, data, &of);
    ok = wi_gzip_close(gzip) && ok;
  }
  preorder_clear(&of);
  free(gzip);
  return ok;
}
