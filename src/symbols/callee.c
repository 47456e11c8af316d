#include "symbols/callee.h"

#include "code/opcodes.h"
#include "module/module.h"

uint32_t wi_callee_of(const uint8_t *code) {
  uint32_t function = 0;
  if (code[0] != CALL && code[0] != RETURN_CALL)
    return WI_NO_FUNCTION;
  for (unsigned i = 0; i < 5; i++) {
    function |= (uint32_t)(code[1 + i] & 0x7f) << (7 * i);
    if (!(code[1 + i] & 0x80))
      break;
  }
  return function;
}
