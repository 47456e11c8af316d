/* The call tree, case by case. */
#include "trees.h"

#define F 1u
#define G 2u
#define H 3u

static const wi_calltree_config usual = {
    .clock = WASM_PERF_CLOCK_INSTRUCTIONS, .node_limit = 1024, .depth_limit = 1024};

static const wi_calltree_config tiny = {
    .clock = WASM_PERF_CLOCK_INSTRUCTIONS, .node_limit = 4, .depth_limit = 1024};

static void counts_calls_per_stack(void **state) {
  wi_calltree tree;
  tree_new(&tree, usual);
  for (int i = 0; i < 3; i++) {
    wi_calltree_enter(&tree, F);
    wi_calltree_enter(&tree, G);
    wi_calltree_leave(&tree);
    wi_calltree_leave(&tree);
    wi_calltree_enter(&tree, G);
    wi_calltree_leave(&tree);
  }
  assert_int_equal(tree.header->node_count, 4);
  assert_int_equal(NODE(&tree, F)->call_count, 3);
  assert_int_equal(NODE(&tree, F, G)->call_count, 3);
  assert_int_equal(NODE(&tree, G)->call_count, 3);
  assert_int_equal(tree.nodes[0].function, WASM_PERF_FUNCTION_ROOT);
  assert_int_equal(tree.nodes[0].parent, 0);
  assert_int_equal(tree.nodes[0].call_count, 0);
  free(tree.stack);
}

static void function_0_is_a_function(void **state) {
  wi_calltree tree;
  tree_new(&tree, usual);
  wi_calltree_enter(&tree, 0);
  wi_calltree_enter(&tree, 0);
  assert_int_equal(NODE(&tree, 0)->call_count, 1);
  assert_int_equal(NODE(&tree, 0, 0)->call_count, 1);
  free(tree.stack);
}

static void recursion_makes_a_node_per_level(void **state) {
  wi_calltree tree;
  tree_new(&tree, usual);
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 10; i++)
      wi_calltree_enter(&tree, F);
    for (int i = 0; i < 10; i++)
      wi_calltree_leave(&tree);
  }
  assert_int_equal(tree.header->node_count, 11);
  for (uint32_t i = 1; i <= 10; i++) {
    assert_int_equal(tree.nodes[i].parent, i - 1);
    assert_int_equal(tree.nodes[i].call_count, 2);
  }
  free(tree.stack);
}

/* Calls so many children of the root in turn, twice; each must have one node of its own. */
static void call_children_twice(uint32_t count) {
  wi_calltree tree;
  wi_calltree_config config = usual;
  config.node_limit = count + 2;
  tree_new(&tree, config);
  uint32_t *functions = malloc(count * sizeof *functions);
  assert_non_null(functions);
  for (uint32_t i = 0; i < count; i++)
    functions[i] = i * UINT32_C(0x2545F491) & 0x7FFFFFFF; /* all different, for it is odd */
  for (uint32_t i = 0; i < 2 * count; i++) {
    wi_calltree_enter(&tree, functions[i % count]);
    wi_calltree_leave(&tree);
  }
  assert_int_equal(tree.header->node_count, count + 1);
  assert_int_equal(tree.header->truncated_call_count, 0);
  for (uint32_t i = 0; i < count; i++) {
    assert_int_equal(tree.nodes[i + 1].function, functions[i]);
    assert_int_equal(tree.nodes[i + 1].call_count, 2);
  }
  free(functions);
  free(tree.stack);
}

/* So many that their places in the hash collide, and often enough that it doubles. */
static void one_node_may_have_many_children(void **state) {
  call_children_twice(3000);
}

/* More than their stretch of slots holds, so most are found further on. */
static void one_node_may_have_most_of_the_nodes(void **state) {
  call_children_twice(40000);
}

static void header_describes_the_tree(void **state) {
  wi_calltree tree;
  wi_calltree_config config = usual;
  config.clock = WASM_PERF_CLOCK_WALL;
  config.ticks_per_second = 12345;
  tree_new(&tree, config);
  const wasm_perf_header *header = wi_calltree_snapshot(&tree);
  assert_ptr_equal(header + 1, tree.nodes);
  assert_memory_equal(header->magic, "\x89wperf\r\n", 8);
  assert_int_equal(header->version, 1);
  assert_int_equal(header->header_size, 112);
  assert_int_equal(header->node_size, 24);
  assert_int_equal(header->node_count, 1);
  assert_int_equal(header->name_count, 0);
  assert_int_equal(header->clock, WASM_PERF_CLOCK_WALL);
  assert_int_equal(header->ticks_per_second, 12345);
  assert_int_equal(header->node_limit, 1024);
  free(tree.stack);
}

static void time_goes_to_the_innermost_frame(void **state) {
  wi_calltree tree;
  tree_new(&tree, usual);
  start_at(&tree, F, 10);
  start_at(&tree, G, 13);
  end_at(&tree, 18);
  end_at(&tree, 20);
  start_at(&tree, F, 100);
  end_at(&tree, 101);
  assert_int_equal(tree.nodes[0].self, 10 + 80);
  assert_int_equal(NODE(&tree, F)->self, 3 + 2 + 1);
  assert_int_equal(NODE(&tree, F, G)->self, 5);
  free(tree.stack);
}

static void wall_clock_starts_with_the_first_event(void **state) {
  wi_calltree tree;
  wi_calltree_config config = usual;
  config.clock = WASM_PERF_CLOCK_WALL;
  tree_new(&tree, config);
  start_at(&tree, F, 1000000);
  end_at(&tree, 1000007);
  assert_int_equal(tree.nodes[0].self, 0);
  assert_int_equal(NODE(&tree, F)->self, 7);
  free(tree.stack);
}

static void clock_that_runs_backwards_charges_nothing(void **state) {
  wi_calltree tree;
  tree_new(&tree, usual);
  start_at(&tree, F, 50);
  start_at(&tree, G, 20);
  end_at(&tree, 25);
  end_at(&tree, 25);
  assert_int_equal(NODE(&tree, F)->self, 0);
  assert_int_equal(NODE(&tree, F, G)->self, 5);
  free(tree.stack);
}

static void unwinding_drops_deeper_frames(void **state) {
  wi_calltree tree;
  tree_new(&tree, usual);
  start_at(&tree, F, 0);
  start_at(&tree, G, 1);
  start_at(&tree, H, 3);
  unwind_at(&tree, 1, 7);
  assert_int_equal(tree.depth, 1);
  start_at(&tree, H, 9);
  end_at(&tree, 10);
  end_at(&tree, 20);
  assert_int_equal(tree.depth, 0);
  assert_int_equal(NODE(&tree, F)->self, 1 + 2 + 10);
  assert_int_equal(NODE(&tree, F, G)->self, 2);
  assert_int_equal(NODE(&tree, F, G, H)->self, 4);
  assert_int_equal(NODE(&tree, F, H)->self, 1);
  assert_int_equal(tree.header->unbalanced_count, 0);
  free(tree.stack);
}

static void unwinding_nothing_changes_nothing(void **state) {
  wi_calltree tree;
  tree_new(&tree, usual);
  start_at(&tree, F, 1);
  wi_calltree before = tree;
  unwind_at(&tree, 1, 5);
  unwind_at(&tree, 2, 6);
  unwind_at(&tree, UINT32_MAX, 7);
  wi_calltree_unwind(&tree, 2);
  assert_memory_equal(&tree, &before, sizeof tree);
  free(tree.stack);
}

static void end_without_a_frame_is_counted(void **state) {
  wi_calltree tree;
  tree_new(&tree, usual);
  end_at(&tree, 5);
  start_at(&tree, F, 6);
  end_at(&tree, 7);
  end_at(&tree, 9);
  assert_int_equal(tree.header->unbalanced_count, 2);
  assert_int_equal(tree.depth, 0);
  assert_int_equal(tree.nodes[0].self, 6 + 2);
  start_at(&tree, G, 10);
  assert_int_equal(NODE(&tree, G)->call_count, 1);
  free(tree.stack);
}

static void snapshot_leaves_frames_open(void **state) {
  wi_calltree tree;
  tree_new(&tree, usual);
  start_at(&tree, F, 0);
  start_at(&tree, G, 1);
  wi_calltree before = tree;
  assert_int_equal(wi_calltree_snapshot(&tree)->open_frame_count, 2);
  assert_memory_equal(&tree, &before, sizeof tree);
  assert_int_equal(tree.header->node_count, 3);
  end_at(&tree, 4);
  end_at(&tree, 5);
  assert_int_equal(wi_calltree_snapshot(&tree)->open_frame_count, 0);
  assert_int_equal(NODE(&tree, F, G)->self, 3);
  free(tree.stack);
}

static void reset_drops_everything(void **state) {
  wi_calltree tree, fresh;
  tree_new(&tree, tiny);
  tree_new(&fresh, tiny);
  for (uint32_t f = 1; f < 20; f++)
    start_at(&tree, f, f);
  for (uint32_t f = 0; f < 40; f++)
    end_at(&tree, 100);
  start_at(&tree, F, 100);
  wi_calltree_reset(&tree);
  assert_int_equal(tree.depth, 0);
  assert_memory_equal(tree.header, fresh.header, sizeof *tree.header);
  assert_memory_equal(tree.nodes, fresh.nodes, sizeof *tree.nodes);
  start_at(&tree, G, 103); /* the module's own clock went on */
  start_at(&tree, G, 105);
  assert_int_equal(tree.nodes[0].self, 3);
  assert_int_equal(NODE(&tree, G)->self, 2);
  free(tree.stack);
  free(fresh.stack);
}

/* ---- Limits -------------------------------------------------------------- */

static void calls_past_the_node_limit_count_in_the_nearest_ancestor(void **state) {
  wi_calltree tree;
  tree_new(&tree, tiny); /* the root, two nodes, [truncated] */
  start_at(&tree, F, 0);
  start_at(&tree, G, 1);
  start_at(&tree, F, 3); /* counts in the outer F */
  start_at(&tree, G, 7); /* an ordinary child of that F again */
  assert_int_equal(tree.header->node_count, 3);
  assert_int_equal(tree.header->truncated_call_count, 1);
  end_at(&tree, 15);
  end_at(&tree, 31);
  end_at(&tree, 63);
  end_at(&tree, 127);
  assert_int_equal(NODE(&tree, F)->call_count, 2);
  assert_int_equal(NODE(&tree, F)->self, 1 + 4 + 16 + 64);
  assert_int_equal(NODE(&tree, F, G)->call_count, 2);
  assert_int_equal(NODE(&tree, F, G)->self, 2 + 8 + 32);
  free(tree.stack);
}

static void other_calls_past_the_node_limit_count_in_truncated(void **state) {
  wi_calltree tree;
  tree_new(&tree, tiny);
  start_at(&tree, F, 0);
  start_at(&tree, G, 0);
  start_at(&tree, H, 0); /* no ancestor: [truncated] */
  start_at(&tree, F, 1); /* stays there, although F is an ancestor by frames */
  start_at(&tree, G, 3);
  assert_int_equal(tree.header->node_count, 4);
  assert_int_equal(tree.header->truncated_call_count, 3);
  assert_int_equal(tree.depth, 5);
  end_at(&tree, 7);
  end_at(&tree, 15);
  end_at(&tree, 31);
  end_at(&tree, 63);
  end_at(&tree, 127);
  const wasm_perf_node *truncated = NODE(&tree, WASM_PERF_FUNCTION_TRUNCATED);
  assert_int_equal(truncated->parent, 0);
  assert_int_equal(truncated->call_count, 3);
  assert_int_equal(truncated->self, 31);
  assert_int_equal(NODE(&tree, F, G)->self, 32);
  assert_int_equal(NODE(&tree, F)->self, 64);
  assert_int_equal(NODE(&tree, F)->call_count, 1);
  assert_int_equal(tree.depth, 0);
  free(tree.stack);
}

static void smallest_limit_has_room_for_truncated(void **state) {
  wi_calltree tree;
  wi_calltree_config config = tiny;
  config.node_limit = WI_CALLTREE_MIN_NODE_LIMIT;
  tree_new(&tree, config);
  wi_calltree_enter(&tree, F);
  wi_calltree_enter(&tree, G);
  assert_int_equal(tree.header->node_count, 2);
  assert_int_equal(NODE(&tree, WASM_PERF_FUNCTION_TRUNCATED)->call_count, 2);
  free(tree.stack);
}

static void truncation_looks_at_256_ancestors(void **state) {
  wi_calltree tree;
  wi_calltree_config config = usual;
  config.node_limit = 300; /* functions 1 to 298, each called by the one before */
  tree_new(&tree, config);
  for (uint32_t f = 1; f <= 298; f++)
    wi_calltree_enter(&tree, f);
  wi_calltree_enter(&tree, 298 - 255);
  wi_calltree_leave(&tree);
  assert_int_equal(tree.nodes[298 - 255].call_count, 2);
  assert_int_equal(tree.header->node_count, 299);
  wi_calltree_enter(&tree, 298 - 256);
  assert_int_equal(tree.nodes[298 - 256].call_count, 1);
  assert_int_equal(NODE(&tree, WASM_PERF_FUNCTION_TRUNCATED)->call_count, 1);
  free(tree.stack);
}

static void recursion_folds_where_that_is_wanted(void **state) {
  wi_calltree tree;
  wi_calltree_config config = usual;
  config.recursion = WASM_PERF_RECURSION_FOLD;
  tree_new(&tree, config);
  start_at(&tree, F, 1);
  start_at(&tree, F, 2);
  start_at(&tree, G, 4);
  start_at(&tree, H, 8);
  start_at(&tree, F, 16); /* two frames out */
  start_at(&tree, G, 32);
  assert_int_equal(tree.depth, 6);
  assert_int_equal(tree.header->node_count, 4);
  assert_int_equal(tree.header->truncated_call_count, 0);
  assert_int_equal(NODE(&tree, F)->call_count, 3);
  assert_int_equal(NODE(&tree, F, G)->call_count, 2);
  assert_int_equal(NODE(&tree, F, G, H)->call_count, 1);
  end_at(&tree, 64);
  end_at(&tree, 128);
  end_at(&tree, 256);
  end_at(&tree, 512);
  assert_int_equal(NODE(&tree, F)->self, 1 + 2 + 16 + 64);
  assert_int_equal(NODE(&tree, F, G)->self, 4 + 32 + 256);
  assert_int_equal(NODE(&tree, F, G, H)->self, 8 + 128);
  unwind_at(&tree, 0, 600);
  start_at(&tree, G, 601); /* no longer inside F */
  assert_int_equal(NODE(&tree, G)->call_count, 1);
  free(tree.stack);
}

static void frames_beyond_the_stack_are_counted(void **state) {
  wi_calltree tree;
  wi_calltree_config config = usual;
  config.depth_limit = 3;
  tree_new(&tree, config);
  for (uint32_t f = 1; f <= 5; f++)
    start_at(&tree, f, f);
  assert_int_equal(tree.depth, 5);
  assert_int_equal(tree.header->node_count, 4);
  assert_int_equal(tree.header->truncated_call_count, 2);
  assert_int_equal(NODE(&tree, 1, 2, 3)->call_count, 3);
  end_at(&tree, 10);
  end_at(&tree, 11);
  assert_int_equal(tree.depth, 3);
  assert_int_equal(NODE(&tree, 1, 2, 3)->self, 1 + 1 + 5 + 1);
  end_at(&tree, 12);
  start_at(&tree, 6, 12);
  assert_int_equal(NODE(&tree, 1, 2, 6)->call_count, 1);
  start_at(&tree, 7, 13);
  start_at(&tree, 7, 14);
  unwind_at(&tree, 2, 20);
  assert_int_equal(tree.depth, 2);
  assert_int_equal(NODE(&tree, 1, 2, 6)->self, 8);
  free(tree.stack);
}

/* The innermost stored frame may have children, by truncation: they are not entered. */
static void frames_beyond_the_stack_are_never_stored(void **state) {
  wi_calltree tree;
  wi_calltree_config config = tiny;
  config.depth_limit = 3;
  tree_new(&tree, config);
  wi_calltree_enter(&tree, F);
  wi_calltree_enter(&tree, G);
  wi_calltree_enter(&tree, F); /* counts in the outer F, whose last child is G */
  wi_calltree_enter(&tree, G);
  assert_int_equal(tree.depth, 4);
  assert_int_equal(NODE(&tree, F)->call_count, 3);
  assert_int_equal(NODE(&tree, F, G)->call_count, 1);
  assert_int_equal(tree.header->truncated_call_count, 2);
  free(tree.stack);
}

static void deep_recursion_fits_the_largest_stack(void **state) {
  wi_calltree tree;
  wi_calltree_config config = usual;
  config.node_limit = 1000;
  config.depth_limit = WI_CALLTREE_MAX_DEPTH_LIMIT;
  tree_new(&tree, config);
  uint32_t depth = WI_CALLTREE_MAX_DEPTH_LIMIT + 1000;
  for (uint32_t i = 0; i < depth; i++)
    wi_calltree_enter(&tree, F);
  assert_int_equal(tree.depth, depth);
  assert_int_equal(tree.header->node_count, 999);
  assert_int_equal(tree.nodes[998].call_count, depth - 997);
  assert_int_equal(tree.header->truncated_call_count, depth - 998);
  for (uint32_t i = 0; i < depth; i++)
    wi_calltree_leave(&tree);
  assert_int_equal(tree.depth, 0);
  assert_int_equal(tree.header->unbalanced_count, 0);
  free(tree.stack);
}

static void numbers_that_name_no_function_are_truncated(void **state) {
  wi_calltree tree;
  tree_new(&tree, usual);
  wi_calltree_enter(&tree, F);
  wi_calltree_enter(&tree, G);
  wi_calltree_leave(&tree);
  wi_calltree_enter(&tree, WASM_PERF_FUNCTION_ROOT);
  wi_calltree_leave(&tree);
  wi_calltree_enter(&tree, WASM_PERF_FUNCTION_TRUNCATED);
  assert_int_equal(tree.header->truncated_call_count, 2);
  assert_int_equal(NODE(&tree, WASM_PERF_FUNCTION_TRUNCATED)->call_count, 2);
  assert_int_equal(tree.header->node_count, 4);
  free(tree.stack);
}

/* ---- Memory that grows ---------------------------------------------------- */

static int pause_count;
static uint32_t room_to_give;

static bool give_room(wi_calltree *tree) {
  if (room_to_give == 0)
    return false;
  room_to_give--;
  tree->node_room++;
  return true;
}

static void end_pause(wi_calltree *tree) {
  pause_count++;
  tree->last = 1000;
}

static void memory_grows_node_by_node_until_it_cannot(void **state) {
  wi_calltree tree;
  wi_calltree_config config = usual;
  config.make_room = give_room;
  room_to_give = 10;
  tree_new(&tree, config);
  for (uint32_t f = 1; f <= 20; f++)
    wi_calltree_enter(&tree, f);
  assert_int_equal(tree.header->node_count, 12); /* 2 at first, 10 more */
  assert_int_equal(tree.header->node_limit, 12);
  assert_int_equal(NODE(&tree, WASM_PERF_FUNCTION_TRUNCATED)->call_count, 10);
  room_to_give = 1; /* not asked again */
  wi_calltree_enter(&tree, 21);
  assert_int_equal(room_to_give, 1);
  free(tree.stack);
}

static void pauses_are_not_charged(void **state) {
  wi_calltree tree;
  wi_calltree_config config = usual;
  config.node_limit = 10000;
  config.depth_limit = 10000;
  config.after_pause = end_pause;
  pause_count = 0;
  tree_new(&tree, config);
  for (uint32_t f = 1; f <= 512; f++)
    start_at(&tree, f, 0);
  assert_int_equal(pause_count, 1); /* 1024 slots are half full */
  end_at(&tree, 1003);
  assert_int_equal(tree.nodes[512].self, 3);
  free(tree.stack);
}

static void node_limit_is_kept_in_range(void **state) {
  assert_int_equal(wi_calltree_node_limit(0), WASM_PERF_DEFAULT_NODE_LIMIT);
  assert_int_equal(wi_calltree_node_limit(1), 2);
  assert_int_equal(wi_calltree_node_limit(12345), 12345);
  assert_int_equal(wi_calltree_node_limit(UINT32_MAX), WASM_PERF_MAX_NODE_LIMIT);
}

static void default_limit_fits_64_megabytes(void **state) {
  wi_calltree_config config = {.node_limit = WASM_PERF_DEFAULT_NODE_LIMIT,
                               .depth_limit = WI_CALLTREE_MAX_DEPTH_LIMIT};
  assert_true(wi_calltree_memory_size(&config, config.node_limit) < 64 << 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_calls_per_stack),
      cmocka_unit_test(function_0_is_a_function),
      cmocka_unit_test(recursion_makes_a_node_per_level),
      cmocka_unit_test(one_node_may_have_many_children),
      cmocka_unit_test(header_describes_the_tree),
      cmocka_unit_test(time_goes_to_the_innermost_frame),
      cmocka_unit_test(wall_clock_starts_with_the_first_event),
      cmocka_unit_test(clock_that_runs_backwards_charges_nothing),
      cmocka_unit_test(unwinding_drops_deeper_frames),
      cmocka_unit_test(unwinding_nothing_changes_nothing),
      cmocka_unit_test(end_without_a_frame_is_counted),
      cmocka_unit_test(snapshot_leaves_frames_open),
      cmocka_unit_test(reset_drops_everything),
      cmocka_unit_test(calls_past_the_node_limit_count_in_the_nearest_ancestor),
      cmocka_unit_test(other_calls_past_the_node_limit_count_in_truncated),
      cmocka_unit_test(smallest_limit_has_room_for_truncated),
      cmocka_unit_test(recursion_folds_where_that_is_wanted),
      cmocka_unit_test(truncation_looks_at_256_ancestors),
      cmocka_unit_test(frames_beyond_the_stack_are_counted),
      cmocka_unit_test(frames_beyond_the_stack_are_never_stored),
      cmocka_unit_test(deep_recursion_fits_the_largest_stack),
      cmocka_unit_test(numbers_that_name_no_function_are_truncated),
      cmocka_unit_test(memory_grows_node_by_node_until_it_cannot),
      cmocka_unit_test(pauses_are_not_charged),
      cmocka_unit_test(one_node_may_have_most_of_the_nodes),
      cmocka_unit_test(node_limit_is_kept_in_range),
      cmocka_unit_test(default_limit_fits_64_megabytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
