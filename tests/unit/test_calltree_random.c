/*
 * The call tree against two naive models on pseudo-random traces: one that keys whole
 * stacks, for trees within their limits, and one that spells out where calls past the limits go.
 */
#include "trees.h"

#include <uthash.h>

/* ---- Within the limits: a table of whole stacks --------------------------- */

#define MAX_DEPTH 24

typedef struct stack_entry {
  uint32_t functions[MAX_DEPTH]; /* outermost first */
  uint32_t depth;
  uint64_t call_count;
  uint64_t self;
  UT_hash_handle hh;
} stack_entry;

typedef struct stack_model {
  stack_entry *entries;
  uint32_t functions[MAX_DEPTH];
  uint32_t depth;
  uint64_t last;
} stack_model;

static stack_entry *entry_of(stack_model *model, const uint32_t *functions, uint32_t depth) {
  unsigned size = (unsigned)(depth * sizeof *functions);
  stack_entry *entry;
  HASH_FIND(hh, model->entries, functions, size, entry);
  if (!entry) {
    entry = calloc(1, sizeof *entry);
    assert_non_null(entry);
    memcpy(entry->functions, functions, size);
    entry->depth = depth;
    HASH_ADD_KEYPTR(hh, model->entries, entry->functions, size, entry);
  }
  return entry;
}

static void model_charge(stack_model *model, uint64_t now) {
  entry_of(model, model->functions, model->depth)->self += now - model->last;
  model->last = now;
}

static void model_start(stack_model *model, uint32_t function, uint64_t now) {
  model_charge(model, now);
  model->functions[model->depth++] = function;
  entry_of(model, model->functions, model->depth)->call_count++;
}

static void model_unwind(stack_model *model, uint32_t depth, uint64_t now) {
  if (model->depth <= depth)
    return;
  model_charge(model, now);
  model->depth = depth;
}

static uint32_t path_of(const wi_calltree *tree, uint32_t node, uint32_t functions[MAX_DEPTH]) {
  uint32_t depth = 0;
  for (uint32_t i = node; i != 0; i = tree->nodes[i].parent)
    depth++;
  assert_in_range(depth, 0, MAX_DEPTH);
  for (uint32_t i = node, at = depth; i != 0; i = tree->nodes[i].parent)
    functions[--at] = tree->nodes[i].function;
  return depth;
}

static void assert_same_stacks(const wi_calltree *tree, stack_model *model) {
  assert_int_equal(tree->header->node_count, HASH_COUNT(model->entries));
  for (uint32_t i = 0; i < tree->header->node_count; i++) {
    uint32_t functions[MAX_DEPTH];
    uint32_t depth = path_of(tree, i, functions);
    stack_entry *entry;
    HASH_FIND(hh, model->entries, functions, (unsigned)(depth * sizeof *functions), entry);
    assert_non_null(entry);
    assert_int_equal(tree->nodes[i].call_count, entry->call_count);
    assert_int_equal(tree->nodes[i].self, entry->self);
  }
}

static void clear_stacks(stack_model *model) {
  stack_entry *entry, *next;
  HASH_ITER(hh, model->entries, entry, next) {
    HASH_DEL(model->entries, entry);
    free(entry);
  }
}

static void one_event(wi_calltree *tree, stack_model *model, uint64_t *random, uint64_t now) {
  uint32_t choice = random_below(random, 100);
  if (choice < 52 && tree->depth < MAX_DEPTH) {
    uint32_t function = random_below(random, 1 + random_below(random, 40));
    start_at(tree, function, now);
    model_start(model, function, now);
  } else if (choice < 99 && tree->depth > 0) {
    end_at(tree, now);
    model_unwind(model, model->depth - 1, now);
  } else {
    uint32_t depth = random_below(random, MAX_DEPTH + 4);
    unwind_at(tree, depth, now);
    model_unwind(model, depth, now);
  }
  assert_int_equal(tree->depth, model->depth);
}

static void agrees_with_a_table_of_stacks(void **state) {
  wi_calltree tree;
  tree_new(&tree, (wi_calltree_config){.clock = WASM_PERF_CLOCK_INSTRUCTIONS,
                                       .node_limit = 1 << 19,
                                       .depth_limit = MAX_DEPTH});
  stack_model model = {0};
  uint64_t random = 20240607, now = 0;
  model_charge(&model, 0); /* makes the entry of the root */
  for (int i = 0; i < 600000; i++) {
    now += random_below(&random, 50);
    one_event(&tree, &model, &random, now);
  }
  assert_true(tree.header->node_count > 100000);
  assert_int_equal(tree.header->truncated_call_count, 0);
  assert_same_stacks(&tree, &model);
  clear_stacks(&model);
  free(tree.stack);
}

/* ---- Past the limits: where calls go, spelled out --------------------------------- */

#define LIMITED_NODE_LIMIT  40u
#define LIMITED_DEPTH_LIMIT 30u
#define LIMITED_MAX_DEPTH   60u

typedef struct limited_node {
  uint32_t function, parent;
  uint64_t call_count, self;
} limited_node;

typedef struct limited_model {
  limited_node nodes[LIMITED_NODE_LIMIT];
  uint32_t count;
  uint32_t frames[LIMITED_MAX_DEPTH]; /* a node each */
  uint32_t depth;
  uint64_t last, truncated;
} limited_model;

static uint32_t limited_find(const limited_model *model, uint32_t parent, uint32_t function) {
  for (uint32_t i = 1; i < model->count; i++)
    if (model->nodes[i].parent == parent && model->nodes[i].function == function)
      return i;
  return 0;
}

static uint32_t limited_add(limited_model *model, uint32_t parent, uint32_t function) {
  model->nodes[model->count] = (limited_node){.function = function, .parent = parent};
  return model->count++;
}

static uint32_t limited_target(limited_model *model, uint32_t current, uint32_t function) {
  if (model->depth >= LIMITED_DEPTH_LIMIT) {
    model->truncated++;
    return current;
  }
  uint32_t child = limited_find(model, current, function);
  if (child != 0)
    return child;
  if (model->nodes[current].function != WASM_PERF_FUNCTION_TRUNCATED &&
      model->count < LIMITED_NODE_LIMIT - 1)
    return limited_add(model, current, function);
  model->truncated++;
  for (uint32_t i = current; i != 0; i = model->nodes[i].parent)
    if (model->nodes[i].function == function)
      return i;
  uint32_t truncated = limited_find(model, 0, WASM_PERF_FUNCTION_TRUNCATED);
  return truncated != 0 ? truncated : limited_add(model, 0, WASM_PERF_FUNCTION_TRUNCATED);
}

static uint32_t limited_current(const limited_model *model) {
  return model->depth == 0 ? 0 : model->frames[model->depth - 1];
}

static void limited_charge(limited_model *model, uint64_t now) {
  model->nodes[limited_current(model)].self += now - model->last;
  model->last = now;
}

static void limited_start(limited_model *model, uint32_t function, uint64_t now) {
  limited_charge(model, now);
  uint32_t node = limited_target(model, limited_current(model), function);
  model->nodes[node].call_count++;
  model->frames[model->depth++] = node;
}

static void limited_event(wi_calltree *tree, limited_model *model, uint64_t *random, uint64_t now) {
  uint32_t choice = random_below(random, 100);
  if (choice < 51 && model->depth < LIMITED_MAX_DEPTH) {
    uint32_t function = random_below(random, 12);
    start_at(tree, function, now);
    limited_start(model, function, now);
  } else if (choice < 99) {
    end_at(tree, now);
    limited_charge(model, now);
    model->depth -= model->depth > 0;
  } else {
    uint32_t depth = random_below(random, LIMITED_MAX_DEPTH);
    unwind_at(tree, depth, now);
    if (model->depth > depth) {
      limited_charge(model, now);
      model->depth = depth;
    }
  }
}

static void assert_same_nodes(const wi_calltree *tree, const limited_model *model) {
  assert_int_equal(tree->header->node_count, model->count);
  assert_int_equal(tree->header->truncated_call_count, model->truncated);
  assert_int_equal(tree->depth, model->depth);
  for (uint32_t i = 1; i < model->count; i++) {
    assert_int_equal(tree->nodes[i].function, model->nodes[i].function);
    assert_int_equal(tree->nodes[i].parent, model->nodes[i].parent);
    assert_int_equal(tree->nodes[i].call_count, model->nodes[i].call_count);
    assert_int_equal(tree->nodes[i].self, model->nodes[i].self);
  }
}

static void calls_past_the_limits_go_where_spelled_out(void **state) {
  bool was_truncated = false, was_too_deep = false;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    wi_calltree tree;
    tree_new(&tree, (wi_calltree_config){.clock = WASM_PERF_CLOCK_INSTRUCTIONS,
                                         .node_limit = LIMITED_NODE_LIMIT,
                                         .depth_limit = LIMITED_DEPTH_LIMIT});
    limited_model model = {.count = 1};
    model.nodes[0].function = WASM_PERF_FUNCTION_ROOT;
    uint64_t random = seed * 7919, now = 0;
    for (int i = 0; i < 1000; i++) {
      now += random_below(&random, 50);
      limited_event(&tree, &model, &random, now);
      was_too_deep |= model.depth > LIMITED_DEPTH_LIMIT;
    }
    assert_same_nodes(&tree, &model);
    was_truncated |= tree.header->node_count == LIMITED_NODE_LIMIT;
    free(tree.stack);
  }
  assert_true(was_truncated);
  assert_true(was_too_deep);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_a_table_of_stacks),
      cmocka_unit_test(calls_past_the_limits_go_where_spelled_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
