#include "report/flamegraph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/color.h"
#include "report/exporters.h"
#include "report/numbers.h"

#define IMAGE_WIDTH     1200u /* pixels until the script makes it the window's */
#define FRAME_HEIGHT    16u
#define LEVEL_HEIGHT    (FRAME_HEIGHT + 1)
#define LINE_HEIGHT     17u
#define HEADER_HEIGHT   44u /* above the summary */
#define FOOTER_HEIGHT   36u /* room for the status line */
#define MIN_PER_MILLE   1u  /* narrower frames are not drawn */
#define MAX_FRAMES      10000u
#define ROOT_COLOR      0xC8CDD4u
#define HOST_COLOR      0x9CC4E4u
#define MAX_LABEL_CHARS 200 /* of the text in a frame; the title has the whole name */

/* Positions are integers in units of 1e-7 of the graph's width: exact on every machine. */
#define WIDTH_UNITS      10000000u
#define UNITS_OF_PERCENT 100000u
#define MIN_LABEL_UNITS                                                                            \
  (2 * UNITS_OF_PERCENT) /* narrower frames get their text from the script                         \
                          */

/* flamegraph.js and flamegraph.css, see embed.cmake. */
extern const char wasm_perf_flamegraph_js[];
extern const char wasm_perf_flamegraph_css[];

typedef struct flamegraph {
  const wasm_perf_tree *tree;
  FILE *stream;
  uint64_t *starts; /* per tree node: where it begins, as a value */
  bool *is_drawn;   /* per tree node; a drawn node's parent is drawn */
  uint32_t drawn_count;
  uint32_t deepest; /* of the drawn nodes */
  uint32_t height;  /* pixels */
  const wasm_perf_flamegraph_style *style;
  wasm_perf_summary *summary;
} flamegraph;

/* --- layout --- */

/* Children from left to right, then the node's own value: parents come first. */
static void place_nodes(flamegraph *graph) {
  const wasm_perf_tree *tree = graph->tree;
  graph->starts[0] = 0;
  for (uint32_t i = 0; i < tree->node_count; i++) {
    const wasm_perf_tree_node *node = &tree->nodes[i];
    uint64_t start = graph->starts[i];
    for (uint32_t c = 0; c < node->child_count; c++) {
      graph->starts[node->first_child + c] = start;
      start = wasm_perf_add(start, tree->nodes[node->first_child + c].total);
    }
  }
}

/* A value as a position; needs a total above 0, which no value exceeds. */
static uint32_t position(const flamegraph *graph, uint64_t value) {
  return (uint32_t)wasm_perf_scale(value, graph->tree->nodes[0].total, WIDTH_UNITS);
}

static bool is_wide_enough(uint64_t total, uint64_t whole) {
  return wasm_perf_scale(total, whole, 1000) >= MIN_PER_MILLE;
}

typedef struct candidate {
  uint64_t total;
  uint32_t node;
} candidate;

/* Wider first. Equal widths: nearer to the root first, so that parents precede children. */
static int compare_candidates(const void *left, const void *right) {
  const candidate *a = left;
  const candidate *b = right;
  if (a->total != b->total)
    return a->total > b->total ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

static bool drop_narrowest(flamegraph *graph) {
  candidate *candidates = malloc(sizeof *candidates * graph->drawn_count);
  if (!candidates)
    return false;
  uint32_t count = 0;
  for (uint32_t i = 0; i < graph->tree->node_count; i++)
    if (graph->is_drawn[i])
      candidates[count++] = (candidate){.total = graph->tree->nodes[i].total, .node = i};
  qsort(candidates, count, sizeof *candidates, compare_candidates);
  while (count > MAX_FRAMES)
    graph->is_drawn[candidates[--count].node] = false;
  graph->drawn_count = count;
  free(candidates);
  return true;
}

static bool choose_drawn(flamegraph *graph) {
  const wasm_perf_tree *tree = graph->tree;
  for (uint32_t i = 0; i < tree->node_count; i++) {
    graph->is_drawn[i] = i == 0 || is_wide_enough(tree->nodes[i].total, tree->nodes[0].total);
    graph->drawn_count += graph->is_drawn[i];
  }
  if (graph->drawn_count > MAX_FRAMES && !drop_narrowest(graph))
    return false;
  for (uint32_t i = 0; i < tree->node_count; i++)
    if (graph->is_drawn[i] && tree->nodes[i].depth > graph->deepest)
      graph->deepest = tree->nodes[i].depth;
  return true;
}

/* --- what the picture does not show --- */

static void add_hidden_note(flamegraph *graph) {
  const wasm_perf_tree_node *nodes = graph->tree->nodes;
  uint64_t hidden = 0;
  for (uint32_t i = 1; i < graph->tree->node_count; i++)
    if (!graph->is_drawn[i] && graph->is_drawn[nodes[i].parent])
      hidden = wasm_perf_add(hidden, nodes[i].total);
  uint32_t hidden_count = graph->tree->node_count - graph->drawn_count;
  if (hidden_count > 0) {
    wasm_perf_summary_add(graph->summary, "Too narrow to draw: %s with %s %% of the total.",
                          wasm_perf_format_quantity(hidden_count, "frame").text,
                          wasm_perf_format_percentage(hidden, nodes[0].total, 1).text);
  }
}

static void add_notes(flamegraph *graph) {
  if (graph->tree->nodes[0].total == 0)
    return; /* then there is no picture */
  if (graph->tree->elided_count > 0) {
    wasm_perf_summary_add(graph->summary,
                          "Deeper than %u frames: %s. On " WASM_PERF_ELIDED_TEXT
                          " stand their innermost functions, without the frames between.",
                          WASM_PERF_DEPTH_LIMIT,
                          wasm_perf_format_quantity(graph->tree->elided_count, "stack").text);
  }
  add_hidden_note(graph);
}

/* --- output --- */

/*
 * The first `char_count` characters of a label. Labels are UTF-8 without control
 * characters, so that these three are all that XML asks to escape.
 */
static void write_label(const char *label, size_t char_count, FILE *stream) {
  for (; *label != 0; label++) {
    bool starts_character = (*label & 0xC0) != 0x80;
    if (starts_character && char_count-- == 0)
      break;
    switch (*label) {
    case '&': fputs("&amp;", stream); break;
    case '<': fputs("&lt;", stream); break;
    case '>': fputs("&gt;", stream); break;
    default: fputc(*label, stream); break;
    }
  }
}

static void write_percent(uint32_t units, FILE *stream) {
  fprintf(stream, "%" PRIu32 ".%05" PRIu32 "%%", units / UNITS_OF_PERCENT,
          units % UNITS_OF_PERCENT);
}

static void write_title(const flamegraph *graph, uint32_t index, const char *label) {
  fputs("<title>", graph->stream);
  write_label(label, SIZE_MAX, graph->stream);
  fputs(" \xE2\x80\x94 ", graph->stream);
  graph->style->write_values(graph->tree, index, graph->style->user, graph->stream);
  fputs("</title>", graph->stream);
}

static uint32_t frame_color(const flamegraph *graph, uint32_t index) {
  return index == 0 ? ROOT_COLOR : graph->style->color(graph->tree, index, graph->style->user);
}

/* A nested <svg> clips its text by itself, at any width of the window and without a script. */
static void write_frame(const flamegraph *graph, uint32_t index) {
  const wasm_perf_tree_node *node = &graph->tree->nodes[index];
  bool is_root = index == 0;
  const char *label = is_root ? "all" : wasm_perf_tree_text(graph->tree, node->label);
  uint32_t start = is_root ? 0 : position(graph, graph->starts[index]);
  uint32_t end =
      is_root ? WIDTH_UNITS : position(graph, wasm_perf_add(graph->starts[index], node->total));
  FILE *stream = graph->stream;
  fputs("<svg x=\"", stream);
  write_percent(start, stream);
  fprintf(stream, "\" y=\"%" PRIu32 "\" width=\"",
          graph->height - FOOTER_HEIGHT - (node->depth + 1) * LEVEL_HEIGHT);
  write_percent(end - start, stream);
  fprintf(stream, "\" height=\"%u\">", FRAME_HEIGHT);
  write_title(graph, index, label);
  fprintf(stream, "<rect width=\"100%%\" height=\"100%%\" fill=\"#%06" PRIx32 "\"/>",
          frame_color(graph, index));
  if (end - start >= MIN_LABEL_UNITS) {
    fputs("<text x=\"4\" y=\"12\">", stream);
    write_label(label, MAX_LABEL_CHARS, stream);
    fputs("</text>", stream);
  }
  fputs("</svg>\n", stream);
}

static void write_header(const flamegraph *graph) {
  fprintf(
      graph->stream,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"flamegraph\" width=\"%u\" height=\"%" PRIu32
      "\" font-family=\"system-ui, Verdana, sans-serif\" font-size=\"12\">\n"
      "<style><![CDATA[\n%s]]></style>\n"
      "<rect id=\"background\" width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
      "<text x=\"1%%\" y=\"26\" font-size=\"18\" font-weight=\"bold\">wasm-perf</text>\n",
      IMAGE_WIDTH, graph->height, wasm_perf_flamegraph_css);
  for (unsigned i = 0; i < graph->summary->line_count; i++) {
    fprintf(graph->stream, "<text x=\"1%%\" y=\"%u\"%s>%s</text>\n",
            HEADER_HEIGHT + i * LINE_HEIGHT, i > 0 ? " class=\"caution\"" : "",
            graph->summary->lines[i]);
  }
}

static bool write_image(flamegraph *graph) {
  graph->height = HEADER_HEIGHT + graph->summary->line_count * LINE_HEIGHT +
                  (graph->deepest + 1) * LEVEL_HEIGHT + FOOTER_HEIGHT;
  write_header(graph);
  fputs("<svg id=\"frames\" x=\"1%\" width=\"98%\">\n", graph->stream);
  for (uint32_t i = 0; i < graph->tree->node_count; i++)
    if (graph->is_drawn[i])
      write_frame(graph, i);
  fprintf(graph->stream, "</svg>\n<script><![CDATA[\n%s]]></script>\n</svg>\n",
          wasm_perf_flamegraph_js);
  return fflush(graph->stream) == 0 && !ferror(graph->stream);
}

bool wasm_perf_flamegraph_draw(const wasm_perf_tree *tree, wasm_perf_summary *summary,
                               const wasm_perf_flamegraph_style *style, FILE *stream) {
  flamegraph graph = {.tree = tree, .stream = stream, .style = style, .summary = summary};
  graph.starts = malloc(tree->node_count * sizeof *graph.starts);
  graph.is_drawn = malloc(tree->node_count * sizeof *graph.is_drawn);
  bool ok = graph.starts && graph.is_drawn;
  if (ok)
    place_nodes(&graph);
  ok = ok && choose_drawn(&graph);
  if (ok) {
    add_notes(&graph);
    ok = write_image(&graph);
  }
  free(graph.starts);
  free(graph.is_drawn);
  return ok;
}

/* --- of a profile --- */

static void write_value(wasm_perf_unit unit, uint64_t value, FILE *stream) {
  fputs(wasm_perf_format_value(unit, value).text, stream);
}

/* 12.3 ms total (45.6 %), 1.2 ms self, 1,234 calls */
static void write_values(const wasm_perf_tree *tree, uint32_t index, const void *user,
                         FILE *stream) {
  const wasm_perf_profile *profile = user;
  wasm_perf_unit unit = wasm_perf_unit_of(&profile->header);
  const wasm_perf_tree_node *node = &tree->nodes[index];
  uint64_t whole = tree->nodes[0].total;
  write_value(unit, node->total, stream);
  fprintf(stream, " total (%s %%)", wasm_perf_format_percentage(node->total, whole, 1).text);
  if (index == 0)
    return;
  fputs(", ", stream);
  write_value(unit, node->self, stream);
  fputs(" self", stream);
  if (unit != WASM_PERF_UNIT_CALLS)
    fprintf(stream, ", %s", wasm_perf_format_quantity(node->call_count, "call").text);
}

static uint32_t name_color(const wasm_perf_tree *tree, uint32_t index, const void *user) {
  (void)user;
  uint32_t label = tree->nodes[index].label;
  if (wasm_perf_tree_is_host(tree, label))
    return HOST_COLOR;
  return wasm_perf_name_color(wasm_perf_tree_text(tree, label));
}

bool wasm_perf_flamegraph_write(const wasm_perf_profile *profile,
                                const wasm_perf_report_options *options, FILE *stream) {
  (void)options;
  wasm_perf_tree *tree = wasm_perf_tree_new(profile, WASM_PERF_DEPTH_LIMIT, 0);
  if (!tree)
    return false;
  wasm_perf_flamegraph_style style = {name_color, write_values, profile};
  wasm_perf_summary summary;
  wasm_perf_summary_init(&summary, profile, tree);
  if (tree->node_count > 1 && tree->nodes[0].total == 0)
    wasm_perf_summary_add(&summary, "The clock never advanced, so there is no width to draw.");
  bool ok = wasm_perf_flamegraph_draw(tree, &summary, &style, stream);
  wasm_perf_tree_free(tree);
  return ok;
}
