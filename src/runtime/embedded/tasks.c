/*
 * TinyGo's goroutines, which Asyncify unwinds and rewinds: places each below the function that
 * started it.
 *
 * internal/task.start appends a goroutine, a function and an address for it, to the scheduler's
 * queue. The scheduler calls that function. When it returns, it has either ended or been unwound
 * into its own data. To continue, the scheduler rewinds that data and calls the function again, and
 * each function on the way calls the ones that it had called (TinyGo's sources:
 * internal/task/task_asyncify.go, task_asyncify_wasm.S). So before each such call callee_slot is
 * set to a slot of the node that started the goroutine; from there, all frames find their nodes.
 */
#include "runtime/embedded/goroutine_table.h"
#include "runtime/embedded/tree.h"

#define FIRST_CAPACITY 64u /* of the queue; both are powers of two */
#define MAX_CAPACITY   (1u << 20)
#define MAX_DEPTH      64u /* JavaScript called by a goroutine may run the scheduler again */

enum { UNWINDING = 1, REWINDING = 2 }; /* Asyncify's states */

/* A goroutine that was not called yet. */
typedef struct task_start {
  uint32_t function; /* index in the table */
  uint32_t argument;
  uint32_t node; /* started it */
} task_start;

/* A running goroutine. */
typedef struct task_run {
  uint32_t node; /* started it; 0: unknown */
  uint32_t slot; /* callee_slot of the scheduler, restored when the goroutine returns */
} task_run;

static uint32_t starts; /* address of the queue, a ring buffer; 0: none yet */
static uint32_t start_capacity, start_first, start_count;
static task_run runs[MAX_DEPTH];
static uint32_t depth;      /* may exceed MAX_DEPTH */
static uint32_t entered[2]; /* the slot through which the innermost goroutine was called */

static task_start *start_at(uint32_t place) {
  return (task_start *)starts + ((start_first + place) & (start_capacity - 1));
}

/*
 * The old ring remains as a gap in the arena: together, old rings are smaller than the new one.
 */
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

/* Called before a go statement queues a goroutine. */
EMBED_EXPORT(task_start) void embed_task_start(uint32_t function, uint32_t argument) {
  if (start_count == start_capacity && !grow_starts())
    return;
  uint32_t node = embed_caller_by(embed_callee_slot());
  *start_at(start_count) = (task_start){function, argument, node};
  start_count++;
}

/*
 * The node that started the goroutine to run next, or 0 if unknown. Goroutines run in queue order.
 */
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

/* Called before the scheduler calls a goroutine's function. */
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

/*
 * Called after that function returned. A scheduler with hooks has already set its next callee's
 * slot.
 */
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
