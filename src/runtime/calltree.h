/*
 * The call tree: one node per distinct stack, with its call count and self time.
 *
 * Freestanding: no C library, no allocation. The caller provides one block of memory. The tree
 * touches more of it as it grows:
 *
 *     shadow stack | hash slots | header | nodes
 *
 * Header and nodes in memory are already a .wperf file (wasm_perf/format.h).
 *
 * The caller also supplies the time: it reads its clock and calls wi_calltree_charge before each
 * change of the stack. So no time is lost when frames vanish; they only stop being charged.
 */
#ifndef WI_RUNTIME_CALLTREE_H_
#define WI_RUNTIME_CALLTREE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wasm_perf/format.h"
#include "wasm_perf/wasm_perf.h"

#define WI_CALLTREE_MIN_NODE_LIMIT  2u         /* the root and [truncated] */
#define WI_CALLTREE_MAX_DEPTH_LIMIT (1u << 20) /* more frames than an engine's stack holds */
#define WI_CALLTREE_ALIGNMENT       64u        /* of the block of memory, in bytes */
#define WI_CALLTREE_NEVER           UINT64_MAX /* a value of `last` that charges nothing */

/* Callers may read the fields; only the functions below change them. */
typedef struct wi_calltree {
  uint32_t depth;        /* open frames */
  uint32_t depth_limit;  /* deeper frames are only counted, not stored */
  uint32_t *stack;       /* node of each stored frame; stack[0] is the root */
  wasm_perf_node *nodes; /* directly after *header */
  uint64_t last;         /* clock reading of the last event */
  wasm_perf_header *header;
  uint32_t *slots;         /* node indices hashed by (parent, function); 0: empty */
  uint32_t slot_bits;      /* 2 ** slot_bits slots are in use, at least twice node_count */
  uint32_t slot_mask;      /* 2 ** slot_bits - 1 */
  uint32_t slot_shift;     /* see wi_calltree_first_slot */
  uint32_t node_room;      /* nodes that fit into the available memory */
  uint32_t truncated_node; /* UINT32_MAX if not yet added */
  bool (*make_room)(struct wi_calltree *tree); /* this and the next: see wi_calltree_config */
  void (*after_pause)(struct wi_calltree *tree);
} wi_calltree;

typedef struct wi_calltree_config {
  wasm_perf_clock clock;
  wasm_perf_recursion recursion;
  uint64_t ticks_per_second;
  uint32_t node_limit;  /* WI_CALLTREE_MIN_NODE_LIMIT to WASM_PERF_MAX_NODE_LIMIT */
  uint32_t depth_limit; /* 1 to WI_CALLTREE_MAX_DEPTH_LIMIT */
  /*
   * Called when the nodes fill node_room. It makes memory available behind them and raises
   * node_room, or returns false; then node_room becomes the node limit. If NULL, the block has room
   * for all of node_limit from the start; otherwise for WI_CALLTREE_MIN_NODE_LIMIT nodes.
   */
  bool (*make_room)(wi_calltree *tree);
  /*
   * Called after the tree has grown, which delays the program. It excludes that pause, which would
   * otherwise be charged to the function just entered. May be NULL.
   */
  void (*after_pause)(wi_calltree *tree);
} wi_calltree_config;

/* Clamps a requested node limit to the valid range; 0 requests the default. */
uint32_t wi_calltree_node_limit(uint32_t asked);

/* Bytes of memory that the tree needs for its first `node_count` nodes. */
uint64_t wi_calltree_memory_size(const wi_calltree_config *config, uint32_t node_count);

/*
 * Initializes an empty tree in `memory`, which must outlive it and be aligned to
 * WI_CALLTREE_ALIGNMENT; it need not be zeroed. `config` is copied.
 */
void wi_calltree_init(wi_calltree *tree, void *memory, const wi_calltree_config *config);

/* Drops every node, frame and count. A wall clock restarts; an instruction counter runs on. */
void wi_calltree_reset(wi_calltree *tree);

/*
 * The slow path of wi_calltree_enter: probes further slots, adds the node, or falls back to the
 * node that replaces it at a limit.
 */
void wi_calltree_enter_slow(wi_calltree *tree, uint32_t function);

/* Index of the node to which time is charged now. */
static inline uint32_t wi_calltree_current_index(const wi_calltree *tree) {
  return tree->stack[tree->depth < tree->depth_limit ? tree->depth : tree->depth_limit];
}

static inline wasm_perf_node *wi_calltree_current(const wi_calltree *tree) {
  return &tree->nodes[wi_calltree_current_index(tree)];
}

/* Charges the time since the last event. A clock that ran backwards charges nothing. */
static inline void wi_calltree_charge(wi_calltree *tree, uint64_t now) {
  if (now > tree->last)
    wi_calltree_current(tree)->self += now - tree->last;
  tree->last = now;
}

/* The upper bits are well mixed. */
static inline uint32_t wi_calltree_hash(uint32_t parent, uint32_t function) {
  return (parent * UINT32_C(0x9E3779B1)) ^ (function * UINT32_C(0x85EBCA77));
}

/*
 * The slot at which the search for a child begins. It lies in a stretch of slots whose start
 * depends on the parent's index: nodes created one after the other are used together, so in a large
 * tree their slots should be close together, too.
 */
static inline uint32_t wi_calltree_first_slot(const wi_calltree *tree, uint32_t parent,
                                              uint32_t function) {
  return (2 * parent + (wi_calltree_hash(parent, function) >> tree->slot_shift)) & tree->slot_mask;
}

static inline bool wi_calltree_is_child(const wasm_perf_node *node, uint32_t parent,
                                        uint32_t function) {
  return node->parent == parent && node->function == function;
}

/*
 * Enters `function` if the first slot holds its node; otherwise changes nothing and returns false.
 * An empty slot (0) is the root's index, and the root is never a child.
 */
static inline bool wi_calltree_enter_fast(wi_calltree *tree, uint32_t function) {
  uint32_t depth = tree->depth;
  if (depth >= tree->depth_limit)
    return false;
  uint32_t parent = tree->stack[depth];
  uint32_t child = tree->slots[wi_calltree_first_slot(tree, parent, function)];
  if (!wi_calltree_is_child(&tree->nodes[child], parent, function))
    return false;
  tree->nodes[child].call_count++;
  tree->stack[depth + 1] = child;
  tree->depth = depth + 1;
  return true;
}

/* Enters `function`. */
static inline void wi_calltree_enter(wi_calltree *tree, uint32_t function) {
  if (!wi_calltree_enter_fast(tree, function))
    wi_calltree_enter_slow(tree, function);
}

/* Leaves the innermost frame. */
static inline void wi_calltree_leave(wi_calltree *tree) {
  if (tree->depth > 0)
    tree->depth--;
  else
    tree->header->unbalanced_count++;
}

/* Drops the frames deeper than `depth`. */
static inline void wi_calltree_unwind(wi_calltree *tree, uint32_t depth) {
  if (tree->depth > depth)
    tree->depth = depth;
}

/* The tree in memory: the header, followed by header->node_count nodes. */
static inline const wasm_perf_header *wi_calltree_snapshot(wi_calltree *tree) {
  tree->header->open_frame_count = tree->depth;
  return tree->header;
}

#endif /* WI_RUNTIME_CALLTREE_H_ */
