#include "hooks/follow/goroutines.h"

#include "hooks/follow/tasks.h"
#include "rewrite/opcodes.h"

#define ALIGN_8 3 /* as a power of two */

enum { LOCAL_BLOCK, LOCAL_PLACE, I32_COUNT }; /* operands of the call of a goroutine */

void wi_go_keep(const wi_go *go, wi_image *image) {
  static const char *const names[] = {"go_resume",  "go_leave",   "go_start",  "go_started",
                                      "task_start", "task_enter", "task_leave"};
  for (size_t i = 0; i < sizeof names / sizeof *names && go->roles; ++i)
    wi_image_keep(image, names[i]);
}

void wi_go_place(wi_go_functions *functions, const wi_merge *runtime) {
  functions->resume = wi_merge_function(runtime, "go_resume");
  functions->leave = wi_merge_function(runtime, "go_leave");
  functions->start = wi_merge_function(runtime, "go_start");
  functions->started = wi_merge_function(runtime, "go_started");
  functions->task_start = wi_merge_function(runtime, "task_start");
  functions->task_enter = wi_merge_function(runtime, "task_enter");
  functions->task_leave = wi_merge_function(runtime, "task_leave");
}

uint32_t wi_go_i32_count(const wi_go_hooks *hooks) {
  return hooks->roles & (WI_GO_RESUMES | WI_GO_SWITCHES) ? I32_COUNT : 0;
}

bool wi_go_acts_at_exit(const wi_go_hooks *hooks) {
  return (hooks->roles & WI_GO_CREATES) && hooks->go->goroutine_offset != 0;
}

/* ---- Instructions ----------------------------------------------------------- */

static void put_g(wi_buffer *out) {
  wi_put_index(out, GLOBAL_GET, WI_GO_G);
  wi_buffer_u8(out, I32_WRAP_I64);
}

static void put_task_start(const wi_go_hooks *hooks, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, 0);
  wi_put_index(out, LOCAL_GET, 1);
  wi_put_index(out, CALL, hooks->functions->task_start);
}

void wi_go_put_entry(const wi_go_hooks *hooks, wi_buffer *out) {
  if (hooks->roles & WI_GO_QUEUES)
    put_task_start(hooks, out);
  if (!(hooks->roles & WI_GO_LEAVES))
    return;
  put_g(out);
  wi_buffer_u8(out, I32_CONST);
  wi_buffer_s32(out, (hooks->roles & WI_GO_RESTARTS) != 0);
  wi_put_index(out, CALL, hooks->functions->leave);
}

/* By now the function has taken its frame off Go's stack: parameters and results are at SP. */
void wi_go_put_exit(const wi_go_hooks *hooks, wi_buffer *out) {
  if (!wi_go_acts_at_exit(hooks))
    return;
  wi_put_index(out, GLOBAL_GET, WI_GO_SP);
  wi_buffer_u8(out, I64_LOAD);
  wi_buffer_u32(out, ALIGN_8);
  wi_buffer_u32(out, hooks->go->goroutine_offset);
  wi_buffer_u8(out, I32_WRAP_I64);
  wi_put_index(out, CALL, hooks->functions->started);
}

/* What Go's runtime starts for itself has nothing to do with the function that it happens in. */
static void put_start(const wi_go_hooks *hooks, uint32_t callee, wi_buffer *out) {
  bool is_known = hooks->go->goroutine_offset != 0;
  bool starts = wi_go_roles(hooks->go, hooks->module, callee) & WI_GO_STARTS;
  if (is_known && starts && !(hooks->roles & WI_GO_SYSTEM))
    wi_put_index(out, CALL, hooks->functions->start);
}

/* Leaves the operands of the call, two of i32, as they are, and puts them below what follows. */
static uint32_t put_operands(const wi_go_hooks *hooks, wi_buffer *out) {
  uint32_t block = hooks->i32_locals + LOCAL_BLOCK, place = hooks->i32_locals + LOCAL_PLACE;
  wi_put_index(out, LOCAL_SET, place);
  wi_put_index(out, LOCAL_TEE, block);
  wi_put_index(out, LOCAL_GET, block);
  wi_put_index(out, LOCAL_GET, place);
  return place;
}

/* The loop shows its operands, the block and the place in the table, to the runtime. */
static void put_resume(const wi_go_hooks *hooks, wi_buffer *out) {
  uint32_t place = put_operands(hooks, out);
  put_g(out);
  wi_put_index(out, CALL, hooks->functions->resume);
  wi_put_index(out, LOCAL_GET, place);
}

static void put_asyncify(const wi_go_hooks *hooks, uint32_t callee, wi_buffer *out) {
  wi_put_index(out, GLOBAL_GET, hooks->go->asyncify.state);
  wi_put_index(out, GLOBAL_GET, hooks->go->asyncify.data);
  wi_put_index(out, CALL, callee);
}

/* So does TinyGo's scheduler, and tells when the goroutine has returned. */
static void put_task_call(const wi_go_hooks *hooks, const wi_site *site, wi_buffer *out) {
  if (wi_tasks_is_return(hooks->go, hooks->module, hooks->scan, site))
    put_asyncify(hooks, hooks->functions->task_leave, out);
  if (!wi_tasks_is_switch(hooks->go, hooks->module, hooks->scan, site))
    return;
  uint32_t place = put_operands(hooks, out);
  put_asyncify(hooks, hooks->functions->task_enter, out);
  wi_put_index(out, LOCAL_GET, place);
}

void wi_go_put_call(const wi_go_hooks *hooks, const wi_site *site, wi_buffer *out) {
  if (hooks->roles & WI_GO_SWITCHES)
    put_task_call(hooks, site, out);
  else if (site->value != WI_NO_FUNCTION)
    put_start(hooks, site->value, out);
  else if (hooks->roles & WI_GO_RESUMES)
    put_resume(hooks, out);
}
