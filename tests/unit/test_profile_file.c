/* .wperf files of version 1: what they say is read, and damage is told where it is. */
#include "unit.h"

#include "runtime/native.h"
#include "wasm_perf/profile.h"

#define HEADER_SIZE 112u
#define NODE_SIZE   24u

typedef struct file_bytes {
  uint8_t *bytes;
  size_t size;
} file_bytes;

static wasm_perf_context *sample_context(void) {
  wasm_perf_context *context = wasm_perf_context_new(
      &(wasm_perf_options){WASM_PERF_CLOCK_INSTRUCTIONS, 5, WASM_PERF_RECURSION_FOLD});
  assert_non_null(context);
  wasm_perf_end_at(context, 1);
  for (uint32_t f = 10; f < 16; f++)
    wasm_perf_start_at(context, f, 0x0102030405060708 + f);
  return context;
}

/* The root, three nodes, [truncated]; two names. */
static wasm_perf_profile *sample_profile(void) {
  wasm_perf_context *context = sample_context();
  wasm_perf_profile *profile = wasm_perf_profile_take(context);
  wasm_perf_context_free(context);
  assert_non_null(profile);
  assert_int_equal(profile->header.node_count, 5);
  profile->header.host_function_count = 9;
  profile->header.function_count = 12;
  profile->header.hooked_function_count = 11;
  assert_true(wasm_perf_profile_set_name(profile, 10, "main"));
  assert_true(wasm_perf_profile_set_name(profile, 12, "\xC3\xA4"));
  return profile;
}

static file_bytes taken_from(FILE *file) {
  long size = ftell(file);
  assert_true(size > 0);
  file_bytes result = {malloc((size_t)size), (size_t)size};
  assert_non_null(result.bytes);
  rewind(file);
  assert_int_equal(fread(result.bytes, 1, result.size, file), result.size);
  fclose(file);
  return result;
}

static file_bytes written(const wasm_perf_profile *profile) {
  FILE *file = tmpfile();
  assert_non_null(file);
  assert_true(wasm_perf_profile_write(profile, file));
  return taken_from(file);
}

/* As hosts wrote them before version 2; on a little-endian machine. */
static file_bytes written_in_version_1(const wasm_perf_profile *profile) {
  FILE *file = tmpfile();
  assert_non_null(file);
  fwrite(&profile->header, sizeof profile->header, 1, file);
  fwrite(profile->nodes, sizeof *profile->nodes, profile->header.node_count, file);
  for (uint32_t i = 0; i < profile->header.name_count; i++) {
    const wasm_perf_name *name = &profile->names[i];
    uint32_t prefix[] = {name->function, (uint32_t)strlen(name->text)};
    fwrite(prefix, sizeof prefix, 1, file);
    fwrite(name->text, 1, prefix[1], file);
  }
  return taken_from(file);
}

static file_bytes sample_file(void) {
  wasm_perf_profile *profile = sample_profile();
  file_bytes file = written_in_version_1(profile);
  wasm_perf_profile_free(profile);
  assert_int_equal(file.size, HEADER_SIZE + 5 * NODE_SIZE + (8 + 4) + (8 + 2));
  return file;
}

static void assert_written_is(const wasm_perf_profile *profile, file_bytes file) {
  file_bytes again = written_in_version_1(profile);
  assert_int_equal(again.size, file.size);
  assert_memory_equal(again.bytes, file.bytes, file.size);
  free(again.bytes);
}

static wasm_perf_profile *parsed(const uint8_t *bytes, size_t size) {
  wasm_perf_error error = {0};
  wasm_perf_profile *profile = wasm_perf_profile_parse(bytes, size, &error);
  if (!profile)
    fail_msg("offset %llu: %s", (unsigned long long)error.offset, error.message);
  return profile;
}

static void assert_refused(const uint8_t *bytes, size_t size, uint64_t offset,
                           const char *message) {
  /* A copy of exactly this size, so that a read past the end is seen. */
  uint8_t *copy = malloc(size > 0 ? size : 1);
  assert_non_null(copy);
  memcpy(copy, bytes, size);
  wasm_perf_error error = {0};
  assert_null(wasm_perf_profile_parse(copy, size, &error));
  assert_int_equal(error.offset, offset);
  assert_non_null(strstr(error.message, message));
  free(copy);
}

static void put(uint8_t *bytes, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++)
    bytes[i] = (uint8_t)(value >> 8 * i);
}

static void layout_is_the_documented_one(void **state) {
  file_bytes file = sample_file();
  uint8_t expected[HEADER_SIZE + 2 * NODE_SIZE] = "\x89wperf\r\n";
  put(expected + 8, 1, 4); /* version */
  put(expected + 12, HEADER_SIZE, 4);
  put(expected + 16, NODE_SIZE, 4);
  put(expected + 20, 5, 4);                   /* nodes */
  put(expected + 24, 2, 4);                   /* names */
  put(expected + 28, 2, 4);                   /* clock */
  put(expected + 40, 3, 8);                   /* truncated calls: 13, 14 and 15 */
  put(expected + 48, 1, 8);                   /* unbalanced */
  put(expected + 56, 6, 4);                   /* open frames */
  put(expected + 60, 5, 4);                   /* node limit */
  put(expected + 64, 1, 4);                   /* recursion */
  put(expected + 68, 9, 4);                   /* host functions */
  put(expected + 104, 12, 4);                 /* functions */
  put(expected + 108, 11, 4);                 /* with hooks */
  put(expected + HEADER_SIZE, 0xFFFFFFFF, 4); /* the root */
  put(expected + HEADER_SIZE + 16, 0x0102030405060708 + 10, 8);
  put(expected + HEADER_SIZE + NODE_SIZE, 10, 4); /* the first function */
  put(expected + HEADER_SIZE + NODE_SIZE + 8, 1, 8);
  put(expected + HEADER_SIZE + NODE_SIZE + 16, 1, 8);
  assert_memory_equal(file.bytes, expected, sizeof expected);
  static const uint8_t names[] = "\x0A\0\0\0\x04\0\0\0main\x0C\0\0\0\x02\0\0\0\xC3\xA4";
  assert_memory_equal(file.bytes + HEADER_SIZE + 5 * NODE_SIZE, names, sizeof names - 1);
  free(file.bytes);
}

static void what_is_read_is_what_was_written(void **state) {
  wasm_perf_profile *profile = sample_profile();
  file_bytes file = written_in_version_1(profile);
  wasm_perf_profile *copy = parsed(file.bytes, file.size);
  assert_memory_equal(&copy->header, &profile->header, sizeof copy->header);
  assert_memory_equal(copy->nodes, profile->nodes, 5 * sizeof *copy->nodes);
  assert_string_equal(wasm_perf_profile_name(copy, 10), "main");
  assert_string_equal(wasm_perf_profile_name(copy, 12), "\xC3\xA4");
  assert_null(wasm_perf_profile_name(copy, 11));

  assert_written_is(copy, file);
  free(file.bytes);
  wasm_perf_profile_free(copy);
  wasm_perf_profile_free(profile);
}

static void the_runtimes_memory_is_a_file(void **state) {
  wasm_perf_context *context = sample_context();
  const wasm_perf_header *header = wi_snapshot(context);
  wasm_perf_profile *read =
      parsed((const uint8_t *)header, sizeof *header + header->node_count * sizeof(wasm_perf_node));
  wasm_perf_profile *taken = wasm_perf_profile_take(context);
  assert_memory_equal(&read->header, &taken->header, sizeof read->header);
  assert_memory_equal(read->nodes, taken->nodes, 5 * sizeof *read->nodes);
  wasm_perf_profile_free(read);
  wasm_perf_profile_free(taken);
  wasm_perf_context_free(context);
}

static void larger_header_and_nodes_are_skipped(void **state) {
  file_bytes file = sample_file();
  size_t names_offset = HEADER_SIZE + 5 * NODE_SIZE, names_size = file.size - names_offset;
  uint8_t bytes[1024];
  memset(bytes, 0xEE, sizeof bytes);
  memcpy(bytes, file.bytes, HEADER_SIZE);
  put(bytes + 12, HEADER_SIZE + 5, 4);
  put(bytes + 16, NODE_SIZE + 3, 4);
  size_t size = HEADER_SIZE + 5;
  for (size_t i = 0; i < 5; i++, size += NODE_SIZE + 3)
    memcpy(bytes + size, file.bytes + HEADER_SIZE + i * NODE_SIZE, NODE_SIZE);
  memcpy(bytes + size, file.bytes + names_offset, names_size);

  wasm_perf_profile *profile = parsed(bytes, size + names_size);
  assert_written_is(profile, file);
  wasm_perf_profile_free(profile);
  free(file.bytes);
}

static void what_clocks_tell_of_themselves_is_kept(void **state) {
  file_bytes file = sample_file();
  for (uint64_t i = 0; i < 4; i++)
    put(file.bytes + 72 + 8 * i, UINT64_MAX - i, 8);
  wasm_perf_profile *profile = parsed(file.bytes, file.size);
  assert_int_equal(profile->header.clock_read_count, UINT64_MAX);
  assert_int_equal(profile->header.inner_hook_cost, UINT64_MAX - 1);
  assert_int_equal(profile->header.outer_hook_cost, UINT64_MAX - 2);
  assert_int_equal(profile->header.hook_cost_error, UINT64_MAX - 3);
  assert_written_is(profile, file);
  wasm_perf_profile_free(profile);
  free(file.bytes);
}

static void unknown_clock_is_accepted(void **state) {
  file_bytes file = sample_file();
  put(file.bytes + 28, 77, 4);
  wasm_perf_profile *profile = parsed(file.bytes, file.size);
  assert_int_equal(profile->header.clock, 77);
  wasm_perf_profile_free(profile);
  free(file.bytes);
}

static void every_truncation_is_refused(void **state) {
  file_bytes file = sample_file();
  for (size_t size = 0; size < file.size; size++)
    assert_refused(file.bytes, size, size < 8 ? 0 : size,
                   size < 8 ? "not a .wperf file" : "the file ends inside the");
  free(file.bytes);
}

static void damage_is_told_where_it_is(void **state) {
  enum { NODES = HEADER_SIZE, NAMES = HEADER_SIZE + 5 * NODE_SIZE, END = NAMES + 22 };
  static const struct {
    size_t offset, size;
    uint64_t value;
    uint64_t error_offset;
    const char *message;
  } cases[] = {
      {0, 1, 'w', 0, "not a .wperf file"},
      {7, 1, '\r', 0, "not a .wperf file"},
      {8, 4, 3, 8, "version 3 is not supported, only up to 2"},
      {12, 4, 111, 12, "the header has 111 bytes, at least 112 are needed"},
      {12, 4, END + 1, END, "the file ends inside the header"},
      {12, 4, UINT32_MAX, END, "the file ends inside the header"},
      {16, 4, 23, 16, "a node has 23 bytes, at least 24 are needed"},
      {16, 4, 0, 16, "a node has 0 bytes"},
      {16, 4, UINT32_MAX, END, "the file ends inside the nodes"},
      {20, 4, 0, 20, "there are no nodes"},
      {20, 4, 6, END, "the file ends inside the nodes, of which there are 6"},
      {20, 4, UINT32_MAX, END, "the file ends inside the nodes"},
      {24, 4, 1, NAMES + 12, "there are bytes after the names"},
      {24, 4, 3, END, "the file ends inside the names, of which there are 3"},
      {24, 4, UINT32_MAX, END, "the file ends inside the names"},
      {28, 4, WASM_PERF_CLOCK_WALL, 32, "the clock has no ticks"},
      {28, 4, WASM_PERF_CLOCK_SAMPLED, 32, "the clock has no ticks"},
      {NODES, 4, 0, NODES, "node 0 is not the root"},
      {NODES + 4, 4, 1, NODES + 4, "node 0 has node 1 as its parent"},
      {NODES + 2 * NODE_SIZE, 4, UINT32_MAX, NODES + 2 * NODE_SIZE, "node 2 is a second root"},
      {NODES + 2 * NODE_SIZE + 4, 4, 2, NODES + 2 * NODE_SIZE + 4,
       "node 2 has node 2 as its parent"},
      {NODES + 2 * NODE_SIZE + 4, 4, UINT32_MAX, NODES + 2 * NODE_SIZE + 4,
       "node 2 has node 4294967295"},
      {NAMES, 4, 12, NAMES + 12, "the name of function 12 follows that of function 12"},
      {NAMES, 4, 13, NAMES + 12, "the name of function 12 follows that of function 13"},
      {NAMES + 4, 4, UINT32_MAX, END, "the file ends inside the name of function 10"},
      {NAMES + 16, 4, 3, END, "the file ends inside the name of function 12"},
      {NAMES + 16, 4, 1, NAMES + 20, "a name is not valid UTF-8"},
      {NAMES + 9, 1, 0xFF, NAMES + 9, "a name is not valid UTF-8"},
      {NAMES + 10, 1, 0, NAMES + 10, "a name has a zero byte"},
  };
  file_bytes file = sample_file();
  assert_int_equal(file.size, END);
  for (size_t i = 0; i < COUNT(cases); i++) {
    uint8_t bytes[END];
    memcpy(bytes, file.bytes, END);
    put(bytes + cases[i].offset, cases[i].value, cases[i].size);
    assert_refused(bytes, END, cases[i].error_offset, cases[i].message);
  }
  free(file.bytes);
}

static void bytes_after_the_end_are_refused(void **state) {
  file_bytes file = sample_file();
  uint8_t *longer = calloc(1, file.size + 1);
  assert_non_null(longer);
  memcpy(longer, file.bytes, file.size);
  assert_refused(longer, file.size + 1, file.size, "there are bytes after the names");
  free(longer);
  free(file.bytes);
}

/* Whatever a byte becomes: the file is refused, or it is read and then stays what it is. */
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
      wasm_perf_profile *copy = parsed(again.bytes, again.size);
      assert_int_equal(copy->header.node_count, profile->header.node_count);
      wasm_perf_profile_free(copy);
      free(again.bytes);
      wasm_perf_profile_free(profile);
    }
    file.bytes[i] = original;
  }
  free(file.bytes);
}

static void failing_to_write_is_told(void **state) {
  FILE *full = fopen("/dev/full", "wb");
  if (!full)
    skip();
  wasm_perf_profile *profile = sample_profile();
  assert_false(wasm_perf_profile_write(profile, full));
  fclose(full);
  wasm_perf_profile_free(profile);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(layout_is_the_documented_one),
      cmocka_unit_test(what_is_read_is_what_was_written),
      cmocka_unit_test(the_runtimes_memory_is_a_file),
      cmocka_unit_test(larger_header_and_nodes_are_skipped),
      cmocka_unit_test(what_clocks_tell_of_themselves_is_kept),
      cmocka_unit_test(unknown_clock_is_accepted),
      cmocka_unit_test(every_truncation_is_refused),
      cmocka_unit_test(damage_is_told_where_it_is),
      cmocka_unit_test(bytes_after_the_end_are_refused),
      cmocka_unit_test(any_changed_byte_is_survived),
      cmocka_unit_test(failing_to_write_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
