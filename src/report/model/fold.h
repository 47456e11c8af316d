/*
 * A call tree with folded recursion: a recursive call, direct or through other functions, is counted
 * in the frame that its function already has on the stack.
 *
 *     main > even > odd > even > odd > print     becomes     main > even ×2 > odd ×2 > print
 *     main > eval > apply > eval > print         becomes     main > eval ×2 > apply
 *                                                                           > print
 *
 * So a stack has at most as many frames as there are functions, and totals still add up.
 */
#ifndef WI_REPORT_MODEL_FOLD_H_
#define WI_REPORT_MODEL_FOLD_H_

#include "report/model/tree.h"
#include "support/child_table.h"

#define WI_FOLD_WHOLE 0xFFFFFFFFu /* instead of a function: fold the whole tree */

typedef struct wi_fold_node {
  uint32_t parent; /* undefined in the root, as is the label */
  uint32_t label;
  uint32_t depth; /* 0 in the root */
  uint32_t first_child;
  uint32_t next_sibling; /* 0: none */
  uint32_t first_member; /* of the tree's nodes that are counted here; 0: none */
  uint32_t frame_count;  /* the most of them on one stack */
  uint64_t self;
  uint64_t total; /* self of this node and all nodes below it */
} wi_fold_node;

typedef struct wi_fold {
  wi_fold_node *nodes;   /* node 0 is the root; parents precede children */
  uint32_t *next_member; /* per node of the tree: the next one that is counted in the same node */
  wi_child_table *children;
  uint32_t count;
} wi_fold;

/*
 * Folds a whole tree; its root is the host, without members. Or folds what a function (a label)
 * calls: the root is the function, with the self of all of its frames, and a call that leads back to
 * it is a node without self and children. Returns false if memory ran out. Call wi_fold_clear in any
 * case.
 */
bool wi_fold_init(wi_fold *fold, const wi_tree *tree, uint32_t function);
void wi_fold_clear(wi_fold *fold);

#endif /* WI_REPORT_MODEL_FOLD_H_ */
