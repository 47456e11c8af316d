#include "report/model/time_line.h"

#include <stdlib.h>

#include "profile/threads.h"
#include "support/arithmetic.h"

bool wi_time_line_is_there(const wi_report *report) {
  return report->unit == WI_UNIT_NANOSECONDS && report->profile->thread_count > 0 &&
         report->tree->nodes_of;
}

/* Finds the node of the stretch, and the open frames that it shares. */
static void aim(wi_time_events *events) {
  const wi_tree_node *nodes = events->tree->nodes;
  bool is_end = events->stretch == events->thread->stretch_count;
  uint32_t node =
      is_end ? 0 : events->tree->nodes_of[events->thread->stretches[events->stretch].node];
  events->target = node;
  while (nodes[node].depth > nodes[events->top].depth || events->path[nodes[node].depth] != node) {
    events->path[nodes[node].depth] = node;
    node = nodes[node].parent;
  }
  events->shared = node;
}

bool wi_time_events_init(wi_time_events *events, const wi_report *report, uint32_t thread) {
  const wi_tree *tree = report->tree;
  uint32_t deepest = 0;
  *events = (wi_time_events){.tree = tree, .thread = &report->profile->threads[thread]};
  events->position = events->thread->start - wi_threads_start(report->profile);
  for (uint32_t i = 0; i < tree->node_count; i++)
    deepest = tree->nodes[i].depth > deepest ? tree->nodes[i].depth : deepest;
  events->path = calloc(deepest + (size_t)1, sizeof *events->path);
  if (!events->path)
    return false;
  aim(events);
  return true;
}

void wi_time_events_clear(wi_time_events *events) {
  free(events->path);
  events->path = NULL;
}

static bool give(wi_time_events *events, uint32_t node, bool is_open) {
  events->node = node;
  events->is_open = is_open;
  events->top = is_open ? node : events->tree->nodes[node].parent;
  if (is_open)
    events->shared = node;
  return true;
}

bool wi_time_events_next(wi_time_events *events) {
  const wi_tree_node *nodes = events->tree->nodes;
  while (events->top == events->target && events->stretch < events->thread->stretch_count) {
    uint32_t span = events->thread->stretches[events->stretch++].microseconds;
    events->position = wi_saturating_add(events->position, span);
    aim(events);
  }
  if (events->top == events->target)
    return false;
  if (nodes[events->top].depth > nodes[events->shared].depth)
    return give(events, events->top, false);
  return give(events, events->path[nodes[events->top].depth + 1], true);
}
