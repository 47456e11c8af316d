/* The code that counts instructions in the embedded form, as tallies tell. */
#ifndef WI_HOOKS_EMBEDDED_TALLY_CODE_H_
#define WI_HOOKS_EMBEDDED_TALLY_CODE_H_

#include "hooks/embedded/tally.h"
#include "support/buffer.h"

/* Of a body. Locals and the memory are of the output. */
typedef struct wi_tally_code {
  uint32_t memory_index; /* the added one */
  uint32_t node_local;   /* i32 */
  uint32_t self_local;   /* i64 */
} wi_tally_code;

/* Before a branch: what its label expects in the local. */
void wi_tally_put_count(const wi_tally_code *code, wi_tally tally, wi_buffer *out);

/*
 * Hands what the function has counted to its node, wherever something else may read it or the
 * function may never come back. Doing so with each basic block would also keep what ran before an
 * access out of bounds, and would double the cost of the hooks.
 */
void wi_tally_put_flush(const wi_tally_code *code, wi_tally tally, wi_buffer *out);

/* local = 0 */
void wi_tally_put_zero(const wi_tally_code *code, wi_buffer *out);

#endif /* WI_HOOKS_EMBEDDED_TALLY_CODE_H_ */
