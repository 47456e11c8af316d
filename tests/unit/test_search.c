/* The one search of arrays that are in order: beside a walk from the start, and without an
 * array. */
#include "support/search.h"
#include "unit.h"

typedef struct entry {
  char other;
  uint32_t number;
} entry;

static void finds_what_a_walk_finds(void **state) {
  entry entries[40];
  for (uint32_t i = 0; i < COUNT(entries); i++)
    entries[i] = (entry){.number = i / 3 * 2}; /* repeated, with gaps */
  for (uint32_t count = 0; count <= COUNT(entries); count++)
    for (uint32_t key = 0; key <= entries[COUNT(entries) - 1].number + 2; key++) {
      uint32_t expected = 0;
      while (expected < count && entries[expected].number < key)
        expected++;
      assert_int_equal(WI_LOWER_BOUND(entry, entries, count, number, key), expected);
    }
}

static void needs_no_array_where_there_are_no_items(void **state) {
  const entry *volatile none = NULL; /* so that the compiler cannot answer */
  volatile uint32_t count = 0;
  assert_int_equal(WI_LOWER_BOUND(entry, none, count, number, 0), 0);
  assert_int_equal(WI_LOWER_BOUND(entry, none, count, number, 7), 0);
}

static void finds_the_end_of_the_largest(void **state) {
  entry entries[] = {{.number = 1}, {.number = UINT32_MAX}, {.number = UINT32_MAX}};
  assert_int_equal(WI_LOWER_BOUND(entry, entries, 3, number, UINT32_MAX), 1);
  assert_int_equal(WI_LOWER_BOUND(entry, entries, 3, number, UINT32_MAX + UINT64_C(1)), 3);
}

static int comparisons;

static int compare_numbers(const void *key, const void *item) {
  comparisons++;
  return *(const int *)key - *(const int *)item;
}

static void sees_at_once_what_comes_last(void **state) {
  int numbers[1000], last = COUNT(numbers), middle = 500;
  for (int i = 0; i < last; i++)
    numbers[i] = i;
  assert_int_equal(wi_lower_bound(&last, numbers, COUNT(numbers), sizeof last, compare_numbers),
                   COUNT(numbers));
  assert_int_equal(comparisons, 1);
  comparisons = 0;
  assert_int_equal(wi_lower_bound(&middle, numbers, COUNT(numbers), sizeof middle, compare_numbers),
                   500);
  assert_true(comparisons <= 12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_what_a_walk_finds),
      cmocka_unit_test(needs_no_array_where_there_are_no_items),
      cmocka_unit_test(finds_the_end_of_the_largest),
      cmocka_unit_test(sees_at_once_what_comes_last),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
