#include "report/model/line_totals.h"

#include <stdlib.h>

#include "support/arithmetic.h"
#include "support/array.h"

#define WHOLE (UINT64_C(1) << 32) /* of a frame's cost: not yet charged to the line */

/* A frame of the function. */
typedef struct frame {
  uint32_t node;
  uint32_t outer;  /* the frame around it, as an index; UINT32_MAX: none */
  uint32_t callee; /* label that the outer frame called, on the way to this one */
  uint64_t open;   /* part of WHOLE in which no outer frame is at the line */
} frame;

/* Where a node is, seen from the function. */
typedef struct position {
  uint32_t frame;  /* the innermost frame around the node; UINT32_MAX: none */
  uint32_t callee; /* label that the frame called, on the way to the node */
} position;

typedef struct collector {
  const wi_tree *tree;
  const wi_line_cost *lines;
  uint32_t first_item; /* index of the first line in the costs */
  uint32_t label;
  const wi_call_lines *calls;
  WI_ARRAY(frame, frames); /* outer ones first */
} collector;

/* ---- Frames --------------------------------------------------------------- */

static bool find_frames(collector *c) {
  const wi_tree *tree = c->tree;
  position *positions = malloc(tree->node_count * sizeof *positions);
  bool done = positions != NULL;
  if (done)
    positions[0] = (position){.frame = UINT32_MAX};
  for (uint32_t i = 1; done && i < tree->node_count; i++) {
    const wi_tree_node *node = &tree->nodes[i];
    position *at = &positions[i];
    *at = positions[node->parent];
    if (node->parent != 0 && tree->nodes[node->parent].label == c->label)
      at->callee = node->label;
    if (node->label != c->label)
      continue;
    frame *added = WI_ARRAY_PUSH(c, frames);
    if (added)
      *added = (frame){.node = i, .outer = at->frame, .callee = at->callee};
    done = added != NULL;
    at->frame = c->frames_count - 1;
  }
  free(positions);
  return done;
}

/* ---- Totals --------------------------------------------------------------- */

enum { UNPLACED = UINT32_MAX };

/*
 * The part of `value`, the cost of calls of `callee`, that a line of the costs has; of UNPLACED:
 * all of it if the lines of these calls are unknown.
 */
static uint64_t part_of(const collector *c, uint32_t item, uint32_t callee, uint64_t value) {
  uint32_t count;
  const wi_call_line *lines = wi_call_lines_find(c->calls, c->label, callee, &count);
  if (!lines)
    return item == UNPLACED ? value : 0;
  for (uint32_t i = 0; i < count; i++)
    if (lines[i].item == item)
      return wi_call_lines_part(lines, count, i, value);
  return 0;
}

/* The cost of a frame's calls at a line. */
static uint64_t called_in(const collector *c, const frame *at, uint32_t item) {
  const wi_tree_node *nodes = c->tree->nodes, *node = &nodes[at->node];
  uint64_t sum = 0;
  for (uint32_t i = node->first_child; i < node->first_child + node->child_count; i++)
    sum = wi_saturating_add(sum, part_of(c, item, nodes[i].label, nodes[i].total));
  return wi_scale(sum, WHOLE, at->open);
}

static uint64_t total_of(collector *c, uint32_t item, uint64_t self) {
  uint64_t calls = 0, open_self = 0;
  for (uint32_t i = 0; i < c->frames_count; i++) {
    frame *at = &c->frames[i];
    uint64_t outer = at->outer == UINT32_MAX ? WHOLE : c->frames[at->outer].open;
    at->open = outer;
    if (at->outer != UINT32_MAX)
      at->open -= part_of(c, item, at->callee, outer);
    calls = wi_saturating_add(calls, called_in(c, at, item));
    open_self =
        wi_saturating_add(open_self, wi_scale(c->tree->nodes[at->node].self, WHOLE, at->open));
  }
  uint64_t own = wi_scale(self, c->tree->sums[c->label].self, open_self);
  return wi_saturating_add(own, calls);
}

static uint64_t function_total(const collector *c) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < c->frames_count; i++)
    if (c->frames[i].outer == UINT32_MAX)
      sum = wi_saturating_add(sum, c->tree->nodes[c->frames[i].node].total);
  return sum;
}

static void sum_lines(collector *c, wi_line_totals *totals, uint32_t count) {
  uint64_t self = 0, whole = c->tree->sums[c->label].self;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t own = c->lines[i].line.instruction_count;
    self = wi_saturating_add(self, own);
    totals->items[i] = c->lines[i].line.call_count > 0 ? total_of(c, c->first_item + i, own) : own;
    totals->has_callees |= totals->items[i] != own;
  }
  totals->unplaced = total_of(c, UNPLACED, 0);
  totals->has_callees |= totals->unplaced > 0;
  totals->uncounted = whole > self ? whole - self : 0;
  totals->function = function_total(c);
}

bool wi_line_totals_init(wi_line_totals *totals, const wi_report *report,
                         const wi_line_costs *costs, const wi_call_lines *calls,
                         const wi_line_cost *lines, uint32_t count) {
  *totals = (wi_line_totals){0};
  if (report->unit != WI_UNIT_INSTRUCTIONS || count == 0)
    return true;
  collector c = {.tree = report->tree,
                 .calls = calls,
                 .lines = lines,
                 .first_item = (uint32_t)(lines - costs->items),
                 .label = lines->label};
  totals->items = calloc(count, sizeof *totals->items);
  bool done = totals->items && find_frames(&c);
  if (done)
    sum_lines(&c, totals, count);
  else
    wi_line_totals_clear(totals);
  free(c.frames);
  return done;
}

void wi_line_totals_clear(wi_line_totals *totals) {
  free(totals->items);
  *totals = (wi_line_totals){0};
}
