/*
 * The hybrid clock: time from the module's instruction count, by a wall clock that is read
 * only every so often. Freestanding; the native runtime and the module share it.
 *
 * Events are noted, not charged. When enough of them, or about 50 µs worth of instructions, have
 * come together, the wall clock is read, and what has passed since the last reading is divided
 * among the nodes in that window in proportion to their instructions. Nothing is predicted
 * and corrected later, so that no node ever has to give time back, the sum over all nodes is
 * the clock's own at each reading, and a misjudged pace is never one unlucky node's.
 *
 * In the host time passes without instructions. Its borders are known where it (or a function
 * without hooks, which looks the same) calls into an empty stack, where the last frame returns to
 * it, and behind the direct call of an import (perf_unwind_at): the clock is read at each. Nothing
 * marks where the import was called, so there the window's instructions get what they would take at
 * the usual pace, and the node that called the host gets the rest. The readings cannot be thinned
 * out: a skipped one may be the one host call that sleeps, and its time would go to whatever ran
 * nearby.
 *
 * What may be wrong:
 *  - Inside a window: functions that need more time per instruction than their neighbours get too
 *    little. A pace that changes more slowly than windows costs nothing.
 *  - At a host call: the difference between the usual pace and that of the window's instructions,
 *    at most a window's time; it goes between them and the caller of the host.
 *  - Host calls that nothing marks are spread over their window: from a function without
 *    hooks, through a table, and JavaScript that runs between an import's call and an export's.
 *  - With a coarse clock windows last until it moves. Host calls too short to be seen with it
 *    count as part of the instructions around them, unless longer runs without any of them have
 *    shown how long instructions take.
 * struct wasm_perf_header says how much time there was of each kind, and how much the speed varied.
 */
#ifndef WASM_PERF_RUNTIME_HYBRID_H_
#define WASM_PERF_RUNTIME_HYBRID_H_

#include <stdbool.h>
#include <stdint.h>

#include "runtime/calltree.h"

/* A window that stays in the CPU's first cache, and makes the reading at its end cheap. */
#define HYBRID_EVENT_LIMIT 1024u

/* Of the table in which events are merged: nearly twice as many as events. */
#define HYBRID_MERGED_BITS 11u
#define HYBRID_MERGED_SIZE (1u << HYBRID_MERGED_BITS)

/* The node that was current up to an event, and the count then, from the window's beginning. */
typedef struct hybrid_event {
  uint32_t node;
  uint32_t offset;
} hybrid_event;

/* Ticks per instruction, or such: 32 bits and a fraction of 32. */
typedef uint64_t hybrid_ratio;

typedef struct hybrid_clock {
  calltree *tree;
  uint64_t (*read)(void *user);
  void *user;

  /* The window. */
  bool running;   /* there has been an event */
  bool has_host;  /* since `time`, time without instructions may have passed in host_node */
  uint64_t begin; /* the count then */
  uint64_t span;  /* the clock is read at an event that far from it; 0: at the next */
  uint64_t time;  /* the reading up to which all is charged */
  uint64_t pause_begin;
  uint32_t host_node;
  uint32_t unpaid_count; /* instructions of earlier windows in which the clock stood still */

  /* The usual pace. */
  uint32_t interval;     /* instructions until the next reading */
  uint64_t target;       /* ticks that they should take */
  hybrid_ratio pace;     /* ticks per instruction: recent_ticks over recent_count */
  uint64_t recent_ticks; /* sums in which what is older weighs less */
  uint64_t recent_count;
  bool is_pace_known; /* from windows without the host */

  /* The steps of a coarse clock. */
  bool stands_still; /* has been seen to */
  uint64_t last_reading;
  uint64_t least_difference; /* between two readings that follow each other and differ */

  uint32_t event_count;
  /* They begin behind one with offset 0; one more fits, which ends the window. */
  hybrid_event events[HYBRID_EVENT_LIMIT + 2];
  uint16_t merged[HYBRID_MERGED_SIZE]; /* event indices hashed by node; 0: empty */
} hybrid_clock;

/*
 * Prepares the clock of `tree`, which must have been made for WASM_PERF_CLOCK_HYBRID, with at most
 * 2 ** 34 ticks per second, and outlive it. `read(user)` gives the wall clock in the header's
 * ticks; it may stand still, and what it runs backwards by is not charged. Reads it twice, to see
 * whether it does.
 */
void hybrid_init(hybrid_clock *clock, calltree *tree, uint64_t (*read)(void *user), void *user);

/* With calltree_reset: the next event starts the time anew. The usual pace stays. */
void hybrid_reset(hybrid_clock *clock);

/* Charges all up to now, what passed since the last event to the current node. */
void hybrid_settle(hybrid_clock *clock);

/* What passes between these two is the profiler's own time: it is left out. */
void hybrid_pause(hybrid_clock *clock);
void hybrid_resume(hybrid_clock *clock);

/* The other halves of the functions below. */
void hybrid_sync(hybrid_clock *clock, uint64_t now);
void hybrid_leave_slow(hybrid_clock *clock, uint64_t now);

/* Notes that the current node was current up to the count `now`; false: did nothing. */
static inline bool hybrid_note(hybrid_clock *clock, const calltree *tree, uint64_t now) {
  uint64_t offset = now - clock->begin;
  hybrid_event *last = &clock->events[clock->event_count];
  if (offset >= clock->span || offset < last->offset || clock->event_count >= HYBRID_EVENT_LIMIT)
    return false;
  last[1] = (hybrid_event){calltree_current_index(tree), (uint32_t)offset};
  clock->event_count++;
  return true;
}

/*
 * The events, at the count `now`. `tree` is the clock's own: where it is static, engines
 * fetch it faster so.
 */
static inline void hybrid_enter(hybrid_clock *clock, calltree *tree, uint32_t function,
                                uint64_t now) {
  if (!hybrid_note(clock, tree, now))
    hybrid_sync(clock, now);
  calltree_enter(tree, function);
}

static inline void hybrid_leave(hybrid_clock *clock, calltree *tree, uint64_t now) {
  if (tree->depth > 1 && hybrid_note(clock, tree, now))
    tree->depth--;
  else
    hybrid_leave_slow(clock, now);
}

/*
 * Adds instructions of a node to the window, in no order: for who notes them by node and not by
 * event. The events above then come at the end of a window only, with the current node as a stack
 * of its own.
 */
void hybrid_add(hybrid_clock *clock, uint32_t node, uint64_t count);

/* The count at which the next event is wanted. */
static inline uint64_t hybrid_due(const hybrid_clock *clock) {
  return clock->begin + clock->span;
}

/* Reads the clock whether or not there are frames to drop: an import may just have returned. */
void hybrid_unwind(hybrid_clock *clock, uint32_t depth, uint64_t now);

/* The same where the count is not known. */
void hybrid_drop(hybrid_clock *clock, uint32_t depth);

#endif /* WASM_PERF_RUNTIME_HYBRID_H_ */
