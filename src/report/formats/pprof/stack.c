#include "report/formats/pprof/stack.h"

#include <string.h>

#include "report/encode/protobuf.h"

void wi_pprof_stack_set(wi_pprof_stack *stack, uint32_t depth, uint64_t id) {
  uint8_t bytes[WI_VARINT_MAX_SIZE];
  size_t size = wi_varint_write(bytes, id);
  stack->sizes[depth] = stack->sizes[depth - 1] + (uint32_t)size;
  memcpy(stack->bytes + sizeof stack->bytes - stack->sizes[depth], bytes, size);
}
