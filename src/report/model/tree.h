/*
 * A profile in the form that reports show: a call tree of labels with totals.
 *
 * It differs from the profile's nodes: siblings with the same label are merged; children are
 * contiguous and sorted by label; the root has no self value, since the host is not part of the
 * report; times are whole nanoseconds, rounded so that the sum over any profile is the rounded sum,
 * so every format shows the same numbers.
 */
#ifndef WI_REPORT_MODEL_TREE_H_
#define WI_REPORT_MODEL_TREE_H_

#include <stdbool.h>
#include <stdint.h>

#include "profile/view.h"
#include "report/model/label_places.h"
#include "report/model/labels.h"
#include "wasm_perf/profile.h"

/*
 * Stacks of 100,000 frames are normal; pictures and lines of text of that size are not. In a tree
 * with a depth limit, a deeper frame is moved below a node labelled WI_ELIDED_TEXT, a child of its
 * ancestor at the limit. It keeps its name and value, and loses the frames in between.
 */
#define WI_DEPTH_LIMIT    250u
#define WI_NO_DEPTH_LIMIT 0xFFFFFFF0u
#define WI_ELIDED_TEXT    "[...]"

typedef struct wi_tree_node {
  uint32_t label; /* see wi_tree_text; undefined in the root */
  uint32_t depth; /* 0 in the root */
  uint32_t parent;
  uint32_t first_child;
  uint32_t child_count;
  uint32_t source; /* the first of its profile nodes; sorts by first call */
  uint64_t call_count;
  uint64_t self;  /* in the view's unit: nanoseconds, instructions, calls, bytes */
  uint64_t total; /* self of this node and all nodes below it */
} wi_tree_node;

/* Sums over all nodes of a label. */
typedef struct wi_label_sum {
  uint64_t call_count;
  uint64_t self;
} wi_label_sum;

/* Calls that are only known as the sum over several nodes. */
typedef struct wi_call_group {
  uint64_t call_count;
  uint32_t node_count;
  bool is_open; /* some of them may have been on stacks that are not in the tree */
} wi_call_group;

/* Calls of a group that are counted in one of its nodes. They may have been other nodes' calls. */
typedef struct wi_shared_calls {
  uint32_t node;
  uint32_t group;
  uint64_t call_count;
} wi_shared_calls;

typedef struct wi_tree {
  wi_view view;        /* whose values it has */
  wi_tree_node *nodes; /* node 0 is the root; sorted by level */
  wi_labels labels;
  wi_label_places places;
  wi_label_sum *sums; /* per label; one more for WI_ELIDED_TEXT, which is zero */
  uint32_t node_count;
  uint32_t elided_count; /* profile nodes beyond the depth limit */
  uint64_t call_count;
  uint32_t *nodes_of;      /* per profile node: its tree node; NULL unless the profile follows
                              memory, shares calls or has ordered samples */
  wi_shared_calls *shared; /* sorted by node, then group */
  uint32_t shared_count;
  wi_call_group *groups;
  uint32_t group_count;
} wi_tree;

/*
 * Builds the tree; `separator` as for wi_labels_init. Returns NULL if memory ran out. Takes O(n log
 * n) time, O(n) if nodes have few children each, and memory proportional to the nodes, at any
 * depth.
 */
wi_tree *wi_tree_new(const wi_view *view, uint32_t depth_limit, char separator);

/* Likewise, to match profiles: their labels are equal where `identities` are. */
wi_tree *wi_tree_new_matched(const wi_view *view, uint32_t depth_limit, char separator,
                             const wi_identity *identities);

void wi_tree_free(wi_tree *tree); /* may be NULL */

/* The label's text; valid as long as the tree. */
const char *wi_tree_text(const wi_tree *tree, uint32_t label);

/* Compares labels of two trees as wi_labels_compare does; WI_ELIDED_TEXT follows all others. */
int wi_tree_compare(const wi_tree *before, uint32_t a, const wi_tree *after, uint32_t b);

/* The source position of the label's function, or NULL. Its file is an index into places.files. */
const wi_label_place *wi_tree_place(const wi_tree *tree, uint32_t label);

/* The file of that position, and *line; NULL if it is unknown. */
const char *wi_tree_file(const wi_tree *tree, uint32_t label, uint32_t *line);

/* The kind of the label's functions. */
wasm_perf_kind wi_tree_kind(const wi_tree *tree, uint32_t label);

/* The confidence in a name from another build, in thousandths; 0: it is not from one. */
uint32_t wi_tree_confidence(const wi_tree *tree, uint32_t label);

/* Whether it is not a function of the module. */
bool wi_tree_is_host(const wi_tree *tree, uint32_t label);

/* Whether all calls of the label's functions were counted. */
bool wi_tree_is_counted(const wi_tree *tree, uint32_t label);

/* Whether the profile counts calls: not if it only has samples. */
bool wi_tree_counts_calls(const wi_tree *tree);

/* The node's shared calls, *count of them; if that is 0, the result may be NULL. */
const wi_shared_calls *wi_tree_shared(const wi_tree *tree, uint32_t node, uint32_t *count);

/* The next node in preorder; 0 after the last. */
uint32_t wi_tree_next(const wi_tree *tree, uint32_t node);

#endif /* WI_REPORT_MODEL_TREE_H_ */
