#include "symbols/mix.h"

#include "code/opcodes.h"
#include "code/shape.h"

static const uint8_t kinds[ROW_COUNT][CODE_COUNT] = {
#define WI_OPCODES(prefix, first, last, shape, mix, names)                                         \
  [ROW_##prefix][first... last] = WASM_PERF_MIX_##mix,
#include "code/opcodes.def"
};

/* Codes after a prefix fit 14 bits, however long their LEB128 is. */
wasm_perf_mix wi_mix_of(const uint8_t *code) {
  if (code[0] < PREFIX_FB || code[0] > PREFIX_FE)
    return (wasm_perf_mix)kinds[ROW_NONE][code[0]];
  uint32_t high = code[1] >> 7 ? code[2] & 0x7f : 0;
  return (wasm_perf_mix)kinds[ROW_FB + code[0] - PREFIX_FB][high << 7 | (code[1] & 0x7f)];
}
