#include "runtime/hook_cost.h"

#define DENSE_COUNT  16u /* measured hooks per doubling of the interval, at first */
#define MOST_DOUBLED 6u
#define LEAST_COUNT  4u /* measured hooks; fewer may all be first ones, which are slow */
#define LONG         4u /* octaves above the median: the thread was interrupted meanwhile */

/* Numerical Recipes' generator, whose upper bits are good enough to avoid a rhythm. */
static uint32_t random_below_power(wi_hook_cost *cost, uint32_t bits) {
  cost->random = cost->random * 1664525u + 1013904223u;
  return bits == 0 ? 0 : cost->random >> (32 - bits);
}

/* Half of the mean distance up to one and a half of it. */
static void choose_next(wi_hook_cost *cost) {
  uint32_t doubled = cost->measured_count / DENSE_COUNT;
  if (doubled < MOST_DOUBLED)
    cost->measured_count++;
  uint32_t mean = 1u << doubled, jitter = random_below_power(cost, doubled);
  cost->interval = mean - mean / 2 + jitter;
  cost->rest = cost->interval - 1;
}

static uint32_t octave_of(uint64_t ticks) {
  return ticks == 0 ? 0 : 64u - (uint32_t)__builtin_clzll(ticks);
}

void wi_hook_cost_add(wi_hook_cost *cost, wi_hook_end end, uint64_t ticks) {
  wi_hook_octave *octave = &cost->octaves[end][octave_of(ticks)];
  uint32_t weight = cost->interval > 0 ? cost->interval : 1;
  octave->count += weight;
  octave->ticks += weight * ticks;
  choose_next(cost);
}

/* ---- Means ---------------------------------------------------------------------- */

typedef struct mean {
  uint64_t cost;   /* of WASM_PERF_COST_CALL_COUNT hooks, in ticks */
  uint64_t median; /* likewise, the mean of its octave */
} mean;

static uint64_t times_calls(const wi_hook_octave *sum) {
  uint64_t whole = sum->ticks / sum->count, rest = sum->ticks % sum->count;
  return whole * WASM_PERF_COST_CALL_COUNT + rest * WASM_PERF_COST_CALL_COUNT / sum->count;
}

/*
 * The octave with the median of the costs that are not 0: where a clock is coarse, most are 0 and
 * the others have its step. 0: none.
 */
static uint32_t median_octave(const wi_hook_octave *octaves) {
  uint64_t whole = 0, below = 0;
  uint32_t at = 0;
  for (uint32_t i = 1; i < WI_HOOK_OCTAVE_COUNT; i++)
    whole += octaves[i].count;
  while (whole > 0 && 2 * below < whole)
    below += octaves[++at].count;
  return at;
}

/* Hooks that took much longer than usual were interrupted: their time is not the hooks'. */
static mean mean_of(const wi_hook_octave *octaves) {
  wi_hook_octave sum = octaves[0];
  uint32_t median = median_octave(octaves);
  for (uint32_t i = 1; i < WI_HOOK_OCTAVE_COUNT && i <= median + LONG; i++) {
    sum.count += octaves[i].count;
    sum.ticks += octaves[i].ticks;
  }
  if (sum.count < LEAST_COUNT)
    return (mean){0};
  bool is_coarse = 2 * octaves[0].count > sum.count; /* the mean is all that is known */
  uint64_t cost = times_calls(&sum);
  return (mean){cost, is_coarse ? cost : times_calls(&octaves[median])};
}

static uint64_t distance(uint64_t a, uint64_t b) {
  return a > b ? a - b : b - a;
}

void wi_hook_cost_write(const wi_hook_cost *cost, wasm_perf_header *header) {
  mean inner = mean_of(cost->octaves[WI_HOOK_INNER]);
  mean outer = mean_of(cost->octaves[WI_HOOK_OUTER]);
  header->inner_hook_cost = inner.cost;
  header->outer_hook_cost = outer.cost;
  header->hook_cost_error = distance(inner.cost + outer.cost, inner.median + outer.median);
}
