/* A stack as pprof has it: the ids of locations as packed numbers, the innermost first. */
#ifndef WI_REPORT_FORMATS_PPROF_STACK_H_
#define WI_REPORT_FORMATS_PPROF_STACK_H_

#include <stdint.h>

#include "report/model/tree.h"

/* The limit, the elision mark and the function beyond it. */
#define WI_PPROF_MAX_DEPTH (WI_DEPTH_LIMIT + 2)

/* An id is a number of 32 bits, or little more. */
#define WI_PPROF_ID_MAX_SIZE 5u

/* Stacks share what is above of a frame, which is encoded once. A zeroed one is empty. */
typedef struct wi_pprof_stack {
  uint32_t sizes[WI_PPROF_MAX_DEPTH + 1]; /* of all frames down to a depth, from 1 on */
  uint8_t bytes[WI_PPROF_MAX_DEPTH * WI_PPROF_ID_MAX_SIZE]; /* these frames are at its end */
} wi_pprof_stack;

/* Sets the location of the frame at a depth; those above stay, and those below have to be set. */
void wi_pprof_stack_set(wi_pprof_stack *stack, uint32_t depth, uint64_t id);

/* The bytes of all frames down to a depth. */
static inline const uint8_t *wi_pprof_stack_bytes(const wi_pprof_stack *stack, uint32_t depth) {
  return stack->bytes + sizeof stack->bytes - stack->sizes[depth];
}

#endif /* WI_REPORT_FORMATS_PPROF_STACK_H_ */
