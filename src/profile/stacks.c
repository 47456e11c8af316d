#include "profile/stacks.h"

#include <stdlib.h>

#include "profile/children.h"
#include "profile/node_facts.h"
#include "support/arithmetic.h"
#include "support/large.h"

/* All roots form one group, that of the first root. */
static void link_nodes(wi_children *children, const wasm_perf_node *nodes, uint32_t count) {
  uint32_t last_root = 0;
  for (uint32_t i = 1; i < count; i++) {
    if (nodes[i].function != WASM_PERF_FUNCTION_ROOT) {
      wi_children_add(children, nodes[i].parent, i, nodes[i].function);
      continue;
    }
    children->items[i] = (wi_child){0};
    children->items[last_root].next = i;
    last_root = i;
  }
}

/*
 * Sets places[i] to the first node with the stack of node i. A group's first node comes after its
 * parent's first node, so all nodes of a group are known when their children are grouped.
 */
static void place_nodes(wi_children *children, uint32_t count, uint32_t *places) {
  places[0] = 0;
  for (uint32_t root = children->items[0].next; root != 0; root = children->items[root].next)
    places[root] = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t group_count = places[i] == i ? wi_children_group(children, i) : 0;
    for (uint32_t group = 0; group < group_count; group++) {
      uint32_t first = wi_children_first(children, group);
      for (uint32_t node = first; node != 0; node = children->items[node].next)
        places[node] = first;
    }
  }
}

/* Adds up nodes with the same place; places[i] is set to the new index. */
static void add_nodes(wasm_perf_profile *profile, uint32_t *places) {
  wasm_perf_node *nodes = profile->nodes;
  uint32_t kept_count = 0;
  for (uint32_t i = 0; i < profile->header.node_count; i++) {
    wasm_perf_node node = nodes[i];
    uint32_t place = places[i];
    if (place == i) {
      places[i] = kept_count++;
      node.parent = places[node.parent];
      nodes[places[i]] = node;
      continue;
    }
    places[i] = places[place];
    wasm_perf_node *sum = &nodes[places[i]];
    sum->call_count = wi_saturating_add(sum->call_count, node.call_count);
    sum->self = wi_saturating_add(sum->self, node.self);
  }
  profile->header.node_count = kept_count;
  wasm_perf_node *fitting = realloc(nodes, kept_count * sizeof *nodes);
  if (fitting)
    profile->nodes = fitting;
}

bool wi_stacks_fold(wasm_perf_profile *profile) {
  uint32_t count = profile->header.node_count;
  uint32_t *places = wi_large_alloc(count * sizeof *places);
  wi_children children;
  if (!places || !wi_children_init(&children, count)) {
    free(places);
    return false;
  }
  link_nodes(&children, profile->nodes, count);
  place_nodes(&children, count, places);
  wi_children_clear(&children);
  add_nodes(profile, places);
  bool done = wi_node_facts_move(profile, places);
  free(places);
  return done;
}
