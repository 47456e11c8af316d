#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "runtime/native.h"

#include <stdlib.h>

#include "runtime/clock.h"
#include "runtime/recorder.h"

struct wasm_perf_context {
  wi_recorder recorder; /* first: a recorder's address is also its context's */
  wi_timer timer;       /* set for a wall clock only */
  void *memory;         /* the tree's block; owned */
};

static inline uint64_t wi_recorder_read(const wi_recorder *recorder) {
  return wi_timer_read(&((const wasm_perf_context *)recorder)->timer);
}

/* Untouched memory costs nothing: the system provides blocks of this size page by page. */
static void *reserve(uint64_t size) {
  uint64_t rounded =
      (size + WI_CALLTREE_ALIGNMENT - 1) / WI_CALLTREE_ALIGNMENT * WI_CALLTREE_ALIGNMENT;
  return rounded <= SIZE_MAX ? aligned_alloc(WI_CALLTREE_ALIGNMENT, (size_t)rounded) : NULL;
}

static wasm_perf_context *context_new(const wasm_perf_options *options) {
  wasm_perf_context *context = calloc(1, sizeof *context);
  if (!context)
    return NULL;
  if (options->clock == WASM_PERF_CLOCK_WALL)
    context->timer = wi_timer_get();
  context->recorder.clock = options->clock;
  wi_calltree_config config = wi_recorder_config(options, context->timer.ticks_per_second);
  context->memory = reserve(wi_calltree_memory_size(&config, config.node_limit));
  if (!context->memory) {
    free(context);
    return NULL;
  }
  wi_calltree_init(&context->recorder.tree, context->memory, &config);
  return context;
}

wasm_perf_context *wasm_perf_context_new(const wasm_perf_options *options) {
  static const wasm_perf_options usual = {.clock = WASM_PERF_CLOCK_WALL};
  if (!options)
    return context_new(&usual);
  if ((unsigned)options->recursion > WASM_PERF_RECURSION_FOLD)
    return NULL;
  if (!(wasm_perf_clock_forms(options->clock) & WASM_PERF_FORM_LINKED))
    return NULL;
  return context_new(options);
}

void wasm_perf_context_free(wasm_perf_context *context) {
  if (!context)
    return;
  free(context->memory);
  free(context);
}

void wasm_perf_reset(wasm_perf_context *context) {
  wi_calltree_reset(&context->recorder.tree);
}

void wasm_perf_start(wasm_perf_context *context, uint32_t function) {
  wi_recorder_start(&context->recorder, function);
}

void wasm_perf_end(wasm_perf_context *context) {
  wi_recorder_end(&context->recorder);
}

uint32_t wasm_perf_depth(const wasm_perf_context *context) {
  return context->recorder.tree.depth;
}

void wasm_perf_unwind(wasm_perf_context *context, uint32_t depth) {
  wi_recorder_unwind(&context->recorder, depth);
}

void wasm_perf_start_at(wasm_perf_context *context, uint32_t function, uint64_t now) {
  wi_recorder_start_at(&context->recorder, function, now);
}

void wasm_perf_end_at(wasm_perf_context *context, uint64_t now) {
  wi_recorder_end_at(&context->recorder, now);
}

void wasm_perf_unwind_at(wasm_perf_context *context, uint32_t depth, uint64_t now) {
  wi_recorder_unwind_at(&context->recorder, depth, now);
}

const wasm_perf_header *wi_snapshot(wasm_perf_context *context) {
  return wi_recorder_snapshot(&context->recorder);
}
