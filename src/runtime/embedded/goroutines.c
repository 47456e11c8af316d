/*
 * Go programs: shows calls and callers as in the source.
 *
 * Whenever a goroutine waits, is preempted or gets a larger stack, all its functions return to a
 * loop of Go's runtime. To continue, that loop calls the innermost function again; when it returns,
 * the loop calls that function's caller, and so on (Go's sources: runtime/asm_wasm.s,
 * cmd/internal/obj/wasm). These are not calls in the source, and the loop is not the caller. So the
 * runtime keeps the node of each goroutine's innermost frame. Before the loop calls, callee_slot is
 * set to a slot that leads to the frame that continues.
 *
 * Go's scheduler runs on a separate stack; it is placed below the loop.
 */
#include "runtime/embedded/goroutine_table.h"
#include "runtime/embedded/tree.h"

typedef enum go_state {
  GO_STARTED,   /* has not run yet; `node` started it */
  GO_LEFT,      /* `node` is its innermost frame */
  GO_RESTARTED, /* as GO_LEFT; that frame restarts, with a larger stack */
  GO_RESUMED    /* `node` is the outermost frame that continues, if it still runs */
} go_state;

static uint32_t starter;      /* node that executes a go statement; 0: Go's runtime, or none */
static uint32_t loop;         /* node of the loop, or of its caller; 0: not yet known */
static uint32_t scheduler[2]; /* the slot at which the scheduler's stack begins */

/* ---- Continued frames ---------------------------------------------------------- */

/* The loop calls through embed_resumed. */
static void enter_below(uint32_t node) {
  embed_init_pair(embed_resumed, node);
  embed_continued = 0;
}

/* The node of the function's frame that continues, or 0 if it is unknown. */
static uint32_t find_frame(const embed_goroutine *of, uint32_t function) {
  if (of->state != GO_RESUMED)
    return embed_find_outwards(of->node, function);
  uint32_t node = embed_find_outwards(embed_parent_of(of->node), function);
  /* With folded recursion, its caller may be below it. */
  return node != 0 ? node : embed_known_answer(of->node, function);
}

/* The function at that index of Go's table. */
static uint32_t function_at(uint32_t place) {
  enum { FIRST_PLACE, FIRST_FUNCTION, COUNT, FUNCTIONS };
  const uint32_t *table = embed_word_at(embed_described(EMBED_FOLLOWER_goroutines));
  place -= table[FIRST_PLACE];
  if (table[COUNT] == 0)
    return table[FIRST_FUNCTION] + place;
  return place < table[COUNT] ? table[FUNCTIONS + place] : UINT32_MAX;
}

static void resume(embed_goroutine *of, uint32_t function) {
  uint32_t below = !of ? loop : of->state == GO_RESUMED ? embed_parent_of(of->node) : of->node;
  enter_below(below);
  if (!embed_has_nodes(function))
    return;
  uint32_t node = of ? find_frame(of, function) : 0;
  if (node == 0)
    node = embed_child(below, function);
  embed_continued = node;
  if (of) {
    of->node = node;
    of->state = GO_RESUMED;
  }
}

/*
 * Called before the loop calls function table entry `place`, to continue at `block`, with g the
 * current goroutine. A function that starts does so at block 0.
 */
EMBED_EXPORT(go_resume) void embed_go_resume(uint32_t block, uint32_t place, uint32_t g) {
  loop = embed_caller_by(embed_callee_slot());
  embed_goroutine *of = embed_find_goroutine(g);
  if (block != 0 || (of && of->state == GO_RESTARTED)) {
    resume(of, function_at(place));
  } else {
    uint32_t below = of && of->state == GO_STARTED ? of->node : loop;
    enter_below(below);
    embed_keep_goroutine(g, below, GO_LEFT);
  }
  embed_set_callee_slot((uint32_t)embed_resumed);
}

/*
 * Called when a function is entered that switches from the goroutine's stack to the scheduler's,
 * where it calls others; or that restarts the goroutine's innermost frame (`restarts`).
 */
EMBED_EXPORT(go_leave) void embed_go_leave(uint32_t g, uint32_t restarts) {
  embed_keep_goroutine(g, embed_caller_by(embed_callee_slot()), restarts ? GO_RESTARTED : GO_LEFT);
  if (loop == 0)
    return;
  if (scheduler[1] != loop + EMBED_OWNER)
    embed_init_pair(scheduler, loop);
  embed_set_callee_slot((uint32_t)scheduler);
}

/* Called before a go statement creates a goroutine. */
EMBED_EXPORT(go_start) void embed_go_start(void) {
  starter = embed_caller_by(embed_callee_slot());
}

/* Called after the goroutine was created. */
EMBED_EXPORT(go_started) void embed_go_started(uint32_t g) {
  embed_keep_goroutine(g, starter != 0 ? starter : loop, starter != 0 ? GO_STARTED : GO_LEFT);
  starter = 0;
}
