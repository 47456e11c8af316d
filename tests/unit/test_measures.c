/* Whose an allocation is: wi_measure_owner. */
#include "unit.h"

#include "profile/measures.h"
#include "wasm_perf/profile.h"

enum { MAX_DEPTH = 8 };

/* A stack, outermost first, whose innermost function is the allocator: the name of the one that has its blocks. */
static const char *owner_in(const char *const *stack) {
  static char name[128];
  wasm_perf_node nodes[MAX_DEPTH + 1] = {{.function = WASM_PERF_FUNCTION_ROOT}};
  wasm_perf_profile profile = {.nodes = nodes, .header = {.node_count = 1}};
  uint32_t count = 0;
  for (; stack[count]; count++) {
    nodes[count + 1] = (wasm_perf_node){.function = count, .parent = count};
    assert_true(wasm_perf_profile_set_name(&profile, count, stack[count]));
    profile.header.node_count++;
  }
  uint32_t owner = wi_measure_owner(&profile, count, WASM_PERF_MEASURE_ALLOCATED_BYTES);
  assert_int_equal(wi_measure_owner(&profile, count, WASM_PERF_MEASURE_GROWN_PAGES), count);
  snprintf(name, sizeof name, "%s", wasm_perf_profile_name(&profile, nodes[owner].function));
  for (uint32_t i = 0; i < profile.header.name_count; i++)
    free(profile.names[i].text);
  free(profile.names);
  return name;
}

#define OWNER(...) owner_in((const char *const[]){__VA_ARGS__, NULL})

static void go(void **state) {
  assert_string_equal(OWNER("main.f", "runtime.newobject", "runtime.mallocgc"), "main.f");
  assert_string_equal(OWNER("main.f", "runtime.convT64", "runtime.mallocgc"), "main.f");
  assert_string_equal(OWNER("main.f", "runtime.mapassign", "internal/runtime/maps.(*Map).grow",
                            "runtime.newarray", "runtime.mallocgc"),
                      "main.f");
  assert_string_equal(OWNER("runtime.main", "main.main", "runtime.mallocgc"), "main.main");
  assert_string_equal(OWNER("_rt0_wasm_wasip1", "runtime.rt0_go", "runtime.schedinit",
                            "runtime.makeslice", "runtime.mallocgc"),
                      "runtime.schedinit");
  assert_string_equal(OWNER("runtime.makeslice", "runtime.mallocgc"), "runtime.makeslice");
  assert_string_equal(OWNER("runtime.mallocgc"), "runtime.mallocgc");
}

static void rust(void **state) {
  assert_string_equal(
      OWNER("run", "<app::Mine as core::alloc::global::GlobalAlloc>::alloc", "malloc"), "run");
  assert_string_equal(
      OWNER("run",
            "_ZN64_$LT$g..Counting$u20$as$u20$core..alloc..global..GlobalAlloc$GT$5alloc17hE",
            "malloc"),
      "run");
  assert_string_equal(OWNER("run",
                            "_RNvXCsf_1gNtB2_4MineNtNtNtCsd_4core5alloc6global11GlobalAlloc5alloc",
                            "malloc"),
                      "run");
}

static void others(void **state) {
  assert_string_equal(OWNER("main", "runtime.newobject", "malloc"), "runtime.newobject");
  assert_string_equal(OWNER("main", "parse", "malloc"), "parse");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(go), cmocka_unit_test(rust),
                                     cmocka_unit_test(others)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
