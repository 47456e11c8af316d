/* When a run began. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/model/start_time.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SECOND       UINT64_C(1000000000)

/* The seconds are those of date(1): date -u -d DATE +%s */
static void test_dates(void **state) {
  (void)state;
  static const struct {
    const char *date;
    uint64_t run_time, start;
  } cases[] = {
      {"2026-11-30T01:43:57.881Z", 0, 1796003037 * SECOND + 881000000},
      {"2024-02-29T23:59:59.999Z", 0, 1709251199 * SECOND + 999000000},
      {"2024-03-01T00:00:00.000Z", 1, 1709251200 * SECOND - 1},
      {"2000-01-01T00:00:00.000Z", 3 * SECOND, 946684797 * SECOND},
      {"2100-02-28T12:00:00.000Z", 0, 4107499200 * SECOND},
      {"1970-01-01T00:00:01.000Z", 2 * SECOND, 0},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    wasm_perf_facts facts = {.date = (char *)cases[i].date, .run_time = cases[i].run_time};
    assert_int_equal(wi_start_time(&facts), cases[i].start);
  }
}

static void test_other_texts(void **state) {
  (void)state;
  static const char *const texts[] = {
      NULL,
      "",
      "yesterday",
      "2026-11-30",
      "2026-11-30T01:43:57Z",
      "2026-13-30T01:43:57.881Z",
      "2026-00-30T01:43:57.881Z",
      "2026-11-32T01:43:57.881Z",
      "2026-11-00T01:43:57.881Z",
      "1969-11-30T01:43:57.881Z",
      "9999-11-30T01:43:57.881Z",
      "2026-11-30T01:43:57.881Z and more",
  };
  for (size_t i = 0; i < COUNT(texts); i++) {
    wasm_perf_facts facts = {.date = (char *)texts[i]};
    assert_int_equal(wi_start_time(&facts), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_dates),
      cmocka_unit_test(test_other_texts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
