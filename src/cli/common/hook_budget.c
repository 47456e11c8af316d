#include "cli/common/hook_budget.h"

#include <stdio.h>
#include <stdlib.h>

#include "profile/values.h"
#include "support/arithmetic.h"

#define MAX_STEPS 200000u /* of the exact search; greedy from there on */

/* ---- Costs ------------------------------------------------------------------ */

static int compare_functions(const void *left, const void *right) {
  const wi_budget_function *a = left, *b = right;
  return a->function < b->function ? -1 : a->function > b->function;
}

/* Merges entries of the same function; sorts them by function. */
static void merge_functions(wi_budget *budget, uint32_t node_count) {
  qsort(budget->functions, node_count, sizeof *budget->functions, compare_functions);
  for (uint32_t i = 0; i < node_count; i++) {
    wi_budget_function item = budget->functions[i];
    wi_budget_function *last = &budget->functions[budget->count];
    if (budget->count > 0 && last[-1].function == item.function) {
      last[-1].value = wi_saturating_add(last[-1].value, item.value);
    } else {
      *last = item;
      budget->count++;
    }
  }
}

static wi_budget_function *find(const wi_budget *budget, uint32_t function) {
  wi_budget_function key = {.function = function};
  return bsearch(&key, budget->functions, budget->count, sizeof key, compare_functions);
}

static uint32_t place_of(const wi_budget *budget, uint32_t function) {
  const wi_budget_function *found = find(budget, function);
  return found ? (uint32_t)(found - budget->functions) : WI_BUDGET_NO_CALLER;
}

static int compare_edges(const void *left, const void *right) {
  const wi_budget_edge *a = left, *b = right;
  if (a->caller != b->caller)
    return a->caller < b->caller ? -1 : 1;
  return a->callee < b->callee ? -1 : a->callee > b->callee;
}

/* Merges edges between the same two functions. */
static void merge_edges(wi_budget *budget) {
  uint32_t count = 0;
  qsort(budget->edges, budget->edge_count, sizeof *budget->edges, compare_edges);
  for (uint32_t i = 0; i < budget->edge_count; i++) {
    wi_budget_edge edge = budget->edges[i];
    wi_budget_edge *last = &budget->edges[count];
    if (count > 0 && compare_edges(&last[-1], &edge) == 0)
      last[-1].calls = wi_saturating_add(last[-1].calls, edge.calls);
    else
      budget->edges[count++] = edge;
  }
  budget->edge_count = count;
}

static bool find_edges(wi_budget *budget, const wasm_perf_profile *profile) {
  const wasm_perf_node *nodes = profile->nodes;
  uint32_t node_count = profile->header.node_count;
  budget->edges = calloc(node_count, sizeof *budget->edges);
  if (!budget->edges)
    return false;
  for (uint32_t i = 1; i < node_count; i++) {
    if (!wasm_perf_profile_is_counted(profile, nodes[i].function))
      continue;
    uint32_t parent = nodes[i].parent;
    uint32_t caller = parent == 0 ? WI_BUDGET_NO_CALLER : place_of(budget, nodes[parent].function);
    if (caller != WI_BUDGET_NO_CALLER)
      budget->functions[caller].calls_nothing = false;
    budget->edges[budget->edge_count++] =
        (wi_budget_edge){caller, place_of(budget, nodes[i].function), nodes[i].call_count};
  }
  merge_edges(budget);
  return true;
}

static void add_cost(wi_budget_function *item, uint64_t calls, uint64_t units) {
  uint64_t cost = units > 0 && calls > UINT64_MAX / units ? UINT64_MAX : calls * units;
  item->cost = wi_saturating_add(item->cost, cost);
}

/*
 * A hook precedes a call in the caller. If the callee calls nothing, that hook is only needed if
 * the callee has hooks, and counts as one of those.
 */
static void add_costs(wi_budget *budget, const wi_budget_edge *edge) {
  wi_budget_function *callee = &budget->functions[edge->callee];
  wi_budget_function *caller =
      edge->caller == WI_BUDGET_NO_CALLER ? NULL : &budget->functions[edge->caller];
  if (caller && !caller->chosen) {
    add_cost(callee, edge->calls, WI_BUDGET_MISS_UNITS);
  } else if (!caller || !callee->calls_nothing) {
    add_cost(callee, edge->calls, WI_BUDGET_ENTRY_UNITS);
    if (caller)
      add_cost(caller, edge->calls, WI_BUDGET_CALL_UNITS);
  } else {
    add_cost(callee, edge->calls, WI_BUDGET_LEAF_UNITS);
  }
}

/* The cost of hooks in each function, given the functions that are chosen. */
static void find_costs(wi_budget *budget) {
  for (uint32_t i = 0; i < budget->count; i++)
    budget->functions[i].cost = 0;
  for (uint32_t i = 0; i < budget->edge_count; i++)
    add_costs(budget, &budget->edges[i]);
}

bool wi_budget_init(wi_budget *budget, const wasm_perf_profile *profile) {
  const wasm_perf_node *nodes = profile->nodes;
  uint32_t count = profile->header.node_count - 1;
  *budget = (wi_budget){.functions = calloc((size_t)count + 1, sizeof *budget->functions)};
  if (!budget->functions)
    return false;
  uint32_t counted = 0;
  for (uint32_t i = 1; i <= count; i++)
    if (wasm_perf_profile_is_counted(profile, nodes[i].function))
      budget->functions[counted++] = (wi_budget_function){.function = nodes[i].function,
                                                          .value = nodes[i].self,
                                                          .calls_nothing = true,
                                                          .chosen = true};
  merge_functions(budget, counted);
  if (!find_edges(budget, profile))
    return false;
  find_costs(budget);
  for (uint32_t i = 0; i < budget->count; i++) {
    budget->cost = wi_saturating_add(budget->cost, budget->functions[i].cost);
    budget->value = wi_saturating_add(budget->value, budget->functions[i].value);
  }
  return true;
}

void wi_budget_clear(wi_budget *budget) {
  free(budget->functions);
  free(budget->edges);
  *budget = (wi_budget){0};
}

bool wi_budget_limit(const wi_budget *budget, const wasm_perf_profile *profile, uint64_t part,
                     uint64_t whole, uint64_t *limit) {
  const wasm_perf_facts *facts = &profile->facts;
  if (profile->header.clock == WASM_PERF_CLOCK_NONE)
    return false;
  if (wasm_perf_clock_is_counted(profile->header.clock))
    *limit = wi_scale(part, whole, budget->value) / WI_BUDGET_INSTRUCTIONS;
  else if (facts->plain_run_time > 0 && facts->run_time > facts->plain_run_time)
    *limit = wi_scale(budget->cost, facts->run_time - facts->plain_run_time,
                      wi_scale(part, whole, facts->plain_run_time));
  else
    *limit = wi_scale(part, whole, wi_value(&profile->header, budget->value));
  return true;
}

/* ---- Choosing ---------------------------------------------------------------- */

/* Whether a has a higher ratio of value to cost than b. */
static bool is_denser(const wi_budget_function *a, const wi_budget_function *b) {
  return (wi_u128)a->value * b->cost > (wi_u128)b->value * a->cost;
}

static int compare_densities(const void *left, const void *right) {
  const wi_budget_function *a = *(wi_budget_function *const *)left;
  const wi_budget_function *b = *(wi_budget_function *const *)right;
  if (is_denser(a, b) != is_denser(b, a))
    return is_denser(a, b) ? -1 : 1;
  return compare_functions(a, b);
}

/* Branch and bound over the core, which is sorted by density. */
typedef struct search {
  wi_budget_function *const *core;
  uint32_t count;
  uint32_t steps;
  uint64_t best_value;
  uint32_t best; /* one bit per function of the core */
} search;

/* An upper bound of the value that can be chosen from the core from `at` on, within `room`. */
static uint64_t bound(const search *s, uint32_t at, uint64_t room) {
  uint64_t value = 0;
  for (; at < s->count && s->core[at]->cost <= room; at++) {
    room -= s->core[at]->cost;
    value = wi_saturating_add(value, s->core[at]->value);
  }
  if (at == s->count)
    return value;
  return wi_saturating_add(value, wi_scale(room, s->core[at]->cost, s->core[at]->value) + 1);
}

/* The recursion is at most as deep as the core is large. */
static void descend(search *s, uint32_t at, uint64_t room, uint64_t value, uint32_t chosen) {
  if (value > s->best_value) {
    s->best_value = value;
    s->best = chosen;
  }
  if (at == s->count || s->steps == 0 ||
      wi_saturating_add(value, bound(s, at, room)) <= s->best_value)
    return;
  s->steps--;
  const wi_budget_function *item = s->core[at];
  if (item->cost <= room)
    descend(s, at + 1, room - item->cost, wi_saturating_add(value, item->value), chosen | 1u << at);
  descend(s, at + 1, room, value, chosen);
}

static uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/*
 * All functions before `middle` fit and are chosen. Chooses again within the core around it, in
 * `room` plus the cost of the core's part before the middle. Returns the remaining room.
 */
static uint64_t choose_core(wi_budget_function **sorted, uint32_t count, uint32_t middle,
                            uint64_t room) {
  uint32_t before = middle > WI_BUDGET_CORE / 2 ? middle - WI_BUDGET_CORE / 2 : 0;
  uint32_t first = smaller(before, count > WI_BUDGET_CORE ? count - WI_BUDGET_CORE : 0);
  search s = {.core = sorted + first, .count = smaller(WI_BUDGET_CORE, count - first)};
  s.steps = MAX_STEPS;
  for (uint32_t i = first; i < middle; i++)
    room += sorted[i]->cost;
  descend(&s, 0, room, 0, 0);
  for (uint32_t i = 0; i < s.count; i++) {
    s.core[i]->chosen = (s.best >> i & 1) != 0;
    room -= s.core[i]->chosen ? s.core[i]->cost : 0;
  }
  return room;
}

static void choose_sorted(wi_budget_function **sorted, uint32_t count, uint64_t room) {
  uint32_t middle = 0;
  for (; middle < count && sorted[middle]->cost <= room; middle++) {
    sorted[middle]->chosen = true;
    room -= sorted[middle]->cost;
  }
  if (middle == count)
    return;
  room = choose_core(sorted, count, middle, room);
  for (uint32_t i = middle; i < count; i++)
    if (!sorted[i]->chosen && sorted[i]->cost <= room) {
      sorted[i]->chosen = true;
      room -= sorted[i]->cost;
    }
}

/* Chooses with the current costs. */
static void choose_by_costs(wi_budget *budget, wi_budget_function **sorted, uint64_t limit) {
  uint32_t count = 0;
  uint64_t whole = 0;
  for (uint32_t i = 0; i < budget->count; i++)
    whole = wi_saturating_add(whole, budget->functions[i].cost);
  for (uint32_t i = 0; i < budget->count; i++) {
    wi_budget_function *item = &budget->functions[i];
    item->chosen = false;
    if (item->value > 0 || whole <= limit)
      sorted[count++] = item;
  }
  qsort(sorted, count, sizeof *sorted, compare_densities);
  choose_sorted(sorted, count, limit);
}

static wi_budget_sum sum_of_chosen(const wi_budget *budget) {
  wi_budget_sum sum = {0};
  for (uint32_t i = 0; i < budget->count; i++) {
    const wi_budget_function *item = &budget->functions[i];
    sum.count += item->chosen;
    if (item->chosen) {
      sum.cost = wi_saturating_add(sum.cost, item->cost);
      sum.value = wi_saturating_add(sum.value, item->value);
    }
  }
  return sum;
}

static wi_budget_sum choose_within(wi_budget *budget, wi_budget_function **sorted, uint64_t limit) {
  enum { ROUNDS = 32 };
  uint64_t aim = limit;
  for (uint32_t i = 0; i < budget->count; i++)
    budget->functions[i].chosen = true;
  for (unsigned round = 0; round < ROUNDS; round++) {
    if (budget->edges)
      find_costs(budget);
    choose_by_costs(budget, sorted, aim);
    if (budget->edges)
      find_costs(budget);
    wi_budget_sum sum = sum_of_chosen(budget);
    if (sum.cost <= limit)
      return sum;
    if (round % 2 == 1) /* first retry with the costs of this choice, then with a lower limit */
      aim = wi_scale(limit, sum.cost, aim);
  }
  for (uint32_t i = 0; i < budget->count; i++)
    budget->functions[i].chosen = false;
  return (wi_budget_sum){0};
}

bool wi_budget_choose(wi_budget *budget, uint64_t limit, wi_budget_sum *sum) {
  wi_budget_function **sorted = calloc((size_t)budget->count + 1, sizeof *sorted);
  if (!sorted)
    return false;
  *sum = choose_within(budget, sorted, limit);
  free(sorted);
  return true;
}
