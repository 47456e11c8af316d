/* .wperf files that tests put together by hand, and what is read from them and written. */
#ifndef WI_TESTS_FILE_BYTES_H_
#define WI_TESTS_FILE_BYTES_H_

#include "unit.h"

#include "wasm_perf/profile.h"

typedef struct file_bytes {
  uint8_t bytes[8192];
  size_t size;
} file_bytes;

/* ---- Files put together by hand ------------------------------------------- */

static inline void put(file_bytes *file, uint64_t value, size_t size) {
  assert_true(file->size + size <= sizeof file->bytes);
  for (size_t i = 0; i < size; i++)
    file->bytes[file->size++] = (uint8_t)(value >> 8 * i);
}

static inline void put_text(file_bytes *file, const char *text) {
  for (; *text; text++)
    put(file, (uint8_t)*text, 1);
}

static inline void pad(file_bytes *file) {
  while (file->size % 8 != 0)
    put(file, 0, 1);
}

/* Where the section begins; to be ended. */
static inline size_t begin(file_bytes *file, uint32_t id) {
  size_t start = file->size;
  put(file, id, 8);
  put(file, 0, 8);
  return start;
}

static inline void end(file_bytes *file, size_t start) {
  uint64_t size = file->size - start - 16;
  for (size_t i = 0; i < 8; i++)
    file->bytes[start + 8 + i] = (uint8_t)(size >> 8 * i);
  pad(file);
}

static inline void put_number_fact(file_bytes *file, uint32_t key, uint64_t value) {
  put(file, key, 4);
  put(file, 8, 4);
  put(file, value, 8);
}

static inline void put_text_fact(file_bytes *file, uint32_t key, const char *text) {
  put(file, key, 4);
  put(file, strlen(text), 4);
  put_text(file, text);
  pad(file);
}

static inline void put_value(file_bytes *file, const char *name, const char *unit) {
  put(file, strlen(name), 4);
  put(file, strlen(unit), 4);
  put_text(file, name);
  put_text(file, unit);
  pad(file);
}

static inline void put_node(file_bytes *file, uint32_t function, uint32_t parent, uint64_t calls,
                            uint64_t self) {
  put(file, function, 4);
  put(file, parent, 4);
  put(file, calls, 8);
  put(file, self, 8);
}

static inline void put_head(file_bytes *file) {
  put_text(file, WASM_PERF_MAGIC);
  put(file, 2, 4);
  put(file, 16, 4);
}

static inline file_bytes written(const wasm_perf_profile *profile) {
  file_bytes result;
  FILE *file = tmpfile();
  assert_non_null(file);
  assert_true(wasm_perf_profile_write(profile, file));
  rewind(file);
  result.size = fread(result.bytes, 1, sizeof result.bytes, file);
  assert_true(feof(file));
  fclose(file);
  return result;
}

static inline wasm_perf_profile *parsed(const file_bytes *file) {
  wasm_perf_error error = {0};
  wasm_perf_profile *profile = wasm_perf_profile_parse(file->bytes, file->size, &error);
  if (!profile)
    fail_msg("offset %llu: %s", (unsigned long long)error.offset, error.message);
  return profile;
}

static inline void assert_same(const file_bytes *file, const file_bytes *other) {
  assert_int_equal(file->size, other->size);
  assert_memory_equal(file->bytes, other->bytes, file->size);
}

static inline void assert_refused(const uint8_t *bytes, size_t size, uint64_t offset,
                                  const char *message) {
  /* A copy of exactly this size, so that a read past the end is seen. */
  uint8_t *copy = malloc(size > 0 ? size : 1);
  assert_non_null(copy);
  memcpy(copy, bytes, size);
  wasm_perf_error error = {0};
  assert_null(wasm_perf_profile_parse(copy, size, &error));
  assert_non_null(strstr(error.message, message));
  assert_int_equal(error.offset, offset);
  free(copy);
}

#endif /* WI_TESTS_FILE_BYTES_H_ */
