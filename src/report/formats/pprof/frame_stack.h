/* The stack of a sample in pprof's encoding, while a tree is visited in preorder. */
#ifndef WI_REPORT_FORMATS_PPROF_FRAME_STACK_H_
#define WI_REPORT_FORMATS_PPROF_FRAME_STACK_H_

#include "report/model/tree.h"

/* The limit, the elision mark and the function beyond it. */
#define WI_PPROF_MAX_DEPTH (WI_DEPTH_LIMIT + 2)

/* An id has 32 bits, or slightly more. */
#define WI_PPROF_ID_MAX_SIZE 5u

/*
 * The location ids of a stack as packed numbers, innermost first. Stacks share the encoding of
 * their common outer frames. An empty one is all zero.
 */
typedef struct wi_pprof_stack {
  uint64_t ids[WI_PPROF_MAX_DEPTH + 1];   /* from depth 1 on */
  uint32_t sizes[WI_PPROF_MAX_DEPTH + 1]; /* encoded size of all frames down to each depth, from 1
                                             on */
  uint8_t bytes[WI_PPROF_MAX_DEPTH * WI_PPROF_ID_MAX_SIZE]; /* filled from the end */
} wi_pprof_stack;

/*
 * Sets the location of the frame at a depth. Outer frames are kept; inner ones must be set again.
 */
void wi_pprof_stack_set(wi_pprof_stack *stack, uint32_t depth, uint64_t id);

/* The sizes[depth] bytes of the frames down to a depth. */
const uint8_t *wi_pprof_stack_bytes(const wi_pprof_stack *stack, uint32_t depth);

#endif /* WI_REPORT_FORMATS_PPROF_FRAME_STACK_H_ */
