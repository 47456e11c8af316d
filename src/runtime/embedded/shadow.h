/* Shadows of nodes: where children are found from their parents. */
#ifndef WI_RUNTIME_EMBEDDED_SHADOW_H_
#define WI_RUNTIME_EMBEDDED_SHADOW_H_

#include "runtime/embedded/arena.h"

/*
 * Precedes a node of the arena where shadows are kept, so that what a call added to the nodes below
 * its own is found by visiting those nodes only. It is a gap, whose size is its own.
 */
typedef struct embed_shadow {
  uint32_t gap, size;
  uint32_t first_child, next_sibling; /* nodes, or 0 */
  uint64_t calls, self;               /* of the node when they were last compared */
} embed_shadow;

static inline embed_shadow *embed_shadow_of(uint32_t node) {
  return (embed_shadow *)(node - EMBED_SHADOW_SIZE);
}

/* Whether the node has a shadow: the root and flat nodes have none. */
bool embed_has_shadow(uint32_t node);

/* A node's memory begins with room for its shadow. Both stay a gap until the second call, after the node's own. */
void embed_init_shadow(uint32_t node);
void embed_publish_shadow(uint32_t node, uint32_t parent);

#endif /* WI_RUNTIME_EMBEDDED_SHADOW_H_ */
