/*
 * Goroutines of TinyGo, which Asyncify unwinds and rewinds: each stands below what started it.
 *
 * internal/task.start puts a goroutine, a function and an address for it, at the end of the
 * scheduler's queue. The scheduler calls that function; when it has returned, it has ended, or is
 * unwound into data of its own. To go on, the scheduler rewinds that data and calls the function
 * again, and each function on the way those that it had called (TinyGo's sources: internal/task/
 * task_asyncify.go, task_asyncify_wasm.S). So before each such call the callee's slot is led to who
 * started the goroutine, from where all of its frames find their nodes.
 */
#include "runtime/embedded/goroutine_table.h"
#include "runtime/embedded/tree.h"

#define FIRST_CAPACITY 64u /* of the queue: powers of two */
#define MAX_CAPACITY   (1u << 20)
#define MAX_DEPTH      64u /* JavaScript that a goroutine calls may run the scheduler again */

enum { UNWINDING = 1, REWINDING = 2 }; /* states of Asyncify */

/* A goroutine that was not yet called. */
typedef struct task_start {
  uint32_t function; /* index in the table */
  uint32_t argument;
  uint32_t node; /* who started it */
} task_start;

/* A goroutine that runs. */
typedef struct task_run {
  uint32_t node; /* who started it; 0: not known */
  uint32_t slot; /* of the scheduler's callee, for when it is done */
} task_run;

static uint32_t starts; /* address of the queue, a ring; 0: none yet */
static uint32_t start_capacity, start_first, start_count;
static task_run runs[MAX_DEPTH];
static uint32_t depth;      /* may be more than there is room for */
static uint32_t entered[2]; /* the slot that the innermost one was called through */

static task_start *start_at(uint32_t place) {
  return (task_start *)starts + ((start_first + place) & (start_capacity - 1));
}

/* The old ring stays as a gap in the arena: all of them together are no larger than the last. */
static bool grow_starts(void) {
  uint32_t capacity = start_capacity == 0 ? FIRST_CAPACITY : 2 * start_capacity;
  uint32_t size = capacity * (uint32_t)sizeof(task_start);
  uint32_t ring = capacity <= MAX_CAPACITY ? embed_allocate_gap(size, 0) : 0;
  if (ring == 0)
    return false;
  for (uint32_t i = 0; i < start_count; i++)
    ((task_start *)ring)[i] = *start_at(i);
  starts = ring;
  start_capacity = capacity;
  start_first = 0;
  return true;
}

/* A go statement is about to put a goroutine into the queue. */
EMBED_EXPORT(task_start) void embed_task_start(uint32_t function, uint32_t argument) {
  if (start_count == start_capacity && !grow_starts())
    return;
  uint32_t node = embed_caller_by(embed_callee_slot());
  *start_at(start_count++) = (task_start){function, argument, node};
}

/* Who started the goroutine whose turn it is; 0: nobody known. They have their turns in order. */
static uint32_t take_start(uint32_t function, uint32_t argument) {
  const task_start *first = start_count > 0 ? start_at(0) : NULL;
  if (!first || first->function != function || first->argument != argument)
    return 0;
  uint32_t node = first->node;
  start_first++;
  start_count--;
  return node;
}

static void enter_below(uint32_t node) {
  embed_init_pair(entered, node);
}

/* The scheduler is about to call a goroutine's function. */
EMBED_EXPORT(task_enter)
void embed_task_enter(uint32_t argument, uint32_t function, uint32_t state, uint32_t data) {
  const embed_goroutine *of = state == REWINDING ? embed_find_goroutine(data) : NULL;
  uint32_t node = of ? of->node : state == REWINDING ? 0 : take_start(function, argument);
  if (depth < MAX_DEPTH)
    runs[depth] = (task_run){node, embed_callee_slot()};
  depth++;
  if (node == 0)
    return;
  enter_below(node);
  embed_set_callee_slot((uint32_t)entered);
}

/* It has returned. A scheduler with hooks has set the slot of its next callee. */
EMBED_EXPORT(task_leave) void embed_task_leave(uint32_t state, uint32_t data) {
  if (depth == 0 || --depth >= MAX_DEPTH)
    return;
  if (state == UNWINDING)
    embed_keep_goroutine(data, runs[depth].node, 0);
  if (embed_callee_slot() == (uint32_t)entered)
    embed_set_callee_slot(runs[depth].slot);
  if (depth > 0)
    enter_below(runs[depth - 1].node);
}
