/* The tree of the embedded runtime, which instrumented functions share: see embed.h. */
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

/* The mutable global that says which slot the next function belongs to; the rewriter adds it. */
__asm__(".globaltype callee_slot, i32");

static inline uint32_t embed_callee_slot(void) {
  uint32_t slot;
  __asm__ volatile("global.get callee_slot\n\tlocal.set %0" : "=r"(slot));
  return slot;
}

static inline void embed_set_callee_slot(uint32_t slot) {
  __asm__ volatile("local.get %0\n\tglobal.set callee_slot" ::"r"(slot));
}

#else /* where a test compiles it, which brings these */

uint32_t embed_callee_slot(void);
void embed_set_callee_slot(uint32_t slot);

#endif

static inline uint64_t *embed_self_of(uint32_t address) {
  return (uint64_t *)(address + EMBED_NODE_SELF);
}

static inline uint32_t embed_parent_of(uint32_t address) {
  return embed_node_at(address)->parent & ~EMBED_PARENT_BIT;
}

/* Of the node whose slot has that word, which is no callee's address. */
static inline uint32_t embed_owner_in(uint32_t word) {
  return word & ~EMBED_TAG_MASK;
}

/* A pair that leads to nothing yet and belongs to that node. */
static inline void embed_init_pair(uint32_t *pair, uint32_t node) {
  pair[0] = node + EMBED_EMPTY_SHARED;
  pair[1] = node + EMBED_OWNER;
}

/* Whether the function has hooks, and so nodes. */
bool embed_has_nodes(uint32_t function);

/* How many leaves the function calls, what they are, and how often a node of it has called each. */
uint32_t embed_leaf_count(uint32_t function);
const embed_leaf *embed_leaves_of(uint32_t function);
uint64_t *embed_leaf_calls(uint32_t node);

/* The leaf that each call of this one calls; NULL: none. */
const embed_leaf *embed_leaf_behind(const embed_leaf *leaf);

/* Calls of leaves past the node limit count in nodes of theirs from now on, as all others do. */
void embed_settle_flat_leaves(void);

/* The node that calls through the slot; where recursion is folded, maybe one further out. */
uint32_t embed_caller_by(uint32_t slot);

/* The root's slot. */
uint32_t embed_root_slot(void);

/*
 * The host says where the next function entered belongs: a slot that embed_callee_slot has given;
 * the root's in place of anything else. `for_task`: that function may leave when the slot is no
 * longer live, so it gets a pair that stands for the slot until then, and for the root's after.
 */
void embed_place_slot(uint32_t slot, bool for_task);

/*
 * The node for a call of the function from that node, made if need be. `is_shared`: it may be
 * called from there through several slots.
 */
uint32_t embed_child(uint32_t parent, uint32_t function, bool is_shared);

/* The same if such a call, of a function that is shared, was made before; else 0. */
uint32_t embed_known_answer(uint32_t parent, uint32_t function);

/*
 * The nearest node of the function from `from` outwards, or 0. For a function of the module the
 * search ends at the first guest's: past it, what the guest's function calls would no longer stand
 * below it.
 */
uint32_t embed_find_outwards(uint32_t from, uint32_t function);

/* Whether the node is below that one, which it is not itself. */
bool embed_is_below(uint32_t address, uint32_t ancestor);

/* All nodes in turn: the root, then parents before their children, flat ones last; then 0. */
uint32_t embed_next_node(uint32_t address);

/* The first of those past the node limit; 0: there are none. */
uint32_t embed_first_flat(void);

/* How many slots were answered with the node of another stack. */
uint32_t embed_shared_slot_count(void);

/*
 * The node of a type, which that function stands for, below the node whose slot that is, made if
 * need be.
 */
uint32_t embed_type_node(uint32_t slot, uint32_t function);

#endif /* WI_RUNTIME_EMBEDDED_TREE_H_ */
