/* Finds a profile's nodes for stacks that another profiler saw. */
#ifndef WI_SAMPLES_TREE_SEARCH_H_
#define WI_SAMPLES_TREE_SEARCH_H_

#include "samples/name_index.h"
#include "wasm_perf/profile.h"

#define WI_NO_NODE_FOUND UINT32_MAX

typedef struct wi_tree_search wi_tree_search;

/*
 * The profile must outlive the search, and its nodes must not change. Without an index, ids are
 * function indices. NULL: out of memory.
 */
wi_tree_search *wi_tree_search_new(const wasm_perf_profile *profile, const wi_name_index *index);
void wi_tree_search_free(wi_tree_search *search); /* NULL is allowed */

/* Returns the child of a node with that function, or WI_NO_NODE_FOUND, like all functions below. */
uint32_t wi_tree_search_child(const wi_tree_search *search, uint32_t parent, wi_name_id id);

/* Returns the node itself or a near ancestor, because recursion may be folded. */
uint32_t wi_tree_search_ancestor(const wi_tree_search *search, uint32_t node, wi_name_id id);

/*
 * Returns the grandchild with most calls, because profilers miss the caller of a function that has
 * just started.
 */
uint32_t wi_tree_search_grandchild(const wi_tree_search *search, uint32_t node, wi_name_id id);

/*
 * Returns the node with most calls anywhere; if stacks were truncated, the function's node for
 * these, or that of all functions.
 */
uint32_t wi_tree_search_anywhere(const wi_tree_search *search, wi_name_id id);

#endif /* WI_SAMPLES_TREE_SEARCH_H_ */
