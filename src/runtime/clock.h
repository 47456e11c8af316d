/*
 * The native wall clock: the CPU's counter if it runs at a constant rate (a few ns per read),
 * otherwise CLOCK_MONOTONIC.
 */
#ifndef WI_RUNTIME_CLOCK_H_
#define WI_RUNTIME_CLOCK_H_

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

typedef struct wi_timer {
  uint64_t ticks_per_second;
  bool has_counter; /* ticks are counted by the CPU's counter, not by CLOCK_MONOTONIC */
} wi_timer;

/* The process's timer. The first call measures it, which may take 20 ms. Thread-safe. */
wi_timer wi_timer_get(void);

static inline uint64_t wasm_perf_monotonic_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Valid only if has_counter. */
static inline uint64_t wasm_perf_counter(void) {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  uint64_t count;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return 0;
#endif
}

static inline uint64_t wi_timer_read(const wi_timer *timer) {
  return timer->has_counter ? wasm_perf_counter() : wasm_perf_monotonic_ns();
}

#endif /* WI_RUNTIME_CLOCK_H_ */
