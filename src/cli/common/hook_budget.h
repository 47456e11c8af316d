/*
 * Chooses functions whose hooks fit a budget, such that most of the measured value is still
 * reported under the right function. This is a 0-1 knapsack (Kellerer, Pferschy, Pisinger,
 * "Knapsack Problems", 2004, chapter 2): a greedy choice by value per cost, made exact around the
 * break item. A report charges the value of a function without hooks to its caller.
 */
#ifndef WI_CLI_COMMON_HOOK_BUDGET_H_
#define WI_CLI_COMMON_HOOK_BUDGET_H_

#include "wasm_perf/profile.h"

/*
 * Costs of hooks, in units of a few instructions each. The embedded form does about twice as much
 * work at a function's entry as before each call. Calls of leaves are counted by callers with
 * hooks. A caller without hooks has one slot for all hooked functions below it, so most entries
 * miss.
 */
#define WI_BUDGET_ENTRY_UNITS  2u
#define WI_BUDGET_CALL_UNITS   1u
#define WI_BUDGET_LEAF_UNITS   2u
#define WI_BUDGET_MISS_UNITS   8u /* an entry from a caller without hooks */
#define WI_BUDGET_INSTRUCTIONS 5u /* per unit */

typedef struct wi_budget_function {
  uint32_t function;
  bool calls_nothing; /* in that run */
  uint64_t cost;      /* units, for the calls that entered it and the calls that it made. Depends
                         on the functions that have hooks: all, until some are chosen */
  uint64_t value;     /* the profile's self value, which is lost without hooks */
  bool chosen;
} wi_budget_function;

/* Calls of one function by another. Both are indices into functions. */
typedef struct wi_budget_edge {
  uint32_t caller; /* WI_BUDGET_NO_CALLER: the host, or a function without hooks */
  uint32_t callee;
  uint64_t calls;
} wi_budget_edge;

#define WI_BUDGET_NO_CALLER UINT32_MAX

/*
 * The functions whose calls were counted, by index, and their totals. Zero before use, clear after
 * it.
 */
typedef struct wi_budget {
  wi_budget_function *functions; /* owned */
  uint32_t count;
  wi_budget_edge *edges; /* owned; NULL: costs do not depend on the choice */
  uint32_t edge_count;
  uint64_t cost; /* of hooks in all of them */
  uint64_t value;
} wi_budget;

/*
 * Computes what hooks in all functions cost in the profile's run, which had hooks in all. Values
 * are the profile's self values. Returns false if memory ran out.
 */
bool wi_budget_init(wi_budget *budget, const wasm_perf_profile *profile);
void wi_budget_clear(wi_budget *budget);

/*
 * Sets *limit to `part` ÷ `whole` of the profile's run, in units of hook costs: by the measured
 * cost of the hooks if the profile has it; otherwise one unit counts as a nanosecond or as a few
 * instructions. Returns false if the profile has neither times nor instructions.
 */
bool wi_budget_limit(const wi_budget *budget, const wasm_perf_profile *profile, uint64_t part,
                     uint64_t whole, uint64_t *limit);

/* Sums over the chosen functions. */
typedef struct wi_budget_sum {
  uint32_t count;
  uint64_t cost;
  uint64_t value;
} wi_budget_sum;

#define WI_BUDGET_CORE 24u

/*
 * Chooses functions of at most `limit` total cost and maximum total value: exact up to
 * WI_BUDGET_CORE functions; beyond that, within one function's value. If costs depend on the
 * choice, they are updated and the choice repeated, with a lower limit, until its cost is within
 * `limit`. A function without value is chosen only if all functions fit `limit`. O(n log n).
 * Returns false if memory ran out.
 */
bool wi_budget_choose(wi_budget *budget, uint64_t limit, wi_budget_sum *sum);

#endif /* WI_CLI_COMMON_HOOK_BUDGET_H_ */
