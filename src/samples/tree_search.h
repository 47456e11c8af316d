/* Nodes of a profile by the stacks that another profiler saw. */
#ifndef WI_SAMPLES_TREE_SEARCH_H_
#define WI_SAMPLES_TREE_SEARCH_H_

#include "samples/name_index.h"
#include "wasm_perf/profile.h"

#define WI_NO_NODE_FOUND UINT32_MAX

typedef struct wi_tree_search wi_tree_search;

/*
 * Of a profile, which is to outlive it and to keep its nodes. Without an index the ids are the
 * numbers of functions. Takes O(n log n) time. NULL: memory ran out.
 */
wi_tree_search *wi_tree_search_new(const wasm_perf_profile *profile, const wi_name_index *index);
void wi_tree_search_free(wi_tree_search *search); /* NULL is allowed */

/* The child of a node that is of such a function, else WI_NO_NODE_FOUND; so for all of these. */
uint32_t wi_tree_search_child(const wi_tree_search *search, uint32_t parent, wi_name_id id);

/* The node itself or one above it, as recursion may be folded; not far above. */
uint32_t wi_tree_search_ancestor(const wi_tree_search *search, uint32_t node, wi_name_id id);

/* The most called grandchild, as profilers miss the caller of a function that just began. */
uint32_t wi_tree_search_grandchild(const wi_tree_search *search, uint32_t node, wi_name_id id);

/* The most called node anywhere; where stacks were truncated, the node of these. */
uint32_t wi_tree_search_anywhere(const wi_tree_search *search, wi_name_id id);

#endif /* WI_SAMPLES_TREE_SEARCH_H_ */
