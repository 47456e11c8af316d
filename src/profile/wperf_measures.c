#include "profile/wperf_measures.h"

#include <stdlib.h>
#include <string.h>

#include "profile/wperf_callers.h"

#define HEAD_SIZE       8u /* of the section of measures, of each value's record and of each row */
#define MAX_VALUE_COUNT 64u
#define MOMENT_SIZE     16u
#define NO_MEASURE      UINT32_MAX

/* The values of a row, in file order. */
typedef struct columns {
  uint32_t count;
  uint32_t measures[MAX_VALUE_COUNT]; /* NO_MEASURE for unknown values */
  size_t rows_offset;
} columns;

static size_t row_size(const columns *of) {
  return HEAD_SIZE + 8 * (size_t)of->count;
}

static uint32_t find_measure(const uint8_t *name, size_t size) {
  for (wasm_perf_measure i = 0; i < WASM_PERF_MEASURE_COUNT; i++) {
    const char *known = wasm_perf_measure_name(i);
    if (strlen(known) == size && memcmp(known, name, size) == 0)
      return i;
  }
  return NO_MEASURE;
}

/* Reads a value's record at *offset and moves past it. */
static bool read_column(const wi_wperf_input *in, columns *of, size_t *offset, size_t end) {
  wi_wperf_span name;
  if (!wi_wperf_check_value(in, offset, end, &name))
    return false;
  of->measures[of->count++] = find_measure(in->bytes + name.offset, name.size);
  return true;
}

static bool read_columns(const wi_wperf_input *in, wi_wperf_span section, columns *of) {
  size_t offset = section.offset + HEAD_SIZE, end = section.offset + section.size;
  *of = (columns){0};
  if (section.size < HEAD_SIZE)
    return wi_wperf_fail(in, section.offset, "the section of measures has no head");
  uint32_t count = wi_wperf_u32(in->bytes + section.offset);
  if (count > MAX_VALUE_COUNT)
    return wi_wperf_fail(in, section.offset, "a node has more than %u measures", MAX_VALUE_COUNT);
  while (of->count < count)
    if (!read_column(in, of, &offset, end))
      return false;
  of->rows_offset = offset;
  return true;
}

/* ---- Checking -------------------------------------------------------------- */

static bool check_rows(const wi_wperf_input *in, wi_wperf_span section, const columns *of,
                       uint32_t node_count, uint32_t caller_count) {
  size_t size = section.offset + section.size - of->rows_offset;
  uint64_t most = node_count * (caller_count + UINT64_C(1));
  if (size % row_size(of) != 0 || size / row_size(of) > most)
    return wi_wperf_fail(in, of->rows_offset, "%zu bytes cannot hold rows of at most %u nodes",
                         size, node_count);
  for (size_t at = of->rows_offset; at < of->rows_offset + size; at += row_size(of)) {
    if (wi_wperf_u32(in->bytes + at) >= node_count)
      return wi_wperf_fail(in, at, "a row of a node that does not exist");
    if (wi_wperf_u32(in->bytes + at + 4) > caller_count)
      return wi_wperf_fail(in, at, "a row of a caller that does not exist");
  }
  return true;
}

bool wi_wperf_check_memory(const wi_wperf_input *in, const wi_wperf_memory *sections,
                           uint32_t node_count) {
  columns of;
  uint32_t caller_count;
  if (!wi_wperf_check_callers(in, sections->callers, &caller_count))
    return false;
  if (sections->measures.offset != 0 &&
      (!read_columns(in, sections->measures, &of) ||
       !check_rows(in, sections->measures, &of, node_count, caller_count)))
    return false;
  if (sections->sizes.size % 8 != 0 || sections->sizes.size / 8 > WASM_PERF_SIZE_CLASSES)
    return wi_wperf_fail(in, sections->sizes.offset, "%zu bytes cannot hold counts of sizes",
                         sections->sizes.size);
  if (sections->timeline.size % MOMENT_SIZE != 0 ||
      sections->timeline.size / MOMENT_SIZE > UINT32_MAX)
    return wi_wperf_fail(in, sections->timeline.offset, "%zu bytes cannot hold a timeline",
                         sections->timeline.size);
  return true;
}

/* ---- Reading --------------------------------------------------------------- */

static void read_row(wasm_perf_row *row, const uint8_t *bytes, const columns *of) {
  *row = (wasm_perf_row){.node = wi_wperf_u32(bytes)};
  for (uint32_t i = 0; i < of->count; i++)
    if (of->measures[i] != NO_MEASURE)
      row->values[of->measures[i]] = wi_wperf_u64(bytes + HEAD_SIZE + 8 * (size_t)i);
}

static int compare_rows(const void *left, const void *right) {
  const wasm_perf_row *a = left, *b = right;
  return (a->node > b->node) - (a->node < b->node);
}

/* Moves the rows in the file at `bytes` that have a caller. Returns false if out of memory. */
static bool place_rows(wasm_perf_profile *profile, const uint8_t *bytes, const columns *of,
                       const wi_wperf_input *in, wi_wperf_span section) {
  wi_callers callers;
  if (section.offset == 0)
    return true;
  if (!wi_callers_init(&callers, profile, in, section))
    return false;
  bool done = true;
  for (uint32_t i = 0; done && i < profile->row_count; i++, bytes += row_size(of)) {
    uint32_t caller = wi_wperf_u32(bytes + 4), *node = &profile->rows[i].node;
    if (caller != 0 && *node != 0)
      done = (*node = wi_callers_node(&callers, caller, *node)) != 0;
  }
  wi_callers_clear(&callers);
  return done;
}

static bool read_rows(wasm_perf_profile *profile, const wi_wperf_input *in, wi_wperf_span section,
                      wi_wperf_span callers) {
  columns of;
  if (!read_columns(in, section, &of))
    return false;
  size_t size = section.offset + section.size - of.rows_offset;
  uint32_t count = (uint32_t)(size / row_size(&of));
  profile->follows_memory = true;
  if (count == 0)
    return true;
  profile->rows = calloc(count, sizeof *profile->rows);
  if (!profile->rows)
    return false;
  for (uint32_t i = 0; i < count; i++)
    read_row(&profile->rows[i], in->bytes + of.rows_offset + i * row_size(&of), &of);
  profile->row_count = count;
  if (!place_rows(profile, in->bytes + of.rows_offset, &of, in, callers))
    return false;
  qsort(profile->rows, count, sizeof *profile->rows, compare_rows);
  return true;
}

static bool read_moments(wasm_perf_profile *profile, const wi_wperf_input *in,
                         wi_wperf_span section) {
  size_t count = section.size / MOMENT_SIZE;
  if (count == 0)
    return true;
  profile->moments = calloc(count, sizeof *profile->moments);
  if (!profile->moments)
    return false;
  profile->moment_count = (uint32_t)count;
  for (size_t i = 0; i < count; i++) {
    const uint8_t *bytes = in->bytes + section.offset + i * MOMENT_SIZE;
    profile->moments[i] = (wasm_perf_moment){wi_wperf_u64(bytes), wi_wperf_u64(bytes + 8)};
  }
  return true;
}

bool wi_wperf_read_memory(wasm_perf_profile *profile, const wi_wperf_input *in,
                          const wi_wperf_memory *sections) {
  if (sections->measures.offset != 0 &&
      !read_rows(profile, in, sections->measures, sections->callers))
    return false;
  for (size_t i = 0; i < sections->sizes.size / 8; i++)
    profile->size_counts[i] = wi_wperf_u64(in->bytes + sections->sizes.offset + 8 * i);
  return read_moments(profile, in, sections->timeline);
}
