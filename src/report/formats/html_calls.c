#include "report/formats/html_calls.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/model/edges.h"

#define MAX_LISTED 10u /* callers, and callees, of one function */
#define NO_ROW     0xFFFFFFFFu

/* Edges seen from one of their two ends. */
typedef struct side {
  wi_edge *edges;   /* by the function at this end, then the largest total first */
  uint32_t *starts; /* per label: its first edge; one more at the end */
} call_side;

static uint32_t caller_of(const wi_edge *edge) {
  return edge->caller;
}
static uint32_t callee_of(const wi_edge *edge) {
  return edge->callee;
}

static int compare_sizes(const wi_edge *a, const wi_edge *b) {
  if (a->total != b->total)
    return a->total > b->total ? -1 : 1;
  if (a->call_count != b->call_count)
    return a->call_count > b->call_count ? -1 : 1;
  return 0;
}

/* Equal ones are in order of the other end, so that the result is the same everywhere. */
static int compare_by_callee(const void *left, const void *right) {
  const wi_edge *a = left;
  const wi_edge *b = right;
  if (a->callee != b->callee)
    return a->callee < b->callee ? -1 : 1;
  int order = compare_sizes(a, b);
  return order != 0 ? order : (a->caller > b->caller) - (a->caller < b->caller);
}

static int compare_by_caller(const void *left, const void *right) {
  const wi_edge *a = left;
  const wi_edge *b = right;
  if (a->caller != b->caller)
    return a->caller < b->caller ? -1 : 1;
  int order = compare_sizes(a, b);
  return order != 0 ? order : (a->callee > b->callee) - (a->callee < b->callee);
}

/* Sorts edges and finds where those of each label begin; the host's, if any, are behind them. */
static bool side_init(call_side *side, wi_edge *edges, uint32_t count, uint32_t label_count,
                      int (*compare)(const void *, const void *),
                      uint32_t (*end_of)(const wi_edge *)) {
  side->edges = edges;
  side->starts = malloc((label_count + (size_t)1) * sizeof *side->starts);
  if (!side->starts)
    return false;
  qsort(edges, count, sizeof *edges, compare);
  uint32_t edge = 0;
  for (uint32_t label = 0; label <= label_count; label++) {
    while (edge < count && end_of(&edges[edge]) < label)
      edge++;
    side->starts[label] = edge;
  }
  return true;
}

/* `far_end` is the function to list. What has no row of its own is only counted. */
static void write_list(const wi_function_table *table, const call_side *side, uint32_t label,
                       uint32_t (*far_end)(const wi_edge *), const uint32_t *rows, FILE *stream) {
  uint32_t listed_count = 0, more_count = 0;
  uint64_t whole = table->tree->nodes[0].total;
  fputs("{\"rows\":[", stream);
  for (uint32_t i = side->starts[label]; i < side->starts[label + 1]; i++) {
    const wi_edge *edge = &side->edges[i];
    uint32_t other = far_end(edge);
    bool is_host = other == WI_EDGE_HOST;
    if (listed_count == MAX_LISTED || (!is_host && rows[other] == NO_ROW)) {
      more_count++;
      continue;
    }
    fprintf(stream, "%s[%" PRId64 ",\"%s\",\"%s\"]", listed_count++ > 0 ? "," : "",
            is_host ? -1 : (int64_t)rows[other], wi_format_count(edge->call_count).text,
            wi_format_percentage(edge->total, whole, 2).text);
  }
  fprintf(stream, "],\"more\":%" PRIu32 "}", more_count);
}

static void write_rows(const wi_function_table *table, const call_side *callers,
                       const call_side *callees, const uint32_t *rows, FILE *stream) {
  for (uint32_t i = 0; i < table->shown_count; i++) {
    uint32_t label = table->rows[i].label;
    fputs(i == 0 ? "[\n{\"callers\":" : ",\n{\"callers\":", stream);
    write_list(table, callers, label, caller_of, rows, stream);
    fputs(",\"callees\":", stream);
    write_list(table, callees, label, callee_of, rows, stream);
    fputc('}', stream);
  }
  fputs("\n]", stream);
}

static wi_edge *copy_edges(const wi_edge *edges, uint32_t count) {
  wi_edge *copy = malloc((count + (size_t)1) * sizeof *copy);
  return copy ? memcpy(copy, edges, count * sizeof *copy) : NULL;
}

bool wi_html_write_calls(const wi_function_table *table, FILE *stream) {
  uint32_t label_count = table->tree->labels.count;
  uint32_t count = 0;
  call_side callers = {0}, callees = {0};
  uint32_t *rows = malloc((label_count + (size_t)1) * sizeof *rows); /* per label: its row */
  wi_edge *edges = wi_edges_new(table->tree, &count);
  wi_edge *copy = edges ? copy_edges(edges, count) : NULL;
  bool ok = rows && copy &&
            side_init(&callers, edges, count, label_count, compare_by_callee, callee_of) &&
            side_init(&callees, copy, count, label_count, compare_by_caller, caller_of);
  if (ok) {
    for (uint32_t i = 0; i < table->row_count; i++)
      rows[table->rows[i].label] = i < table->shown_count ? i : NO_ROW;
    write_rows(table, &callers, &callees, rows, stream);
  }
  free(rows);
  free(edges);
  free(copy);
  free(callers.starts);
  free(callees.starts);
  return ok;
}
