/*
 * What hooks do: a call tree, and the clock by which it is charged. Natively and as a module it is
 * the same; each build has its own way to read a wall clock, which is inlined here.
 */
#ifndef WI_RUNTIME_RECORDER_H_
#define WI_RUNTIME_RECORDER_H_

#include "runtime/calltree.h"
#include "runtime/hook_cost.h"

typedef struct wi_recorder {
  wi_calltree tree; /* first, so that the tree's callbacks find the rest */
  uint32_t clock;   /* enum wasm_perf_clock, or a number of the build's own that is none */
} wi_recorder;

/* The wall clock, in ticks. To be defined by the source that includes this. */
static inline uint64_t wi_recorder_read(const wi_recorder *recorder);

static inline uint64_t wi_recorder_read_hook(void *recorder) {
  return wi_recorder_read(recorder);
}

/* Leaves out a pause that the tree's growth has made. */
static inline void wi_recorder_restart(wi_calltree *tree) {
  tree->last = wi_recorder_read((const wi_recorder *)tree);
}

/* Of a tree for these options; where and how it grows is up to the build. */
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

/* Charges the time up to now where the clock is read at each event. */
static inline void wi_recorder_tick(wi_recorder *recorder) {
  if (recorder->clock == WASM_PERF_CLOCK_WALL)
    wi_calltree_charge(&recorder->tree, wi_recorder_read(recorder));
}

/* The same for a reading that the module supplies. */
static inline void wi_recorder_tick_at(wi_recorder *recorder, uint64_t now) {
  if (recorder->clock == WASM_PERF_CLOCK_INSTRUCTIONS)
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
 * Charges the time up to now, and measures what the build's own hooks cost: only now, when engines,
 * caches and branch predictors know them as well as they did in the program.
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
