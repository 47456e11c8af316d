/* The hybrid clock where wall clocks are coarse, stop or jump, and counts go back or far ahead. */
#include "program.h"

/* ---- Clocks ------------------------------------------------------------------ */

static const uint64_t coarse_steps[] = {5 * MICROSECOND, 100 * MICROSECOND, MILLISECOND};

/* 160 ms of instructions and a host call of `ns` after each `period` of 200000 rounds. */
static void run_coarsely(program *p, int period, uint64_t ns) {
  start(p, 1);
  for (int i = 1; i <= 200000; i++) {
    call(p, 2, 300, 600);
    call(p, 3, 100, 200);
    if (i % period == 0)
      call_host(p, ns);
  }
  end(p);
}

/* What they take is part of what is around them, even if the clock went on just at the start. */
static void a_coarse_clock_cannot_see_short_host_calls(void **state) {
  (void)state;
  for (size_t s = 1; s < 2 * COUNT(coarse_steps); s++) {
    program p;
    program_new(&p, s % 2 ? coarse_steps[s / 2] : 1);
    p.step = coarse_steps[s / 2];
    run_coarsely(&p, 10, 400);
    uint64_t total = 200000 * UINT64_C(840);
    assert_near(total_self(&p), total, p.step);
    assert_near(self_of(&p, 1, 2), total / 4 * 3, total / 200);
    assert_near(self_of(&p, 1, 3), total / 4, total / 200);
    program_free(&p);
  }
}

static void a_coarse_clock_sees_long_host_calls(void **state) {
  (void)state;
  for (size_t s = 0; s < COUNT(coarse_steps); s++) {
    program p;
    program_new(&p, coarse_steps[s]);
    run_coarsely(&p, 20000, 20 * MILLISECOND);
    assert_near(NODE(&p.tree, 1)->self, 200 * MILLISECOND, 8 * MILLISECOND);
    assert_near(self_of(&p, 1, 2), 120 * MILLISECOND, 6 * MILLISECOND);
    assert_near(self_of(&p, 1, 3), 40 * MILLISECOND, 2 * MILLISECOND);
    program_free(&p);
  }
}

/* As soon as it is known how coarse it is. */
static void a_coarse_clock_sees_long_host_calls_between_short_ones(void **state) {
  (void)state;
  program p;
  program_new(&p, 5 * MICROSECOND);
  start(&p, 1);
  for (int i = 0; i < 20; i++) {
    call(&p, 2, 1000, 1000);
    call_host(&p, 2000);
  }
  call(&p, 2, 1000, 1000);
  call_host(&p, 20 * MILLISECOND);
  assert_near(self_of(&p, 1, 2), 60 * MICROSECOND, 10 * MICROSECOND);
  assert_near(NODE(&p.tree, 1)->self, 20 * MILLISECOND, 10 * MICROSECOND);
  program_free(&p);
}

/* The two take turns within each step, which the clock shows at the end of the second's. */
static void a_step_is_divided_among_all_it_took(void **state) {
  (void)state;
  program p;
  program_new(&p, MILLISECOND);
  p.time = 0;
  start(&p, 1);
  for (int i = 0; i < 100; i++) {
    for (int n = 0; n < 5000; n++)
      call(&p, 2, 100, 100);
    for (int n = 0; n < 5000; n++)
      call(&p, 3, 100, 100);
  }
  end(&p);
  assert_near(self_of(&p, 1, 2), 50 * MILLISECOND, MILLISECOND);
  assert_near(self_of(&p, 1, 3), 50 * MILLISECOND, MILLISECOND);
  assert_in_range(p.read_count, 1500, 5000);
  program_free(&p);
}

/* Runs of instructions have shown the pace: host calls shorter than a step add up. */
static void a_coarse_clock_sees_host_calls_once_the_pace_is_known(void **state) {
  (void)state;
  program p;
  program_new(&p, 5 * MICROSECOND);
  uint64_t random = 1; /* or else the clock's steps and the calls keep time */
  start(&p, 1);
  for (int i = 0; i < 100000; i++)
    call(&p, 2, 300, 600);
  for (int i = 0; i < 10000; i++) {
    call(&p, 3, 4000, 8000);
    call_host(&p, random_below(&random, 4000));
  }
  end(&p);
  assert_near(NODE(&p.tree, 1)->self, 20 * MILLISECOND, 5 * MILLISECOND);
  assert_near(self_of(&p, 1, 3), 80 * MILLISECOND, 5 * MILLISECOND);
  program_free(&p);
}

static void a_coarse_clock_sees_the_time_between_calls(void **state) {
  (void)state;
  program p;
  program_new(&p, MILLISECOND);
  for (int i = 0; i < 1000; i++) {
    call(&p, 1, 150 * MICROSECOND, 300 * MICROSECOND);
    run(&p, 0, 10 * MILLISECOND);
  }
  hybrid_settle(&p.clock);
  uint64_t idle = 1000 * UINT64_C(10) * MILLISECOND;
  assert_near(p.tree.nodes[0].self, idle, idle / 10);
  program_free(&p);
}

/* More nodes within a step than windows hold: time is sampled, and none is lost or invented. */
static void a_coarse_clock_survives_many_nodes(void **state) {
  (void)state;
  static const uint32_t node_counts[] = {1000, 10000};
  for (size_t n = 0; n < COUNT(node_counts); n++) {
    program p;
    program_new(&p, 20 * MILLISECOND);
    start(&p, 1);
    for (uint32_t i = 0; i < 1000000; i++) {
      call(&p, 2 + i % node_counts[n], 100, 200);
      if (i % 100 == 0)
        call_host(&p, 5000);
    }
    end(&p);
    uint64_t total = 1000000 * UINT64_C(200) + 10000 * UINT64_C(5000);
    assert_near(total_self(&p), total, p.step);
    assert_in_range(p.read_count, 10000, 30000);
    assert_near(p.clock.pace >> 22, 2 << 10, 600); /* 2 ns per instruction; the host's are 1/4 */
    program_free(&p);
  }
}

/* The clock stands still until long after the host, past what a window holds. */
static void a_coarse_clock_remembers_the_host(void **state) {
  (void)state;
  program p;
  program_new(&p, 20 * MILLISECOND);
  p.time = 0;
  start(&p, 1);
  for (int i = 0; i < 12000; i++)
    call(&p, 2, 10000, 10000);
  hybrid_settle(&p.clock);
  call_host(&p, 15 * MILLISECOND);
  for (uint32_t i = 0; i < 2000; i++)
    call(&p, 100 + i, 2000, 2000);
  call(&p, 3, 1500000, 1500000);
  assert_int_equal(total_self(&p), 140 * MILLISECOND);
  assert_near(NODE(&p.tree, 1)->self, 15 * MILLISECOND, MILLISECOND);
  program_free(&p);
}

static void a_clock_that_stands_still_charges_nothing(void **state) {
  (void)state;
  program p;
  program_new(&p, UINT64_C(1) << 62);
  start(&p, 1);
  for (uint32_t i = 0; i < 300000; i++) {
    call(&p, 2 + i % 2000, 1000000, 1);
    call_host(&p, 1);
  }
  end(&p);
  hybrid_settle(&p.clock);
  assert_int_equal(total_self(&p), 0);
  program_free(&p);
}

/* What seemed to take no time at all may yet take some. */
static void a_clock_may_stand_nearly_still(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  start(&p, 1);
  for (int i = 0; i < 20; i++)
    call(&p, 2, UINT32_MAX, 1);
  for (int phase = 0; phase < 20; phase++) { /* now the interval is as long as it gets */
    uint64_t before = p.read_count;
    for (int i = 0; i < 100; i++)
      call(&p, 2, 1 << 24, 1);
    assert_in_range(p.read_count - before, 1, 2);
  }
  for (int i = 0; i < 30000; i++)
    call(&p, 2, MILLISECOND, MILLISECOND);
  uint64_t before = p.read_count;
  for (int i = 0; i < 1000; i++)
    call(&p, 2, MILLISECOND, MILLISECOND);
  assert_in_range(p.read_count - before, 1000, 2000);
  program_free(&p);
}

/* For longer than a window has bits to count instructions with. */
static void a_clock_may_stand_still_for_long(void **state) {
  (void)state;
  for (uint64_t count = UINT32_MAX - 3000; count < (UINT64_C(1) << 32) + 3000; count += 100) {
    program p;
    program_new(&p, 1000 * MILLISECOND);
    p.time = 0;
    start(&p, 1);
    call(&p, 2, count, 1);
    call(&p, 3, 500, 1);
    call(&p, 4, 5000, UINT64_C(3000) * MILLISECOND);
    end(&p);
    assert_int_equal(total_self(&p), UINT64_C(3000) * MILLISECOND);
    for (uint32_t i = 0; i < p.tree.header->node_count; i++)
      assert_true(p.tree.nodes[i].self <= total_self(&p));
    program_free(&p);
  }
}

static void a_clock_that_jumps_back_goes_on_from_there(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  start(&p, 1);
  for (int i = 0; i < 1000; i++)
    call(&p, 2, 1000, 1000);
  hybrid_settle(&p.clock);
  uint64_t total = total_self(&p);
  assert_int_equal(total, 1000 * 1000);
  p.time -= 10 * MILLISECOND;
  hybrid_settle(&p.clock);
  assert_int_equal(total_self(&p), total);
  for (int i = 0; i < 1000; i++)
    call(&p, 2, 1000, 1000);
  end(&p);
  assert_int_equal(total_self(&p), total + 1000 * 1000);
  program_free(&p);
}

static void a_clock_that_leaps_ahead_is_believed(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  start(&p, 1);
  call(&p, 2, 1000, 1000);
  run(&p, 5000, UINT64_MAX / 2);
  call(&p, 2, 1000, 1000);
  call_host(&p, 5000);
  end(&p);
  assert_int_equal(total_self(&p), UINT64_MAX / 2 + 7000);
  assert_true(NODE(&p.tree, 1)->self > UINT64_MAX / 2 - UINT32_MAX);
  program_free(&p);
}

/* Past 32 bits of ticks, which is where the rest is the current node's. */
static void long_windows_are_divided(void **state) {
  (void)state;
  for (uint64_t ns = UINT32_MAX - UINT64_C(1); ns < UINT64_C(3) << 32; ns += UINT32_MAX / 2) {
    program p;
    program_new(&p, 1);
    start(&p, 1);
    call(&p, 2, 3000, ns / 4);
    run(&p, 9000, ns - ns / 4);
    end(&p);
    assert_int_equal(total_self(&p), ns);
    uint64_t share = ns < UINT32_MAX ? ns : UINT32_MAX;
    assert_near(self_of(&p, 1, 2), share / 4, 10);
    program_free(&p);
  }
}

/* ---- Counts ------------------------------------------------------------------ */

static void a_count_that_runs_backwards_charges_nothing(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  uint64_t begin = p.time;
  start(&p, 1);
  run(&p, 1000, 1000);
  start(&p, 2);
  p.count -= 500; /* inside the window */
  run(&p, 100, 100);
  start(&p, 3);
  p.count = 0; /* before it */
  run(&p, 0, 100);
  start(&p, 4);
  run(&p, 1000, 1000);
  end(&p);
  hybrid_settle(&p.clock);
  assert_int_equal(total_self(&p), p.time - begin);
  assert_near(NODE(&p.tree, 1)->self, 1000, 100);
  assert_near(NODE(&p.tree, 1, 2)->self, 100, 100);
  assert_int_equal(NODE(&p.tree, 1, 2, 3, 4)->self, 1000);
  program_free(&p);
}

static void counts_have_64_bits(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  p.count = UINT64_MAX - 1000000;
  start(&p, 1);
  call(&p, 2, 5000, 5000);
  call(&p, 3, 900000, 900000);
  p.count = 0;
  call(&p, 4, UINT64_C(5) << 32, 3000);
  call(&p, 5, UINT64_C(1) << 61, 4000);
  call(&p, 6, 100, 100);
  end(&p);
  assert_int_equal(total_self(&p), 912100);
  assert_near(self_of(&p, 1, 3), 900000, 5);
  assert_near(self_of(&p, 1, 4), 3000, 5);
  assert_near(self_of(&p, 1, 5), 4000, 5);
  program_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_coarse_clock_cannot_see_short_host_calls),
      cmocka_unit_test(a_coarse_clock_sees_long_host_calls),
      cmocka_unit_test(a_coarse_clock_sees_long_host_calls_between_short_ones),
      cmocka_unit_test(a_step_is_divided_among_all_it_took),
      cmocka_unit_test(a_coarse_clock_sees_host_calls_once_the_pace_is_known),
      cmocka_unit_test(a_coarse_clock_sees_the_time_between_calls),
      cmocka_unit_test(a_coarse_clock_survives_many_nodes),
      cmocka_unit_test(a_coarse_clock_remembers_the_host),
      cmocka_unit_test(a_clock_that_stands_still_charges_nothing),
      cmocka_unit_test(a_clock_may_stand_nearly_still),
      cmocka_unit_test(a_clock_may_stand_still_for_long),
      cmocka_unit_test(a_clock_that_jumps_back_goes_on_from_there),
      cmocka_unit_test(a_clock_that_leaps_ahead_is_believed),
      cmocka_unit_test(long_windows_are_divided),
      cmocka_unit_test(a_count_that_runs_backwards_charges_nothing),
      cmocka_unit_test(counts_have_64_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
