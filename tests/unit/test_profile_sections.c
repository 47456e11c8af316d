/* .wperf files of version 2: what is written is read back, and damage is told where it is. */
#include "file_bytes.h"

/* The offsets that tests damage. */
enum { FACTS = 16, VALUES = 80, NODES = 144, NAMES = 232, PLACES = 264, BLOCKS = 296, END = 336 };

/* In the form that wasm_perf_profile_write gives it. */
static file_bytes sample_file(void) {
  file_bytes file = {.size = 0};
  put_head(&file);
  size_t section = begin(&file, WASM_PERF_SECTION_FACTS);
  assert_int_equal(section, FACTS);
  put_number_fact(&file, 1, WASM_PERF_CLOCK_INSTRUCTIONS);
  put_number_fact(&file, 32, 1000000000000);
  put_text_fact(&file, 64, "a\xC3\xA4.wasm");
  end(&file, section);
  section = begin(&file, WASM_PERF_SECTION_VALUES);
  assert_int_equal(section, VALUES);
  put_value(&file, "calls", "calls");
  put_value(&file, "self", "instructions");
  end(&file, section);
  section = begin(&file, WASM_PERF_SECTION_NODES);
  assert_int_equal(section, NODES);
  put_node(&file, WASM_PERF_FUNCTION_ROOT, 0, 0, 5);
  put_node(&file, 7, 0, 1, 600);
  put_node(&file, 9, 1, 2, UINT64_MAX);
  end(&file, section);
  section = begin(&file, WASM_PERF_SECTION_NAMES);
  assert_int_equal(section, NAMES);
  put(&file, 7, 4);
  put(&file, 4, 4);
  put_text(&file, "main");
  end(&file, section);
  section = begin(&file, WASM_PERF_SECTION_PLACES);
  assert_int_equal(section, PLACES);
  put(&file, 9, 4);
  put(&file, 42, 4);
  put(&file, 3, 4);
  put_text(&file, "a.c");
  end(&file, section);
  section = begin(&file, WASM_PERF_SECTION_BLOCKS);
  assert_int_equal(section, BLOCKS);
  put(&file, 9, 4);
  put(&file, 2, 4);
  put(&file, 3, 8);
  put(&file, UINT64_MAX - 1, 8);
  end(&file, section);
  assert_int_equal(file.size, END);
  return file;
}

/* ---- Reading and writing --------------------------------------------------- */

static void what_is_written_is_the_documented_form(void **state) {
  file_bytes file = sample_file();
  wasm_perf_profile *profile = parsed(&file);
  assert_int_equal(profile->header.clock, WASM_PERF_CLOCK_INSTRUCTIONS);
  assert_int_equal(profile->facts.run_time, 1000000000000);
  assert_string_equal(profile->facts.module, "a\xC3\xA4.wasm");
  assert_null(profile->facts.identity);
  assert_int_equal(profile->header.node_count, 3);
  assert_int_equal(profile->nodes[2].self, UINT64_MAX);
  assert_int_equal(profile->nodes[2].call_count, 2);
  assert_string_equal(wasm_perf_profile_name(profile, 7), "main");
  assert_null(wasm_perf_profile_place(profile, 7));
  const wasm_perf_place *place = wasm_perf_profile_place(profile, 9);
  assert_non_null(place);
  assert_int_equal(place->line, 42);
  assert_string_equal(place->file, "a.c");
  assert_null(wasm_perf_profile_blocks(profile, 7));
  const wasm_perf_blocks *blocks = wasm_perf_profile_blocks(profile, 9);
  assert_non_null(blocks);
  assert_int_equal(blocks->count, 2);
  assert_int_equal(blocks->counts[0], 3);
  file_bytes again = written(profile);
  assert_same(&again, &file);
  wasm_perf_profile_free(profile);
}

static void sections_come_in_any_order(void **state) {
  file_bytes file = sample_file();
  static const struct {
    size_t start, end;
  } order[] = {{BLOCKS, END},   {PLACES, BLOCKS}, {NODES, NAMES},
               {VALUES, NODES}, {NAMES, PLACES},  {FACTS, VALUES}};
  file_bytes other = {.size = 0};
  put_head(&other);
  for (size_t i = 0; i < COUNT(order); i++) {
    memcpy(other.bytes + other.size, file.bytes + order[i].start, order[i].end - order[i].start);
    other.size += order[i].end - order[i].start;
  }
  wasm_perf_profile *profile = parsed(&other);
  file_bytes again = written(profile);
  assert_same(&again, &file);
  wasm_perf_profile_free(profile);
}

static void what_is_not_known_is_skipped(void **state) {
  file_bytes file = {.size = 0};
  put_head(&file);
  size_t section = begin(&file, 77);
  put(&file, 1, 1);
  end(&file, section);
  section = begin(&file, WASM_PERF_SECTION_FACTS);
  put_text_fact(&file, 5000, "?");
  put_number_fact(&file, 16, 12);
  end(&file, section);
  section = begin(&file, WASM_PERF_SECTION_VALUES);
  put_value(&file, "allocated", "bytes");
  put_value(&file, "calls", "calls");
  end(&file, section);
  section = begin(&file, WASM_PERF_SECTION_NODES);
  put_node(&file, WASM_PERF_FUNCTION_ROOT, 0, 8, 9);
  put_node(&file, 3, 0, 1000, 4);
  end(&file, section);
  wasm_perf_profile *profile = parsed(&file);
  assert_int_equal(profile->header.function_count, 12);
  assert_int_equal(profile->header.clock, WASM_PERF_CLOCK_NONE);
  assert_int_equal(profile->nodes[1].call_count, 4);
  assert_int_equal(profile->nodes[1].self, 0);
  wasm_perf_profile_free(profile);
}

static void every_truncation_is_refused(void **state) {
  file_bytes file = sample_file();
  for (size_t size = 0; size < file.size; size++) {
    if (size == NAMES || size == PLACES || size == BLOCKS)
      continue; /* what follows may be missing */
    wasm_perf_error error = {0};
    uint8_t *copy = malloc(size > 0 ? size : 1);
    memcpy(copy, file.bytes, size);
    assert_null(wasm_perf_profile_parse(copy, size, &error));
    assert_int_equal(error.offset, size < 8 ? 0 : size);
    free(copy);
  }
}

static void damage_is_told_where_it_is(void **state) {
  enum { NODE = NODES + 16, NAME = NAMES + 16, PLACE = PLACES + 16 };
  enum { BLOCK = BLOCKS + 16, VALUE = VALUES + 16 };
  static const struct {
    size_t offset, size;
    uint64_t value;
    uint64_t error_offset;
    const char *message;
  } cases[] = {
      {12, 4, 8, 12, "the head has 8 bytes, not 16"},
      {12, 4, 20, 12, "the head has 20 bytes"},
      {12, 4, 0xFFFFFFF8, END, "the file ends inside the head"},
      {FACTS + 8, 8, END, END, "the file ends inside section 1"},
      {FACTS + 8, 8, UINT64_MAX, END, "the file ends inside section 1"},
      {FACTS + 8, 8, UINT64_MAX - 7, END, "the file ends inside section 1"},
      {VALUES, 4, 1, VALUES, "a second section 1"},
      {FACTS + 8, 8, 47, FACTS + 48, "a record ends past its section"},
      {FACTS + 20, 4, UINT32_MAX, FACTS + 16, "a record ends past its section"},
      {FACTS + 20, 4, 7, FACTS + 16, "fact 1 is a number of 7 bytes, not 8"},
      {FACTS + 28, 4, 1, FACTS + 24, "fact 1 is too large"},
      {FACTS + 24, 4, WASM_PERF_CLOCK_WALL, FACTS + 16, "the clock has no ticks"},
      {FACTS + 57, 1, 0xFF, FACTS + 57, "a fact is not valid UTF-8"},
      {FACTS + 60, 1, 0, FACTS + 60, "a fact has a zero byte"},
      {VALUE, 4, UINT32_MAX, VALUE, "a record ends past its section"},
      {NODES, 4, 99, END, "there are no nodes"},
      {NODES + 8, 8, 71, NODE, "the nodes, of 24 bytes each, do not fill 71 bytes"},
      {NODE, 4, 0, NODE, "node 0 is not the root"},
      {NODE + 4, 4, 1, NODE + 4, "node 0 has node 1 as its parent"},
      {NODE + 24, 4, UINT32_MAX, NODE + 24, "node 1 is a second root"},
      {NODE + 28, 4, 1, NODE + 28, "node 1 has node 1 as its parent"},
      {NAME + 4, 4, 5, NAME + 12, "the file ends inside the name of function 7"},
      {NAME + 4, 4, UINT32_MAX, NAME + 12, "the file ends inside the name of function 7"},
      {NAME + 8, 1, 0xFF, NAME + 8, "a name is not valid UTF-8"},
      {NAME + 9, 1, 0, NAME + 9, "a name has a zero byte"},
      {PLACE + 8, 4, 4, PLACE + 15, "the file ends inside the place of function 9"},
      {PLACE + 12, 1, 0xFF, PLACE + 12, "a place is not valid UTF-8"},
      {BLOCK + 4, 4, 3, BLOCK + 24, "the file ends inside the blocks of function 9"},
      {BLOCK + 4, 4, 1, BLOCK + 24, "the file ends inside the blocks of function 4294967294"},
      {BLOCK + 4, 4, 0, BLOCK + 8, "the blocks of function 3 follow the blocks of function 9"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    file_bytes file = sample_file();
    file.size = cases[i].offset;
    put(&file, cases[i].value, cases[i].size);
    assert_refused(file.bytes, END, cases[i].error_offset, cases[i].message);
  }
}

static void too_many_values_are_refused(void **state) {
  file_bytes file = {.size = 0};
  put_head(&file);
  size_t section = begin(&file, WASM_PERF_SECTION_VALUES);
  for (int i = 0; i < 65; i++)
    put_value(&file, "x", "y");
  end(&file, section);
  assert_refused(file.bytes, file.size, section + 16 + 64 * 16, "a node has more than 64 values");
  file.size = 0;
  put_head(&file);
  section = begin(&file, WASM_PERF_SECTION_VALUES);
  put_value(&file, "self", "x");
  put_value(&file, "self", "y");
  end(&file, section);
  assert_refused(file.bytes, file.size, section + 32, "two values have the name 'self'");
}

/* Whatever a byte becomes: the file is refused, or what is read from it can be written. */
static void any_changed_byte_is_survived(void **state) {
  file_bytes file = sample_file();
  for (size_t i = 0; i < file.size; i++) {
    uint8_t original = file.bytes[i];
    for (unsigned change = 1; change < 256; change += 1 + change / 3) {
      file.bytes[i] = (uint8_t)(original ^ change);
      wasm_perf_error error = {0};
      wasm_perf_profile *profile = wasm_perf_profile_parse(file.bytes, file.size, &error);
      if (!profile) {
        assert_true(error.offset <= file.size);
        assert_int_not_equal(error.message[0], 0);
        continue;
      }
      file_bytes again = written(profile);
      wasm_perf_profile *copy = parsed(&again);
      file_bytes third = written(copy);
      assert_same(&third, &again);
      wasm_perf_profile_free(copy);
      wasm_perf_profile_free(profile);
    }
    file.bytes[i] = original;
  }
}

static void texts_and_places_are_set(void **state) {
  file_bytes file = sample_file();
  wasm_perf_profile *profile = parsed(&file);
  assert_true(wasm_perf_profile_set_text(profile, WASM_PERF_FACT_module, "b\xFF", 2));
  assert_string_equal(profile->facts.module, "b\xEF\xBF\xBD");
  assert_false(wasm_perf_profile_set_text(profile, WASM_PERF_FACT_clock, "b", 1));
  assert_true(wasm_perf_profile_set_place(profile, 2, 1, "b.c", 3));
  assert_true(wasm_perf_profile_set_place(profile, 9, 1, "b.c", 3));
  assert_true(wasm_perf_profile_set_place(profile, 11, 3, "c.c", 3));
  assert_int_equal(profile->place_count, 3);
  assert_string_equal(wasm_perf_profile_place(profile, 9)->file, "a.c");
  assert_int_equal(wasm_perf_profile_place(profile, 2)->line, 1);
  assert_int_equal(wasm_perf_profile_place(profile, 11)->line, 3);
  wasm_perf_profile_free(profile);
}

static void counts_of_blocks_add_up(void **state) {
  const uint64_t more[] = {1, 5, 7};
  file_bytes file = sample_file();
  wasm_perf_profile *profile = parsed(&file);
  assert_false(wasm_perf_profile_add_blocks(profile, 9, more, 3)); /* it has two */
  assert_true(wasm_perf_profile_add_blocks(profile, 9, more, 2));
  assert_true(wasm_perf_profile_add_blocks(profile, 2, more, 3));
  wasm_perf_mismatch mismatch;
  const wasm_perf_profile *both[] = {profile, profile};
  wasm_perf_profile *sum = wasm_perf_profile_merge(both, 2, &mismatch);
  assert_non_null(sum);
  assert_int_equal(sum->block_function_count, 2);
  assert_int_equal(sum->blocks[0].function, 2);
  assert_int_equal(sum->blocks[0].counts[2], 14);
  assert_int_equal(wasm_perf_profile_blocks(sum, 9)->counts[0], 8);
  assert_int_equal(wasm_perf_profile_blocks(sum, 9)->counts[1], UINT64_MAX);
  wasm_perf_profile_free(sum);
  wasm_perf_profile *other = parsed(&file);
  assert_true(wasm_perf_profile_add_blocks(other, 2, more, 2));
  const wasm_perf_profile *unlike[] = {profile, other};
  assert_null(wasm_perf_profile_merge(unlike, 2, &mismatch));
  assert_int_equal(mismatch.index, 1);
  assert_string_equal(mismatch.message, "function 2 has a different number of blocks");
  wasm_perf_profile_free(other);
  wasm_perf_profile_free(profile);
}

/* The nodes of the sample with a section of functions without counts. */
static file_bytes file_with_uncounted(const uint32_t *functions, size_t count) {
  file_bytes file = sample_file();
  size_t section = begin(&file, WASM_PERF_SECTION_UNCOUNTED);
  for (size_t i = 0; i < count; i++)
    put(&file, functions[i], 4);
  end(&file, section);
  return file;
}

static void functions_without_counts_are_kept(void **state) {
  const uint32_t functions[] = {7, 9};
  file_bytes file = file_with_uncounted(functions, 2);
  wasm_perf_profile *profile = parsed(&file);
  assert_int_equal(profile->uncounted_count, 2);
  assert_true(wasm_perf_profile_is_counted(profile, 8));
  assert_false(wasm_perf_profile_is_counted(profile, 7));
  assert_false(wasm_perf_profile_is_counted(profile, 9));
  file_bytes again = written(profile);
  assert_same(&file, &again);
  assert_true(wasm_perf_profile_set_uncounted(profile, 8));
  assert_true(wasm_perf_profile_set_uncounted(profile, 8));
  assert_int_equal(profile->uncounted_count, 3);
  assert_int_equal(profile->uncounted[1], 8);
  wasm_perf_profile_free(profile);
}

static void functions_without_counts_come_in_order(void **state) {
  const uint32_t functions[] = {9, 7};
  file_bytes file = file_with_uncounted(functions, 2);
  assert_refused(file.bytes, file.size, END + 20, "function 7 without counts follows function 9");
}

static void functions_without_counts_are_put_together(void **state) {
  const uint32_t some[] = {7}, others[] = {9};
  file_bytes file = file_with_uncounted(some, 1), other = file_with_uncounted(others, 1);
  wasm_perf_profile *profile = parsed(&file), *second = parsed(&other);
  const wasm_perf_profile *const both[] = {second, profile};
  const char *const labels[] = {"a", "b"};
  wasm_perf_mismatch mismatch;
  wasm_perf_profile *sum = wasm_perf_profile_merge(both, 2, &mismatch);
  assert_non_null(sum);
  assert_int_equal(sum->uncounted_count, 2);
  assert_int_equal(sum->uncounted[0], 7);
  wasm_perf_profile *joined = wasm_perf_profile_join(both, labels, 2, &mismatch);
  assert_non_null(joined);
  assert_int_equal(joined->uncounted_count, 2);
  assert_int_equal(joined->uncounted[0], 1 + 9); /* after the frame of the module */
  assert_int_equal(joined->uncounted[1], joined->nodes[5].function);
  wasm_perf_profile_free(joined);
  wasm_perf_profile_free(sum);
  wasm_perf_profile_free(second);
  wasm_perf_profile_free(profile);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_is_the_documented_form),
      cmocka_unit_test(sections_come_in_any_order),
      cmocka_unit_test(what_is_not_known_is_skipped),
      cmocka_unit_test(every_truncation_is_refused),
      cmocka_unit_test(damage_is_told_where_it_is),
      cmocka_unit_test(too_many_values_are_refused),
      cmocka_unit_test(any_changed_byte_is_survived),
      cmocka_unit_test(texts_and_places_are_set),
      cmocka_unit_test(counts_of_blocks_add_up),
      cmocka_unit_test(functions_without_counts_are_kept),
      cmocka_unit_test(functions_without_counts_come_in_order),
      cmocka_unit_test(functions_without_counts_are_put_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
