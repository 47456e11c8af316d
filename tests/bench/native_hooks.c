/*
 * Times a loop of hooked calls that wasm2c turned into C: prints the nanoseconds per call, the
 * median of some rounds. Built once for each form of the module: HOOKS_NONE without hooks, HOOKS_AT
 * with those that take an instruction count, else with the usual ones. CLOCK is a wasm_perf_clock.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "wasm_perf/wasm_perf.h"

#include "calls.h" /* by wasm2c */

enum { ROUNDS = 9, CALLS = 20000000 };

#ifndef HOOKS_NONE
struct Z_wasm_perf_instance_t {
  wasm_perf_context *context;
};

u32 Z_wasm_perfZ_perf_depth(struct Z_wasm_perf_instance_t *perf) {
  return wasm_perf_depth(perf->context);
}

#ifdef HOOKS_AT
void Z_wasm_perfZ_perf_start_at(struct Z_wasm_perf_instance_t *perf, u32 function, u64 now) {
  wasm_perf_start_at(perf->context, function, now);
}

void Z_wasm_perfZ_perf_end_at(struct Z_wasm_perf_instance_t *perf, u64 now) {
  wasm_perf_end_at(perf->context, now);
}

void Z_wasm_perfZ_perf_unwind_at(struct Z_wasm_perf_instance_t *perf, u32 depth, u64 now) {
  wasm_perf_unwind_at(perf->context, depth, now);
}
#else
void Z_wasm_perfZ_perf_start(struct Z_wasm_perf_instance_t *perf, u32 function) {
  wasm_perf_start(perf->context, function);
}

void Z_wasm_perfZ_perf_end(struct Z_wasm_perf_instance_t *perf) {
  wasm_perf_end(perf->context);
}

void Z_wasm_perfZ_perf_unwind(struct Z_wasm_perf_instance_t *perf, u32 depth) {
  wasm_perf_unwind(perf->context, depth);
}
#endif
#endif

static double now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int by_value(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

int main(void) {
  static Z_calls_instance_t program;
  double times[ROUNDS];
  wasm_rt_init();
  Z_calls_init_module();
#ifdef HOOKS_NONE
  Z_calls_instantiate(&program);
#else
  wasm_perf_options options = {.clock = CLOCK};
  struct Z_wasm_perf_instance_t perf = {wasm_perf_context_new(&options)};
  if (!perf.context)
    return 1;
  Z_calls_instantiate(&program, &perf);
#endif
  Z_callsZ_run(&program, CALLS / 10);
  for (int i = 0; i < ROUNDS; i++) {
    double start = now_ns();
    Z_callsZ_run(&program, CALLS);
    times[i] = (now_ns() - start) / CALLS;
  }
  qsort(times, ROUNDS, sizeof times[0], by_value);
  printf("%.3f\n", times[ROUNDS / 2]);
  return 0;
}
