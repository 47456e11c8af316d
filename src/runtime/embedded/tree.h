/* The embedded runtime's call tree, which instrumented functions use, too: see embed.h. */
#ifndef WI_RUNTIME_EMBEDDED_TREE_H_
#define WI_RUNTIME_EMBEDDED_TREE_H_

#include <stdbool.h>
#include <stdint.h>

#include "runtime/embedded/arena.h"

#ifdef __wasm__
#define EMBED_EXPORT(name) __attribute__((export_name(#name)))
#else
#define EMBED_EXPORT(name)
#endif

#ifdef __wasm__

/* The mutable global with the slot for the next function entered; the rewriter adds it. */
__asm__(".globaltype callee_slot, i32");

static inline uint32_t embed_callee_slot(void) {
  uint32_t slot;
  __asm__ volatile("global.get callee_slot\n\tlocal.set %0" : "=r"(slot));
  return slot;
}

static inline void embed_set_callee_slot(uint32_t slot) {
  __asm__ volatile("local.get %0\n\tglobal.set callee_slot" ::"r"(slot));
}

#else /* a test that compiles this file defines these */

uint32_t embed_callee_slot(void);
void embed_set_callee_slot(uint32_t slot);

#endif

static inline uint64_t *embed_self_of(uint32_t address) {
  return (uint64_t *)(address + EMBED_NODE_SELF);
}

static inline uint32_t embed_parent_of(uint32_t address) {
  return embed_node_at(address)->parent & ~(EMBED_PARENT_BIT | EMBED_PARENT_TABLE);
}

/* The owner in a tagged word of a slot; not for a callee's address. */
static inline uint32_t embed_owner_in(uint32_t word) {
  return word & ~EMBED_TAG_MASK;
}

/* Initializes an empty pair that belongs to `node`. */
static inline void embed_init_pair(uint32_t *pair, uint32_t node) {
  pair[0] = node + EMBED_EMPTY_SHARED;
  pair[1] = node + EMBED_OWNER;
}

/* Whether the function has hooks, and so nodes. */
bool embed_has_nodes(uint32_t function);

/* The number of leaves that the function calls, these leaves, and a node's call count of each. */
uint32_t embed_leaf_count(uint32_t function);
const embed_leaf *embed_leaves_of(uint32_t function);
uint64_t *embed_leaf_calls(uint32_t node);

/* The leaf that each call of `leaf` calls, or NULL. */
const embed_leaf *embed_leaf_behind(const embed_leaf *leaf);

/*
 * Moves calls of leaves beyond the node limit into flat nodes, where all other calls there are
 * counted.
 */
void embed_move_flat_leaves(void);

/* The node that calls through the slot; with folded recursion, maybe one further out. */
uint32_t embed_caller_by(uint32_t slot);

/*
 * A pair through which a frame continues that was counted before: the next function entered through
 * it gets `embed_continued` for its node, if that is one of this function, and is not counted.
 */
extern uint32_t embed_resumed[2], embed_continued;

/* The root's slot. */
uint32_t embed_root_slot(void);

/*
 * Sets the slot for the next function entered, for the host: a slot that embed_callee_slot
 * returned; any other value means the root's. `for_task`: that function may return when the slot is
 * no longer live, so a pair replaces the slot until the host sets another one.
 */
void embed_place_slot(uint32_t slot, bool for_task);

/*
 * The node for a call of `function` from `parent`, created if needed. The function may be called
 * from there through several slots.
 */
uint32_t embed_child(uint32_t parent, uint32_t function);

/* As embed_child, if such a call was made before; otherwise 0. */
uint32_t embed_known_answer(uint32_t parent, uint32_t function);

/*
 * The nearest node of `function` among `from` and its ancestors, or 0. For a function of the module
 * the search ends at the first guest function: beyond it, calls by the guest function would no
 * longer be placed below that function.
 */
uint32_t embed_find_outwards(uint32_t from, uint32_t function);

/* Whether `ancestor` is a proper ancestor of the node. */
bool embed_is_below(uint32_t address, uint32_t ancestor);

/*
 * Iterates over all nodes: the root, then parents before their children, flat nodes last; then 0.
 * Addresses increase, except from the arena to the flat nodes.
 */
uint32_t embed_next_node(uint32_t address);

/* Whether a node has a function, a parent and a size that nodes may have. */
bool embed_is_whole(uint32_t address);

/* The first node beyond the node limit, or 0. */
uint32_t embed_first_flat(void);

/* The number of slots that lead to another stack's node. */
uint32_t embed_shared_slot_count(void);

/* The node of the type that `function` stands for, below the owner of `slot`, created if needed. */
uint32_t embed_type_node(uint32_t slot, uint32_t function);

#endif /* WI_RUNTIME_EMBEDDED_TREE_H_ */
