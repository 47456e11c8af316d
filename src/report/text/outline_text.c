#include "report/text/outline_text.h"

#include <stdlib.h>
#include <string.h>

#include "names/names_fit.h"
#include "names/text_width.h"
#include "report/text/text_table.h"
#include "support/arithmetic.h"

#define ELLIPSIS    "\xE2\x80\xA6"              /* … */
#define MARK_CHAIN  "\xE2\x86\xB3 "             /* ↳ */
#define MARK_CHILD  "\xE2\x94\x9C\xE2\x94\x80 " /* ├─ */
#define MARK_LAST   "\xE2\x94\x94\xE2\x94\x80 " /* └─ */
#define MARK_OPEN   "\xE2\x94\x82  "            /* │ */
#define MARK_CLOSED "   "
#define LEVEL_WIDTH 3u
#define MAX_LEVELS  40u /* maximum drawn if the width is unlimited */

typedef enum line_mark { LINE_TOP, LINE_CHAIN, LINE_CHILD, LINE_LAST } line_mark;

typedef struct outline_line {
  wi_function_stats row;
  line_mark mark;
  uint32_t column;       /* column of the mark */
  uint32_t hidden_count; /* if not 0, the line stands for this many hidden nodes */
  uint32_t frame_count;  /* of recursion, merged into the line */
} outline_line;

typedef struct outline_writer {
  const wi_outline *outline;
  const wi_report *report;
  const wi_tree *tree; /* borrowed from the report */
  const wasm_perf_report_options *options;
  const char *heading; /* heading of the names */
  outline_line *lines;
  wi_fitted_name *names; /* one per line */
  size_t line_count;
  uint32_t max_column;
  uint32_t max_levels; /* columns of a line that are drawn */
  bool *open_columns;  /* per column: another child follows below */
  wi_columns columns;
  wi_text_table table; /* for these columns */
} outline_writer;

/* ---- Collecting lines ----------------------------------------------------- */

/* A line that is still to be added. */
typedef struct pending_line {
  uint32_t node;
  bool is_hidden; /* the line for the node's hidden children */
  line_mark mark;
  uint32_t column;
} pending_line;

/*
 * The sums of a node's hidden children; *count is their number. The label of an only one is kept:
 * its name needs no more room than the number.
 */
static wi_function_stats hidden_row(const wi_outline *outline, uint32_t parent, uint32_t *count) {
  wi_function_stats row = {.label = WI_OUTLINE_NO_LABEL};
  const wi_outline_node *nodes = outline->nodes;
  uint32_t end = nodes[parent].first_child + nodes[parent].child_count;
  *count = 0;
  for (uint32_t i = nodes[parent].first_child; i < end; i++) {
    if (nodes[i].is_shown)
      continue;
    row.label = ++*count == 1 ? nodes[i].label : WI_OUTLINE_NO_LABEL;
    row.self = wi_saturating_add(row.self, nodes[i].self);
    row.total = wi_saturating_add(row.total, nodes[i].total);
    row.call_count = wi_saturating_add(row.call_count, nodes[i].call_count);
    row.is_uncounted |= nodes[i].is_uncounted;
  }
  return row;
}

static wi_time_note note_of(const outline_writer *writer, uint32_t label) {
  return label == WI_OUTLINE_NO_LABEL ? WI_TIME_NONE
                                      : (wi_time_note)writer->report->notes.of[label];
}

static void add_line(outline_writer *writer, const pending_line *pending) {
  const wi_outline_node *node = &writer->outline->nodes[pending->node];
  outline_line *line = &writer->lines[writer->line_count++];
  *line = (outline_line){.mark = pending->mark, .column = pending->column};
  if (pending->is_hidden)
    line->row = hidden_row(writer->outline, pending->node, &line->hidden_count);
  else
    line->row = (wi_function_stats){.label = node->label,
                                    .self = node->self,
                                    .total = node->total,
                                    .call_count = node->call_count,
                                    .is_uncounted = node->is_uncounted,
                                    .is_shared = node->is_shared,
                                    .note = note_of(writer, node->label)};
  line->frame_count = pending->is_hidden ? 1 : node->frame_count;
  if (line->column > writer->max_column)
    writer->max_column = line->column;
}

/* Whether a line is shown for the hidden children of a node. */
static bool has_rest(const outline_writer *writer, uint32_t parent) {
  uint32_t count;
  wi_function_stats row = hidden_row(writer->outline, parent, &count);
  return count > 0 && wi_outline_shows_rest(writer->outline, writer->report, row.total);
}

static uint32_t count_shown(const wi_outline_node *nodes, const wi_outline_node *parent) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < parent->child_count; i++)
    count += nodes[parent->first_child + i].is_shown;
  return count;
}

/* Lines still to be added; the next one is on top. */
typedef struct line_stack {
  pending_line *lines; /* owned; large enough for all lines */
  size_t count;
} line_stack;

/* `mark` is for all shown children but the last. */
static void push_shown(line_stack *stack, const wi_outline_node *nodes, uint32_t parent,
                       uint32_t column, line_mark mark, line_mark last_mark) {
  uint32_t first = nodes[parent].first_child;
  bool is_last = true;
  for (uint32_t i = first + nodes[parent].child_count; i-- > first;) {
    if (!nodes[i].is_shown)
      continue;
    stack->lines[stack->count++] =
        (pending_line){.node = i, .mark = is_last ? last_mark : mark, .column = column};
    is_last = false;
  }
}

static void push_rest(line_stack *stack, uint32_t parent, uint32_t column, line_mark mark) {
  stack->lines[stack->count++] =
      (pending_line){.node = parent, .is_hidden = true, .mark = mark, .column = column};
}

/*
 * Adds the lines below `above`: its children, and one for all hidden children if these are large
 * enough together. An only child continues in the same column; the line for hidden siblings then
 * comes first, as a branch without children.
 */
static void push_children(line_stack *stack, const outline_writer *writer,
                          const pending_line *above) {
  const wi_outline_node *nodes = writer->outline->nodes;
  uint32_t parent = above->node, shown_count = count_shown(nodes, &nodes[parent]);
  bool shows_rest = has_rest(writer, parent);
  uint32_t column = above->column + (above->mark == LINE_CHILD || above->mark == LINE_LAST);
  if (shown_count == 1) {
    push_shown(stack, nodes, parent, column, LINE_CHAIN, LINE_CHAIN);
    if (shows_rest)
      push_rest(stack, parent, column, LINE_CHILD);
  } else {
    if (shows_rest)
      push_rest(stack, parent, column, LINE_LAST);
    push_shown(stack, nodes, parent, column, LINE_CHILD, shows_rest ? LINE_CHILD : LINE_LAST);
  }
}

/* Adds the lines below a root that has no line itself. */
static void push_top(line_stack *stack, const outline_writer *writer) {
  const wi_outline_node *nodes = writer->outline->nodes;
  if (has_rest(writer, 0))
    push_rest(stack, 0, 0, LINE_TOP);
  push_shown(stack, nodes, 0, 0, LINE_TOP, LINE_TOP);
}

/* In preorder. `stack` must be empty. */
static void add_lines(outline_writer *writer, bool shows_root, line_stack *stack) {
  if (shows_root)
    stack->lines[stack->count++] = (pending_line){.node = 0, .mark = LINE_TOP};
  else
    push_top(stack, writer);
  while (stack->count > 0) {
    pending_line next = stack->lines[--stack->count];
    add_line(writer, &next);
    if (!next.is_hidden)
      push_children(stack, writer, &next);
  }
}

/* ---- Drawing -------------------------------------------------------------- */

static const char *const marks[] = {"", MARK_CHAIN, MARK_CHILD, MARK_LAST};

/* The number of columns of a line that are not drawn. */
static uint32_t skipped_columns(const outline_writer *writer, const outline_line *line) {
  return line->column > writer->max_levels ? line->column - writer->max_levels : 0;
}

static wi_short_text skipped_text(const outline_writer *writer, const outline_line *line) {
  wi_short_text result = {""};
  uint32_t skipped = skipped_columns(writer, line);
  if (skipped > 0)
    snprintf(result.text, sizeof result.text, "[%u] ", skipped);
  return result;
}

static uint32_t branch_width(const outline_writer *writer, const outline_line *line) {
  return wi_text_width(skipped_text(writer, line).text) + (line->hidden_count == 1 ? 2 : 0) +
         LEVEL_WIDTH * (line->column - skipped_columns(writer, line)) +
         wi_text_width(marks[line->mark]);
}

static void write_branches(outline_writer *writer, const outline_line *line, FILE *stream) {
  writer->open_columns[line->column] = line->mark == LINE_CHILD;
  char text[64 + MAX_LEVELS * sizeof MARK_OPEN];
  size_t size = (size_t)snprintf(text, sizeof text, "%s", skipped_text(writer, line).text);
  for (uint32_t i = skipped_columns(writer, line); i < line->column; i++)
    size += (size_t)snprintf(text + size, sizeof text - size, "%s",
                             writer->open_columns[i] ? MARK_OPEN : MARK_CLOSED);
  snprintf(text + size, sizeof text - size, "%s", marks[line->mark]);
  wi_text_table_write_styled(&writer->table, WI_STYLE_FAINT, text, stream);
}

static const char *name_of(const wi_tree *tree, uint32_t label) {
  static const char host[] = "(host)";
  return label == WI_OUTLINE_NO_LABEL ? host : wi_tree_text(tree, label);
}

/* " ×801" after the name of a recursive function. */
static wi_short_text run_text(const outline_line *line) {
  wi_short_text result = {""};
  if (line->frame_count > 1)
    snprintf(result.text, sizeof result.text, " \xC3\x97%.40s",
             wi_format_count(line->frame_count).text);
  return result;
}

static bool fit_names(outline_writer *writer) {
  uint32_t width = wi_text_table_name_width(&writer->table, writer->options);
  writer->max_levels = width == 0 ? MAX_LEVELS : width / 2 / LEVEL_WIDTH;
  if (writer->max_levels > MAX_LEVELS)
    writer->max_levels = MAX_LEVELS;
  for (size_t i = 0; i < writer->line_count; i++) {
    const outline_line *line = &writer->lines[i];
    writer->names[i].name = line->hidden_count > 1 ? "" : name_of(writer->tree, line->row.label);
    if (width == 0)
      continue;
    uint32_t used = branch_width(writer, line) + wi_text_width(run_text(line).text) +
                    wi_text_table_mark_width(&line->row);
    writer->names[i].width = width > used + WI_NAME_MIN_WIDTH ? width - used : WI_NAME_MIN_WIDTH;
  }
  return wi_names_fit(writer->names, writer->line_count);
}

static bool write_line(outline_writer *writer, size_t index, FILE *stream) {
  const outline_line *line = &writer->lines[index];
  wi_text_table_write_cells(&writer->table, &line->row, stream);
  write_branches(writer, line, stream);
  if (line->hidden_count == 1)
    wi_text_table_write_styled(&writer->table, WI_STYLE_FAINT, ELLIPSIS " ", stream);
  if (line->hidden_count > 1) {
    char text[96];
    snprintf(text, sizeof text, ELLIPSIS " %s more", wi_format_count(line->hidden_count).text);
    wi_text_table_write_styled(&writer->table, WI_STYLE_FAINT, text, stream);
  } else {
    bool is_host = wi_tree_is_host(writer->tree, line->row.label);
    wi_text_table_write_styled(&writer->table, is_host ? WI_STYLE_HOST : WI_STYLE_PLAIN,
                               wi_fitted_text(&writer->names[index]), stream);
    wi_text_table_write_styled(&writer->table, WI_STYLE_FAINT, run_text(line).text, stream);
    if (line->row.label != WI_OUTLINE_NO_LABEL)
      wi_text_table_write_notes(&writer->table, writer->report, &line->row,
                                wi_text_table_width(&writer->table) + branch_width(writer, line) +
                                    wi_text_width(wi_fitted_text(&writer->names[index])) +
                                    wi_text_width(run_text(line).text),
                                stream);
  }
  return fputc('\n', stream) != EOF;
}

/* A share in millionths as a percentage, with as many decimals as needed. */
static wi_short_text format_limit(uint32_t share) {
  static const unsigned powers[] = {10000, 1000, 100};
  unsigned decimals = 0;
  while (decimals < 3 && share % powers[decimals] != 0)
    decimals++;
  return wi_format_quotient(share, 10000, decimals);
}

/* Explains why lines are missing. */
static void write_limits(const wi_outline *outline, bool shows_root,
                         const wasm_perf_report_options *options, FILE *stream) {
  char reasons[3][160];
  unsigned count = 0;
  if (outline->hides_small)
    snprintf(reasons[count++], sizeof reasons[0], "of less than %s %% of the %s (--min-share)",
             format_limit(options->min_share).text, shows_root ? "first line" : "total");
  if (outline->hides_deep)
    snprintf(reasons[count++], sizeof reasons[0], "deeper than %s (--depth)",
             wi_format_quantity(options->depth_limit, "level").text);
  if (outline->hides_rest)
    snprintf(reasons[count++], sizeof reasons[0], "beyond the %s%slargest (-n)",
             options->row_limit == 1 ? "" : wi_format_count(options->row_limit).text,
             options->row_limit == 1 ? "" : " ");
  char text[sizeof reasons + 32] = "Not shown: stacks ";
  for (unsigned i = 0; i < count; i++) {
    size_t size = strlen(text);
    snprintf(text + size, sizeof text - size, "%s%s%s",
             i == 0          ? ""
             : i + 1 < count ? ", "
                             : " or ",
             reasons[i], i + 1 < count ? "" : ".");
  }
  if (count > 0) {
    fputc('\n', stream);
    wi_write_wrapped(text, options, stream);
  }
}

static bool write_lines(outline_writer *writer, FILE *stream) {
  for (size_t i = 0; i < writer->line_count; i++)
    wi_text_table_measure(&writer->table, &writer->lines[i].row);
  wi_text_table_fit(&writer->table, writer->options);
  if (!fit_names(writer))
    return false;
  fputc('\n', stream);
  wi_text_table_write_headings(&writer->table, writer->heading, stream);
  for (size_t i = 0; i < writer->line_count; i++)
    if (!write_line(writer, i, stream))
      return false;
  return true;
}

static bool allocate(outline_writer *writer, line_stack *stack, size_t capacity) {
  writer->lines = calloc(capacity, sizeof *writer->lines);
  writer->names = calloc(capacity, sizeof *writer->names);
  stack->lines = calloc(capacity, sizeof *stack->lines);
  return writer->lines && writer->names && stack->lines;
}

/* Writes the added lines, and clears the writer. */
static bool write_and_clear(outline_writer *writer, line_stack *stack, bool ok, FILE *stream) {
  if (ok) {
    wi_columns_init_tree(&writer->columns, &writer->report->tree->view,
                         writer->outline->nodes[0].total);
    wi_text_table_init(&writer->table, &writer->columns, writer->options);
    writer->open_columns = calloc((size_t)writer->max_column + 1, sizeof *writer->open_columns);
    ok = writer->open_columns && (writer->line_count == 0 || write_lines(writer, stream));
    wi_names_clear(writer->names, writer->line_count);
  }
  free(writer->open_columns);
  free(writer->lines);
  free(writer->names);
  free(stack->lines);
  return ok;
}

static outline_writer writer_of(const wi_outline *outline, const wi_report *report,
                                const char *heading) {
  return (outline_writer){.outline = outline,
                          .report = report,
                          .tree = report->tree,
                          .options = &report->options,
                          .heading = heading};
}

bool wi_outline_write(const wi_outline *outline, bool shows_root, const wi_report *report,
                      FILE *stream) {
  outline_writer writer = writer_of(outline, report, "function");
  line_stack stack = {0};
  /* Each shown node, and the root, may have an extra line for its hidden children. */
  bool ok = allocate(&writer, &stack, 2 * ((size_t)outline->shown_count + 1));
  if (ok)
    add_lines(&writer, shows_root, &stack);
  ok = write_and_clear(&writer, &stack, ok, stream);
  if (ok)
    write_limits(outline, shows_root, &report->options, stream);
  return ok;
}

bool wi_outline_write_callers(const wi_outline *outline, const wi_report *report, FILE *stream) {
  const wi_outline_node *root = &outline->nodes[0];
  outline_writer writer = writer_of(outline, report, "direct caller");
  line_stack stack = {0};
  uint32_t limit = report->options.row_limit, count = 0;
  for (uint32_t i = 0; i < root->child_count; i++)
    count += root->total == 0 || outline->nodes[root->first_child + i].total > 0;
  if (count < 2)
    return true;
  bool ok = allocate(&writer, &stack, limit < count ? limit : count);
  for (uint32_t i = 0; ok && i < count && i < limit; i++) /* children without a total come last */
    add_line(&writer, &(pending_line){.node = root->first_child + i, .mark = LINE_TOP});
  ok = write_and_clear(&writer, &stack, ok, stream);
  if (ok && count > limit)
    fprintf(stream, ELLIPSIS " %s\n", wi_format_quantity(count - limit, "more caller").text);
  return ok;
}
