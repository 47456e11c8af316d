/* Enters and leaves nodes of the call tree. */
#include "runtime/calltree.h"

#define FIRST_SLOT_BITS   10u
#define STRETCH_BITS      14u /* 64 KiB of slots: few pages, some fit the CPU's caches */
#define NEAR_PROBES       16u /* slots probed within a stretch, which may be overfull */
#define NO_NODE           UINT32_MAX
#define MAX_OUTWARD_STEPS 256u /* ancestors searched; bounds the cost of a call beyond the limit */

/* Bits for twice `node_limit` slots, rounded up to a power of two. */
static uint32_t slot_bits_for(uint32_t node_limit) {
  uint32_t bits = 1;
  while ((1u << bits) < 2 * node_limit)
    bits++;
  return bits;
}

static uint64_t stack_size(uint32_t depth_limit) {
  return ((uint64_t)depth_limit + 1) * sizeof(uint32_t);
}

static uint64_t slots_size(uint32_t node_limit) {
  return (UINT64_C(1) << slot_bits_for(node_limit)) * sizeof(uint32_t);
}

static uint64_t header_offset(const wi_calltree_config *config) {
  uint64_t end = stack_size(config->depth_limit) + slots_size(config->node_limit);
  return (end + WI_CALLTREE_ALIGNMENT - 1) / WI_CALLTREE_ALIGNMENT * WI_CALLTREE_ALIGNMENT;
}

uint32_t wi_calltree_node_limit(uint32_t asked) {
  if (asked == 0)
    return WASM_PERF_DEFAULT_NODE_LIMIT;
  if (asked < WI_CALLTREE_MIN_NODE_LIMIT)
    return WI_CALLTREE_MIN_NODE_LIMIT;
  return asked < WASM_PERF_MAX_NODE_LIMIT ? asked : WASM_PERF_MAX_NODE_LIMIT;
}

uint64_t wi_calltree_memory_size(const wi_calltree_config *config, uint32_t node_count) {
  return header_offset(config) + sizeof(wasm_perf_header) +
         (uint64_t)node_count * sizeof(wasm_perf_node);
}

/* By loops: for a structure of this size compilers call memset, which may not be available. */
static void init_header(wasm_perf_header *header, const wi_calltree_config *config) {
  unsigned char *bytes = (unsigned char *)header;
  for (size_t i = 0; i < sizeof *header; i++)
    bytes[i] = 0;
  for (size_t i = 0; i < sizeof header->magic; i++)
    header->magic[i] = WASM_PERF_MAGIC[i];
  header->version = WASM_PERF_MEMORY_VERSION;
  header->header_size = sizeof(wasm_perf_header);
  header->node_size = sizeof(wasm_perf_node);
  header->clock = config->clock;
  header->ticks_per_second = config->ticks_per_second;
  header->node_limit = config->node_limit;
  header->recursion = config->recursion;
}

void wi_calltree_init(wi_calltree *tree, void *memory, const wi_calltree_config *config) {
  unsigned char *base = memory;
  wasm_perf_header *header = (void *)(base + header_offset(config));
  *tree = (wi_calltree){
      .depth_limit = config->depth_limit,
      .stack = memory,
      .nodes = (void *)(header + 1),
      .header = header,
      .slots = (void *)(base + stack_size(config->depth_limit)),
      .node_room = config->make_room ? WI_CALLTREE_MIN_NODE_LIMIT : config->node_limit,
      .make_room = config->make_room,
      .after_pause = config->after_pause,
  };
  init_header(header, config);
  wi_calltree_reset(tree);
}

static void clear_slots(wi_calltree *tree, uint32_t slot_bits) {
  tree->slot_bits = slot_bits;
  tree->slot_mask = (1u << slot_bits) - 1;
  tree->slot_shift = 32 - (slot_bits < STRETCH_BITS ? slot_bits : STRETCH_BITS);
  for (size_t i = 0; i < (size_t)1 << slot_bits; i++)
    tree->slots[i] = 0;
}

void wi_calltree_reset(wi_calltree *tree) {
  wasm_perf_header *header = tree->header;
  uint32_t most_bits = slot_bits_for(header->node_limit);
  clear_slots(tree, most_bits < FIRST_SLOT_BITS ? most_bits : FIRST_SLOT_BITS);
  header->truncated_call_count = 0;
  header->unbalanced_count = 0;
  header->node_count = 1;
  tree->nodes[0] = (wasm_perf_node){.function = WASM_PERF_FUNCTION_ROOT};
  tree->stack[0] = 0;
  tree->depth = 0;
  tree->truncated_node = NO_NODE;
  if (!wasm_perf_clock_is_counted(header->clock))
    tree->last = WI_CALLTREE_NEVER;
}

/* The slot that holds this child, or the empty slot to put it into. */
static uint32_t *find_slot(const wi_calltree *tree, uint32_t parent, uint32_t function) {
  uint32_t slot = wi_calltree_first_slot(tree, parent, function);
  for (uint32_t probes = 1;; probes++) {
    uint32_t node = tree->slots[slot];
    if (node == 0 || wi_calltree_is_child(&tree->nodes[node], parent, function))
      return &tree->slots[slot];
    slot =
        (probes == NEAR_PROBES ? wi_calltree_hash(parent, function) : slot + 1) & tree->slot_mask;
  }
}

/* Doubles the slots in place; each node knows its own key. */
static void grow_slots(wi_calltree *tree) {
  clear_slots(tree, tree->slot_bits + 1);
  for (uint32_t i = 1; i < tree->header->node_count; i++)
    *find_slot(tree, tree->nodes[i].parent, tree->nodes[i].function) = i;
}

static uint32_t add_node(wi_calltree *tree, uint32_t parent, uint32_t function) {
  uint32_t node = tree->header->node_count++;
  tree->nodes[node] = (wasm_perf_node){.function = function, .parent = parent};
  return node;
}

static void end_pause(wi_calltree *tree) {
  if (tree->after_pause)
    tree->after_pause(tree);
}

/* Whether one more node fits. The last one is reserved for [truncated]. */
static bool has_room(wi_calltree *tree) {
  if (tree->header->node_count + 1 < tree->node_room)
    return true;
  if (tree->node_room == tree->header->node_limit)
    return false;
  bool made_room = tree->make_room(tree);
  end_pause(tree);
  if (!made_room)
    tree->header->node_limit = tree->node_room;
  return made_room;
}

/* Index of the [truncated] node. It has no slot, because only truncated stacks lead to it. */
static uint32_t truncated_node(wi_calltree *tree) {
  if (tree->truncated_node == NO_NODE)
    tree->truncated_node = add_node(tree, 0, WASM_PERF_FUNCTION_TRUNCATED);
  return tree->truncated_node;
}

/*
 * The nearest node of `function` among `node` and its ancestors, at most `most` of them; or
 * NO_NODE.
 */
static uint32_t find_outwards(const wi_calltree *tree, uint32_t node, uint32_t function,
                              uint32_t most) {
  for (; node != 0 && most > 0; most--) {
    if (tree->nodes[node].function == function)
      return node;
    node = tree->nodes[node].parent;
  }
  return NO_NODE;
}

/* The node that counts a call of `function` from `node` if no node can be added for it. */
static uint32_t truncated_child(wi_calltree *tree, uint32_t node, uint32_t function) {
  tree->header->truncated_call_count++;
  uint32_t outer = find_outwards(tree, node, function, MAX_OUTWARD_STEPS);
  return outer != NO_NODE ? outer : truncated_node(tree);
}

/* Unbounded: with recursion folded, a stack is at most as deep as there are functions. */
static uint32_t find_recursion(const wi_calltree *tree, uint32_t node, uint32_t function) {
  bool folds = tree->header->recursion == WASM_PERF_RECURSION_FOLD;
  return folds ? find_outwards(tree, node, function, UINT32_MAX) : NO_NODE;
}

static uint32_t add_child(wi_calltree *tree, uint32_t parent, uint32_t function, uint32_t *slot) {
  uint32_t outer = find_recursion(tree, parent, function);
  if (outer != NO_NODE)
    return outer;
  if (function >= WASM_PERF_FUNCTION_TRUNCATED || !has_room(tree))
    return truncated_child(tree, parent, function);
  uint32_t child = add_node(tree, parent, function);
  *slot = child;
  if (tree->header->node_count > 1u << (tree->slot_bits - 1)) {
    grow_slots(tree);
    end_pause(tree);
  }
  return child;
}

/* The node that counts a call of `function` from `parent`. */
static uint32_t child_for(wi_calltree *tree, uint32_t parent, uint32_t function) {
  if (parent == tree->truncated_node)
    return truncated_child(tree, parent, function);
  uint32_t *slot = find_slot(tree, parent, function);
  return *slot != 0 ? *slot : add_child(tree, parent, function, slot);
}

/* A frame deeper than the shadow stack is counted in, and charged to, the deepest stored frame. */
static void enter_beyond_stack(wi_calltree *tree) {
  wi_calltree_current(tree)->call_count++;
  tree->header->truncated_call_count++;
  if (tree->depth < UINT32_MAX)
    tree->depth++;
}

void wi_calltree_enter_slow(wi_calltree *tree, uint32_t function) {
  if (tree->depth >= tree->depth_limit) {
    enter_beyond_stack(tree);
    return;
  }
  uint32_t child = child_for(tree, tree->stack[tree->depth], function);
  tree->nodes[child].call_count++;
  tree->stack[++tree->depth] = child;
}
