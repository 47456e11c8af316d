/*
 * Groups the children of nodes by kind (their function or label), for code that merges nodes with
 * the same kind.
 */
#ifndef WI_PROFILE_CHILDREN_H_
#define WI_PROFILE_CHILDREN_H_

#include <stdbool.h>
#include <stdint.h>

/* A node and its links. As a link, 0 means none, because it is the root. */
typedef struct wi_child {
  uint32_t kind;
  uint32_t last; /* its last child */
  uint32_t next; /* its next sibling; after grouping, the next node of its group */
} wi_child;

typedef struct wi_children {
  wi_child *items; /* per node; owned */
  uint64_t *keys;  /* scratch memory for the children of all nodes; owned */
} wi_children;

/*
 * Starts with `count` nodes without links. Returns false, with nothing to clear, if out of memory.
 */
bool wi_children_init(wi_children *children, uint32_t count);
void wi_children_clear(wi_children *children);

static inline void wi_children_add(wi_children *children, uint32_t parent, uint32_t node,
                                   uint32_t kind) {
  wi_child *above = &children->items[parent];
  children->items[node] = (wi_child){.kind = kind, .next = above->last};
  above->last = node;
}

/*
 * Groups the children of a node and of all nodes in its group by kind. Returns the number of
 * groups, which are sorted by kind. Call it once per group.
 */
uint32_t wi_children_group(wi_children *children, uint32_t node);

/* Returns the first node of a group; the others follow as `next`, in increasing order. */
static inline uint32_t wi_children_first(const wi_children *children, uint32_t group) {
  return (uint32_t)children->keys[group];
}

#endif /* WI_PROFILE_CHILDREN_H_ */
