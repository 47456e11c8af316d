#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "runtime/native.h"

#include <stdlib.h>

#include "runtime/calltree.h"
#include "runtime/clock.h"
#include "runtime/hook_cost.h"
#include "runtime/hybrid.h"

struct wasm_perf_context {
  calltree tree; /* first, so that its callbacks find the rest */
  wasm_perf_clock clock;
  wi_timer timer;      /* of a wall clock */
  void *memory;        /* the tree's */
  hybrid_clock hybrid; /* of that clock */
};

/* Untouched memory costs nothing: blocks of this size come from the system page by page. */
static void *reserve(uint64_t size) {
  uint64_t rounded = (size + CALLTREE_ALIGNMENT - 1) / CALLTREE_ALIGNMENT * CALLTREE_ALIGNMENT;
  return rounded <= SIZE_MAX ? aligned_alloc(CALLTREE_ALIGNMENT, (size_t)rounded) : NULL;
}

static void restart_clock(calltree *tree) {
  const wasm_perf_context *context = (const wasm_perf_context *)tree;
  tree->last = wi_timer_read(&context->timer);
}

static void pause_hybrid(calltree *tree) {
  hybrid_pause(&((wasm_perf_context *)tree)->hybrid);
}

static void resume_hybrid(calltree *tree) {
  hybrid_resume(&((wasm_perf_context *)tree)->hybrid);
}

/* The configuration of a tree with that clock; the rest of it is up to the caller. */
static calltree_config config_for(wasm_perf_clock clock) {
  switch (clock) {
  case WASM_PERF_CLOCK_WALL: return (calltree_config){.after_pause = restart_clock};
  case WASM_PERF_CLOCK_HYBRID:
    return (calltree_config){.before_pause = pause_hybrid, .after_pause = resume_hybrid};
  case WASM_PERF_CLOCK_NONE:
  case WASM_PERF_CLOCK_INSTRUCTIONS:
  case WASM_PERF_CLOCK_SAMPLED: break;
  }
  return (calltree_config){0};
}

static wasm_perf_context *context_new(const wasm_perf_options *options, uint64_t ticks_per_second) {
  wasm_perf_context *context = calloc(1, sizeof *context);
  if (!context)
    return NULL;
  context->clock = options->clock;
  calltree_config config = config_for(options->clock);
  config.clock = options->clock;
  config.recursion = options->recursion;
  config.ticks_per_second = ticks_per_second;
  config.node_limit = calltree_node_limit(options->node_limit);
  config.depth_limit = CALLTREE_MAX_DEPTH_LIMIT;
  context->memory = reserve(calltree_memory_size(&config, config.node_limit));
  if (!context->memory) {
    free(context);
    return NULL;
  }
  calltree_init(&context->tree, context->memory, &config);
  return context;
}

wasm_perf_context *wi_context_new_hybrid(const wasm_perf_clock_source *source,
                                         uint32_t node_limit) {
  const wasm_perf_options options = {.clock = WASM_PERF_CLOCK_HYBRID, .node_limit = node_limit};
  wasm_perf_context *context = context_new(&options, source->ticks_per_second);
  if (context)
    hybrid_init(&context->hybrid, &context->tree, source->read, source->user);
  return context;
}

static uint64_t read_timer(void *timer) {
  return wi_timer_read(timer);
}

/* With the process's own clock. */
static wasm_perf_context *timed_context_new(const wasm_perf_options *options) {
  wi_timer timer = wi_timer_get();
  wasm_perf_context *context = context_new(options, timer.ticks_per_second);
  if (!context)
    return NULL;
  context->timer = timer;
  if (options->clock == WASM_PERF_CLOCK_HYBRID)
    hybrid_init(&context->hybrid, &context->tree, read_timer, &context->timer);
  return context;
}

wasm_perf_context *wasm_perf_context_new(const wasm_perf_options *options) {
  static const wasm_perf_options usual = {.clock = WASM_PERF_CLOCK_WALL};
  if (!options)
    return timed_context_new(&usual);
  if ((unsigned)options->recursion > WASM_PERF_RECURSION_FOLD)
    return NULL;
  switch (options->clock) {
  case WASM_PERF_CLOCK_WALL:
  case WASM_PERF_CLOCK_HYBRID: return timed_context_new(options);
  case WASM_PERF_CLOCK_NONE:
  case WASM_PERF_CLOCK_INSTRUCTIONS: return context_new(options, 0);
  case WASM_PERF_CLOCK_SAMPLED: break;
  }
  return NULL;
}

void wasm_perf_context_free(wasm_perf_context *context) {
  if (!context)
    return;
  free(context->memory);
  free(context);
}

void wasm_perf_reset(wasm_perf_context *context) {
  calltree_reset(&context->tree);
  if (context->clock == WASM_PERF_CLOCK_HYBRID)
    hybrid_reset(&context->hybrid);
}

/* Charges the time up to now where the context reads a clock. */
static inline void tick(wasm_perf_context *context) {
  if (context->clock == WASM_PERF_CLOCK_WALL)
    calltree_charge(&context->tree, wi_timer_read(&context->timer));
}

/* The same for a reading that the module supplied. */
static inline void tick_at(wasm_perf_context *context, uint64_t now) {
  if (context->clock == WASM_PERF_CLOCK_INSTRUCTIONS)
    calltree_charge(&context->tree, now);
}

void wasm_perf_start(wasm_perf_context *context, uint32_t function) {
  tick(context);
  calltree_enter(&context->tree, function);
}

void wasm_perf_end(wasm_perf_context *context) {
  tick(context);
  calltree_leave(&context->tree);
}

uint32_t wasm_perf_depth(const wasm_perf_context *context) {
  return context->tree.depth;
}

void wasm_perf_unwind(wasm_perf_context *context, uint32_t depth) {
  if (context->clock == WASM_PERF_CLOCK_HYBRID)
    hybrid_drop(&context->hybrid, depth);
  if (context->tree.depth <= depth)
    return;
  tick(context);
  calltree_unwind(&context->tree, depth);
}

void wasm_perf_start_at(wasm_perf_context *context, uint32_t function, uint64_t now) {
  if (context->clock == WASM_PERF_CLOCK_HYBRID) {
    hybrid_enter(&context->hybrid, &context->tree, function, now);
    return;
  }
  tick_at(context, now);
  calltree_enter(&context->tree, function);
}

void wasm_perf_end_at(wasm_perf_context *context, uint64_t now) {
  if (context->clock == WASM_PERF_CLOCK_HYBRID) {
    hybrid_leave(&context->hybrid, &context->tree, now);
    return;
  }
  tick_at(context, now);
  calltree_leave(&context->tree);
}

void wasm_perf_unwind_at(wasm_perf_context *context, uint32_t depth, uint64_t now) {
  if (context->clock == WASM_PERF_CLOCK_HYBRID)
    hybrid_unwind(&context->hybrid, depth, now);
  if (context->tree.depth <= depth)
    return;
  tick_at(context, now);
  calltree_unwind(&context->tree, depth);
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
  const hook_set hooks = {start_hook, end_hook, read_context, context};
  hook_cost_measure(&context->tree, &hooks);
}

const wasm_perf_header *wi_snapshot(wasm_perf_context *context) {
  tick(context);
  if (context->clock == WASM_PERF_CLOCK_WALL)
    measure_hooks(context);
  if (context->clock == WASM_PERF_CLOCK_HYBRID)
    hybrid_settle(&context->hybrid);
  return calltree_snapshot(&context->tree);
}
