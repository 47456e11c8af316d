/* Kinds of instructions, for all opcodes, against their names. */
#include <stdio.h>
#include <string.h>

#include "symbols/mix.h"
#include "unit.h"

enum { PREFIX_NONE, PREFIX_FB = 0xfb, PREFIX_FC, PREFIX_FD, PREFIX_FE };

static const struct {
  int prefix, first;
  const char *names;
} ranges[] = {
#define WI_OPCODES(prefix, first, last, shape, mix, names) {PREFIX_##prefix, first, names},
#include "code/opcodes.def"
#undef WI_OPCODES
};

static bool has(const char *name, const char *part) {
  return strstr(name, part) != NULL;
}

static wasm_perf_mix kind_of(int prefix, const char *name) {
  if (prefix == PREFIX_FD)
    return WASM_PERF_MIX_VECTOR;
  if (has(name, "load") || has(name, "store") || has(name, "memory.") || has(name, "atomic") ||
      strcmp(name, "data.drop") == 0)
    return WASM_PERF_MIX_MEMORY;
  if (has(name, "call"))
    return WASM_PERF_MIX_CALL;
  return has(name, "f32") || has(name, "f64") ? WASM_PERF_MIX_FLOAT : WASM_PERF_MIX_OTHER;
}

static void check(int prefix, int code, const char *name) {
  uint8_t low = (uint8_t)(code & 0x7f), high = (uint8_t)(code >> 7);
  const uint8_t plain[] = {(uint8_t)code, 0x00};
  const uint8_t shortest[] = {(uint8_t)prefix, high ? low | 0x80 : low, high};
  const uint8_t longer[] = {(uint8_t)prefix, low | 0x80, high | 0x80, 0x00};
  wasm_perf_mix expected = kind_of(prefix, name);
  if (prefix == PREFIX_NONE) {
    assert_int_equal(wi_mix_of(plain), expected);
  } else {
    assert_int_equal(wi_mix_of(shortest), expected);
    assert_int_equal(wi_mix_of(longer), expected);
  }
}

static void test_all_opcodes(void **state) {
  unsigned count = 0;
  for (size_t i = 0; i < COUNT(ranges); i++) {
    const char *at = ranges[i].names;
    for (int code = ranges[i].first; *at; code++, count++) {
      char name[64];
      int size = (int)strcspn(at, " ");
      snprintf(name, sizeof name, "%.*s", size, at);
      check(ranges[i].prefix, code, name);
      at += size + (at[size] == ' ');
    }
  }
  assert_true(count > 500);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_opcodes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
