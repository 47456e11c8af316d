#include "samples/tree_search.h"

#include <stdlib.h>

#include "support/child_table.h"

#define ROOT              0u
#define NONE              WI_NO_NODE_FOUND
#define FARTHEST_ANCESTOR 1024 /* bounds the time for any input */

struct wi_tree_search {
  const wasm_perf_profile *profile;
  wi_name_id *ids; /* per node */
  /* Of the nodes with one key, the one with most calls. The node above is the parent, the
   * grandparent, or ROOT for a search anywhere. */
  wi_child_table *children, *grandchildren, *anywhere;
  uint32_t truncated; /* node of the stacks past the limit, or NONE */
  bool is_divided;    /* by function, as the embedded form does: there are nodes below it */
};

/* Returns NULL if out of memory. */
static wi_child_table *make_table(const wi_tree_search *work, unsigned levels) {
  const wasm_perf_node *nodes = work->profile->nodes;
  uint32_t count = work->profile->header.node_count;
  wi_child_table *table = wi_child_table_new(count);
  for (uint32_t i = 1; table && i < count; i++) {
    if (levels == 2 && nodes[i].parent == ROOT)
      continue;
    uint32_t above = levels == 0   ? ROOT
                     : levels == 1 ? nodes[i].parent
                                   : nodes[nodes[i].parent].parent;
    uint32_t *node = wi_child_table_at(table, above, work->ids[i]);
    if (*node == 0 || nodes[i].call_count > nodes[*node].call_count)
      *node = i;
  }
  return table;
}

static uint32_t find(const wi_child_table *table, uint32_t parent, wi_name_id id) {
  uint32_t node = wi_child_table_find(table, parent, id);
  return node != 0 ? node : NONE;
}

static bool fill(wi_tree_search *work, const wi_name_index *index) {
  const wasm_perf_profile *profile = work->profile;
  uint32_t count = profile->header.node_count;
  work->ids = malloc(count * sizeof *work->ids);
  if (!work->ids)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t function = profile->nodes[i].function;
    work->ids[i] = index ? wi_name_index_of_function(index, function) : function;
    if (i > 0 && profile->nodes[i].parent == ROOT &&
        profile->nodes[i].function == WASM_PERF_FUNCTION_TRUNCATED)
      work->truncated = i;
    work->is_divided |= i > 0 && profile->nodes[i].parent == work->truncated;
  }
  work->anywhere = make_table(work, 0);
  work->children = make_table(work, 1);
  work->grandchildren = make_table(work, 2);
  return work->anywhere && work->children && work->grandchildren;
}

wi_tree_search *wi_tree_search_new(const wasm_perf_profile *profile, const wi_name_index *index) {
  wi_tree_search *work = calloc(1, sizeof *work);
  if (!work)
    return NULL;
  *work = (wi_tree_search){.profile = profile, .truncated = NONE};
  if (fill(work, index))
    return work;
  wi_tree_search_free(work);
  return NULL;
}

void wi_tree_search_free(wi_tree_search *search) {
  if (!search)
    return;
  free(search->ids);
  wi_child_table_free(search->children);
  wi_child_table_free(search->grandchildren);
  wi_child_table_free(search->anywhere);
  free(search);
}

uint32_t wi_tree_search_child(const wi_tree_search *search, uint32_t parent, wi_name_id id) {
  return find(search->children, parent, id);
}

uint32_t wi_tree_search_ancestor(const wi_tree_search *search, uint32_t node, wi_name_id id) {
  for (unsigned steps = 0; node != ROOT && steps < FARTHEST_ANCESTOR; steps++) {
    if (search->ids[node] == id)
      return node;
    node = search->profile->nodes[node].parent;
  }
  return NONE;
}

uint32_t wi_tree_search_grandchild(const wi_tree_search *search, uint32_t node, wi_name_id id) {
  return find(search->grandchildren, node, id);
}

/* Whether the function is known to be counted, although it may have no node of its own. */
static bool is_counted(const wi_tree_search *search, uint32_t node) {
  const wasm_perf_header *header = &search->profile->header;
  bool all_are =
      header->function_count > 0 && header->hooked_function_count == header->function_count;
  return node != NONE || all_are;
}

uint32_t wi_tree_search_anywhere(const wi_tree_search *search, wi_name_id id) {
  uint32_t node = find(search->anywhere, ROOT, id);
  if (search->truncated == NONE || !is_counted(search, node))
    return node;
  if (!search->is_divided)
    return search->truncated;
  uint32_t own = find(search->children, search->truncated, id);
  return own != NONE ? own : node;
}
