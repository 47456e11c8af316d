#include "runtime/hybrid.h"

#define NS_PER_SECOND      UINT64_C(1000000000)
#define TARGETS_PER_SECOND 20000u /* a reading every 50 µs costs a thousandth */
#define MEMORY_IN_TARGETS  4u     /* how far back the usual pace reaches */
#define FIRST_INTERVAL     4096u  /* a pace is wanted soon */
#define MIN_INTERVAL       2048u  /* below, a reading's own cost would pass for pace */
#define MAX_INTERVAL       (1u << 30)
#define MAX_GROWTH         4u /* a stall is no pace: it changes by so much at a time */
#define MEASURABLE_STEPS   8u /* of a coarse clock: so many show what passed well enough */
#define FULL_AFTER_MERGE   (HYBRID_EVENT_LIMIT / 4 * 3)

/* ---- Arithmetic --------------------------------------------------------- */

/* Rounded down; cannot overflow. */
static uint64_t scaled(uint32_t count, hybrid_ratio ratio) {
  return count * (ratio >> 32) + (count * (ratio & UINT32_MAX) >> 32);
}

static uint32_t saturated(uint64_t value) {
  return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* ---- The window --------------------------------------------------------- */

/* The instructions in it. */
static uint32_t window_size(const hybrid_clock *clock) {
  return clock->events[clock->event_count].offset;
}

/* Notes an event that hybrid_note would not, unless the count ran backwards. */
static void note_last(hybrid_clock *clock, uint64_t now) {
  uint64_t offset = now - clock->begin;
  if (offset > INT64_MAX || offset < window_size(clock))
    return;
  clock->events[++clock->event_count] =
      (hybrid_event){calltree_current_index(clock->tree), saturated(offset)};
}

/* Where the merged event of a node is entered, or is to be: its index, 0 if it has none. */
static uint16_t *find_merged(hybrid_clock *clock, uint32_t node) {
  uint32_t place = node * UINT32_C(0x9E3779B1) >> (32 - HYBRID_MERGED_BITS);
  while (clock->merged[place] != 0 && clock->events[clock->merged[place]].node != node)
    place = (place + 1) % HYBRID_MERGED_SIZE;
  return &clock->merged[place];
}

/* Makes one event of all of a node. Until all are read, an offset is what the node has in sum. */
static void merge_events(hybrid_clock *clock) {
  hybrid_event *events = clock->events;
  uint32_t before = 0;
  uint16_t kept = 0;
  for (uint32_t i = 0; i < HYBRID_MERGED_SIZE; i++)
    clock->merged[i] = 0;
  for (uint32_t i = 1; i <= clock->event_count; i++) {
    uint32_t node = events[i].node, count = events[i].offset - before;
    before += count;
    if (count == 0)
      continue;
    uint16_t *merged = find_merged(clock, node);
    if (*merged == 0) {
      *merged = ++kept;
      events[kept] = (hybrid_event){.node = node};
    }
    events[*merged].offset += count;
  }
  for (uint32_t i = 1; i <= kept; i++)
    events[i].offset += events[i - 1].offset;
  clock->event_count = kept;
}

/* Whether the window can take more events. */
static bool make_room(hybrid_clock *clock) {
  if (clock->event_count < HYBRID_EVENT_LIMIT)
    return true;
  merge_events(clock);
  return clock->event_count <= FULL_AFTER_MERGE;
}

/*
 * Charges `ticks` to the window's nodes by their instructions, to the last tick. Of more than
 * 32 bits, the current node gets the rest: a window of seconds is one that it ran for seconds.
 * The loop runs for each event there is, so it takes one multiplication for what the nodes
 * up to an event get together.
 */
static void divide(hybrid_clock *clock, uint64_t ticks) {
  wasm_perf_node *nodes = clock->tree->nodes;
  const hybrid_event *event = clock->events, *last = event + clock->event_count;
  uint32_t size = window_size(clock);
  uint64_t share = size > 0 ? ((uint64_t)saturated(ticks) << 32) / size : 0;
  uint64_t before = 0;
  while (event++ < last) {
    uint64_t charged = event->offset * share >> 32;
    nodes[event->node].self += charged - before;
    before = charged;
  }
  calltree_current(clock->tree)->self += ticks - before;
}

static void begin_window(hybrid_clock *clock, uint64_t now) {
  clock->event_count = 0;
  clock->begin = now;
  clock->span = clock->interval;
}

/* ---- The usual pace ----------------------------------------------------- */

static uint32_t next_interval(const hybrid_clock *clock) {
  uint64_t interval = (clock->target << 32) / clock->pace;
  uint64_t most = (uint64_t)clock->interval * MAX_GROWTH;
  if (most > MAX_INTERVAL)
    most = MAX_INTERVAL;
  if (interval > most)
    interval = most;
  return interval > MIN_INTERVAL ? (uint32_t)interval : MIN_INTERVAL;
}

/* The new pace, after so many ticks for so many instructions. */
static void change_pace(hybrid_clock *clock, uint64_t ticks, uint32_t count) {
  uint64_t predicted = scaled(count, clock->pace) + 1; /* from nothing, none could grow again */
  uint64_t most = predicted * MAX_GROWTH;
  clock->recent_ticks += ticks < most ? ticks : most;
  clock->recent_count += count;
  while (clock->recent_ticks > clock->target * MEMORY_IN_TARGETS ||
         clock->recent_count > UINT32_MAX) {
    clock->recent_ticks /= 2;
    clock->recent_count /= 2;
  }
  if (clock->recent_ticks == 0 || clock->recent_count == 0)
    return;
  clock->pace = (clock->recent_ticks << 32) / clock->recent_count;
  clock->interval = next_interval(clock);
}

/* Where the host is called all the time, shorter windows make sure of some without it. */
static void shorten_interval(hybrid_clock *clock) {
  if (clock->interval / 2 >= MIN_INTERVAL)
    clock->interval /= 2;
}

static void learn_step(hybrid_clock *clock, uint64_t reading) {
  uint64_t difference = reading - clock->last_reading;
  if (reading > clock->last_reading && difference < clock->least_difference)
    clock->least_difference = difference;
  clock->stands_still |= difference == 0;
  clock->last_reading = reading;
}

/* The steps of a clock that was seen to stand still; of others they are too small to matter. */
static uint64_t clock_step(const hybrid_clock *clock) {
  return clock->stands_still ? clock->least_difference : 0;
}

/* ---- Reading the clock -------------------------------------------------- */

static uint64_t read_clock(hybrid_clock *clock) {
  clock->tree->header->clock_read_count++;
  return clock->read(clock->user);
}

/* Ticks that are not charged yet. A clock that ran backwards starts again from where it is. */
static uint64_t elapsed_ticks(hybrid_clock *clock) {
  uint64_t reading = read_clock(clock);
  learn_step(clock, reading);
  if (reading < clock->time)
    clock->time = reading;
  return reading - clock->time;
}

/* The instructions since the clock last moved, in this window and before. */
static uint32_t uncharged_count(const hybrid_clock *clock) {
  return saturated((uint64_t)window_size(clock) + clock->unpaid_count);
}

/* The ticks that they should have taken. */
static uint64_t predicted_ticks(const hybrid_clock *clock) {
  return scaled(uncharged_count(clock), clock->pace);
}

/* Whether steps are too coarse to tell the host's time, as long as the pace was not measured. */
static bool is_blurred(const hybrid_clock *clock, uint64_t elapsed) {
  return !clock->is_pace_known && elapsed / MEASURABLE_STEPS < clock_step(clock);
}

/* What of `elapsed` was not theirs. */
static uint64_t host_ticks(const hybrid_clock *clock, uint64_t elapsed) {
  uint64_t predicted = predicted_ticks(clock);
  bool is_known = clock->has_host && !is_blurred(clock, elapsed);
  return is_known && elapsed > predicted ? elapsed - predicted : 0;
}

/* What a window tells of the usual pace, and the header of what that is worth. */
static void evaluate(hybrid_clock *clock, uint64_t elapsed) {
  wasm_perf_header *header = clock->tree->header;
  uint64_t predicted = predicted_ticks(clock);
  uint32_t count = uncharged_count(clock);
  if (!clock->has_host) {
    header->measured_time += elapsed;
    header->deviation += elapsed < predicted ? predicted - elapsed : elapsed - predicted;
    clock->is_pace_known = true;
    change_pace(clock, elapsed, count);
    return;
  }
  if (is_blurred(clock, elapsed)) /* the best there is */
    change_pace(clock, elapsed, count);
  shorten_interval(clock);
}

/* Charges the window, which took `elapsed` ticks. */
static void charge(hybrid_clock *clock, uint64_t elapsed) {
  uint64_t host = host_ticks(clock, elapsed);
  divide(clock, elapsed - host);
  clock->tree->nodes[clock->host_node].self += host;
  clock->tree->header->host_time += host;
  evaluate(clock, elapsed);
  clock->time += elapsed;
  clock->unpaid_count = 0;
  clock->has_host = false;
}

/* The next one begins at the count `now`. What a clock that stood still owes, that one pays. */
static void end_window(hybrid_clock *clock, uint64_t elapsed, uint64_t now) {
  if (elapsed > 0)
    charge(clock, elapsed);
  else
    clock->unpaid_count = uncharged_count(clock);
  begin_window(clock, now);
}

static void note_host(hybrid_clock *clock) {
  clock->has_host = true;
  clock->host_node = calltree_current_index(clock->tree);
}

static void sync(hybrid_clock *clock, uint64_t now, bool from_host) {
  if (!clock->running) {
    clock->running = true;
    clock->time = clock->last_reading = read_clock(clock);
    begin_window(clock, now);
    return;
  }
  note_last(clock, now);
  uint64_t elapsed = elapsed_ticks(clock);
  if (from_host)
    note_host(clock);
  if (elapsed > 0 || !make_room(clock)) {
    end_window(clock, elapsed, now);
    return;
  }
  clock->span = saturated((uint64_t)window_size(clock) + clock->interval);
}

/* The host is next, or at work already, and comes back with an event. */
static void expect_host(hybrid_clock *clock) {
  if (clock->tree->depth == 0)
    clock->span = 0;
}

/* ---- Events ------------------------------------------------------------- */

void hybrid_sync(hybrid_clock *clock, uint64_t now) {
  sync(clock, now, clock->tree->depth == 0);
}

void hybrid_leave_slow(hybrid_clock *clock, uint64_t now) {
  hybrid_sync(clock, now);
  calltree_leave(clock->tree);
  expect_host(clock);
}

void hybrid_unwind(hybrid_clock *clock, uint32_t depth, uint64_t now) {
  sync(clock, now, true);
  calltree_unwind(clock->tree, depth);
  expect_host(clock);
}

void hybrid_add(hybrid_clock *clock, uint32_t node, uint64_t count) {
  if (!clock->running || count == 0)
    return;
  if (!make_room(clock))
    end_window(clock, elapsed_ticks(clock), clock->begin + window_size(clock));
  clock->events[clock->event_count + 1] =
      (hybrid_event){node, saturated(window_size(clock) + count)};
  clock->event_count++;
}

void hybrid_drop(hybrid_clock *clock, uint32_t depth) {
  if (clock->tree->depth <= depth)
    return;
  hybrid_settle(clock);
  calltree_unwind(clock->tree, depth);
  expect_host(clock);
}

void hybrid_settle(hybrid_clock *clock) {
  if (!clock->running)
    return;
  sync(clock, clock->begin + window_size(clock), true);
  expect_host(clock);
}

void hybrid_pause(hybrid_clock *clock) {
  clock->pause_begin = clock->read(clock->user);
}

void hybrid_resume(hybrid_clock *clock) {
  uint64_t reading = clock->read(clock->user);
  if (reading > clock->pause_begin)
    clock->time += reading - clock->pause_begin;
}

void hybrid_reset(hybrid_clock *clock) {
  clock->running = false;
  clock->has_host = false;
  clock->event_count = 0;
  clock->events[0].offset = 0;
  clock->unpaid_count = 0;
  clock->host_node = 0;
  clock->span = 0;
}

void hybrid_init(hybrid_clock *clock, calltree *tree, uint64_t (*read)(void *user), void *user) {
  uint64_t ticks_per_second = tree->header->ticks_per_second;
  clock->tree = tree;
  clock->read = read;
  clock->user = user;
  clock->interval = FIRST_INTERVAL;
  clock->target = ticks_per_second / TARGETS_PER_SECOND + 1;
  clock->pace = (ticks_per_second << 29) / (NS_PER_SECOND >> 3); /* a guess: 1 ns */
  clock->recent_ticks = 0;
  clock->recent_count = 0;
  clock->is_pace_known = false;
  clock->last_reading = read(user);
  clock->stands_still = read(user) == clock->last_reading;
  clock->least_difference = UINT64_MAX;
  hybrid_reset(clock);
}
