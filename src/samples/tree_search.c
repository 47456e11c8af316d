#include "samples/tree_search.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define ROOT              0u
#define NONE              WI_NO_NODE_FOUND
#define FARTHEST_ANCESTOR 1024 /* bounds the time for any input */

/*
 * A hash table with open addressing, at most half full. Its key is a function and the node above: the parent, the
 * grandparent, or ROOT for a search anywhere.
 */
typedef struct places {
  uint32_t *nodes; /* of the nodes with one key, the one with most calls; 0: none */
  uint64_t mask;
  unsigned levels; /* from a node to the one above */
} places;

struct wi_tree_search {
  const wasm_perf_profile *profile;
  wi_name_id *ids; /* per node */
  places children, grandchildren, anywhere;
  uint32_t truncated; /* node of the stacks past the limit, or NONE */
};

static uint32_t above(const wi_tree_search *work, const places *list, uint32_t node) {
  const wasm_perf_node *nodes = work->profile->nodes;
  for (unsigned i = 0; i < list->levels; i++)
    node = nodes[node].parent;
  return list->levels == 0 ? ROOT : node;
}

/* The slot of a key. The seed keeps an input from choosing keys that collide. */
static uint32_t *find_slot(const wi_tree_search *work, const places *list, uint32_t parent,
                           wi_name_id id) {
  const uint32_t key[] = {parent, id};
  uint64_t at = XXH3_64bits_withSeed(key, sizeof key, (uintptr_t)work) & list->mask;
  uint32_t node = list->nodes[at];
  while (node != 0 && (work->ids[node] != id || above(work, list, node) != parent)) {
    at = (at + 1) & list->mask;
    node = list->nodes[at];
  }
  return &list->nodes[at];
}

static uint32_t find(const wi_tree_search *work, const places *list, uint32_t parent,
                     wi_name_id id) {
  uint32_t node = *find_slot(work, list, parent, id);
  return node != 0 ? node : NONE;
}

static bool places_init(const wi_tree_search *work, places *list, unsigned levels) {
  const wasm_perf_node *nodes = work->profile->nodes;
  uint32_t count = work->profile->header.node_count;
  uint64_t size = 2;
  while (size / 2 < count)
    size *= 2;
  bool fits = size <= SIZE_MAX / sizeof *list->nodes;
  *list = (places){fits ? calloc((size_t)size, sizeof *list->nodes) : NULL, size - 1, levels};
  for (uint32_t i = 1; list->nodes && i < count; i++) {
    if (levels == 2 && nodes[i].parent == ROOT)
      continue;
    uint32_t *slot = find_slot(work, list, above(work, list, i), work->ids[i]);
    if (*slot == 0 || nodes[i].call_count > nodes[*slot].call_count)
      *slot = i;
  }
  return list->nodes != NULL;
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
  free(search->children.nodes);
  free(search->grandchildren.nodes);
  free(search->anywhere.nodes);
  free(search);
}

uint32_t wi_tree_search_child(const wi_tree_search *search, uint32_t parent, wi_name_id id) {
  return find(search, &search->children, parent, id);
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
  return find(search, &search->grandchildren, node, id);
}

uint32_t wi_tree_search_anywhere(const wi_tree_search *search, wi_name_id id) {
  uint32_t node = find(search, &search->anywhere, ROOT, id);
  return node != NONE && search->truncated != NONE ? search->truncated : node;
}
