#define _POSIX_C_SOURCE 200809L /* clock_gettime, nanosleep */

#include "runtime/clock.h"

#include <pthread.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#define NS_PER_SECOND  1000000000u
#define CALIBRATION_NS 20000000
#define READ_ATTEMPTS  16

static wi_timer process_timer;
static pthread_once_t process_timer_once = PTHREAD_ONCE_INIT;

#if defined(__x86_64__)

/* Both clocks, read at the same moment. */
typedef struct reading {
  uint64_t count;
  uint64_t ns;
} reading;

/* Whether the counter ticks at a constant rate, in every frequency and sleep state of the CPU. */
static bool is_counter_invariant(void) {
  unsigned eax, ebx, ecx, edx;
  return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) && (edx & 1u << 8);
}

/* The attempt with the smallest gap: an interrupt between the two clocks widens it. */
static reading read_both(void) {
  reading best = {0, 0};
  uint64_t best_gap = UINT64_MAX;
  for (int i = 0; i < READ_ATTEMPTS; i++) {
    uint64_t before = wasm_perf_counter();
    uint64_t ns = wasm_perf_monotonic_ns();
    uint64_t gap = wasm_perf_counter() - before;
    if (gap < best_gap) {
      best_gap = gap;
      best = (reading){before + gap / 2, ns};
    }
  }
  return best;
}

static uint64_t measure_counter(void) {
  reading first = read_both();
  nanosleep(&(struct timespec){.tv_nsec = CALIBRATION_NS}, NULL);
  reading second = read_both();
  if (second.ns <= first.ns || second.count <= first.count)
    return 0;
  double rate = (double)(second.count - first.count) / (double)(second.ns - first.ns);
  return (uint64_t)(rate * NS_PER_SECOND + 0.5);
}

/* 0 if the counter is unreliable. */
static uint64_t counter_frequency(void) {
  return is_counter_invariant() ? measure_counter() : 0;
}

#elif defined(__aarch64__)

static uint64_t counter_frequency(void) {
  uint64_t frequency;
  __asm__("mrs %0, cntfrq_el0" : "=r"(frequency));
  return frequency;
}

#else

static uint64_t counter_frequency(void) {
  return 0;
}

#endif

static void init_process_timer(void) {
  uint64_t frequency = counter_frequency();
  process_timer = frequency > 0 ? (wi_timer){frequency, true} : (wi_timer){NS_PER_SECOND, false};
}

wi_timer wi_timer_get(void) {
  pthread_once(&process_timer_once, init_process_timer);
  return process_timer;
}
