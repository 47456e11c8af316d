#include "samples/tree_search.h"

#include <stdlib.h>

#include "support/search.h"

#define ROOT              0u
#define NONE              WI_NO_NODE_FOUND
#define FARTHEST_ANCESTOR 1024 /* bounds the time for any input */

/* A node and its search key. */
typedef struct place {
  uint32_t above; /* the node's parent or grandparent; ROOT for a search anywhere */
  wi_name_id id;
  uint64_t call_count;
  uint32_t node;
} place;

typedef struct places {
  place *items; /* sorted by key; most calls first */
  uint32_t count;
} places;

struct wi_tree_search {
  const wasm_perf_profile *profile;
  wi_name_id *ids; /* per node */
  places children, grandchildren, anywhere;
  uint32_t truncated; /* node of the stacks past the limit, or NONE */
};

static int compare_keys(const void *left, const void *right) {
  const place *a = left, *b = right;
  if (a->above != b->above)
    return a->above < b->above ? -1 : 1;
  return (a->id > b->id) - (a->id < b->id);
}

static int compare_places(const void *left, const void *right) {
  const place *a = left, *b = right;
  int order = compare_keys(a, b);
  if (order != 0)
    return order;
  if (a->call_count != b->call_count)
    return a->call_count > b->call_count ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

static uint32_t find(const places *list, uint32_t above, wi_name_id id) {
  const place key = {.above = above, .id = id};
  uint32_t found = wi_lower_bound(&key, list->items, list->count, sizeof key, compare_keys);
  bool is_there = found < list->count && compare_keys(&key, &list->items[found]) == 0;
  return is_there ? list->items[found].node : NONE;
}

static bool places_init(const wi_tree_search *work, places *list, unsigned levels) {
  const wasm_perf_node *nodes = work->profile->nodes;
  list->count = 0;
  list->items = malloc((size_t)work->profile->header.node_count * sizeof *list->items);
  if (!list->items)
    return false;
  for (uint32_t i = 1; i < work->profile->header.node_count; i++) {
    uint32_t parent = nodes[i].parent;
    if (levels == 2 && parent == ROOT)
      continue;
    uint32_t above = levels == 0 ? ROOT : levels == 1 ? parent : nodes[parent].parent;
    list->items[list->count++] = (place){above, work->ids[i], nodes[i].call_count, i};
  }
  qsort(list->items, list->count, sizeof *list->items, compare_places);
  return true;
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
  }
  return places_init(work, &work->children, 1) && places_init(work, &work->grandchildren, 2) &&
         places_init(work, &work->anywhere, 0);
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
  free(search->children.items);
  free(search->grandchildren.items);
  free(search->anywhere.items);
  free(search);
}

uint32_t wi_tree_search_child(const wi_tree_search *search, uint32_t parent, wi_name_id id) {
  return find(&search->children, parent, id);
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
  return find(&search->grandchildren, node, id);
}

uint32_t wi_tree_search_anywhere(const wi_tree_search *search, wi_name_id id) {
  uint32_t node = find(&search->anywhere, ROOT, id);
  return node != NONE && search->truncated != NONE ? search->truncated : node;
}
