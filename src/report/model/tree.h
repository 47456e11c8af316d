/*
 * A profile as reports show it: a call tree of labels with totals.
 *
 * Differences from the profile's own nodes: siblings of the same label are one
 * node; children are contiguous and in order of their labels; the root has no
 * value of its own, since the host is not part of the report; times are whole nanoseconds,
 * rounded so that the sum over any profile is the rounded sum: every format shows the same.
 */
#ifndef WI_REPORT_MODEL_TREE_H_
#define WI_REPORT_MODEL_TREE_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/label_places.h"
#include "report/model/labels.h"
#include "wasm_perf/profile.h"

/*
 * Stacks of 100,000 frames are normal, pictures and lines of text that long are
 * not. In a tree with a depth limit, a frame deeper than that is moved next to the
 * others on a node labelled WI_ELIDED_TEXT on its ancestor at the limit:
 * it keeps its name and its value and loses the frames between.
 */
#define WI_DEPTH_LIMIT    250u
#define WI_NO_DEPTH_LIMIT 0xFFFFFFF0u
#define WI_ELIDED_TEXT    "[...]"

typedef struct wi_tree_node {
  uint32_t label; /* see wi_tree_text; meaningless in the root */
  uint32_t depth; /* 0 in the root */
  uint32_t parent;
  uint32_t first_child;
  uint32_t child_count;
  uint32_t source; /* the first of the profile's nodes that it stands for: order of first calls */
  uint64_t call_count;
  uint64_t self;  /* in wi_unit_of the profile: nanoseconds, instructions, calls */
  uint64_t total; /* self of the node and of everything under it */
} wi_tree_node;

/* Of all nodes of a label. */
typedef struct wi_label_sum {
  uint64_t call_count;
  uint64_t self;
} wi_label_sum;

/* A node whose calls are known only together with those of others, and how many these are. */
typedef struct wi_shared_calls {
  uint32_t node;
  uint64_t call_count;
} wi_shared_calls;

typedef struct wi_tree {
  wi_tree_node *nodes; /* node 0 is the root, level follows level */
  wi_labels labels;
  wi_label_places places;
  wi_label_sum *sums; /* per label; one more for WI_ELIDED_TEXT, which has nothing of its own */
  uint32_t node_count;
  uint32_t elided_count; /* nodes of the profile beyond the depth limit */
  uint64_t call_count;
  uint32_t *nodes_of; /* tree node of each of the profile's nodes; NULL unless it follows memory,
                         calls are shared or samples have an order */
  wi_shared_calls *shared; /* by node */
  uint32_t shared_count;
} wi_tree;

/*
 * Builds the tree; `separator` as for wi_labels_init. NULL: out of memory.
 * Takes O(n log n) time, O(n) where nodes have few children each, and memory in proportion to the
 * nodes, however deep they are.
 */
wi_tree *wi_tree_new(const wasm_perf_profile *profile, uint32_t depth_limit, char separator);

/*
 * The same where another profile's tree is matched by names, in which functions of one name have
 * other indices: they are one label.
 */
wi_tree *wi_tree_new_by_name(const wasm_perf_profile *profile, uint32_t depth_limit,
                             char separator);

void wi_tree_free(wi_tree *tree); /* NULL is allowed */

/* The label's text; valid as long as the tree. */
const char *wi_tree_text(const wi_tree *tree, uint32_t label);

/* Where the label's function stands in the source, or NULL; its file is an index of
 * places.files. */
const wi_label_place *wi_tree_place(const wi_tree *tree, uint32_t label);

/* The path of that place, and *line; NULL where there is none. */
const char *wi_tree_file(const wi_tree *tree, uint32_t label, uint32_t *line);

/* What its functions are. */
wasm_perf_kind wi_tree_kind(const wi_tree *tree, uint32_t label);

/* Whether it is none of the module's functions. */
bool wi_tree_is_host(const wi_tree *tree, uint32_t label);

/* Whether the calls of all functions of that label were counted. */
bool wi_tree_is_counted(const wi_tree *tree, uint32_t label);

/* What a node and others have of calls together; 0: it has its own. */
uint64_t wi_tree_shared_calls(const wi_tree *tree, uint32_t node);

/* The node that follows in preorder, 0 after the last one. */
uint32_t wi_tree_next(const wi_tree *tree, uint32_t node);

#endif /* WI_REPORT_MODEL_TREE_H_ */
