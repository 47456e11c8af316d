/* Functions chosen for a budget, beside the best of all choices. */
#include "../support/random.h"
#include "unit.h"

#include "cli/common/hook_budget.h"

static uint64_t best_of_all(const wi_budget *budget, uint64_t limit) {
  uint64_t best = 0;
  for (uint32_t set = 0; set < 1u << budget->count; set++) {
    uint64_t cost = 0, value = 0;
    for (uint32_t i = 0; i < budget->count; i++)
      if (set >> i & 1) {
        cost += budget->functions[i].cost;
        value += budget->functions[i].value;
      }
    if (cost <= limit && value > best)
      best = value;
  }
  return best;
}

static void make_random(wi_budget *budget, wi_budget_function *functions, uint32_t count) {
  *budget = (wi_budget){.functions = functions, .count = count};
  for (uint32_t i = 0; i < count; i++) {
    functions[i] = (wi_budget_function){
        .function = i, .cost = 1 + random_below(100), .value = random_below(1000)};
    budget->cost += functions[i].cost;
    budget->value += functions[i].value;
  }
}

static void check_sum(const wi_budget *budget, const wi_budget_sum *sum, uint64_t limit) {
  wi_budget_sum again = {0};
  for (uint32_t i = 0; i < budget->count; i++)
    if (budget->functions[i].chosen) {
      again.count++;
      again.cost += budget->functions[i].cost;
      again.value += budget->functions[i].value;
    }
  assert_int_equal(again.count, sum->count);
  assert_int_equal(again.cost, sum->cost);
  assert_int_equal(again.value, sum->value);
  assert_true(sum->cost <= limit);
}

static void test_few_are_chosen_as_well_as_can_be(void **state) {
  wi_budget_function functions[12];
  for (unsigned round = 0; round < 400; round++) {
    wi_budget budget;
    wi_budget_sum sum;
    make_random(&budget, functions, 1 + random_below(COUNT(functions)));
    uint64_t limit = random_below((uint32_t)budget.cost + 1);
    assert_true(wi_budget_choose(&budget, limit, &sum));
    check_sum(&budget, &sum, limit);
    assert_int_equal(sum.value, best_of_all(&budget, limit));
  }
}

/* The best choice where parts of functions could be chosen, too: in order of density. */
static double relaxed_best(const wi_budget *budget, uint64_t limit) {
  bool used[300] = {false};
  double value = 0, room = (double)limit;
  for (;;) {
    uint32_t best = budget->count;
    for (uint32_t i = 0; i < budget->count; i++) {
      const wi_budget_function *a = &budget->functions[i];
      if (!used[i] && (best == budget->count || a->value * budget->functions[best].cost >
                                                    budget->functions[best].value * a->cost))
        best = i;
    }
    if (best == budget->count)
      return value;
    const wi_budget_function *item = &budget->functions[best];
    double share = (double)item->cost <= room ? 1 : room / (double)item->cost;
    used[best] = true;
    value += share * (double)item->value;
    room -= share * (double)item->cost;
    if (share < 1)
      return value;
  }
}

static void test_many_are_chosen_to_within_one(void **state) {
  wi_budget_function functions[300];
  for (unsigned round = 0; round < 100; round++) {
    wi_budget budget;
    wi_budget_sum sum;
    make_random(&budget, functions, 1 + random_below(COUNT(functions)));
    uint64_t limit = random_below((uint32_t)budget.cost + 1);
    assert_true(wi_budget_choose(&budget, limit, &sum));
    check_sum(&budget, &sum, limit);
    assert_true((double)sum.value + 1000 >= relaxed_best(&budget, limit));
  }
}

/* root -> a (2 calls) -> b (10), c (5); b -> b (30): recursion. c took nothing. */
static wasm_perf_node nodes[] = {{WASM_PERF_FUNCTION_ROOT, 0, 0, 0},
                                 {7, 0, 2, 100},
                                 {3, 1, 10, 60},
                                 {9, 1, 5, 0},
                                 {3, 2, 30, 40}};

static void init_example(wi_budget *budget) {
  wasm_perf_profile profile = {.header.node_count = COUNT(nodes), .nodes = nodes};
  assert_true(wi_budget_init(budget, &profile));
}

static const wi_budget_function *find(const wi_budget *budget, uint32_t function) {
  for (uint32_t i = 0; i < budget->count; i++)
    if (budget->functions[i].function == function)
      return &budget->functions[i];
  return NULL;
}

static void test_costs_are_of_entries_and_calls(void **state) {
  wi_budget budget;
  init_example(&budget);
  assert_int_equal(budget.count, 3);
  assert_int_equal(find(&budget, 7)->cost, 2 * 2 + 10);
  assert_int_equal(find(&budget, 3)->cost, 2 * (10 + 30) + 30);
  assert_int_equal(find(&budget, 9)->cost, 2 * 5); /* it calls nothing */
  assert_int_equal(budget.cost, 14 + 110 + 10);
  assert_int_equal(find(&budget, 3)->value, 100);
  assert_int_equal(budget.value, 200);
  wi_budget_clear(&budget);
}

static uint32_t chosen_count(wi_budget *budget, uint64_t limit) {
  wi_budget_sum sum;
  assert_true(wi_budget_choose(budget, limit, &sum));
  check_sum(budget, &sum, limit);
  return sum.count;
}

static void test_limits(void **state) {
  wi_budget budget;
  init_example(&budget);
  assert_int_equal(chosen_count(&budget, 0), 0);
  assert_int_equal(chosen_count(&budget, 13), 0);
  assert_int_equal(chosen_count(&budget, 14), 1);
  assert_int_equal(chosen_count(&budget, 133), 2);
  assert_int_equal(chosen_count(&budget, 134), 3);
  assert_int_equal(chosen_count(&budget, UINT64_MAX), 3);
  wi_budget_clear(&budget);
  wasm_perf_profile empty = {.header.node_count = 1, .nodes = nodes};
  assert_true(wi_budget_init(&budget, &empty));
  assert_int_equal(chosen_count(&budget, 100), 0);
  wi_budget_clear(&budget);
}

/* root -> p -> q, 1000 calls each: q costs more where p has no hooks. */
static void test_callers_without_hooks_make_entries_dearer(void **state) {
  wasm_perf_node chain[] = {nodes[0], {1, 0, 1000, 1}, {2, 1, 1000, 50}};
  wasm_perf_profile profile = {.header.node_count = COUNT(chain), .nodes = chain};
  wi_budget budget;
  assert_true(wi_budget_init(&budget, &profile));
  assert_int_equal(budget.cost, 4000);
  assert_int_equal(chosen_count(&budget, 3999), 1);
  assert_true(find(&budget, 1)->chosen);
  assert_int_equal(chosen_count(&budget, 1999), 0);
  assert_int_equal(chosen_count(&budget, 4000), 2);
  for (unsigned round = 0; round < 2; round++) /* a choice leaves nothing behind */
    assert_int_equal(chosen_count(&budget, 8000), 2);
  wi_budget_clear(&budget);
}

/* Random trees: what is chosen costs no more than the limit by the costs it has. */
static void test_choices_stay_within_the_limit(void **state) {
  wasm_perf_node tree[200] = {nodes[0]};
  wasm_perf_profile profile = {.header.node_count = COUNT(tree), .nodes = tree};
  for (unsigned round = 0; round < 200; round++) {
    for (uint32_t i = 1; i < COUNT(tree); i++)
      tree[i] = (wasm_perf_node){random_below(40), random_below(i), random_below(1000),
                                 random_below(1000)};
    wi_budget budget;
    assert_true(wi_budget_init(&budget, &profile));
    chosen_count(&budget, random_below((uint32_t)budget.cost + 1));
    assert_int_equal(chosen_count(&budget, budget.cost), budget.count);
    wi_budget_clear(&budget);
  }
}

static uint64_t limit_of(const wasm_perf_profile *profile, uint64_t part, uint64_t whole) {
  wi_budget budget;
  uint64_t limit;
  assert_true(wi_budget_init(&budget, profile));
  assert_true(wi_budget_limit(&budget, profile, part, whole, &limit));
  wi_budget_clear(&budget);
  return limit;
}

static void test_limits_of_profiles(void **state) {
  wasm_perf_profile profile = {.header.node_count = COUNT(nodes), .nodes = nodes}; /* self: 200 */
  profile.header.clock = WASM_PERF_CLOCK_INSTRUCTIONS;
  assert_int_equal(limit_of(&profile, 10, 100), 200 / 10 / WI_BUDGET_INSTRUCTIONS);
  profile.header.clock = WASM_PERF_CLOCK_SAMPLED;
  profile.header.ticks_per_second = 100000000; /* of 10 ns each */
  assert_int_equal(limit_of(&profile, 3, 100), 60);
  profile.facts.run_time = 1500;
  assert_int_equal(limit_of(&profile, 3, 100), 60);
  profile.facts.plain_run_time = 1000; /* 134 units were 500 ns */
  assert_int_equal(limit_of(&profile, 10, 100), 26);
  profile.header.clock = WASM_PERF_CLOCK_NONE;
  wi_budget budget;
  uint64_t limit;
  assert_true(wi_budget_init(&budget, &profile));
  assert_false(wi_budget_limit(&budget, &profile, 3, 100, &limit));
  wi_budget_clear(&budget);
}

static void test_numbers_too_large(void **state) {
  wasm_perf_node large[] = {nodes[0], {1, 0, UINT64_MAX, UINT64_MAX}, {2, 1, UINT64_MAX, 5}};
  wasm_perf_profile profile = {.header.node_count = COUNT(large), .nodes = large};
  wi_budget budget;
  assert_true(wi_budget_init(&budget, &profile));
  assert_int_equal(budget.cost, UINT64_MAX);
  assert_int_equal(budget.value, UINT64_MAX);
  assert_int_equal(chosen_count(&budget, UINT64_MAX - 1), 0);
  wi_budget_clear(&budget);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_few_are_chosen_as_well_as_can_be),
      cmocka_unit_test(test_many_are_chosen_to_within_one),
      cmocka_unit_test(test_costs_are_of_entries_and_calls),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_callers_without_hooks_make_entries_dearer),
      cmocka_unit_test(test_choices_stay_within_the_limit),
      cmocka_unit_test(test_limits_of_profiles),
      cmocka_unit_test(test_numbers_too_large),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
