/*
 * Choosing functions whose hooks fit into a budget: those that keep the most of what was measured
 * under their own names. That is a 0-1 knapsack (Kellerer, Pferschy, Pisinger, "Knapsack Problems",
 * 2004, chapter 2): a greedy choice by value for cost, made exact around the place where it breaks
 * off. What a function without hooks took stands in a report under the function that called it.
 */
#ifndef WI_CLI_COMMON_HOOK_BUDGET_H_
#define WI_CLI_COMMON_HOOK_BUDGET_H_

#include "wasm_perf/profile.h"

/*
 * What hooks cost is counted in units, one of which stands for a few instructions. The embedded
 * form does about twice as much where a function is entered as before each call that it makes. What
 * calls nothing is counted by callers that have hooks. A caller without hooks leaves one slot to
 * all that have some below it: entries then miss, more often than not.
 */
#define WI_BUDGET_ENTRY_UNITS  2u
#define WI_BUDGET_CALL_UNITS   1u
#define WI_BUDGET_LEAF_UNITS   2u
#define WI_BUDGET_MISS_UNITS   8u /* an entry from a caller without hooks */
#define WI_BUDGET_INSTRUCTIONS 5u /* that a unit stands for */

typedef struct wi_budget_function {
  uint32_t function;
  bool calls_nothing; /* in that run */
  uint64_t cost;      /* units, of the calls that entered it and of those that it made, by which
                         others have hooks: all, until some are chosen */
  uint64_t value;     /* what is to be kept: the profile's self value */
  bool chosen;
} wi_budget_function;

/* Calls of one function by another; both by their place among functions. */
typedef struct wi_budget_edge {
  uint32_t caller; /* WI_BUDGET_NO_CALLER: the host, or a function without hooks */
  uint32_t callee;
  uint64_t calls;
} wi_budget_edge;

#define WI_BUDGET_NO_CALLER UINT32_MAX

/* The functions whose calls were counted, by index; with sums of all. Zero it before; clear it
 * after. */
typedef struct wi_budget {
  wi_budget_function *functions; /* owned */
  uint32_t count;
  wi_budget_edge *edges; /* owned; NULL: costs are as they are */
  uint32_t edge_count;
  uint64_t cost; /* of hooks in all of them */
  uint64_t value;
} wi_budget;

/*
 * Counts what hooks in all functions cost in a run whose profile had them. Values are the profile's
 * self values. False: out of memory.
 */
bool wi_budget_init(wi_budget *budget, const wasm_perf_profile *profile);
void wi_budget_clear(wi_budget *budget);

/*
 * What `part` ÷ `whole` of the run that the profile is of is in units of hooks: by what they cost
 * that run, where it tells, else a unit is taken for a nanosecond or a few instructions. False: it
 * has neither times nor instructions.
 */
bool wi_budget_limit(const wi_budget *budget, const wasm_perf_profile *profile, uint64_t part,
                     uint64_t whole, uint64_t *limit);

/* The sums over the functions that were chosen. */
typedef struct wi_budget_sum {
  uint32_t count;
  uint64_t cost;
  uint64_t value;
} wi_budget_sum;

#define WI_BUDGET_CORE 24u

/*
 * Chooses functions whose costs together are at most `limit` and whose values together are as large
 * as can be: exactly so of up to WI_BUDGET_CORE functions, of more to within one function's value.
 * Where costs depend on the choice, they are brought up to date with it, and it is made anew, for
 * less, until what it costs is within the limit. One of no value is chosen only where all cost no
 * more than `limit`. Takes O(n log n) time. False: out of memory.
 */
bool wi_budget_choose(wi_budget *budget, uint64_t limit, wi_budget_sum *sum);

#endif /* WI_CLI_COMMON_HOOK_BUDGET_H_ */
