/* Call trees for tests. */
#ifndef WI_TESTS_TREES_H_
#define WI_TESTS_TREES_H_

#include "unit.h"

#include "runtime/calltree.h"

/* A tree in a block of its own; free tree->stack. The block is filled with rubbish first. */
static inline void tree_new(wi_calltree *tree, wi_calltree_config config) {
  uint64_t size = wi_calltree_memory_size(&config, config.node_limit);
  size = (size + WI_CALLTREE_ALIGNMENT - 1) / WI_CALLTREE_ALIGNMENT * WI_CALLTREE_ALIGNMENT;
  void *memory = aligned_alloc(WI_CALLTREE_ALIGNMENT, (size_t)size);
  assert_non_null(memory);
  memset(memory, 0xA5, (size_t)size);
  wi_calltree_init(tree, memory, &config);
}

static inline void start_at(wi_calltree *tree, uint32_t function, uint64_t now) {
  wi_calltree_charge(tree, now);
  wi_calltree_enter(tree, function);
}

static inline void end_at(wi_calltree *tree, uint64_t now) {
  wi_calltree_charge(tree, now);
  wi_calltree_leave(tree);
}

static inline void unwind_at(wi_calltree *tree, uint32_t depth, uint64_t now) {
  if (tree->depth <= depth)
    return;
  wi_calltree_charge(tree, now);
  wi_calltree_unwind(tree, depth);
}

/* The child of `parent` for `function`, by looking at every node. 0: there is none. */
static inline uint32_t find_child(const wi_calltree *tree, uint32_t parent, uint32_t function) {
  for (uint32_t i = 1; i < tree->header->node_count; i++)
    if (tree->nodes[i].parent == parent && tree->nodes[i].function == function)
      return i;
  return 0;
}

/* The node of a stack of functions, outermost first. Fails the test if there is none. */
static inline const wasm_perf_node *node_of(const wi_calltree *tree, const uint32_t *functions,
                                            size_t count) {
  uint32_t node = 0;
  for (size_t i = 0; i < count; i++) {
    node = find_child(tree, node, functions[i]);
    assert_int_not_equal(node, 0);
  }
  return &tree->nodes[node];
}

#define NODE(tree, ...)                                                                            \
  node_of((tree), (const uint32_t[]){__VA_ARGS__},                                                 \
          sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))

/* Deterministic pseudo-random numbers (xorshift64*); the state must not be 0. */
static inline uint32_t random_u32(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (uint32_t)(*state * UINT64_C(0x2545F4914F6CDD1D) >> 32);
}

static inline uint32_t random_below(uint64_t *state, uint32_t limit) {
  return random_u32(state) % limit;
}

#endif /* WI_TESTS_TREES_H_ */
