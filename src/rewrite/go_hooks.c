#include "rewrite/go_hooks.h"

#include "rewrite/opcodes.h"

#define ALIGN_8 3 /* as a power of two */

enum { LOCAL_BLOCK, LOCAL_PLACE, I32_COUNT }; /* of the loop: operands of its call */

void wi_go_place(wi_go_functions *functions, const wi_merge *runtime) {
  functions->resume = wi_merge_function(runtime, "go_resume");
  functions->leave = wi_merge_function(runtime, "go_leave");
  functions->start = wi_merge_function(runtime, "go_start");
  functions->started = wi_merge_function(runtime, "go_started");
}

uint32_t wi_go_i32_count(const wi_go_hooks *hooks) {
  return hooks->roles & WI_GO_RESUMES ? I32_COUNT : 0;
}

bool wi_go_acts_at_exit(const wi_go_hooks *hooks) {
  return (hooks->roles & WI_GO_CREATES) && hooks->go->goroutine_offset != 0;
}

/* ---- Instructions ----------------------------------------------------------- */

static void put_g(wi_buffer *out) {
  wi_put_index(out, GLOBAL_GET, WI_GO_G);
  wi_buffer_u8(out, I32_WRAP_I64);
}

void wi_go_put_entry(const wi_go_hooks *hooks, wi_buffer *out) {
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
void wi_go_put_call(const wi_go_hooks *hooks, unsigned callee, wi_buffer *out) {
  bool is_known = hooks->go->goroutine_offset != 0;
  if (is_known && (callee & WI_GO_STARTS) && !(hooks->roles & WI_GO_SYSTEM))
    wi_put_index(out, CALL, hooks->functions->start);
}

/* The loop shows its operands, the block and the place in the table, to the runtime. */
void wi_go_put_indirect_call(const wi_go_hooks *hooks, wi_buffer *out) {
  uint32_t block = hooks->i32_locals + LOCAL_BLOCK, place = hooks->i32_locals + LOCAL_PLACE;
  if (!(hooks->roles & WI_GO_RESUMES))
    return;
  wi_put_index(out, LOCAL_SET, place);
  wi_put_index(out, LOCAL_TEE, block);
  wi_put_index(out, LOCAL_GET, block);
  wi_put_index(out, LOCAL_GET, place);
  put_g(out);
  wi_put_index(out, CALL, hooks->functions->resume);
  wi_put_index(out, LOCAL_GET, place);
}
