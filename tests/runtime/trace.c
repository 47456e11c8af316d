/*
 * runtime-trace SHAPE CLOCK NODE_LIMIT EVENTS PROFILE: makes a pseudo-random trace of events, feeds
 * it to the native library, and writes the events and the library's header and nodes as they stand
 * in memory. CLOCK is an enum wasm_perf_clock.
 *
 * EVENTS holds 16 bytes each, in the order of the machine: u32 kind, u32 argument, u64 now.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/native.h"

enum { EVENT_START, EVENT_END, EVENT_UNWIND, EVENT_RESET };

typedef struct trace_event {
  uint32_t kind;
  uint32_t argument; /* function or depth */
  uint64_t now;
} trace_event;

/* How a trace looks: percentages of starts and ends; the rest are unwinds and, rarely, resets. */
typedef struct trace_shape {
  const char *name;
  uint32_t event_count;
  uint32_t start_percent;
  uint32_t end_percent;
  uint32_t function_count;
  bool may_reset;
} trace_shape;

static const trace_shape shapes[] = {
    {"busy", 400000, 51, 48, 300, true},
    {"wide", 1500000, 50, 49, 100000, false}, /* hundreds of thousands of nodes */
    {"deep", 1200000, 99, 1, 7, false},       /* past the largest shadow stack */
    {"short", 3, 100, 0, 4, false},
};

static uint32_t random_below(uint64_t *state, uint32_t limit) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (uint32_t)(*state * UINT64_C(0x2545F4914F6CDD1D) >> 32) % limit;
}

static trace_event next_event(const trace_shape *shape, uint64_t *random, uint32_t depth,
                              uint64_t now) {
  uint32_t choice = random_below(random, 100);
  uint32_t some_functions = 1 + random_below(random, shape->function_count);
  if (choice < shape->start_percent)
    return (trace_event){EVENT_START, random_below(random, some_functions), now};
  if (choice < shape->start_percent + shape->end_percent)
    return (trace_event){EVENT_END, 0, now};
  if (shape->may_reset && random_below(random, 1000) == 0)
    return (trace_event){EVENT_RESET, 0, now};
  return (trace_event){EVENT_UNWIND, random_below(random, depth + 2), now};
}

static void apply(wasm_perf_context *context, const trace_event *event) {
  switch (event->kind) {
  case EVENT_START: wasm_perf_start_at(context, event->argument, event->now); break;
  case EVENT_END: wasm_perf_end_at(context, event->now); break;
  case EVENT_UNWIND: wasm_perf_unwind_at(context, event->argument, event->now); break;
  case EVENT_RESET: wasm_perf_reset(context); break;
  }
}

static bool run(const trace_shape *shape, wasm_perf_context *context, FILE *events) {
  uint64_t random = 88172645463325252, now = 0;
  for (uint32_t i = 0; i < shape->event_count; i++) {
    trace_event event = next_event(shape, &random, wasm_perf_depth(context), now);
    apply(context, &event);
    if (fwrite(&event, sizeof event, 1, events) != 1)
      return false;
    now += random_below(&random, 1000);
    if (random_below(&random, 5000) == 0)
      now -= now / 100; /* clocks do run backwards */
  }
  return true;
}

static bool write_profile(wasm_perf_context *context, FILE *file) {
  const wasm_perf_header *header = wi_snapshot(context);
  const wasm_perf_node *nodes = (const wasm_perf_node *)(header + 1);
  return fwrite(header, sizeof *header, 1, file) == 1 &&
         fwrite(nodes, sizeof *nodes, header->node_count, file) == header->node_count;
}

static const trace_shape *find_shape(const char *name) {
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (strcmp(shapes[i].name, name) == 0)
      return &shapes[i];
  return NULL;
}

int main(int argc, char **argv) {
  const trace_shape *shape = argc == 6 ? find_shape(argv[1]) : NULL;
  if (!shape) {
    fputs("usage: runtime-trace SHAPE CLOCK NODE_LIMIT EVENTS PROFILE\n", stderr);
    return 2;
  }
  const wasm_perf_options options = {.clock = (wasm_perf_clock)atoi(argv[2]),
                                     .node_limit = (uint32_t)strtoul(argv[3], NULL, 10)};
  wasm_perf_context *context = wasm_perf_context_new(&options);
  FILE *events = fopen(argv[4], "wb");
  FILE *profile = fopen(argv[5], "wb");
  bool ok = context && events && profile && run(shape, context, events) &&
            write_profile(context, profile);
  ok = events && fclose(events) == 0 && ok;
  ok = profile && fclose(profile) == 0 && ok;
  wasm_perf_context_free(context);
  if (!ok)
    fputs("runtime-trace: cannot write\n", stderr);
  return ok ? 0 : 1;
}
