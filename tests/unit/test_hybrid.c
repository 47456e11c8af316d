/* The hybrid clock: what is charged, to whom, that it adds up, and when the clock is read. */
#include "program.h"

/* ---- What adds up --------------------------------------------------------- */

static void random_event(program *p, uint64_t *random) {
  uint32_t choice = random_below(random, 100);
  run(p, random_below(random, 200), random_below(random, 1 + random_below(random, 300)));
  if (choice < 48)
    start(p, random_below(random, 40));
  else if (choice < 95)
    end(p);
  else if (choice < 98)
    call_host(p, random_below(random, 2000));
  else if (choice == 98)
    hybrid_unwind(&p->clock, random_below(random, p->tree.depth + 1), p->count);
  else
    hybrid_drop(&p->clock, random_below(random, p->tree.depth + 1));
}

/* Whatever happens: the sum is what the clock went on by, and no node ever loses time. */
static void sums_are_the_clocks(void **state) {
  (void)state;
  static const uint64_t steps[] = {1, 64, 5000, 100 * MICROSECOND, MILLISECOND, 40 * MILLISECOND};
  for (size_t s = 0; s < COUNT(steps); s++) {
    program p;
    program_new(&p, steps[s]);
    uint64_t begin = p.time / p.step * p.step, random = 42 + s;
    uint64_t *before = calloc(20000, sizeof *before);
    assert_non_null(before);
    start(&p, 1);
    for (int i = 0; i < 300000; i++) {
      random_event(&p, &random);
      if (random_below(&random, 3000) > 0)
        continue;
      hybrid_settle(&p.clock);
      assert_int_equal(total_self(&p), p.time / p.step * p.step - begin);
      for (uint32_t n = 0; n < p.tree.header->node_count; n++) {
        assert_true(p.tree.nodes[n].self >= before[n]);
        before[n] = p.tree.nodes[n].self;
      }
    }
    const wasm_perf_header *header = p.tree.header;
    assert_int_equal(header->clock_read_count, p.read_count);
    assert_true(header->measured_time + header->host_time <= total_self(&p));
    free(before);
    program_free(&p);
  }
}

static void nothing_is_charged_before_the_first_event(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  run(&p, 1000, MILLISECOND);
  hybrid_settle(&p.clock);
  assert_int_equal(p.read_count, 0);
  start(&p, 1);
  assert_int_equal(total_self(&p), 0);
  run(&p, 1000, 5000);
  hybrid_settle(&p.clock);
  assert_int_equal(NODE(&p.tree, 1)->self, 5000);
  program_free(&p);
}

static void reset_starts_the_time_anew(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  start(&p, 1);
  for (int i = 0; i < 100; i++)
    call(&p, 2, 100, 90);
  call_host(&p, MILLISECOND);
  const wasm_perf_header *header = p.tree.header;
  assert_true(header->measured_time > 0 && header->deviation > 0 && header->host_time > 0);
  calltree_reset(&p.tree);
  hybrid_reset(&p.clock);
  assert_int_equal(header->clock_read_count, 0);
  assert_int_equal(header->measured_time + header->deviation + header->host_time, 0);
  run(&p, 0, MILLISECOND);
  start(&p, 3);
  run(&p, 50, 70);
  hybrid_settle(&p.clock);
  assert_int_equal(p.tree.header->node_count, 2);
  assert_int_equal(total_self(&p), 70);
  program_free(&p);
}

static void pauses_are_left_out(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  start(&p, 1);
  run(&p, 3000, 3000);
  start(&p, 2);
  hybrid_pause(&p.clock);
  p.time += 7 * MILLISECOND;
  hybrid_resume(&p.clock);
  run(&p, 1000, 1000);
  end(&p);
  end(&p);
  assert_int_equal(NODE(&p.tree, 1)->self, 3000);
  assert_int_equal(self_of(&p, 1, 2), 1000);
  program_free(&p);
}

/* ---- Who gets it ----------------------------------------------------------- */

static void time_follows_instructions(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  start(&p, 1);
  for (int i = 0; i < 20000; i++) {
    run(&p, 100, 250);
    call(&p, 2, 300, 750);
    call(&p, 3, 4, 10);
  }
  end(&p);
  assert_near(NODE(&p.tree, 1)->self, 20000 * 250, 2000);
  assert_near(self_of(&p, 1, 2), 20000 * 750, 2000);
  assert_near(self_of(&p, 1, 3), 20000 * 10, 2000);
  assert_int_equal(total_self(&p), 20000 * 1010);
  program_free(&p);
}

/* In a window slower than any before, all nodes are slower: none pays for the others. */
static void a_misjudged_pace_is_shared(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  start(&p, 1);
  for (int i = 0; i < 10; i++) {
    call(&p, 2, 100, 10000);
    call(&p, 3, 300, 30000);
  }
  end(&p);
  assert_near(self_of(&p, 1, 3), 3 * self_of(&p, 1, 2), 30);
  assert_int_equal(total_self(&p), 10 * 40000);
  program_free(&p);
}

static void slow_and_fast_phases_are_told_apart(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  start(&p, 1);
  for (int phase = 0; phase < 100; phase++) {
    for (int i = 0; i < 1000; i++)
      call(&p, 2, 1000, 300);
    for (int i = 0; i < 1000; i++)
      call(&p, 3, 600, 700);
  }
  end(&p);
  uint64_t most = 100 * UINT64_C(2) * 50 * MICROSECOND; /* a window at each change */
  assert_near(self_of(&p, 1, 2), 100000 * UINT64_C(300), most);
  assert_near(self_of(&p, 1, 3), 100000 * UINT64_C(700), most);
  program_free(&p);
}

static void the_root_gets_the_time_between_calls(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  for (int i = 0; i < 1000; i++) {
    call(&p, 1, 500, 900);
    run(&p, 0, 5000);
  }
  call(&p, 1, 500, 900);
  assert_int_equal(p.tree.nodes[0].self, 1000 * 5000);
  assert_int_equal(NODE(&p.tree, 1)->self, 1001 * 900);
  hybrid_settle(&p.clock);
  run(&p, 0, 77);
  hybrid_settle(&p.clock);
  assert_int_equal(p.tree.nodes[0].self, 1000 * 5000 + 77);
  program_free(&p);
}

static void a_host_call_is_its_callers(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  start(&p, 1);
  for (int i = 0; i < 1000; i++)
    call(&p, 2, 1000, 1500);
  for (int i = 0; i < 10; i++) {
    call(&p, 2, 1000, 1500);
    start(&p, 3);
    run(&p, 100, 150);
    call_host(&p, 20 * MILLISECOND);
    run(&p, 100, 150);
    end(&p);
  }
  end(&p);
  assert_near(self_of(&p, 1, 3), 10 * (20 * MILLISECOND + 300), 5 * MICROSECOND);
  assert_near(self_of(&p, 1, 2), 1010 * 1500, 5 * MICROSECOND);
  assert_near(p.tree.header->host_time, 10 * 20 * MILLISECOND, 5 * MICROSECOND);
  program_free(&p);
}

/* By the first guess of the pace. */
static void so_is_the_first_one(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  start(&p, 1);
  call(&p, 2, 1000, 1000);
  call_host(&p, 20 * MILLISECOND);
  assert_near(self_of(&p, 1, 2), 1000, 5);
  assert_near(NODE(&p.tree, 1)->self, 20 * MILLISECOND, 5);
  program_free(&p);
}

/* The frames that an exception has left get the time it took, as they do by other clocks. */
static void lost_frames_pay_for_the_exception(void **state) {
  (void)state;
  for (int with_count = 0; with_count < 2; with_count++) {
    program p;
    program_new(&p, 1);
    start(&p, 1);
    start(&p, 2);
    run(&p, 0, 9000);
    if (with_count)
      hybrid_unwind(&p.clock, 0, p.count);
    else
      hybrid_drop(&p.clock, 0);
    run(&p, 0, 4000);
    start(&p, 3);
    assert_int_equal(self_of(&p, 1, 2), 9000);
    assert_int_equal(p.tree.nodes[0].self, 4000);
    assert_int_equal(p.tree.depth, 1);
    program_free(&p);
  }
}

/* A program that trapped, say: what passed since is the time of the frame it left open. */
static void settling_charges_the_current_node(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  start(&p, 1);
  for (int i = 0; i < 200; i++)
    call(&p, 2, 1000, 1000);
  start(&p, 3);
  p.time += 10 * MILLISECOND;
  hybrid_settle(&p.clock);
  assert_near(self_of(&p, 1, 3), 10 * MILLISECOND, 100);
  assert_near(self_of(&p, 1, 2), 200 * 1000, 100);
  program_free(&p);
}

/* Far from the first guess, and never a window without the host unless one is made. */
static void the_pace_is_learnt_between_host_calls(void **state) {
  (void)state;
  static const uint64_t speeds[] = {200, 3000, 9000}; /* ns per 1000 instructions */
  for (size_t s = 0; s < COUNT(speeds); s++) {
    program p;
    program_new(&p, 1);
    start(&p, 1);
    for (int i = 0; i < 20000; i++) {
      for (int n = 0; n < 10; n++)
        call(&p, 2, 500, speeds[s] / 2);
      call_host(&p, 2000);
    }
    end(&p);
    assert_near(self_of(&p, 1, 2), 20000 * 5 * speeds[s], 20000 * 5 * speeds[s] / 50);
    assert_near(NODE(&p.tree, 1)->self, 20000 * 2000, 20000 * 5 * speeds[s] / 50);
    program_free(&p);
  }
}

/* Code ten times as fast as what was learnt: host calls seem to take less than no time. */
static void a_faster_pace_is_learnt_between_host_calls(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  start(&p, 1);
  for (int i = 0; i < 1000; i++)
    call(&p, 2, 1000, 5000);
  for (int i = 0; i < 10000; i++) {
    for (int n = 0; n < 8; n++)
      call(&p, 3, 1000, 500);
    call_host(&p, 1000);
  }
  end(&p);
  assert_near(NODE(&p.tree, 1)->self, 10000 * 1000, 10000 * 50);
  assert_near(self_of(&p, 1, 3), 10000 * 4000, 10000 * 50);
  program_free(&p);
}

static void a_stall_does_not_pass_for_pace(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  start(&p, 1);
  for (int i = 0; i < 10000; i++)
    call(&p, 2, 500, 500);
  call(&p, 2, 500, 900 * MILLISECOND); /* the machine slept, say */
  for (int i = 0; i < 200; i++)
    call(&p, 2, 500, 500);
  uint64_t before = NODE(&p.tree, 1)->self;
  for (int i = 0; i < 100; i++) {
    call(&p, 2, 500, 500);
    call_host(&p, 5000);
  }
  assert_near(NODE(&p.tree, 1)->self - before, 100 * 5000, 100 * 450);
  for (int i = 0; i < 3000; i++)
    call(&p, 2, 500, 500);
  before = NODE(&p.tree, 1)->self;
  for (int i = 0; i < 100; i++) {
    call(&p, 2, 500, 500);
    call_host(&p, 5000);
  }
  assert_near(NODE(&p.tree, 1)->self - before, 100 * 5000, 2500);
  program_free(&p);
}

/* ---- When the clock is read ------------------------------------------------- */

/* Readings in a second of calls that take `count` instructions and `ns` each. */
static uint64_t readings_per_second(uint64_t count, uint64_t ns) {
  program p;
  program_new(&p, 1);
  start(&p, 1);
  while (p.time < 1000 * MILLISECOND)
    call(&p, 2, count, ns);
  uint64_t before = p.read_count;
  while (p.time < UINT64_C(2000) * MILLISECOND)
    call(&p, 2, count, ns);
  program_free(&p);
  return p.read_count - before;
}

/* A first window that seems to take no time must not make the next one as long. */
static void the_interval_grows_step_by_step(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  start(&p, 1);
  call(&p, 2, 5000, 1);
  uint64_t before = p.read_count;
  for (int i = 0; i < 1000; i++)
    call(&p, 2, 10000, 10000);
  assert_in_range(p.read_count - before, 50, 200);
  program_free(&p);
}

static void readings_are_some_50_us_apart(void **state) {
  (void)state;
  assert_in_range(readings_per_second(1000, 1000), 18000, 21000);
  assert_in_range(readings_per_second(1000, 150), 18000, 21000);
  assert_in_range(readings_per_second(1000, 9000), 16000, 21000);
  assert_in_range(readings_per_second(100, 10000), 4500, 5000);      /* too few instructions */
  assert_in_range(readings_per_second(100, 20), 95000, 100000);      /* full */
  assert_in_range(readings_per_second(100000, 200000), 4900, 10001); /* at each event there is */
}

static void host_calls_end_windows(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  start(&p, 1);
  uint64_t before = p.read_count;
  call_host(&p, 10);
  call_host(&p, 10);
  assert_int_equal(p.read_count, before + 2);
  end(&p);
  assert_int_equal(p.read_count, before + 3);
  start(&p, 1);
  assert_int_equal(p.read_count, before + 4);
  run(&p, 10, 10);
  call(&p, 2, 10, 10);
  assert_int_equal(p.read_count, before + 4);
  program_free(&p);
}

static void the_deviation_says_how_much_speed_varies(void **state) {
  (void)state;
  for (uint64_t variation = 0; variation <= 50; variation += 25) {
    program p;
    program_new(&p, 1);
    start(&p, 1);
    for (uint64_t i = 0; i < 400; i++) /* each a few windows long */
      for (uint64_t n = 0; n < 200; n++)
        call(&p, 2, 1000, 1000 + 10 * (i % 2 ? variation : 0));
    end(&p);
    const wasm_perf_header *header = p.tree.header;
    assert_int_equal(header->host_time, 0);
    assert_int_equal(header->measured_time, total_self(&p));
    uint64_t percent = header->deviation * 100 / header->measured_time;
    assert_in_range(percent, variation / 5, variation / 2);
    program_free(&p);
  }
}

/* ---- Instructions told by node ---------------------------------------------- */

static uint32_t child(program *p, uint32_t function) {
  bool is_folded;
  return calltree_child(&p->tree, 0, function, UINT32_MAX, &is_folded);
}

/* The end of a window, `node` being current. */
static void end_window(program *p, uint32_t node) {
  p->tree.depth = 1;
  p->tree.stack[1] = node;
  hybrid_sync(&p->clock, p->count);
}

static void nodes_get_time_by_their_instructions(void **state) {
  (void)state;
  program p;
  program_new(&p, 1);
  uint32_t f = child(&p, 1), g = child(&p, 2);
  hybrid_add(&p.clock, f, 5); /* before the first event */
  end_window(&p, f);
  for (int i = 0; i < 100; i++) {
    run(&p, 4000, 6000);
    hybrid_add(&p.clock, g, 1000);
    hybrid_add(&p.clock, f, 3000);
    end_window(&p, g);
    assert_true(hybrid_due(&p.clock) > p.count);
  }
  assert_int_equal(total_self(&p), 600000);
  assert_in_range(hybrid_due(&p.clock) - p.count, 33000, 33400); /* 50 µs, at 1.5 ns each */
  assert_in_range(p.tree.nodes[f].self, 450000 - 100, 450000);
  program_free(&p);
}

/* More than a window has events for. */
static void many_nodes_share_a_window(void **state) {
  (void)state;
  enum { NODES = 3 * HYBRID_EVENT_LIMIT };
  program p;
  program_new(&p, 1);
  uint32_t first = child(&p, 0);
  end_window(&p, first);
  for (int round = 0; round < 3; round++) {
    run(&p, 10 * NODES, 20 * NODES);
    for (uint32_t i = 0; i < NODES; i++)
      hybrid_add(&p.clock, child(&p, i), 10);
    end_window(&p, first);
  }
  assert_int_equal(total_self(&p), 3 * 20 * NODES);
  program_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_the_clocks),
      cmocka_unit_test(nothing_is_charged_before_the_first_event),
      cmocka_unit_test(reset_starts_the_time_anew),
      cmocka_unit_test(pauses_are_left_out),
      cmocka_unit_test(time_follows_instructions),
      cmocka_unit_test(a_misjudged_pace_is_shared),
      cmocka_unit_test(slow_and_fast_phases_are_told_apart),
      cmocka_unit_test(the_root_gets_the_time_between_calls),
      cmocka_unit_test(a_host_call_is_its_callers),
      cmocka_unit_test(so_is_the_first_one),
      cmocka_unit_test(lost_frames_pay_for_the_exception),
      cmocka_unit_test(settling_charges_the_current_node),
      cmocka_unit_test(the_pace_is_learnt_between_host_calls),
      cmocka_unit_test(a_faster_pace_is_learnt_between_host_calls),
      cmocka_unit_test(a_stall_does_not_pass_for_pace),
      cmocka_unit_test(the_interval_grows_step_by_step),
      cmocka_unit_test(readings_are_some_50_us_apart),
      cmocka_unit_test(host_calls_end_windows),
      cmocka_unit_test(the_deviation_says_how_much_speed_varies),
      cmocka_unit_test(nodes_get_time_by_their_instructions),
      cmocka_unit_test(many_nodes_share_a_window),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
