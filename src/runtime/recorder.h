/*
 * What hooks do: record into a call tree and charge it by a clock. The native runtime and the
 * module share this. Each defines its own way to read a wall clock, which is inlined here.
 */
#ifndef WI_RUNTIME_RECORDER_H_
#define WI_RUNTIME_RECORDER_H_

#include "runtime/calltree.h"
#include "runtime/hook_cost.h"

typedef struct wi_recorder {
  wi_calltree tree;  /* first: a tree's address is also its recorder's */
  uint32_t clock;    /* enum wasm_perf_clock, or a number outside it that the runtime defines */
  wi_hook_cost cost; /* of hooks that read a wall clock */
} wi_recorder;

/* The wall clock, in ticks. The source that includes this file defines it. */
static inline uint64_t wi_recorder_read(const wi_recorder *recorder);

/* Excludes a pause caused by growing the tree. */
static inline void wi_recorder_restart(wi_calltree *tree) {
  tree->last = wi_recorder_read((const wi_recorder *)tree);
}

/* The configuration of a tree for these options; the caller adds where and how it grows. */
static inline wi_calltree_config wi_recorder_config(const wasm_perf_options *options,
                                                    uint64_t ticks_per_second) {
  bool is_wall = options->clock == WASM_PERF_CLOCK_WALL;
  return (wi_calltree_config){
      .clock = options->clock,
      .recursion = options->recursion,
      .ticks_per_second = is_wall ? ticks_per_second : 0,
      .node_limit = wi_calltree_node_limit(options->node_limit),
      .depth_limit = WI_CALLTREE_MAX_DEPTH_LIMIT,
      .after_pause = is_wall ? wi_recorder_restart : NULL,
  };
}

/* ---- Events -------------------------------------------------------------- */

/* Charges the time up to now, if the clock is read at each event. */
static inline void wi_recorder_tick(wi_recorder *recorder) {
  if (recorder->clock == WASM_PERF_CLOCK_WALL)
    wi_calltree_charge(&recorder->tree, wi_recorder_read(recorder));
}

/* As wi_recorder_tick, for a clock reading passed by the module. */
static inline void wi_recorder_tick_at(wi_recorder *recorder, uint64_t now) {
  if (wasm_perf_clock_is_counted(recorder->clock))
    wi_calltree_charge(&recorder->tree, now);
}

/*
 * Ends a hook that read the clock, and measures some of them: the time since that reading is what
 * the hook adds. A tree that grew meanwhile has read the clock anew.
 */
static inline void wi_recorder_measure(wi_recorder *recorder, wi_hook_end end, uint64_t began) {
  if (!wi_hook_cost_is_due(&recorder->cost))
    return;
  uint64_t now = wi_recorder_read(recorder);
  if (recorder->tree.last == began && now >= began)
    wi_hook_cost_add(&recorder->cost, end, now - began);
  else
    wi_hook_cost_skip(&recorder->cost);
  recorder->tree.last = now; /* this reading in place of the first: nobody is charged for both */
}

static inline void wi_recorder_start(wi_recorder *recorder, uint32_t function) {
  wi_recorder_tick(recorder);
  uint64_t began = recorder->tree.last;
  wi_calltree_enter(&recorder->tree, function);
  if (recorder->clock == WASM_PERF_CLOCK_WALL)
    wi_recorder_measure(recorder, WI_HOOK_INNER, began);
}

static inline void wi_recorder_end(wi_recorder *recorder) {
  wi_recorder_tick(recorder);
  uint64_t began = recorder->tree.last;
  wi_calltree_leave(&recorder->tree);
  if (recorder->clock == WASM_PERF_CLOCK_WALL)
    wi_recorder_measure(recorder, WI_HOOK_OUTER, began);
}

static inline void wi_recorder_unwind(wi_recorder *recorder, uint32_t depth) {
  if (recorder->tree.depth <= depth)
    return;
  wi_recorder_tick(recorder);
  wi_calltree_unwind(&recorder->tree, depth);
}

static inline void wi_recorder_start_at(wi_recorder *recorder, uint32_t function, uint64_t now) {
  wi_recorder_tick_at(recorder, now);
  wi_calltree_enter(&recorder->tree, function);
}

static inline void wi_recorder_end_at(wi_recorder *recorder, uint64_t now) {
  wi_recorder_tick_at(recorder, now);
  wi_calltree_leave(&recorder->tree);
}

static inline void wi_recorder_unwind_at(wi_recorder *recorder, uint32_t depth, uint64_t now) {
  if (recorder->tree.depth <= depth)
    return;
  wi_recorder_tick_at(recorder, now);
  wi_calltree_unwind(&recorder->tree, depth);
}

/* ---- The profile ---------------------------------------------------------- */

/* Charges the time up to now and writes what the hooks cost. */
static inline const wasm_perf_header *wi_recorder_snapshot(wi_recorder *recorder) {
  wi_recorder_tick(recorder);
  if (recorder->clock == WASM_PERF_CLOCK_WALL)
    wi_hook_cost_write(&recorder->cost, recorder->tree.header);
  return wi_calltree_snapshot(&recorder->tree);
}

#endif /* WI_RUNTIME_RECORDER_H_ */
