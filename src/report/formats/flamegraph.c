/*
 * A self-contained SVG of bounded size. It is readable without scripts; with scripts it zooms and
 * searches. Children are sorted by name.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "names/shorten.h"
#include "report/encode/markup.h"
#include "report/formats/flamegraph.h"
#include "report/formats/writers.h"
#include "report/model/color.h"
#include "support/arithmetic.h"
#include "support/array.h"

#define IMAGE_WIDTH   1200u /* in pixels, until the script fits it to the window */
#define FRAME_HEIGHT  16u
#define LEVEL_HEIGHT  (FRAME_HEIGHT + 1)
#define LINE_HEIGHT   17u
#define HEADER_HEIGHT 44u /* above the summary */
#define FOOTER_HEIGHT 36u /* for the status line */
#define MIN_PER_MILLE 1u  /* narrower frames are not drawn */
#define MAX_FRAMES    10000u
#define ROOT_COLOR    0xC8CDD4u
#define MAX_COLUMNS   200u /* of a frame's text; its title has the whole name */
#define COLUMN_TENTHS 72u  /* tenths of a pixel: slightly more than a letter's average width */
#define TEXT_MARGIN   8u   /* in pixels */

/*
 * Positions are integers in units of 1e-7 of the graph's width, so they are exact on every machine.
 */
#define WIDTH_UNITS      10000000u
#define UNITS_OF_PERCENT 100000u
#define MIN_LABEL_UNITS  (3 * UNITS_OF_PERCENT) /* below this, the script writes the label */

typedef wi_flamegraph flamegraph;

typedef struct frame {
  uint64_t start; /* left edge, as a value */
  uint32_t node;
} frame;

struct wi_flamegraph {
  const wi_tree *tree;
  WI_ARRAY(frame, frames); /* drawn frames, in order of their nodes */
  uint32_t deepest;        /* depth of the deepest drawn frame */
  wi_flamegraph_style style;
  wi_summary summary;
};

/* --- layout --- */

/* Converts a value to a position. The total must be above 0, and not below the value. */
static uint32_t position(const flamegraph *graph, uint64_t value) {
  return (uint32_t)wi_scale(value, graph->tree->nodes[0].total, WIDTH_UNITS);
}

static bool is_wide_enough(uint64_t total, uint64_t whole) {
  return wi_scale(total, whole, 1000) >= MIN_PER_MILLE;
}

static bool add_frame(flamegraph *graph, uint32_t node, uint64_t start) {
  frame *added = WI_ARRAY_PUSH(graph, frames);
  if (!added)
    return false;
  *added = (frame){.start = start, .node = node};
  return true;
}

/* Adds the children from left to right; the node's self value follows them. */
static bool add_children(flamegraph *graph, frame parent) {
  const wi_tree_node *nodes = graph->tree->nodes;
  uint32_t first = nodes[parent.node].first_child, count = nodes[parent.node].child_count;
  uint64_t start = parent.start;
  for (uint32_t child = first; child < first + count; child++) {
    if (is_wide_enough(nodes[child].total, nodes[0].total) && !add_frame(graph, child, start))
      return false;
    start = wi_saturating_add(start, nodes[child].total);
  }
  return true;
}

/* A child of a frame that is too narrow is too narrow, too. */
static bool add_frames(flamegraph *graph) {
  bool ok = add_frame(graph, 0, 0);
  for (uint32_t i = 0; ok && i < graph->frames_count; i++)
    ok = add_children(graph, graph->frames[i]);
  return ok;
}

typedef struct candidate {
  uint64_t total;
  frame frame;
} candidate;

/* Widest first; equal widths by node, so that parents precede children. */
static int compare_candidates(const void *left, const void *right) {
  const candidate *a = left;
  const candidate *b = right;
  if (a->total != b->total)
    return a->total > b->total ? -1 : 1;
  return (a->frame.node > b->frame.node) - (a->frame.node < b->frame.node);
}

static int compare_nodes(const void *left, const void *right) {
  const frame *a = left, *b = right;
  return (a->node > b->node) - (a->node < b->node);
}

static bool drop_narrowest(flamegraph *graph) {
  candidate *candidates = malloc(sizeof *candidates * graph->frames_count);
  if (!candidates)
    return false;
  for (uint32_t i = 0; i < graph->frames_count; i++)
    candidates[i] = (candidate){.total = graph->tree->nodes[graph->frames[i].node].total,
                                .frame = graph->frames[i]};
  qsort(candidates, graph->frames_count, sizeof *candidates, compare_candidates);
  for (uint32_t i = 0; i < MAX_FRAMES; i++)
    graph->frames[i] = candidates[i].frame;
  graph->frames_count = MAX_FRAMES;
  qsort(graph->frames, MAX_FRAMES, sizeof *graph->frames, compare_nodes);
  free(candidates);
  return true;
}

static bool choose_frames(flamegraph *graph) {
  if (!add_frames(graph) || (graph->frames_count > MAX_FRAMES && !drop_narrowest(graph)))
    return false;
  for (uint32_t i = 0; i < graph->frames_count; i++) {
    uint32_t depth = graph->tree->nodes[graph->frames[i].node].depth;
    graph->deepest = depth > graph->deepest ? depth : graph->deepest;
  }
  return true;
}

/* --- what the picture does not show --- */

/*
 * Sums the children that are not drawn. Drawn children follow in the order of frames, after the
 * root.
 */
static uint64_t hidden_total(const flamegraph *graph) {
  const wi_tree_node *nodes = graph->tree->nodes;
  uint64_t hidden = 0;
  uint32_t next = 1;
  for (uint32_t i = 0; i < graph->frames_count; i++) {
    const wi_tree_node *node = &nodes[graph->frames[i].node];
    for (uint32_t c = node->first_child; c < node->first_child + node->child_count; c++) {
      if (next < graph->frames_count && graph->frames[next].node == c)
        next++;
      else
        hidden = wi_saturating_add(hidden, nodes[c].total);
    }
  }
  return hidden;
}

static void add_hidden_note(flamegraph *graph) {
  uint32_t hidden_count = graph->tree->node_count - graph->frames_count;
  if (hidden_count > 0) {
    wi_summary_add(&graph->summary,
                   "Too narrow to draw: %s with %s %% of the total; the HTML report has them all",
                   wi_format_quantity(hidden_count, "frame").text,
                   wi_format_percentage(hidden_total(graph), graph->tree->nodes[0].total, 1).text);
  }
}

/* --- output --- */

static void write_percent(uint32_t units, FILE *stream) {
  fprintf(stream, "%" PRIu32 ".%05" PRIu32 "%%", units / UNITS_OF_PERCENT,
          units % UNITS_OF_PERCENT);
}

static void write_title(const flamegraph *graph, uint32_t index, const char *label, FILE *stream) {
  fputs("<title>", stream);
  wi_markup_write(label, stream);
  fputs(" \xE2\x80\x94 ", stream);
  graph->style.write_values(graph->tree, index, graph->style.user, stream);
  fputs("</title>", stream);
}

static uint32_t frame_color(const flamegraph *graph, uint32_t index) {
  return index == 0 ? ROOT_COLOR : graph->style.color(graph->tree, index, graph->style.user);
}

/* Writes the name, shortened to the letters that fit a picture of IMAGE_WIDTH. */
static void write_label(const char *label, uint32_t units, FILE *stream) {
  uint32_t pixels = (uint32_t)wi_scale(units, WIDTH_UNITS, IMAGE_WIDTH);
  uint32_t room = pixels > TEXT_MARGIN ? (pixels - TEXT_MARGIN) * 10 / COLUMN_TENTHS : 0;
  uint32_t columns = room < MAX_COLUMNS ? room : MAX_COLUMNS;
  char text[WI_SHORTENED_SIZE];
  wi_shorten(text, label, columns > 1 ? columns : 2);
  fputs("<text x=\"4\" y=\"12\">", stream);
  wi_markup_write(text, stream);
  fputs("</text>", stream);
}

/* A nested <svg> clips its text at any window width, without a script. */
static void write_frame(const flamegraph *graph, frame drawn, uint32_t top, FILE *stream) {
  uint32_t index = drawn.node;
  const wi_tree_node *node = &graph->tree->nodes[index];
  bool is_root = index == 0;
  const char *label = is_root ? "all" : wi_tree_text(graph->tree, node->label);
  uint32_t start = is_root ? 0 : position(graph, drawn.start);
  uint32_t end =
      is_root ? WIDTH_UNITS : position(graph, wi_saturating_add(drawn.start, node->total));
  fputs("<svg x=\"", stream);
  write_percent(start, stream);
  fprintf(stream, "\" y=\"%" PRIu32 "\" width=\"", top + node->depth * LEVEL_HEIGHT);
  write_percent(end - start, stream);
  fprintf(stream,
          "\" height=\"%u\" role=\"treeitem\" aria-level=\"%" PRIu32 "\" data-total=\"%" PRIu64
          "\">",
          FRAME_HEIGHT, node->depth + 1, node->total);
  write_title(graph, index, label, stream);
  fprintf(stream, "<rect width=\"100%%\" height=\"100%%\" fill=\"#%06" PRIx32 "\"/>",
          frame_color(graph, index));
  if (end - start >= MIN_LABEL_UNITS)
    write_label(label, end - start, stream);
  fputs("</svg>\n", stream);
}

static void write_frames(const wi_flamegraph *graph, uint32_t top, FILE *stream) {
  fprintf(stream,
          "<svg id=\"frames\" role=\"tree\" aria-label=\"Flame graph\" x=\"1%%\" width=\"98%%\" "
          "data-undrawn=\"%" PRIu32 "\">\n",
          graph->tree->node_count - graph->frames_count);
  for (uint32_t i = 0; i < graph->frames_count; i++)
    write_frame(graph, graph->frames[i], top, stream);
  fputs("</svg>\n", stream);
}

static uint32_t frames_height(const wi_flamegraph *graph) {
  return (graph->deepest + 1) * LEVEL_HEIGHT;
}

/* --- making one --- */

wi_flamegraph *wi_flamegraph_new(const wi_tree *tree, const wi_summary *summary,
                                 wi_flamegraph_style style) {
  flamegraph *graph = calloc(1, sizeof *graph);
  if (!graph)
    return NULL;
  graph->tree = tree;
  graph->style = style;
  graph->summary = *summary;
  if (!choose_frames(graph)) {
    wi_flamegraph_free(graph);
    return NULL;
  }
  if (tree->nodes[0].total > 0) /* otherwise nothing is drawn */
    add_hidden_note(graph);
  return graph;
}

void wi_flamegraph_free(wi_flamegraph *graph) {
  if (graph) {
    free(graph->frames);
    free(graph);
  }
}

/* --- as a file of its own --- */

static bool is_sentence(const char *line) {
  size_t length = strlen(line);
  return length > 0 && line[length - 1] == '.';
}

/* Describes the picture to readers who cannot see it. */
static void write_description(const flamegraph *graph, FILE *stream) {
  fputs("<title id=\"title\">Flame graph</title>\n<desc id=\"description\">", stream);
  for (unsigned i = 0; i < graph->summary.line_count; i++) {
    const char *line = graph->summary.lines[i];
    wi_markup_write(line, stream);
    fputs(is_sentence(line) ? "" : ".", stream);
    fputs(i + 1 < graph->summary.line_count ? " " : "", stream);
  }
  fputs("</desc>\n", stream);
}

static void write_header(const flamegraph *graph, uint32_t height, FILE *stream) {
  fprintf(
      stream,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"flamegraph\" role=\"figure\" "
      "aria-labelledby=\"title\" aria-describedby=\"description\" width=\"%u\" height=\"%" PRIu32
      "\" font-family=\"system-ui, Verdana, sans-serif\" font-size=\"12\">\n",
      IMAGE_WIDTH, height);
  write_description(graph, stream);
  fprintf(stream,
          "<style><![CDATA[\n%s]]></style>\n"
          "<rect id=\"background\" width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
          "<g id=\"header\">\n"
          "<text x=\"1%%\" y=\"26\" font-size=\"18\" font-weight=\"bold\">",
          wi_flamegraph_css);
  wi_markup_write(graph->style.title, stream);
  fputs("</text>\n", stream);
  const char *plain = ""; /* attributes of the first line that is not a caution: the totals */
  for (unsigned i = 0; i < graph->summary.line_count; i++) {
    bool is_caution = graph->summary.is_caution[i];
    fprintf(stream, "<text x=\"1%%\" y=\"%u\"%s>", HEADER_HEIGHT + i * LINE_HEIGHT,
            is_caution ? " class=\"caution\"" : plain);
    if (!is_caution)
      plain = " class=\"fact\"";
    wi_markup_write(graph->summary.lines[i], stream);
    fputs("</text>\n", stream);
  }
  fputs("</g>\n", stream);
}

bool wi_flamegraph_write_image(const wi_flamegraph *graph, FILE *stream) {
  uint32_t top = HEADER_HEIGHT + graph->summary.line_count * LINE_HEIGHT;
  write_header(graph, top + frames_height(graph) + FOOTER_HEIGHT, stream);
  write_frames(graph, top, stream);
  fprintf(stream, "<script><![CDATA[\n%s]]></script>\n</svg>\n", wi_flamegraph_js);
  return fflush(stream) == 0 && !ferror(stream);
}

/* --- as a report --- */

/* 12.3 ms total (45.6 %), 1.2 ms self, 1,234 calls */
static void write_values(const wi_tree *tree, uint32_t index, const void *user, FILE *stream) {
  wi_unit unit = *(const wi_unit *)user;
  const wi_tree_node *node = &tree->nodes[index];
  fprintf(stream, "%s total (%s %%)", wi_format_value(unit, node->total).text,
          wi_format_percentage(node->total, tree->nodes[0].total, 1).text);
  if (index == 0)
    return;
  fprintf(stream, ", %s self", wi_format_value(unit, node->self).text);
  if (unit != WI_UNIT_CALLS)
    fprintf(stream, ", %s",
            wi_format_calls(node->call_count, wi_tree_is_counted(tree, node->label)).text);
}

static uint32_t name_color(const wi_tree *tree, uint32_t index, const void *user) {
  (void)user;
  uint32_t label = tree->nodes[index].label, line;
  return wi_function_color(wi_tree_text(tree, label), wi_tree_file(tree, label, &line),
                           wi_tree_kind(tree, label));
}

bool wi_flamegraph_write(const wi_report *report, FILE *stream) {
  wi_flamegraph_style style = {report->title, name_color, write_values, &report->unit};
  wi_flamegraph *graph = wi_flamegraph_new(report->tree, &report->summary, style);
  bool ok = graph && wi_flamegraph_write_image(graph, stream);
  wi_flamegraph_free(graph);
  return ok;
}
