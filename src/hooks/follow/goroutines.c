/*
 * Inserts calls into the functions that switch between goroutines: calls of
 * runtime/embedded/goroutines.c or, in TinyGo programs, of runtime/embedded/tasks.c.
 */
#include <stdlib.h>

#include "hooks/follow/follower.h"
#include "hooks/follow/go.h"
#include "hooks/follow/tasks.h"
#include "rewrite/opcodes.h"

enum { LOCAL_BLOCK, LOCAL_PLACE, I32_COUNT }; /* operands of the call of a goroutine */

enum { RESUME, LEAVE, START, STARTED, TASK_START, TASK_ENTER, TASK_LEAVE };
static const char *const go_exports[] = {[RESUME] = "go_resume",      [LEAVE] = "go_leave",
                                         [START] = "go_start",        [STARTED] = "go_started",
                                         [TASK_START] = "task_start", [TASK_ENTER] = "task_enter",
                                         [TASK_LEAVE] = "task_leave", NULL};

/* ---- The module ------------------------------------------------------------- */

static void clear(void *state) {
  wi_go_clear(state);
  free(state);
}

static bool find(wi_following *following, const wi_plan *plan, const wi_options *options,
                 wi_scan *scan, wi_error *error) {
  wi_go *go = following->state = calloc(1, sizeof *go);
  if (!go)
    return wi_error_memory(error);
  bool done = wi_go_init(go, plan->module, options, scan, error) &&
              wi_tasks_find(go, plan->module, options, scan, error);
  following->is_active = done && go->roles;
  return done;
}

static unsigned traits(const wi_following *following, const wi_module *module, const wi_scan *scan,
                       uint32_t function) {
  (void)scan;
  unsigned roles = wi_go_roles(following->state, module, function);
  return (roles & WI_GO_LEAVES ? WI_FOLLOW_SETS_SLOT : 0u) |
         (roles & (WI_GO_RESUMES | WI_GO_SWITCHES) ? WI_FOLLOW_RESTORES : 0u);
}

/*
 * How to get a function index from an index of Go's table: the table's first index, and the function
 * there, which the others follow. If they do not, the number of functions and all of them.
 */
static void describe(const wi_following *following, const wi_plan *plan, wi_buffer *out) {
  const wi_go *go = following->state;
  const uint32_t count = go->is_moved ? go->table_count : 0;
  wi_buffer_word(out, WI_GO_TABLE_OFFSET);
  wi_buffer_word(out, plan->module->imports_count + plan->import_count);
  wi_buffer_word(out, count);
  for (uint32_t i = 0; i < count; i++)
    wi_buffer_word(out, go->table[i] + plan->import_count);
}

/* ---- The body --------------------------------------------------------------- */

static const wi_go *go_of(const wi_follow_body *body) {
  return body->following->state;
}

static uint32_t function_of(const wi_follow_body *body, uint32_t index) {
  return body->following->functions[index];
}

static bool begin(wi_follow_body *body) {
  body->roles = wi_go_roles(go_of(body), body->module, body->function);
  body->i32_count = body->roles & (WI_GO_RESUMES | WI_GO_SWITCHES) ? I32_COUNT : 0;
  body->acts_at_exit = (body->roles & WI_GO_CREATES) && go_of(body)->goroutine_offset != 0;
  return true;
}

/* ---- Instructions ----------------------------------------------------------- */

static void put_g(wi_buffer *out) {
  wi_put_index(out, GLOBAL_GET, WI_GO_G);
  wi_buffer_u8(out, I32_WRAP_I64);
}

static void put_task_start(const wi_follow_body *body, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, 0);
  wi_put_index(out, LOCAL_GET, 1);
  wi_put_index(out, CALL, function_of(body, TASK_START));
}

static uint32_t put_entry(const wi_follow_body *body, wi_buffer *out) {
  if (body->roles & WI_GO_QUEUES)
    put_task_start(body, out);
  if (!(body->roles & WI_GO_LEAVES))
    return 0;
  put_g(out);
  wi_put_i32(out, (body->roles & WI_GO_RESTARTS) != 0);
  wi_put_index(out, CALL, function_of(body, LEAVE));
  return 0;
}

/* The function has already removed its frame from Go's stack: parameters and results are at SP. */
static void put_exit(const wi_follow_body *body, bool is_tail_call, wi_buffer *out) {
  (void)is_tail_call;
  if (!body->acts_at_exit)
    return;
  wi_put_index(out, GLOBAL_GET, WI_GO_SP);
  wi_put_load(out, I64_LOAD, WI_FIRST_MEMORY, go_of(body)->goroutine_offset);
  wi_buffer_u8(out, I32_WRAP_I64);
  wi_put_index(out, CALL, function_of(body, STARTED));
}

/*
 * A goroutine that Go's runtime starts for itself is unrelated to the function in which that
 * happens.
 */
static void put_start(const wi_follow_body *body, uint32_t callee, wi_buffer *out) {
  bool is_known = go_of(body)->goroutine_offset != 0;
  bool starts = wi_go_roles(go_of(body), body->module, callee) & WI_GO_STARTS;
  if (is_known && starts && !(body->roles & WI_GO_SYSTEM))
    wi_put_index(out, CALL, function_of(body, START));
}

/*
 * Pushes copies of the call's operands, two i32; the caller restores the second from the local that
 * is returned.
 */
static uint32_t put_operands(const wi_follow_body *body, wi_buffer *out) {
  uint32_t block = body->i32_locals + LOCAL_BLOCK, place = body->i32_locals + LOCAL_PLACE;
  wi_put_index(out, LOCAL_SET, place);
  wi_put_index(out, LOCAL_TEE, block);
  wi_put_index(out, LOCAL_GET, block);
  wi_put_index(out, LOCAL_GET, place);
  return place;
}

/* Passes the loop's operands, the block and the place in the table, to the runtime. */
static void put_resume(const wi_follow_body *body, wi_buffer *out) {
  uint32_t place = put_operands(body, out);
  put_g(out);
  wi_put_index(out, CALL, function_of(body, RESUME));
  wi_put_index(out, LOCAL_GET, place);
}

static void put_asyncify(const wi_follow_body *body, uint32_t callee, wi_buffer *out) {
  wi_put_index(out, GLOBAL_GET, go_of(body)->asyncify.state);
  wi_put_index(out, GLOBAL_GET, go_of(body)->asyncify.data);
  wi_put_index(out, CALL, callee);
}

/* Does the same for TinyGo's scheduler, and reports when the goroutine has returned. */
static void put_task_call(const wi_follow_body *body, const wi_site *site, wi_buffer *out) {
  if (wi_tasks_is_return(go_of(body), body->module, body->scan, site))
    put_asyncify(body, function_of(body, TASK_LEAVE), out);
  if (!wi_tasks_is_switch(go_of(body), body->module, body->scan, site))
    return;
  uint32_t place = put_operands(body, out);
  put_asyncify(body, function_of(body, TASK_ENTER), out);
  wi_put_index(out, LOCAL_GET, place);
}

static void put_before(const wi_follow_body *body, const wi_site *site, wi_buffer *out) {
  if (site->kind != WI_SITE_BEFORE_CALL)
    return;
  if (body->roles & WI_GO_SWITCHES)
    put_task_call(body, site, out);
  else if (site->value != WI_NO_FUNCTION)
    put_start(body, site->value, out);
  else if (body->roles & WI_GO_RESUMES)
    put_resume(body, out);
}

const wi_follower wi_follow_goroutines = {.name = "goroutines",
                                          .exports = go_exports,
                                          .keeps_state = true,
                                          .find = find,
                                          .clear = clear,
                                          .traits = traits,
                                          .describe = describe,
                                          .begin = begin,
                                          .put_entry = put_entry,
                                          .put_before = put_before,
                                          .put_exit = put_exit};
