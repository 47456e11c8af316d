#include "symbols/mix.h"

#include <stddef.h>

#include "code/opcodes.h"

/* Codes from first to last, without a prefix and after PREFIX_FC. Others are OTHER. */
typedef struct codes {
  uint8_t first, last;
  uint8_t kind; /* wasm_perf_mix */
} codes;

static const codes plain[] = {
    {CALL, 0x15, WASM_PERF_MIX_CALL},
    {I32_LOAD, MEMORY_GROW, WASM_PERF_MIX_MEMORY},
    {0x43, 0x44, WASM_PERF_MIX_FLOAT}, /* f32.const f64.const */
    {0x5b, 0x66, WASM_PERF_MIX_FLOAT}, /* f32.eq … f64.ge */
    {0x8b, 0xa6, WASM_PERF_MIX_FLOAT}, /* f32.abs … f64.copysign */
    {0xa8, 0xab, WASM_PERF_MIX_FLOAT}, /* i32.trunc_f32_s … */
    {0xae, 0xbf, WASM_PERF_MIX_FLOAT}, /* i64.trunc_f32_s … f64.reinterpret_i64 */
    {PREFIX_FD, PREFIX_FD, WASM_PERF_MIX_VECTOR},
    {PREFIX_FE, PREFIX_FE, WASM_PERF_MIX_MEMORY}};

static const codes after_fc[] = {{0x00, 0x07, WASM_PERF_MIX_FLOAT},   /* i32.trunc_sat_f32_s … */
                                 {0x08, 0x0b, WASM_PERF_MIX_MEMORY}}; /* memory.init … fill */

static wasm_perf_mix find(const codes *all, size_t count, uint8_t code) {
  for (size_t i = 0; i < count; i++)
    if (all[i].first <= code && code <= all[i].last)
      return (wasm_perf_mix)all[i].kind;
  return WASM_PERF_MIX_OTHER;
}

/* Codes after the prefix fit 7 bits, however long their LEB128 is. */
wasm_perf_mix wi_mix_of(const uint8_t *code) {
  return code[0] == PREFIX_FC ? find(after_fc, sizeof after_fc / sizeof *after_fc, code[1] & 0x7f)
                              : find(plain, sizeof plain / sizeof *plain, code[0]);
}
