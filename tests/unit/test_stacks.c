/* Which nodes have the same stack, and which functions occur: against the plain way. */
#include "unit.h"

#include "profile/functions.h"
#include "profile/stacks.h"

enum { ROOT = 0xFFFFFFFF, MAX_NODES = 400 };

static uint32_t random_below(uint32_t end) {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % end;
}

/* Several trees, one after the other: wide ones where parents are chosen among few. */
static uint32_t make_nodes(wasm_perf_node *nodes, uint32_t count, uint32_t functions) {
  uint32_t root = 0, reach = 1 + random_below(count);
  for (uint32_t i = 0; i < count; i++) {
    bool is_root = i == 0 || random_below(count) < 2;
    root = is_root ? i : root;
    uint32_t choices = is_root ? 1 : i - root;
    nodes[i] = (wasm_perf_node){.function = is_root ? ROOT : random_below(functions),
                                .parent = root + random_below(choices < reach ? choices : reach),
                                .call_count = random_below(9),
                                .self = random_below(9)};
  }
  return count;
}

/* Each with the first that has its function and its parent's place. */
static uint32_t fold_plainly(wasm_perf_node *nodes, uint32_t count, uint32_t *places) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    wasm_perf_node node = nodes[i];
    node.parent = node.function == ROOT ? 0 : places[node.parent];
    uint32_t same = 0;
    while (same < kept &&
           (nodes[same].function != node.function || nodes[same].parent != node.parent))
      same++;
    places[i] = same;
    if (same == kept) {
      nodes[kept++] = node;
    } else {
      nodes[same].call_count += node.call_count;
      nodes[same].self += node.self;
    }
  }
  return kept;
}

static void stacks_become_one_node_each(void **state) {
  for (uint32_t round = 0; round < 500; round++) {
    wasm_perf_node plain[MAX_NODES];
    uint32_t places[MAX_NODES];
    wasm_perf_profile *profile = calloc(1, sizeof *profile);
    profile->nodes = calloc(MAX_NODES, sizeof *profile->nodes);
    profile->rows = calloc(1, sizeof *profile->rows);
    uint32_t count = make_nodes(profile->nodes, 1 + random_below(MAX_NODES), 1 + random_below(40));
    profile->header.node_count = count;
    profile->row_count = 1;
    profile->rows[0].node = count - 1;
    memcpy(plain, profile->nodes, count * sizeof *plain);
    uint32_t kept = fold_plainly(plain, count, places);
    assert_true(wi_stacks_fold(profile));
    assert_int_equal(profile->header.node_count, kept);
    assert_memory_equal(profile->nodes, plain, kept * sizeof *plain);
    assert_int_equal(profile->rows[0].node, places[count - 1]);
    wasm_perf_profile_free(profile);
  }
}

static void functions_are_found_however_far_apart(void **state) {
  static const uint32_t present[] = {0, 7, 8, 65537, 65538, 70000000, WASM_PERF_FUNCTION_TRUNCATED};
  static const uint32_t absent[] = {1, 6, 9, 65536, 65539, 70000001, WASM_PERF_FUNCTION_ROOT};
  wasm_perf_node nodes[1 + 2 * COUNT(present)] = {{.function = ROOT}};
  for (size_t i = 0; i < 2 * COUNT(present); i++)
    nodes[1 + i].function = present[(i * 3) % COUNT(present)];
  wasm_perf_profile profile = {.nodes = nodes, .header.node_count = COUNT(nodes)};
  wi_functions functions;
  assert_true(wi_functions_init(&functions, &profile));
  assert_int_equal(functions.count, COUNT(present));
  for (uint32_t i = 0; i < COUNT(present); i++) {
    assert_int_equal(functions.items[i], present[i]);
    assert_int_equal(wi_functions_find(&functions, present[i]), i);
  }
  for (uint32_t i = 0; i < COUNT(absent); i++)
    assert_int_equal(wi_functions_find(&functions, absent[i]), WI_NO_NUMBER);
  wi_functions_clear(&functions);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stacks_become_one_node_each),
      cmocka_unit_test(functions_are_found_however_far_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
