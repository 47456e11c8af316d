/* The slowest of the measured calls, and a typical one of each node, with what each added to the tree. */
#ifndef WI_RUNTIME_EMBEDDED_KEPT_CALLS_H_
#define WI_RUNTIME_EMBEDDED_KEPT_CALLS_H_

#include "runtime/embedded/call_accounts.h"

/*
 * A measured call begins in the node. Returns its number, which is odd if no other is around it:
 * only such calls are kept.
 */
uint32_t embed_begin_call(uint32_t node);

/*
 * That call of the node ends, and is kept if it is among the `limit` slowest, or typical. Its account may be NULL: then
 * it is not.
 */
void embed_end_call(uint32_t number, uint32_t node, const embed_measured_call *call,
                    uint32_t limit);

/* The parts of their records in the file, as in followers.h; `size` is exact. */
uint32_t embed_kept_size(void);
void embed_put_kept(uint64_t first_start);
void embed_find_kept(void);
void embed_mark_kept(uint32_t *used);
void embed_move_kept(const uint32_t *indices);
void embed_reset_kept(void);

#endif /* WI_RUNTIME_EMBEDDED_KEPT_CALLS_H_ */
