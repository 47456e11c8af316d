/* The code that counts instructions in the embedded form, according to tallies. */
#ifndef WI_HOOKS_EMBEDDED_TALLY_CODE_H_
#define WI_HOOKS_EMBEDDED_TALLY_CODE_H_

#include "hooks/embedded/tally.h"
#include "support/buffer.h"

/* Context of one body. Indices of locals and of the memory are those in the output. */
typedef struct wi_tally_code {
  uint32_t memory_index;    /* the added one */
  uint32_t node_local;      /* i32 */
  uint32_t self_local;      /* i64 */
  uint32_t executed_global; /* i64: the sum of all nodes' counts; WI_NO_GLOBAL: none is kept */
} wi_tally_code;

/* Before a branch: adjusts the local to what the label expects. */
void wi_tally_put_count(const wi_tally_code *code, wi_tally tally, wi_buffer *out);

/*
 * Adds the pending count to the node, wherever other code may read it or the function may not
 * continue. Flushing at each basic block would also count the instructions before an out-of-bounds
 * access, but would double the cost of the hooks.
 */
void wi_tally_put_flush(const wi_tally_code *code, wi_tally tally, wi_buffer *out);

/* local = 0 */
void wi_tally_put_zero(const wi_tally_code *code, wi_buffer *out);

#endif /* WI_HOOKS_EMBEDDED_TALLY_CODE_H_ */
