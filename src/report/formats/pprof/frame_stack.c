#include "report/formats/pprof/frame_stack.h"

#include <string.h>

#include "report/encode/protobuf.h"

void wi_pprof_stack_set(wi_pprof_stack *stack, uint32_t depth, uint64_t id) {
  uint8_t bytes[WI_VARINT_MAX_SIZE];
  size_t size = wi_varint_write(bytes, id);
  stack->ids[depth] = id;
  stack->sizes[depth] = stack->sizes[depth - 1] + (uint32_t)size;
  memcpy(stack->bytes + sizeof stack->bytes - stack->sizes[depth], bytes, size);
}

const uint8_t *wi_pprof_stack_bytes(const wi_pprof_stack *stack, uint32_t depth) {
  return stack->bytes + sizeof stack->bytes - stack->sizes[depth];
}
