/*
 * Programs of Go: calls and callers as who wrote them sees them.
 *
 * Whenever a goroutine waits, is preempted or gets a larger stack, all its functions return to a
 * loop of Go's runtime. To go on, that loop calls the innermost of them again, and when it returns,
 * the one that had called it, and so on (Go's sources: runtime/asm_wasm.s, cmd/internal/obj/wasm).
 * These are no calls, and the loop is not who called. So of each goroutine the node of its
 * innermost frame is kept, and before the loop calls, the callee's slot is led to the frame that
 * goes on.
 *
 * What Go's scheduler does, on a stack of its own, goes below the loop.
 */
#include "runtime/embedded/goroutine_table.h"
#include "runtime/embedded/tree.h"

typedef enum go_state {
  GO_STARTED,   /* has not run; `node` is who started it */
  GO_LEFT,      /* `node` is its innermost frame */
  GO_RESTARTED, /* the same; that frame begins anew, with a larger stack */
  GO_RESUMED    /* `node` is the outermost frame that goes on, if it still runs */
} go_state;

static uint32_t starter;      /* node of the go statement at work; 0: Go's own, or none */
static uint32_t loop;         /* node of the loop, or of who called it; 0: not yet known */
static uint32_t resumed[2];   /* the slot that the loop calls through */
static uint32_t scheduler[2]; /* the one that begins the scheduler's stack */

/* ---- Frames that go on --------------------------------------------------------- */

static void enter_below(uint32_t node) {
  embed_init_pair(resumed, node);
}

/* The node of the function's frame that goes on; 0: it is not among those known. */
static uint32_t find_frame(const embed_goroutine *of, uint32_t function) {
  if (of->state != GO_RESUMED)
    return embed_find_outwards(of->node, function);
  uint32_t node = embed_find_outwards(embed_parent_of(of->node), function);
  /* Recursion may be folded: then its caller is below it. */
  return node != 0 ? node : embed_known_answer(of->node, function);
}

static void resume(embed_goroutine *of, uint32_t function) {
  uint32_t below = !of ? loop : of->state == GO_RESUMED ? embed_parent_of(of->node) : of->node;
  enter_below(below);
  if (!embed_has_nodes(function))
    return;
  uint32_t node = of ? find_frame(of, function) : 0;
  if (node == 0)
    node = embed_child(below, function, true);
  embed_node_at(node)->calls--; /* which it counts when it is entered */
  resumed[0] = node;
  if (of) {
    of->node = node;
    of->state = GO_RESUMED;
  }
}

/*
 * Before the loop calls the function at that place of the table, to go on in that of its blocks,
 * with g the current goroutine. It begins with block 0.
 */
EMBED_EXPORT(go_resume) void embed_go_resume(uint32_t block, uint32_t place, uint32_t g) {
  loop = embed_caller_by(embed_callee_slot());
  embed_goroutine *of = embed_find_goroutine(g);
  if (block != 0 || (of && of->state == GO_RESTARTED)) {
    resume(of, place + *embed_word_at(embed_described(EMBED_FOLLOWER_goroutines)));
  } else {
    uint32_t below = of && of->state == GO_STARTED ? of->node : loop;
    enter_below(below);
    embed_keep_goroutine(g, below, GO_LEFT);
  }
  embed_set_callee_slot((uint32_t)resumed);
}

/*
 * A function is entered that leaves the goroutine's stack for the scheduler's, where it calls
 * others; or to begin the goroutine's innermost frame anew.
 */
EMBED_EXPORT(go_leave) void embed_go_leave(uint32_t g, uint32_t restarts) {
  embed_keep_goroutine(g, embed_caller_by(embed_callee_slot()), restarts ? GO_RESTARTED : GO_LEFT);
  if (loop == 0)
    return;
  if (scheduler[1] != loop + EMBED_OWNER)
    embed_init_pair(scheduler, loop);
  embed_set_callee_slot((uint32_t)scheduler);
}

/* A go statement is about to make a goroutine. */
EMBED_EXPORT(go_start) void embed_go_start(void) {
  starter = embed_caller_by(embed_callee_slot());
}

/* It is made. */
EMBED_EXPORT(go_started) void embed_go_started(uint32_t g) {
  embed_keep_goroutine(g, starter != 0 ? starter : loop, starter != 0 ? GO_STARTED : GO_LEFT);
  starter = 0;
}
