/* Calls that were measured one by one: histograms, kept calls, and what combines them. */
#include "file_bytes.h"

#include "profile/calls.h"

enum { MAIN = 7, RENDER = 8, READ = 9 };

/* ---- A file ------------------------------------------------------------------ */

static void put_u32s(file_bytes *file, const uint32_t *numbers, size_t count) {
  for (size_t i = 0; i < count; i++)
    put(file, numbers[i], 4);
}

#define PUT_U32S(file, ...)                                                                        \
  put_u32s(file, (const uint32_t[]){__VA_ARGS__},                                                  \
           sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))

static void put_row(file_bytes *file, uint32_t node, uint32_t caller, uint64_t calls,
                    uint64_t self) {
  put_node(file, node, caller, calls, self);
}

/* A call's record with room for two measures and so many rows, which follow. */
static void put_call(file_bytes *file, uint32_t node, uint32_t why, uint64_t number, uint64_t time,
                     uint64_t instructions, uint32_t rows) {
  PUT_U32S(file, WASM_PERF_CALLS_CALL, 40 + 24 * rows, node, why);
  put(file, number, 8);
  put(file, 1000 * number, 8);
  put(file, time, 8);
  put(file, instructions, 8);
}

/* root -> main -> render -> read, and root -> render. Returns where section CALLS begins. */
static size_t put_start(file_bytes *file) {
  file->size = 0;
  put_head(file);
  size_t section = begin(file, WASM_PERF_SECTION_FACTS);
  put_number_fact(file, 1, WASM_PERF_CLOCK_INSTRUCTIONS);
  end(file, section);
  section = begin(file, WASM_PERF_SECTION_VALUES);
  put_value(file, "calls", "calls");
  put_value(file, "self", "instructions");
  end(file, section);
  section = begin(file, WASM_PERF_SECTION_NODES);
  put_node(file, WASM_PERF_FUNCTION_ROOT, 0, 0, 0);
  put_node(file, MAIN, 0, 1, 10);
  put_node(file, RENDER, 1, 5, 2000);
  put_node(file, READ, 2, 42, 9000);
  put_node(file, RENDER, 0, 2, 100);
  end(file, section);
  section = begin(file, WASM_PERF_SECTION_CALLS);
  PUT_U32S(file, 2, 0);
  put_value(file, "time", "nanoseconds");
  put_value(file, "instructions", "instructions");
  return section;
}

/* Offsets in the section of the file below. */
enum { TIMES = 80, COUNTS = TIMES + 32, ROOTS = COUNTS + 24, SLOW = ROOTS + 24 };
enum { SLOW_ROWS = SLOW + 48, MIXED = SLOW_ROWS + 48, TYPICAL = MIXED + 48 };

/* In the form that wasm_perf_profile_write gives it, if the rows name their callers. */
static file_bytes sample_file(uint32_t caller, size_t *section) {
  file_bytes file;
  size_t start = put_start(&file);
  *section = start;
  assert_int_equal(file.size, start + TIMES);
  PUT_U32S(&file, WASM_PERF_CALLS_HISTOGRAM, 24, 2, 0, 40, 4, 300, 1);
  assert_int_equal(file.size, start + COUNTS);
  PUT_U32S(&file, WASM_PERF_CALLS_HISTOGRAM, 16, 2, 1, 90, 5);
  assert_int_equal(file.size, start + ROOTS);
  PUT_U32S(&file, WASM_PERF_CALLS_HISTOGRAM, 16, 4, 0, 41, 2);
  assert_int_equal(file.size, start + SLOW);
  put_call(&file, 2, WASM_PERF_KEPT_SLOW, 3, 212000000, 9100, 2);
  put_row(&file, 2, 0, 1, 100);
  put_row(&file, 3, caller, 40, 9000);
  assert_int_equal(file.size, start + MIXED);
  put_call(&file, 4, WASM_PERF_KEPT_SLOW | WASM_PERF_KEPT_MIXED, 1, 60, 50, 0);
  assert_int_equal(file.size, start + TYPICAL);
  put_call(&file, 2, WASM_PERF_KEPT_TYPICAL, 2, 50, 60, 1);
  put_row(&file, 2, 0, 1, 60);
  end(&file, start);
  return file;
}

static uint64_t count_at(const wasm_perf_profile *profile, uint32_t node, uint32_t measure,
                         uint32_t bucket) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < profile->calls.histogram_count; i++) {
    const wasm_perf_histogram *of = &profile->calls.histograms[i];
    for (uint32_t b = 0; of->node == node && of->measure == measure && b < of->bucket_count; b++)
      count += of->buckets[b].bucket == bucket ? of->buckets[b].count : 0;
  }
  return count;
}

/* ---- Reading and writing ----------------------------------------------------- */

static void what_is_written_is_the_documented_form(void **state) {
  size_t section;
  file_bytes file = sample_file(1, &section);
  wasm_perf_profile *profile = parsed(&file);
  const wasm_perf_calls *calls = &profile->calls;
  assert_int_equal(calls->measures, 3);
  assert_int_equal(calls->histogram_count, 3);
  assert_int_equal(count_at(profile, 2, WASM_PERF_CALL_MEASURE_TIME, 300), 1);
  assert_int_equal(count_at(profile, 2, WASM_PERF_CALL_MEASURE_INSTRUCTIONS, 90), 5);
  assert_int_equal(calls->kept_count, 3);
  assert_int_equal(wi_calls_slow_count(profile), 2);
  assert_int_equal(calls->kept[0].number, 3);
  assert_int_equal(calls->kept[0].start, 3000);
  assert_int_equal(calls->kept[0].values[WASM_PERF_CALL_MEASURE_TIME], 212000000);
  assert_int_equal(calls->kept[0].row_count, 2);
  assert_int_equal(calls->kept[0].rows[1].call_count, 40);
  assert_int_equal(calls->kept[1].row_count, 0);
  assert_int_equal(calls->kept[2].why, WASM_PERF_KEPT_TYPICAL);
  file_bytes again = written(profile);
  assert_same(&again, &file);
  wasm_perf_profile_free(profile);
}

/* A call of main with rows of these nodes, one below the other. */
static wasm_perf_profile *chain_of(const uint32_t *nodes, uint32_t count, bool names_callers) {
  file_bytes file;
  size_t section = put_start(&file);
  put_call(&file, nodes[0], WASM_PERF_KEPT_SLOW, 1, 5, 6, count);
  for (uint32_t i = 0; i < count; i++)
    put_row(&file, nodes[i], names_callers ? i : 0, 1, 2);
  end(&file, section);
  return parsed(&file);
}

static void a_row_without_caller_is_below_its_parents(void **state) {
  wasm_perf_profile *deep = chain_of((const uint32_t[]){1, 2, 3}, 3, false);
  assert_int_equal(deep->calls.kept[0].rows[1].caller, 0);
  assert_int_equal(deep->calls.kept[0].rows[2].caller, 1);
  wasm_perf_profile_free(deep);
  size_t section;
  file_bytes file = sample_file(0, &section), named = sample_file(1, &section);
  wasm_perf_profile *profile = parsed(&file);
  file_bytes again = written(profile);
  assert_same(&again, &named);
  wasm_perf_profile_free(profile);
}

static void what_is_not_known_is_skipped(void **state) {
  file_bytes file;
  size_t section = put_start(&file);
  file.size = section + 24;
  put_value(&file, "watts", "joules");
  put_value(&file, "instructions", "instructions");
  PUT_U32S(&file, WASM_PERF_CALLS_HISTOGRAM, 16, 2, 0, 3, 1);
  PUT_U32S(&file, 99, 8, 1, 1);
  PUT_U32S(&file, WASM_PERF_CALLS_HISTOGRAM, 16, 2, 1, 4, 2);
  put_call(&file, 2, WASM_PERF_KEPT_SLOW, 1, 5, 6, 0);
  end(&file, section);
  wasm_perf_profile *profile = parsed(&file);
  assert_int_equal(profile->calls.measures, 2);
  assert_int_equal(profile->calls.histogram_count, 1);
  assert_int_equal(count_at(profile, 2, WASM_PERF_CALL_MEASURE_INSTRUCTIONS, 4), 2);
  assert_int_equal(profile->calls.kept[0].values[WASM_PERF_CALL_MEASURE_TIME], 0);
  assert_int_equal(profile->calls.kept[0].values[WASM_PERF_CALL_MEASURE_INSTRUCTIONS], 6);
  wasm_perf_profile_free(profile);
}

static void damage_is_told_where_it_is(void **state) {
  enum { ROW = SLOW_ROWS + 24 };
  static const struct {
    size_t offset, size;
    uint64_t value;
    size_t error_offset;
    const char *message;
  } cases[] = {
      {16, 4, 65, 16, "a call has more than 64 measures"},
      {24, 4, UINT32_MAX, 24, "a record ends past its section"},
      {32, 4, 0x656D6974 + 1, 0, ""}, /* another measure than time */
      {TIMES + 4, 4, UINT32_MAX, TIMES, "a record ends past its section"},
      {TIMES + 4, 4, 20, TIMES + 4, "20 is not a size of records"},
      {TIMES + 4, 4, 0, TIMES + 8, "a histogram without a node"},
      {TIMES + 8, 4, 5, TIMES + 8, "a histogram of a node that does not exist"},
      {TIMES + 8, 4, 0, TIMES + 8, "a histogram of a node that does not exist"},
      {TIMES + 12, 4, 2, TIMES + 12, "a histogram of a measure that does not exist"},
      {TIMES + 16, 4, 300, TIMES + 24, "bucket 300 is out of order"},
      {TIMES + 24, 4, 720, TIMES + 24, "bucket 720 is out of order or does not exist"},
      {TIMES + 20, 4, 0, TIMES + 20, "bucket 40 is empty"},
      {SLOW + 4, 4, 32, SLOW + 8, "32 bytes cannot hold a call and its rows"},
      {SLOW + 4, 4, 80, SLOW + 8, "80 bytes cannot hold a call and its rows"},
      {SLOW + 8, 4, 0, SLOW + 8, "a call of a node that does not exist"},
      {SLOW + 8, 4, 5, SLOW + 8, "a call of a node that does not exist"},
      {SLOW + 12, 4, 0, SLOW + 12, "a call was kept for an unknown reason, 0"},
      {SLOW + 12, 4, 3, SLOW + 12, "a call was kept for an unknown reason, 3"},
      {SLOW + 12, 4, 17, SLOW + 12, "a call was kept for an unknown reason, 17"},
      {SLOW_ROWS, 4, 1, SLOW_ROWS, "a call has a row of node 1 after node 2"},
      {SLOW_ROWS + 4, 4, 1, SLOW_ROWS + 4, "a call has a row before that of its caller"},
      {ROW, 4, 5, ROW, "a call has a row of a node that does not exist"},
      {ROW, 4, 2, ROW, "a call has a row of node 2 after node 2"},
      {ROW + 4, 4, 2, ROW + 4, "a call has a row before that of its caller"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    size_t section;
    file_bytes file = sample_file(0, &section);
    size_t size = file.size;
    file.size = section + cases[i].offset;
    put(&file, cases[i].value, cases[i].size);
    file.size = size;
    if (*cases[i].message)
      assert_refused(file.bytes, size, section + cases[i].error_offset, cases[i].message);
    else
      wasm_perf_profile_free(parsed(&file));
  }
}

static void measures_come_first_and_in_order(void **state) {
  file_bytes file;
  size_t section = put_start(&file);
  file.size = section + 24;
  put_value(&file, "instructions", "instructions");
  put_value(&file, "time", "nanoseconds");
  end(&file, section);
  assert_refused(file.bytes, file.size, section + 24 + 32, "a measure of calls is out of order");
  file.size = section + 16;
  end(&file, section);
  assert_refused(file.bytes, file.size, section + 16, "the section of calls has no head");
}

/* Whatever a byte becomes: the file is refused, or what is read from it can be written. */
static void any_changed_byte_is_survived(void **state) {
  size_t section;
  file_bytes file = sample_file(0, &section);
  for (size_t i = section; i < file.size; i++)
    for (unsigned change = 1; change < 256; change += 1 + change / 3) {
      file.bytes[i] ^= (uint8_t)change;
      wasm_perf_error error = {0};
      wasm_perf_profile *profile = wasm_perf_profile_parse(file.bytes, file.size, &error);
      file.bytes[i] ^= (uint8_t)change;
      assert_true(profile || (error.offset <= file.size && error.message[0] != 0));
      if (!profile)
        continue;
      file_bytes again = written(profile);
      wasm_perf_profile *copy = parsed(&again);
      file_bytes third = written(copy);
      assert_same(&third, &again);
      wasm_perf_profile_free(copy);
      wasm_perf_profile_free(profile);
    }
}

/* ---- Buckets ----------------------------------------------------------------- */

static void buckets_have_no_gaps(void **state) {
  uint64_t next = 0;
  for (uint32_t bucket = 0; bucket < WASM_PERF_BUCKET_COUNT; bucket++) {
    assert_int_equal(wi_bucket_start(bucket), next);
    next += wi_bucket_width(bucket);
    assert_int_equal(wasm_perf_bucket_of(wi_bucket_start(bucket)), bucket);
    assert_int_equal(wasm_perf_bucket_of(next - 1), bucket);
    assert_true(wi_bucket_width(bucket) == 1 ||
                wi_bucket_width(bucket) * 16 <= wi_bucket_start(bucket));
  }
  assert_int_equal(next, WASM_PERF_BUCKET_VALUE + 1);
  assert_int_equal(wasm_perf_bucket_of(UINT64_MAX), WASM_PERF_BUCKET_COUNT - 1);
}

static void quantiles_lie_in_their_buckets(void **state) {
  wi_bucket_sums sums = {.count = 0};
  assert_int_equal(wi_bucket_sums_quantile(&sums, 1, 2), 0);
  for (uint64_t value = 1; value <= 1000; value++) {
    sums.counts[wasm_perf_bucket_of(value)]++;
    sums.count++;
  }
  for (uint32_t percent = 0; percent <= 100; percent++) {
    uint64_t true_value = percent == 0 ? 1 : percent * 10;
    uint64_t found = wi_bucket_sums_quantile(&sums, percent, 100);
    assert_int_equal(wasm_perf_bucket_of(found), wasm_perf_bucket_of(true_value));
  }
  assert_in_range(wi_bucket_sums_quantile(&sums, 1, 2), 499, 501);
  assert_int_equal(wasm_perf_bucket_of(wi_bucket_sums_most(&sums)), wasm_perf_bucket_of(1000));
  assert_in_range(wi_bucket_sums_total(&sums), 500500 * 31 / 32, 500500 * 33 / 32);
}

/* ---- Combining --------------------------------------------------------------- */

/* A profile with so many slow calls, whose values begin at `first`, and histograms of them. */
static wasm_perf_profile *profile_of(uint64_t first, uint32_t count, uint64_t typical) {
  file_bytes file;
  size_t section = put_start(&file);
  for (uint32_t i = 0; i < count; i++) {
    uint64_t value = first + 100 * i;
    PUT_U32S(&file, WASM_PERF_CALLS_HISTOGRAM, 16, 2 + 2 * (i % 2), 0, wasm_perf_bucket_of(value),
             1);
    put_call(&file, 2 + 2 * (i % 2), WASM_PERF_KEPT_SLOW, i + 1, value, 0, 1);
    put_row(&file, 2 + 2 * (i % 2), 0, 1, 0);
  }
  put_call(&file, 4, WASM_PERF_KEPT_TYPICAL, 77, typical, 0, 0);
  end(&file, section);
  return parsed(&file);
}

static void sums_of_histograms_are_histograms_of_sums(void **state) {
  wasm_perf_profile *parts[] = {profile_of(1000, 12, 10), profile_of(1050, 7, 1500)};
  wasm_perf_mismatch mismatch;
  wasm_perf_profile *sum =
      wasm_perf_profile_merge((const wasm_perf_profile *const *)parts, 2, &mismatch);
  assert_non_null(sum);
  uint64_t expected[2][WASM_PERF_BUCKET_COUNT] = {0}, found = 0;
  for (uint32_t i = 0; i < 12; i++)
    expected[i % 2][wasm_perf_bucket_of(1000 + 100 * i)]++;
  for (uint32_t i = 0; i < 7; i++)
    expected[i % 2][wasm_perf_bucket_of(1050 + 100 * i)]++;
  for (uint32_t bucket = 0; bucket < WASM_PERF_BUCKET_COUNT; bucket++)
    for (uint32_t i = 0; i < 2; i++) {
      assert_int_equal(count_at(sum, 2 + 2 * i, 0, bucket), expected[i][bucket]);
      found += expected[i][bucket];
    }
  assert_int_equal(found, 19);
  assert_int_equal(sum->calls.histogram_count, 2);
  assert_int_equal(wi_calls_slow_count(sum), 12);
  for (uint32_t i = 1; i < 12; i++)
    assert_true(sum->calls.kept[i - 1].values[0] >= sum->calls.kept[i].values[0]);
  assert_int_equal(sum->calls.kept[0].values[0], 2100);
  assert_int_equal(sum->calls.kept_count, 13);
  assert_int_equal(sum->calls.kept[12].values[0], 1500); /* nearest to the median */
  wasm_perf_profile_free(sum);
  wasm_perf_profile_free(parts[0]);
  wasm_perf_profile_free(parts[1]);
}

static void a_single_profile_is_copied(void **state) {
  size_t section;
  file_bytes file = sample_file(1, &section);
  wasm_perf_profile *profile = parsed(&file);
  wasm_perf_mismatch mismatch;
  wasm_perf_profile *copy =
      wasm_perf_profile_merge((const wasm_perf_profile *const[]){profile}, 1, &mismatch);
  file_bytes again = written(copy);
  assert_same(&again, &file);
  wasm_perf_profile_free(copy);
  wasm_perf_profile_free(profile);
}

static void counts_above_u32_are_written(void **state) {
  file_bytes file;
  size_t section = put_start(&file);
  PUT_U32S(&file, WASM_PERF_CALLS_HISTOGRAM, 24, 2, 0, 5, UINT32_MAX, 6, 1);
  PUT_U32S(&file, WASM_PERF_CALLS_HISTOGRAM, 16, 2, 0, 5, UINT32_MAX - 1);
  end(&file, section);
  wasm_perf_profile *profile = parsed(&file);
  assert_int_equal(count_at(profile, 2, 0, 5), 2 * (uint64_t)UINT32_MAX - 1);
  file_bytes again = written(profile);
  assert_same(&again, &file);
  wasm_perf_profile_free(profile);
}

static void modules_are_joined(void **state) {
  wasm_perf_profile *parts[] = {profile_of(1000, 12, 10), profile_of(1050, 7, 1500)};
  const char *const labels[] = {"a.wasm", "b.wasm"};
  wasm_perf_mismatch mismatch;
  wasm_perf_profile *joined =
      wasm_perf_profile_join((const wasm_perf_profile *const *)parts, labels, 2, &mismatch);
  assert_non_null(joined);
  assert_int_equal(joined->calls.histogram_count, 4);
  assert_int_equal(joined->calls.kept_count, 21);
  assert_int_equal(count_at(joined, 3, 0, wasm_perf_bucket_of(1000)), 1);
  assert_int_equal(count_at(joined, 8, 0, wasm_perf_bucket_of(1050)), 1);
  const wasm_perf_call *slowest = &joined->calls.kept[0];
  assert_int_equal(slowest->values[0], 2100);
  assert_int_equal(slowest->node, 5);
  assert_int_equal(slowest->rows[0].node, 5);
  wasm_perf_profile_free(joined);
  wasm_perf_profile_free(parts[0]);
  wasm_perf_profile_free(parts[1]);
}

static void a_difference_has_what_came_after(void **state) {
  wasm_perf_profile *before = profile_of(1000, 3, 10), *after = profile_of(1000, 5, 10);
  assert_true(wasm_perf_profile_subtract(after, before));
  assert_int_equal(count_at(after, 2, 0, wasm_perf_bucket_of(1000)), 0);
  assert_int_equal(count_at(after, 2, 0, wasm_perf_bucket_of(1400)), 1);
  assert_int_equal(count_at(after, 4, 0, wasm_perf_bucket_of(1300)), 1);
  assert_int_equal(after->calls.histogram_count, 2);
  assert_int_equal(after->calls.histograms[0].bucket_count, 1);
  assert_int_equal(after->calls.kept_count, 2);
  assert_int_equal(after->calls.kept[0].values[0], 1400);
  wasm_perf_profile_free(before);
  wasm_perf_profile_free(after);
}

static void hidden_functions_leave_calls(void **state) {
  size_t section;
  file_bytes file = sample_file(0, &section);
  wasm_perf_profile *profile = parsed(&file);
  assert_true(wasm_perf_profile_set_kind(profile, READ, WASM_PERF_KIND_JAVASCRIPT));
  assert_true(wasm_perf_profile_set_kind(profile, MAIN, WASM_PERF_KIND_JAVASCRIPT));
  assert_true(wasm_perf_profile_hide(profile, WASM_PERF_KIND_BIT(WASM_PERF_KIND_JAVASCRIPT)));
  assert_int_equal(profile->header.node_count, 2);
  assert_int_equal(profile->calls.histogram_count, 2);
  assert_int_equal(count_at(profile, 1, 0, 40), 4);
  assert_int_equal(count_at(profile, 1, 0, 41), 2);
  assert_int_equal(profile->calls.kept[0].node, 1);
  assert_int_equal(profile->calls.kept[0].row_count, 1);
  wasm_perf_profile_free(profile);
}

static void rows_below_hidden_ones_go_to_their_callers(void **state) {
  wasm_perf_profile *profile = chain_of((const uint32_t[]){1, 2, 3, 4}, 4, true);
  assert_true(wasm_perf_profile_set_kind(profile, READ, WASM_PERF_KIND_JAVASCRIPT));
  assert_true(wasm_perf_profile_hide(profile, WASM_PERF_KIND_BIT(WASM_PERF_KIND_JAVASCRIPT)));
  const wasm_perf_call *call = &profile->calls.kept[0];
  assert_int_equal(call->row_count, 3);
  assert_int_equal(call->rows[2].node, 3);
  assert_int_equal(call->rows[2].caller, 1);
  wasm_perf_profile_free(profile);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_is_the_documented_form),
      cmocka_unit_test(a_row_without_caller_is_below_its_parents),
      cmocka_unit_test(what_is_not_known_is_skipped),
      cmocka_unit_test(damage_is_told_where_it_is),
      cmocka_unit_test(measures_come_first_and_in_order),
      cmocka_unit_test(any_changed_byte_is_survived),
      cmocka_unit_test(buckets_have_no_gaps),
      cmocka_unit_test(quantiles_lie_in_their_buckets),
      cmocka_unit_test(sums_of_histograms_are_histograms_of_sums),
      cmocka_unit_test(a_single_profile_is_copied),
      cmocka_unit_test(counts_above_u32_are_written),
      cmocka_unit_test(modules_are_joined),
      cmocka_unit_test(a_difference_has_what_came_after),
      cmocka_unit_test(hidden_functions_leave_calls),
      cmocka_unit_test(rows_below_hidden_ones_go_to_their_callers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
