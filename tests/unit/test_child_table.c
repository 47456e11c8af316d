/* The table of a tree's nodes by parent and function, beside a search of all keys. */
#include "unit.h"

#include <stdlib.h>

#include "support/child_table.h"
#include "trees.h"

enum { KEY_COUNT = 3000, PARENTS = 60, FUNCTIONS = 40 };

static uint32_t parents[KEY_COUNT], functions[KEY_COUNT];

/* The first position with the key at `position`, by looking at each. */
static uint32_t first_with(uint32_t position) {
  for (uint32_t i = 0; i < position; i++)
    if (parents[i] == parents[position] && functions[i] == functions[position])
      return i;
  return position;
}

static void check(uint32_t capacity) {
  wi_child_table *table = wi_child_table_new(capacity);
  assert_non_null(table);
  for (uint32_t i = 0; i < KEY_COUNT; i++) {
    uint32_t first = first_with(i);
    assert_int_equal(wi_child_table_find(table, parents[i], functions[i]),
                     first < i ? first + 1 : 0);
    uint32_t *node = wi_child_table_at(table, parents[i], functions[i]);
    assert_int_equal(*node, first < i ? first + 1 : 0);
    *node = first + 1;
  }
  for (uint32_t i = 0; i < KEY_COUNT; i++)
    assert_int_equal(wi_child_table_find(table, parents[i], functions[i]), first_with(i) + 1);
  assert_int_equal(wi_child_table_find(table, functions[0], PARENTS + FUNCTIONS), 0);
  wi_child_table_free(table);
}

static void test_keys(void **state) {
  uint64_t random = 1;
  for (uint32_t i = 0; i < KEY_COUNT; i++) {
    parents[i] = random_below(&random, PARENTS);
    functions[i] = random_below(&random, FUNCTIONS);
  }
  check(KEY_COUNT);
  check(0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_keys)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
