/*
 * wasm_perf.wasm: the runtime as a module, which any engine can link to an instrumented one.
 *
 * Memory: the C stack and data, then the tree's block (calltree.h). Its nodes come last and may
 * fill the memory to its end.
 *
 * A host may call perf_configure before the first event. Otherwise the first event reads
 * WASM_PERF_CLOCK (wall, instructions or none, as far as the module's hooks allow),
 * WASM_PERF_NODE_LIMIT (a number) and WASM_PERF_RECURSION (full, fold) from the WASI environment.
 */
#include "runtime/wasm.h"

#include "runtime/recorder.h"
#include "runtime/wasi.h"
#include "runtime/wasm_host.h"

#define CLOCK_UNSET          UINT32_MAX
#define NS_PER_SECOND        1000000000u
#define GROWTH_PAGE_COUNT    16u
#define SMALLEST_DEPTH_LIMIT 64u /* with as many nodes, a tree fits into the initial memory */

#define NOINLINE __attribute__((noinline))

extern unsigned char __heap_base; /* defined by the linker: where free memory begins */

static wi_recorder recorder = {.clock = CLOCK_UNSET};

/* ---- Clock -------------------------------------------------------------- */

static uint64_t time_ns; /* the last reading, which remains valid if a later one fails */

static int read_clock(void) {
  return wasi_clock_time_get(WASI_CLOCK_MONOTONIC, 1, &time_ns);
}

static inline uint64_t wi_recorder_read(const wi_recorder *unused) {
  (void)unused;
  read_clock();
  return time_ns;
}

/* ---- Placing the tree --------------------------------------------------- */

static uint32_t room_in_memory(const wi_calltree *tree) {
  uint64_t room = (wasm_memory_size() - (uintptr_t)tree->nodes) / sizeof(wasm_perf_node);
  return room < tree->header->node_limit ? (uint32_t)room : tree->header->node_limit;
}

static bool make_room(wi_calltree *tree) {
  uint32_t room = room_in_memory(tree);
  if (room == tree->node_room) {
    if (!wasm_memory_grow(GROWTH_PAGE_COUNT) && !wasm_memory_grow(1))
      return false;
    room = room_in_memory(tree);
  }
  tree->node_room = room;
  return true;
}

static uintptr_t tree_address(void) {
  uintptr_t base = (uintptr_t)&__heap_base;
  return (base + WI_CALLTREE_ALIGNMENT - 1) / WI_CALLTREE_ALIGNMENT * WI_CALLTREE_ALIGNMENT;
}

/* If memory is short, halves the limits until the tree fits. */
static void place_tree(wasm_perf_options options) {
  wi_calltree_config config = wi_recorder_config(&options, NS_PER_SECOND);
  config.make_room = make_room;
  while (!wasm_memory_reserve(tree_address() +
                              wi_calltree_memory_size(&config, WI_CALLTREE_MIN_NODE_LIMIT)) &&
         config.depth_limit > SMALLEST_DEPTH_LIMIT) {
    config.depth_limit /= 2;
    config.node_limit = wi_calltree_node_limit(config.node_limit / 2);
  }
  wi_calltree_init(&recorder.tree, (void *)tree_address(), &config);
}

static void configure(wasm_perf_options options) {
  int error = options.clock == WASM_PERF_CLOCK_WALL ? read_clock() : 0;
  if (error != 0) {
    wasm_complain("no wall clock, calls are only counted", NULL, error);
    options.clock = WASM_PERF_CLOCK_NONE;
  }
  place_tree(options);
  recorder.clock = options.clock;
}

/* ---- Configuration from the environment --------------------------------- */

static bool is_clock(uint32_t clock) {
  return (wasm_perf_clock_forms(clock) & WASM_PERF_FORM_LINKED) != 0;
}

/* The module's hooks either pass an instruction count or do not; that excludes the other clock. */
static bool fits_hooks(wasm_perf_clock clock, wasm_perf_clock usual) {
  return clock == WASM_PERF_CLOCK_NONE || clock == usual;
}

static wasm_perf_clock chosen_clock(const wasm_environment *environment, wasm_perf_clock usual) {
  const char *text = wasm_environment_get(environment, "WASM_PERF_CLOCK");
  if (!text)
    return usual;
#define CLOCK_NAMED(id, name, ...)                                                                 \
  if (is_clock(WASM_PERF_CLOCK_##id) && wasm_text_equal(text, name))                               \
    return fits_hooks(WASM_PERF_CLOCK_##id, usual) ? WASM_PERF_CLOCK_##id : usual;
  WASM_PERF_CLOCKS(CLOCK_NAMED)
#undef CLOCK_NAMED
  wasm_complain("WASM_PERF_CLOCK is not a known clock", text, 0);
  return usual;
}

static uint32_t chosen_node_limit(const wasm_environment *environment) {
  const char *text = wasm_environment_get(environment, "WASM_PERF_NODE_LIMIT");
  uint64_t limit = 0;
  for (const char *digit = text; digit && *digit; digit++) {
    if (*digit < '0' || *digit > '9') {
      wasm_complain("WASM_PERF_NODE_LIMIT is not a number", text, 0);
      return 0;
    }
    limit = limit * 10 + (uint64_t)(*digit - '0');
    if (limit > WASM_PERF_MAX_NODE_LIMIT)
      limit = WASM_PERF_MAX_NODE_LIMIT;
  }
  return (uint32_t)limit;
}

static wasm_perf_recursion chosen_recursion(const wasm_environment *environment) {
  const char *text = wasm_environment_get(environment, "WASM_PERF_RECURSION");
  if (!text || wasm_text_equal(text, "full"))
    return WASM_PERF_RECURSION_FULL;
  if (wasm_text_equal(text, "fold"))
    return WASM_PERF_RECURSION_FOLD;
  wasm_complain("WASM_PERF_RECURSION is neither full nor fold", text, 0);
  return WASM_PERF_RECURSION_FULL;
}

/* `usual` is the clock implied by the kind of the first event. */
static NOINLINE void configure_from_environment(wasm_perf_clock usual) {
  wasm_environment environment = wasm_environment_read(wasm_scratch_address());
  configure((wasm_perf_options){.clock = chosen_clock(&environment, usual),
                                .node_limit = chosen_node_limit(&environment),
                                .recursion = chosen_recursion(&environment)});
}

/* ---- For the host ------------------------------------------------------- */

/* Parameters as in wasm_perf_options. Drops the profile so far. Traps on invalid numbers. */
WASM_EXPORT(perf_configure)
void perf_configure(uint32_t clock, uint32_t node_limit, uint32_t recursion) {
  if (!is_clock(clock) || recursion > WASM_PERF_RECURSION_FOLD)
    __builtin_trap();
  configure(
      (wasm_perf_options){(wasm_perf_clock)clock, node_limit, (wasm_perf_recursion)recursion});
}

WASM_EXPORT(perf_reset) void perf_reset(void) {
  if (recorder.clock != CLOCK_UNSET)
    wi_calltree_reset(&recorder.tree);
}

/*
 * Charges the time up to now and returns the address of the header, which the nodes follow. Address
 * and contents are valid until the next event.
 */
WASM_EXPORT(perf_profile) const wasm_perf_header *perf_profile(void) {
  if (!recorder.tree.header) /* an empty profile; the first event still configures the runtime */
    place_tree((wasm_perf_options){WASM_PERF_CLOCK_NONE, WI_CALLTREE_MIN_NODE_LIMIT, 0});
  return wi_recorder_snapshot(&recorder);
}

/* Size of header and nodes in bytes. Call perf_profile first. */
WASM_EXPORT(perf_profile_size) uint32_t perf_profile_size(void) {
  return sizeof(wasm_perf_header) + recorder.tree.header->node_count * sizeof(wasm_perf_node);
}

uint32_t wasm_scratch_address(void) {
  const wi_calltree *tree = &recorder.tree;
  return tree->header ? (uint32_t)(uintptr_t)(tree->nodes + tree->header->node_count)
                      : (uint32_t)tree_address();
}

/* ---- The hooks, for the instrumented module ----------------------------- */

/* Configures the runtime at the first event, which is then recorded like any other. */
static inline void prepare(wasm_perf_clock usual) {
  if (recorder.clock == CLOCK_UNSET)
    configure_from_environment(usual);
}

/* The slow path: with a clock, or if the call does more than count a known node again. */
static NOINLINE void start_slow(uint32_t function) {
  prepare(WASM_PERF_CLOCK_WALL);
  wi_recorder_start(&recorder, function);
}

/* Engines optimize the fast path best if it has a single exit. */
WASM_EXPORT(perf_start) void perf_start(uint32_t function) {
  if (recorder.clock != WASM_PERF_CLOCK_NONE || !wi_calltree_enter_fast(&recorder.tree, function))
    start_slow(function);
}

/* Not inlined, so that without a clock a return costs no more than a count. */
static NOINLINE void end_slow(void) {
  prepare(WASM_PERF_CLOCK_WALL);
  wi_recorder_end(&recorder);
}

WASM_EXPORT(perf_end) void perf_end(void) {
  if (recorder.clock == WASM_PERF_CLOCK_NONE)
    wi_calltree_leave(&recorder.tree);
  else
    end_slow();
}

WASM_EXPORT(perf_depth) uint32_t perf_depth(void) {
  return recorder.tree.depth;
}

WASM_EXPORT(perf_unwind) void perf_unwind(uint32_t depth) {
  wi_recorder_unwind(&recorder, depth); /* does nothing before the first event */
}

WASM_EXPORT(perf_start_at) void perf_start_at(uint32_t function, uint64_t now) {
  prepare(WASM_PERF_CLOCK_INSTRUCTIONS);
  wi_recorder_start_at(&recorder, function, now);
}

WASM_EXPORT(perf_end_at) void perf_end_at(uint64_t now) {
  prepare(WASM_PERF_CLOCK_INSTRUCTIONS);
  wi_recorder_end_at(&recorder, now);
}

WASM_EXPORT(perf_unwind_at) void perf_unwind_at(uint32_t depth, uint64_t now) {
  wi_recorder_unwind_at(&recorder, depth, now);
}
