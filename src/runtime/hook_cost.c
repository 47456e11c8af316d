/* Measures the cost of one call of the hooks. */
#include "runtime/hook_cost.h"

#define BATCH_COUNT 9u
#define NODE_LIMIT  4u
#define DEPTH_LIMIT 4u
#define MEMORY_SIZE 1024u /* fits a tree of these limits */
#define FUNCTION    1u

/* In ticks, for WASM_PERF_COST_CALL_COUNT calls. */
typedef struct batch {
  uint64_t inner;
  uint64_t outer;
} batch;

static batch run_batch(wi_calltree *tree, const wi_hook_set *hooks) {
  wi_calltree_reset(tree);
  tree->last = hooks->read(hooks->user);
  for (uint32_t i = 0; i < WASM_PERF_COST_CALL_COUNT; i++) {
    hooks->start(hooks->user, FUNCTION);
    hooks->end(hooks->user);
  }
  return (batch){.inner = tree->nodes[1].self, .outer = tree->nodes[0].self};
}

/* Insertion sort, cheapest first. */
static void insert(batch *batches, uint32_t count, batch added) {
  uint32_t i = count;
  for (; i > 0 && batches[i - 1].inner + batches[i - 1].outer > added.inner + added.outer; i--)
    batches[i] = batches[i - 1];
  batches[i] = added;
}

void wi_hook_cost_measure(wi_calltree *tree, const wi_hook_set *hooks) {
  _Alignas(WI_CALLTREE_ALIGNMENT) unsigned char memory[MEMORY_SIZE];
  wi_calltree_config config = {
      .clock = WASM_PERF_CLOCK_WALL, .node_limit = NODE_LIMIT, .depth_limit = DEPTH_LIMIT};
  batch batches[BATCH_COUNT];
  wi_calltree own = *tree;
  wi_calltree_init(tree, memory, &config);
  for (uint32_t i = 0; i < BATCH_COUNT; i++)
    insert(batches, i, run_batch(tree, hooks));
  *tree = own;
  /*
   * Noise only adds: the cheapest batch is the best estimate; its distance to the median, the
   * error.
   */
  const batch *least = &batches[0], *middle = &batches[BATCH_COUNT / 2];
  tree->header->inner_hook_cost = least->inner;
  tree->header->outer_hook_cost = least->outer;
  tree->header->hook_cost_error = middle->inner + middle->outer - least->inner - least->outer;
  tree->last = hooks->read(hooks->user);
}
