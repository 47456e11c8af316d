#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "runtime/native.h"

#include <stdlib.h>

#include "runtime/calltree.h"
#include "runtime/clock.h"
#include "runtime/hook_cost.h"

struct wasm_perf_context {
  wi_calltree tree; /* first, so that its callbacks find the rest */
  wasm_perf_clock clock;
  wi_timer timer; /* of a wall clock */
  void *memory;   /* the tree's */
};

/* Untouched memory costs nothing: blocks of this size come from the system page by page. */
static void *reserve(uint64_t size) {
  uint64_t rounded =
      (size + WI_CALLTREE_ALIGNMENT - 1) / WI_CALLTREE_ALIGNMENT * WI_CALLTREE_ALIGNMENT;
  return rounded <= SIZE_MAX ? aligned_alloc(WI_CALLTREE_ALIGNMENT, (size_t)rounded) : NULL;
}

static void restart_clock(wi_calltree *tree) {
  const wasm_perf_context *context = (const wasm_perf_context *)tree;
  tree->last = wi_timer_read(&context->timer);
}

static wasm_perf_context *context_new(const wasm_perf_options *options) {
  wasm_perf_context *context = calloc(1, sizeof *context);
  if (!context)
    return NULL;
  bool is_wall = options->clock == WASM_PERF_CLOCK_WALL;
  if (is_wall)
    context->timer = wi_timer_get();
  context->clock = options->clock;
  const wi_calltree_config config = {
      .clock = options->clock,
      .recursion = options->recursion,
      .ticks_per_second = context->timer.ticks_per_second,
      .node_limit = wi_calltree_node_limit(options->node_limit),
      .depth_limit = WI_CALLTREE_MAX_DEPTH_LIMIT,
      .after_pause = is_wall ? restart_clock : NULL,
  };
  context->memory = reserve(wi_calltree_memory_size(&config, config.node_limit));
  if (!context->memory) {
    free(context);
    return NULL;
  }
  wi_calltree_init(&context->tree, context->memory, &config);
  return context;
}

wasm_perf_context *wasm_perf_context_new(const wasm_perf_options *options) {
  static const wasm_perf_options usual = {.clock = WASM_PERF_CLOCK_WALL};
  if (!options)
    return context_new(&usual);
  if ((unsigned)options->recursion > WASM_PERF_RECURSION_FOLD)
    return NULL;
  switch (options->clock) {
  case WASM_PERF_CLOCK_WALL:
  case WASM_PERF_CLOCK_NONE:
  case WASM_PERF_CLOCK_INSTRUCTIONS: return context_new(options);
  default: return NULL;
  }
}

void wasm_perf_context_free(wasm_perf_context *context) {
  if (!context)
    return;
  free(context->memory);
  free(context);
}

void wasm_perf_reset(wasm_perf_context *context) {
  wi_calltree_reset(&context->tree);
}

/* Charges the time up to now where the context reads a clock. */
static inline void tick(wasm_perf_context *context) {
  if (context->clock == WASM_PERF_CLOCK_WALL)
    wi_calltree_charge(&context->tree, wi_timer_read(&context->timer));
}

/* The same for a reading that the module supplied. */
static inline void tick_at(wasm_perf_context *context, uint64_t now) {
  if (context->clock == WASM_PERF_CLOCK_INSTRUCTIONS)
    wi_calltree_charge(&context->tree, now);
}

void wasm_perf_start(wasm_perf_context *context, uint32_t function) {
  tick(context);
  wi_calltree_enter(&context->tree, function);
}

void wasm_perf_end(wasm_perf_context *context) {
  tick(context);
  wi_calltree_leave(&context->tree);
}

uint32_t wasm_perf_depth(const wasm_perf_context *context) {
  return context->tree.depth;
}

void wasm_perf_unwind(wasm_perf_context *context, uint32_t depth) {
  if (context->tree.depth <= depth)
    return;
  tick(context);
  wi_calltree_unwind(&context->tree, depth);
}

void wasm_perf_start_at(wasm_perf_context *context, uint32_t function, uint64_t now) {
  tick_at(context, now);
  wi_calltree_enter(&context->tree, function);
}

void wasm_perf_end_at(wasm_perf_context *context, uint64_t now) {
  tick_at(context, now);
  wi_calltree_leave(&context->tree);
}

void wasm_perf_unwind_at(wasm_perf_context *context, uint32_t depth, uint64_t now) {
  if (context->tree.depth <= depth)
    return;
  tick_at(context, now);
  wi_calltree_unwind(&context->tree, depth);
}

static void start_hook(void *context, uint32_t function) {
  wasm_perf_start(context, function);
}

static void end_hook(void *context) {
  wasm_perf_end(context);
}

static uint64_t read_context(void *context) {
  return wi_timer_read(&((const wasm_perf_context *)context)->timer);
}

/* Only now, when caches and branch predictors know the hooks as well as they did in the program. */
static void measure_hooks(wasm_perf_context *context) {
  const wi_hook_set hooks = {start_hook, end_hook, read_context, context};
  wi_hook_cost_measure(&context->tree, &hooks);
}

const wasm_perf_header *wi_snapshot(wasm_perf_context *context) {
  tick(context);
  if (context->clock == WASM_PERF_CLOCK_WALL)
    measure_hooks(context);
  return wi_calltree_snapshot(&context->tree);
}
