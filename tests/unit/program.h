/* A program under the hybrid clock, which reads a scripted wall clock. */
#ifndef WI_TESTS_PROGRAM_H_
#define WI_TESTS_PROGRAM_H_

#include "trees.h"

#include "runtime/hybrid.h"

#define MICROSECOND 1000u
#define MILLISECOND 1000000u

/* A program: its tree, what it has executed, and the time as its clock shows it. */
typedef struct program {
  calltree tree;
  hybrid_clock clock;
  uint64_t count; /* instructions */
  uint64_t time;  /* ns, as it is */
  uint64_t step;  /* the clock shows multiples of it */
  uint64_t read_count;
  bool is_new;
} program;

/* A fine clock goes on between the two readings that hybrid_init takes. */
static inline uint64_t read_time(void *user) {
  program *p = user;
  if (p->read_count++ == 0 && p->step == 1 && p->is_new)
    return p->time - 1;
  return p->time / p->step * p->step;
}

static inline void program_new(program *p, uint64_t step) {
  memset(p, 0, sizeof *p);
  memset(&p->clock, 0xA5, sizeof p->clock);
  tree_new(&p->tree, (calltree_config){.clock = WASM_PERF_CLOCK_HYBRID,
                                       .ticks_per_second = 1000 * MILLISECOND,
                                       .node_limit = 20000,
                                       .depth_limit = 1000});
  p->step = step;
  p->time = 12345678;
  p->count = 7;
  p->is_new = true;
  hybrid_init(&p->clock, &p->tree, read_time, p);
  p->is_new = false;
  p->read_count = 0;
}

static inline uint64_t total_self(const program *p) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < p->tree.header->node_count; i++)
    total += p->tree.nodes[i].self;
  return total;
}

static inline void program_free(program *p) {
  free(p->tree.stack);
}

static inline void run(program *p, uint64_t instruction_count, uint64_t ns) {
  p->count += instruction_count;
  p->time += ns;
}

static inline void start(program *p, uint32_t function) {
  hybrid_enter(&p->clock, &p->tree, function, p->count);
}

static inline void end(program *p) {
  hybrid_leave(&p->clock, &p->tree, p->count);
}

/* The direct call of an import, which takes `ns`. */
static inline void call_host(program *p, uint64_t ns) {
  p->time += ns;
  hybrid_unwind(&p->clock, p->tree.depth, p->count);
}

static inline void call(program *p, uint32_t function, uint64_t instruction_count, uint64_t ns) {
  start(p, function);
  run(p, instruction_count, ns);
  end(p);
}

static inline uint64_t self_of(const program *p, uint32_t outer, uint32_t inner) {
  return NODE(&p->tree, outer, inner)->self;
}

static inline void assert_near(uint64_t value, uint64_t expected, uint64_t most) {
  uint64_t distance = value > expected ? value - expected : expected - value;
  if (distance > most)
    fail_msg("%llu is not within %llu of %llu", (unsigned long long)value, (unsigned long long)most,
             (unsigned long long)expected);
}

#endif /* WI_TESTS_PROGRAM_H_ */
