/*
 * What hooks do: record into a call tree and charge it by a clock. The native runtime and the
 * module share this. Each defines its own way to read a wall clock, which is inlined here.
 */
#ifndef WI_RUNTIME_RECORDER_H_
#define WI_RUNTIME_RECORDER_H_

#include "runtime/calltree.h"
#include "runtime/hook_cost.h"

typedef struct wi_recorder {
  wi_calltree tree; /* first: a tree's address is also its recorder's */
  uint32_t clock;   /* enum wasm_perf_clock, or a number outside it that the runtime defines */
} wi_recorder;

/* The wall clock, in ticks. The source that includes this file defines it. */
static inline uint64_t wi_recorder_read(const wi_recorder *recorder);

static inline uint64_t wi_recorder_read_hook(void *recorder) {
  return wi_recorder_read(recorder);
}

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

static inline void wi_recorder_start(wi_recorder *recorder, uint32_t function) {
  wi_recorder_tick(recorder);
  wi_calltree_enter(&recorder->tree, function);
}

static inline void wi_recorder_end(wi_recorder *recorder) {
  wi_recorder_tick(recorder);
  wi_calltree_leave(&recorder->tree);
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

/*
 * Charges the time up to now and measures the cost of the runtime's hooks. It is measured this late
 * because engines, caches and branch predictors are then as warm as they were in the program.
 */
static inline const wasm_perf_header *
wi_recorder_snapshot(wi_recorder *recorder, void (*start)(void *user, uint32_t function),
                     void (*end)(void *user), void *user) {
  wi_recorder_tick(recorder);
  if (recorder->clock == WASM_PERF_CLOCK_WALL)
    wi_hook_cost_measure(&recorder->tree, &(wi_hook_set){start, end, wi_recorder_read_hook, user});
  return wi_calltree_snapshot(&recorder->tree);
}

#endif /* WI_RUNTIME_RECORDER_H_ */
