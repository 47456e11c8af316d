/*
 * wasm_perf.wasm: the runtime as a module, which any engine links to an instrumented one.
 *
 * Memory: the C stack and data, then the tree's block (calltree.h), whose nodes come last
 * and reach as far as memory has been grown.
 *
 * A host that knows what it wants calls perf_configure before the first event. Otherwise
 * the first event reads WASM_PERF_CLOCK (wall, instructions, hybrid or none, as far as the
 * module's hooks allow), WASM_PERF_NODE_LIMIT (a number) and WASM_PERF_RECURSION (full, fold)
 * from the WASI environment.
 */
#include "runtime/wasm.h"

#include "runtime/calltree.h"
#include "runtime/hook_cost.h"
#include "runtime/hybrid.h"
#include "runtime/wasi.h"
#include "runtime/wasm_host.h"

#define CLOCK_UNSET          UINT32_MAX
#define NS_PER_SECOND        1000000000u
#define GROWTH_PAGE_COUNT    16u
#define SMALLEST_DEPTH_LIMIT 64u /* with as many nodes it fits into the memory we start with */

#define NOINLINE __attribute__((noinline))

extern unsigned char __heap_base; /* the linker's: where free memory begins */

static calltree tree;
static hybrid_clock hybrid;
static uint32_t tree_clock = CLOCK_UNSET; /* else an enum wasm_perf_clock */

/* ---- Clock -------------------------------------------------------------- */

static uint64_t time_ns; /* the last reading, which stands if one fails */

static int read_clock(void) {
  return wasi_clock_time_get(WASI_CLOCK_MONOTONIC, 1, &time_ns);
}

static uint64_t now_ns(void) {
  read_clock();
  return time_ns;
}

static uint64_t read_for_clock(void *unused) {
  (void)unused;
  return now_ns();
}

static void restart_clock(calltree *of) {
  of->last = now_ns();
}

static void pause_hybrid(calltree *of) {
  (void)of;
  hybrid_pause(&hybrid);
}

static void resume_hybrid(calltree *of) {
  (void)of;
  hybrid_resume(&hybrid);
}

/* ---- Placing the tree --------------------------------------------------- */

static uint32_t room_in_memory(const calltree *of) {
  uint64_t room = (wasm_memory_size() - (uintptr_t)of->nodes) / sizeof(wasm_perf_node);
  return room < of->header->node_limit ? (uint32_t)room : of->header->node_limit;
}

static bool make_room(calltree *of) {
  uint32_t room = room_in_memory(of);
  if (room == of->node_room) {
    if (!wasm_memory_grow(GROWTH_PAGE_COUNT) && !wasm_memory_grow(1))
      return false;
    room = room_in_memory(of);
  }
  of->node_room = room;
  return true;
}

static uintptr_t tree_address(void) {
  uintptr_t base = (uintptr_t)&__heap_base;
  return (base + CALLTREE_ALIGNMENT - 1) / CALLTREE_ALIGNMENT * CALLTREE_ALIGNMENT;
}

/* Where memory is short, smaller limits are tried until one fits. */
static void place_tree(wasm_perf_options options) {
  wasm_perf_clock clock = options.clock;
  calltree_config config = {
      .clock = clock,
      .recursion = options.recursion,
      .ticks_per_second = wasm_perf_clock_is_time(clock) ? NS_PER_SECOND : 0,
      .node_limit = calltree_node_limit(options.node_limit),
      .depth_limit = CALLTREE_MAX_DEPTH_LIMIT,
      .make_room = make_room,
  };
  if (clock == WASM_PERF_CLOCK_WALL)
    config.after_pause = restart_clock;
  if (clock == WASM_PERF_CLOCK_HYBRID) {
    config.before_pause = pause_hybrid;
    config.after_pause = resume_hybrid;
  }
  while (!wasm_memory_reserve(tree_address() +
                              calltree_memory_size(&config, CALLTREE_MIN_NODE_LIMIT)) &&
         config.depth_limit > SMALLEST_DEPTH_LIMIT) {
    config.depth_limit /= 2;
    config.node_limit = calltree_node_limit(config.node_limit / 2);
  }
  calltree_init(&tree, (void *)tree_address(), &config);
  if (clock == WASM_PERF_CLOCK_HYBRID)
    hybrid_init(&hybrid, &tree, read_for_clock, NULL);
}

/* The clock to use instead of one that cannot be read. */
static wasm_perf_clock without_reading(wasm_perf_clock clock, int error) {
  bool counts = clock == WASM_PERF_CLOCK_HYBRID;
  wasm_complain(counts ? "no wall clock, self counts instructions"
                       : "no wall clock, calls are only counted",
                NULL, error);
  return counts ? WASM_PERF_CLOCK_INSTRUCTIONS : WASM_PERF_CLOCK_NONE;
}

static void configure(wasm_perf_options options) {
  int error = wasm_perf_clock_is_time(options.clock) ? read_clock() : 0;
  if (error != 0)
    options.clock = without_reading(options.clock, error);
  place_tree(options);
  tree_clock = options.clock;
}

/* ---- Configuration from the environment --------------------------------- */

static const char *const clock_names[] = {"none", "wall", "instructions", "hybrid"};
#define CLOCK_COUNT (sizeof clock_names / sizeof *clock_names)

/* The hooks that a module has, with a count of instructions or without, decide between the rest. */
static bool fits_hooks(wasm_perf_clock clock, wasm_perf_clock usual) {
  return clock == WASM_PERF_CLOCK_NONE ||
         (usual != WASM_PERF_CLOCK_NONE &&
          (clock == WASM_PERF_CLOCK_WALL) == (usual == WASM_PERF_CLOCK_WALL));
}

static wasm_perf_clock chosen_clock(const wasm_environment *environment, wasm_perf_clock usual) {
  const char *text = wasm_environment_get(environment, "WASM_PERF_CLOCK");
  if (!text)
    return usual;
  for (uint32_t i = 0; i < CLOCK_COUNT; i++)
    if (wasm_text_equal(text, clock_names[i]))
      return fits_hooks((wasm_perf_clock)i, usual) ? (wasm_perf_clock)i : usual;
  wasm_complain("WASM_PERF_CLOCK is no clock", text, 0);
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

/* `usual` is the clock that the first event's kind suggests. */
static NOINLINE void configure_from_environment(wasm_perf_clock usual) {
  wasm_environment environment = wasm_environment_read(wasm_scratch_address());
  configure((wasm_perf_options){.clock = chosen_clock(&environment, usual),
                                .node_limit = chosen_node_limit(&environment),
                                .recursion = chosen_recursion(&environment)});
}

/* The hooks, below. */
void perf_start(uint32_t function);
void perf_end(void);

/* ---- For the host ------------------------------------------------------- */

/* As wasm_perf_options. Drops what there is. Traps on numbers that stand for nothing. */
WASM_EXPORT(perf_configure)
void perf_configure(uint32_t clock, uint32_t node_limit, uint32_t recursion) {
  if (clock >= CLOCK_COUNT || recursion > WASM_PERF_RECURSION_FOLD)
    __builtin_trap();
  configure(
      (wasm_perf_options){(wasm_perf_clock)clock, node_limit, (wasm_perf_recursion)recursion});
}

WASM_EXPORT(perf_reset) void perf_reset(void) {
  if (tree_clock != CLOCK_UNSET)
    calltree_reset(&tree);
  if (tree_clock == WASM_PERF_CLOCK_HYBRID)
    hybrid_reset(&hybrid);
}

static void start_hook(void *unused, uint32_t function) {
  (void)unused;
  perf_start(function);
}

static void end_hook(void *unused) {
  (void)unused;
  perf_end();
}

/* Only now, when the engine has compiled the hooks as well as it did for the program. */
static NOINLINE void measure_hooks(void) {
  static const hook_set hooks = {start_hook, end_hook, read_for_clock, NULL};
  hook_cost_measure(&tree, &hooks);
}

/*
 * Charges time up to now and returns the address of the header, behind which the nodes
 * stand. Address and contents hold until the next event.
 */
WASM_EXPORT(perf_profile) const wasm_perf_header *perf_profile(void) {
  if (!tree.header) /* an empty profile; the first event still configures */
    place_tree((wasm_perf_options){WASM_PERF_CLOCK_NONE, CALLTREE_MIN_NODE_LIMIT, 0});
  if (tree_clock == WASM_PERF_CLOCK_WALL) {
    calltree_charge(&tree, now_ns());
    measure_hooks();
  }
  if (tree_clock == WASM_PERF_CLOCK_HYBRID)
    hybrid_settle(&hybrid);
  return calltree_snapshot(&tree);
}

/* The size of header and nodes in bytes, once perf_profile was called. */
WASM_EXPORT(perf_profile_size) uint32_t perf_profile_size(void) {
  return sizeof(wasm_perf_header) + tree.header->node_count * sizeof(wasm_perf_node);
}

uint32_t wasm_scratch_address(void) {
  return tree.header ? (uint32_t)(uintptr_t)(tree.nodes + tree.header->node_count)
                     : (uint32_t)tree_address();
}

/* ---- The hooks, for the instrumented module ----------------------------- */

static NOINLINE void tick_slow(void) {
  if (tree_clock == CLOCK_UNSET)
    configure_from_environment(WASM_PERF_CLOCK_WALL);
  if (tree_clock == WASM_PERF_CLOCK_WALL)
    calltree_charge(&tree, now_ns());
}

/* Charges the time up to now where the clock is read here. */
static inline void tick(void) {
  if (tree_clock != WASM_PERF_CLOCK_NONE)
    tick_slow();
}

/* The same for a module that counts instructions; false: it takes more. Twice does no harm. */
static inline bool tick_at(uint64_t now) {
  if (tree_clock == WASM_PERF_CLOCK_HYBRID)
    return hybrid_note(&hybrid, &tree, now);
  if (tree_clock != WASM_PERF_CLOCK_INSTRUCTIONS)
    return false;
  calltree_charge(&tree, now);
  return true;
}

static void configure_at_first_event(void) {
  if (tree_clock == CLOCK_UNSET)
    configure_from_environment(WASM_PERF_CLOCK_INSTRUCTIONS);
}

static NOINLINE void tick_at_slow(uint64_t now) {
  configure_at_first_event();
  if (!tick_at(now) && tree_clock == WASM_PERF_CLOCK_HYBRID)
    hybrid_sync(&hybrid, now);
}

/* With a clock, and for calls that take more than counting one again. */
static NOINLINE void start_slow(uint32_t function) {
  if (tree_clock == WASM_PERF_CLOCK_NONE) {
    calltree_enter_slow(&tree, function);
    return;
  }
  tick_slow();
  calltree_enter(&tree, function);
}

/* Engines make the most of it when there is a single way out of the fast path. */
WASM_EXPORT(perf_start) void perf_start(uint32_t function) {
  if (tree_clock != WASM_PERF_CLOCK_NONE || !calltree_enter_fast(&tree, function))
    start_slow(function);
}

WASM_EXPORT(perf_end) void perf_end(void) {
  tick();
  calltree_leave(&tree);
}

WASM_EXPORT(perf_depth) uint32_t perf_depth(void) {
  return tree.depth;
}

WASM_EXPORT(perf_unwind) void perf_unwind(uint32_t depth) {
  if (tree_clock == WASM_PERF_CLOCK_HYBRID)
    hybrid_drop(&hybrid, depth);
  if (tree.depth <= depth)
    return;
  tick();
  calltree_unwind(&tree, depth);
}

WASM_EXPORT(perf_start_at) void perf_start_at(uint32_t function, uint64_t now) {
  if (!tick_at(now))
    tick_at_slow(now);
  calltree_enter(&tree, function);
}

/* With one frame open, or none. */
static NOINLINE void end_last_at(uint64_t now) {
  configure_at_first_event();
  if (tree_clock == WASM_PERF_CLOCK_HYBRID) {
    hybrid_leave_slow(&hybrid, now);
  } else {
    tick_at(now);
    calltree_leave(&tree);
  }
}

WASM_EXPORT(perf_end_at) void perf_end_at(uint64_t now) {
  if (tree.depth <= 1) {
    end_last_at(now);
    return;
  }
  if (!tick_at(now))
    tick_at_slow(now);
  tree.depth--;
}

WASM_EXPORT(perf_unwind_at) void perf_unwind_at(uint32_t depth, uint64_t now) {
  if (tree_clock == WASM_PERF_CLOCK_HYBRID) {
    hybrid_unwind(&hybrid, depth, now);
  } else if (tree.depth > depth) {
    tick_at(now);
    calltree_unwind(&tree, depth);
  }
}

/* ---- For hooks inlined into the module, which keeps the counts of its calls ------------- */

/* The index of the node of `function` called from `parent`; ~index where it must ask again. */
static uint32_t enter_inlined(uint32_t parent, uint32_t function, uint32_t room) {
  bool is_folded;
  uint32_t child = calltree_child(&tree, parent, function, room, &is_folded);
  return is_folded ? ~child : child;
}

WASM_EXPORT(perf_enter)
uint32_t perf_enter(uint32_t parent, uint32_t function, uint32_t room) {
  if (tree_clock == CLOCK_UNSET)
    configure_from_environment(WASM_PERF_CLOCK_NONE);
  return enter_inlined(parent, function, room);
}

WASM_EXPORT(perf_enter_at)
uint32_t perf_enter_at(uint32_t parent, uint32_t function, uint32_t room) {
  configure_at_first_event();
  return enter_inlined(parent, function, room);
}

/* All calls of a node so far. */
WASM_EXPORT(perf_cell) void perf_cell(uint32_t node, uint64_t call_count) {
  if (tree.header && node < tree.header->node_count)
    tree.nodes[node].call_count = call_count;
}

/* Instructions of a node that have not been told. */
WASM_EXPORT(perf_charge) void perf_charge(uint32_t node, uint64_t count) {
  configure_at_first_event();
  if (node >= tree.header->node_count)
    return;
  if (tree_clock == WASM_PERF_CLOCK_INSTRUCTIONS)
    tree.nodes[node].self += count;
  else if (tree_clock == WASM_PERF_CLOCK_HYBRID)
    hybrid_add(&hybrid, node, count);
}

/*
 * At the count `now`, up to which all is charged, `node` being current, and maybe the host having
 * been at work. Returns the count at which to come back.
 */
WASM_EXPORT(perf_read) uint64_t perf_read(uint32_t node, uint64_t now, uint32_t from_host) {
  configure_at_first_event();
  if (tree_clock != WASM_PERF_CLOCK_HYBRID)
    return UINT64_MAX;
  tree.depth = node != 0 && node < tree.header->node_count;
  if (tree.depth > 0)
    tree.stack[1] = node;
  if (from_host)
    hybrid_unwind(&hybrid, tree.depth, now);
  else
    hybrid_sync(&hybrid, now);
  return hybrid_due(&hybrid);
}

/* The current node, after all have been told. */
WASM_EXPORT(perf_current) void perf_current(uint32_t node) {
  if (tree.header)
    calltree_set_stack(&tree, node < tree.header->node_count ? node : 0);
}
