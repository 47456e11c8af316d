/*
 * The children of nodes, for those who make one node of children that are of one kind: whose
 * function, or label, is the same.
 */
#ifndef WI_PROFILE_CHILDREN_H_
#define WI_PROFILE_CHILDREN_H_

#include <stdbool.h>
#include <stdint.h>

/* A node and the lists that it is in. In place of a node, 0 stands for none: that is the root. */
typedef struct wi_child {
  uint32_t kind;
  uint32_t last; /* of its own children */
  uint32_t next; /* another child of its parent; once these are grouped, another one of its group */
} wi_child;

typedef struct wi_children {
  wi_child *items; /* per node; owned */
  uint64_t *keys;  /* room for the children of all nodes; owned */
} wi_children;

/* Of `count` nodes, all without children yet. False, with nothing to clear: out of memory. */
bool wi_children_init(wi_children *children, uint32_t count);
void wi_children_clear(wi_children *children);

static inline void wi_children_add(wi_children *children, uint32_t parent, uint32_t node,
                                   uint32_t kind) {
  wi_child *above = &children->items[parent];
  children->items[node] = (wi_child){.kind = kind, .next = above->last};
  above->last = node;
}

/*
 * Groups the children of a node, and of all that are in its group, by their kinds: returns how many
 * groups these are, in the order of the kinds. To be called once for each group.
 */
uint32_t wi_children_group(wi_children *children, uint32_t node);

/* The first node of such a group, by number; the others follow as `next`, by number, too. */
static inline uint32_t wi_children_first(const wi_children *children, uint32_t group) {
  return (uint32_t)children->keys[group];
}

#endif /* WI_PROFILE_CHILDREN_H_ */
