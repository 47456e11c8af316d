#include "profile/wperf_calls.h"

#include <stdlib.h>
#include <string.h>

#include "profile/calls.h"

#define HEAD_SIZE       8u /* of the section and of each record */
#define PAIR_SIZE       8u
#define CALL_HEAD_SIZE  24u /* before the values */
#define ROW_SIZE        24u
#define MAX_VALUE_COUNT 64u
#define NO_MEASURE      UINT32_MAX
#define HISTOGRAM       WASM_PERF_CALLS_HISTOGRAM
#define CALL            WASM_PERF_CALLS_CALL

/* The measures of the section, in file order, and its records. */
typedef struct layout {
  uint32_t count;
  uint32_t measures[MAX_VALUE_COUNT]; /* NO_MEASURE for unknown ones */
  size_t records_offset;
  size_t end;
} layout;

/* A record, whose head fits into the section. */
typedef struct record {
  uint32_t kind;
  size_t offset; /* of what follows the head */
  size_t size;
} record;

static size_t call_size(const layout *of) {
  return CALL_HEAD_SIZE + 8 * (size_t)of->count;
}

static uint32_t find_measure(const wi_wperf_input *in, wi_wperf_span name) {
  for (uint32_t i = 0; i < WASM_PERF_CALL_MEASURE_COUNT; i++) {
    const char *known = wi_call_measure_name((wasm_perf_call_measure)i);
    if (strlen(known) == name.size && memcmp(known, in->bytes + name.offset, name.size) == 0)
      return i;
  }
  return NO_MEASURE;
}

static bool read_measures(const wi_wperf_input *in, wi_wperf_span section, layout *of) {
  size_t offset = section.offset + HEAD_SIZE;
  uint32_t next = 0; /* the first measure that may follow */
  *of = (layout){.end = section.offset + section.size};
  if (section.size < HEAD_SIZE)
    return wi_wperf_fail(in, section.offset, "the section of calls has no head");
  uint32_t count = wi_wperf_u32(in->bytes + section.offset);
  if (count > MAX_VALUE_COUNT)
    return wi_wperf_fail(in, section.offset, "a call has more than %u measures", MAX_VALUE_COUNT);
  while (of->count < count) {
    size_t start = offset;
    wi_wperf_span name;
    if (!wi_wperf_check_value(in, &offset, of->end, &name))
      return false;
    uint32_t measure = find_measure(in, name);
    if (measure < next)
      return wi_wperf_fail(in, start, "a measure of calls is out of order");
    next = measure == NO_MEASURE ? next : measure + 1;
    of->measures[of->count++] = measure;
  }
  of->records_offset = offset;
  return true;
}

/* Reads the head of the record at *offset and moves past the record. */
static bool next_record(const wi_wperf_input *in, const layout *of, size_t *offset, record *found) {
  size_t left = of->end - *offset;
  uint32_t size = left < HEAD_SIZE ? 0 : wi_wperf_u32(in->bytes + *offset + 4);
  if (left < HEAD_SIZE || size > left - HEAD_SIZE)
    return wi_wperf_fail(in, *offset, "a record ends past its section");
  if (size % 8 != 0)
    return wi_wperf_fail(in, *offset + 4, "%u is not a size of records", size);
  *found = (record){wi_wperf_u32(in->bytes + *offset), *offset + HEAD_SIZE, size};
  *offset += HEAD_SIZE + size;
  return true;
}

/* ---- Checking -------------------------------------------------------------- */

static bool check_histogram(const wi_wperf_input *in, const layout *of, const record *at,
                            uint32_t node_count) {
  const uint8_t *bytes = in->bytes + at->offset;
  uint32_t next = 0; /* the first bucket that may follow */
  if (at->size < 8)
    return wi_wperf_fail(in, at->offset, "a histogram without a node");
  if (wi_wperf_u32(bytes) == 0 || wi_wperf_u32(bytes) >= node_count)
    return wi_wperf_fail(in, at->offset, "a histogram of a node that does not exist");
  if (wi_wperf_u32(bytes + 4) >= of->count)
    return wi_wperf_fail(in, at->offset + 4, "a histogram of a measure that does not exist");
  for (size_t i = 8; i < at->size; i += PAIR_SIZE) {
    uint32_t bucket = wi_wperf_u32(bytes + i);
    if (bucket < next || bucket >= WASM_PERF_BUCKET_COUNT)
      return wi_wperf_fail(in, at->offset + i, "bucket %u is out of order or does not exist",
                           bucket);
    if (wi_wperf_u32(bytes + i + 4) == 0)
      return wi_wperf_fail(in, at->offset + i + 4, "bucket %u is empty", bucket);
    next = bucket + 1;
  }
  return true;
}

/* Checks row `index` of a call; `last` is the previous row's node. */
static bool check_row(const wi_wperf_input *in, size_t offset, size_t index, uint32_t last,
                      uint32_t node_count) {
  uint32_t node = wi_wperf_u32(in->bytes + offset);
  uint32_t caller = wi_wperf_u32(in->bytes + offset + 4);
  if (node == 0 || node >= node_count)
    return wi_wperf_fail(in, offset, "a call has a row of a node that does not exist");
  if (index == 0 ? node != last : caller == 0 && node <= last)
    return wi_wperf_fail(in, offset, "a call has a row of node %u after node %u", node, last);
  if (caller > index)
    return wi_wperf_fail(in, offset + 4, "a call has a row before that of its caller");
  return true;
}

static bool check_call(const wi_wperf_input *in, const layout *of, const record *at,
                       uint32_t node_count) {
  const uint8_t *bytes = in->bytes + at->offset;
  if (at->size < call_size(of) || (at->size - call_size(of)) % ROW_SIZE != 0)
    return wi_wperf_fail(in, at->offset, "%zu bytes cannot hold a call and its rows", at->size);
  uint32_t last = wi_wperf_u32(bytes), why = wi_wperf_u32(bytes + 4);
  uint32_t known = 0;
#define ADD_KEPT(id, number) known |= number;
  WASM_PERF_KEPT(ADD_KEPT)
#undef ADD_KEPT
  if (last == 0 || last >= node_count)
    return wi_wperf_fail(in, at->offset, "a call of a node that does not exist");
  uint32_t reason = why & (WASM_PERF_KEPT_SLOW | WASM_PERF_KEPT_TYPICAL);
  if ((why & ~known) != 0 || (reason != WASM_PERF_KEPT_SLOW && reason != WASM_PERF_KEPT_TYPICAL))
    return wi_wperf_fail(in, at->offset + 4, "a call was kept for an unknown reason, %u", why);
  for (size_t i = 0; i < (at->size - call_size(of)) / ROW_SIZE; i++) {
    size_t offset = at->offset + call_size(of) + i * ROW_SIZE;
    if (!check_row(in, offset, i, last, node_count))
      return false;
    last = wi_wperf_u32(in->bytes + offset);
  }
  return true;
}

bool wi_wperf_check_calls(const wi_wperf_input *in, wi_wperf_span section, uint32_t node_count) {
  layout of;
  record at = {0};
  if (section.offset == 0)
    return true;
  if (!read_measures(in, section, &of))
    return false;
  for (size_t offset = of.records_offset; offset < of.end;) {
    if (!next_record(in, &of, &offset, &at))
      return false;
    if ((at.kind == HISTOGRAM && !check_histogram(in, &of, &at, node_count)) ||
        (at.kind == CALL && !check_call(in, &of, &at, node_count)))
      return false;
  }
  return true;
}

/* ---- Reading --------------------------------------------------------------- */

typedef struct reader {
  wasm_perf_profile *profile;
  const wi_wperf_input *in;
  layout of;
  uint32_t *rows_of; /* per node: 1 + its row in the call that is read, or 0 */
} reader;

/* Reserves memory for all records, which have at least 16 bytes each. */
static bool reserve(reader *r) {
  wasm_perf_calls *calls = &r->profile->calls;
  size_t histograms = 0, kept = 0;
  record at = {0};
  for (size_t offset = r->of.records_offset; offset < r->of.end;) {
    if (!next_record(r->in, &r->of, &offset, &at))
      return false; /* not reached: it was checked */
    histograms += at.kind == HISTOGRAM;
    kept += at.kind == CALL;
  }
  calls->histograms = calloc(histograms + 1, sizeof *calls->histograms);
  calls->kept = calloc(kept + 1, sizeof *calls->kept);
  r->rows_of = calloc(r->profile->header.node_count, sizeof *r->rows_of);
  return calls->histograms && calls->kept && r->rows_of;
}

static bool read_histogram(reader *r, const record *at) {
  const uint8_t *bytes = r->in->bytes + at->offset;
  uint32_t measure = r->of.measures[wi_wperf_u32(bytes + 4)];
  uint32_t count = (uint32_t)((at->size - 8) / PAIR_SIZE);
  if (measure == NO_MEASURE || count == 0)
    return true;
  wasm_perf_bucket *buckets = malloc(count * sizeof *buckets);
  if (!buckets)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    const uint8_t *pair = bytes + 8 + i * (size_t)PAIR_SIZE;
    buckets[i] = (wasm_perf_bucket){wi_wperf_u32(pair), wi_wperf_u32(pair + 4)};
  }
  r->profile->calls.histograms[r->profile->calls.histogram_count++] =
      (wasm_perf_histogram){wi_wperf_u32(bytes), measure, count, buckets};
  return true;
}

/* The index of the row that called the one of `node`. */
static uint32_t caller_of(const reader *r, uint32_t node, uint32_t caller) {
  uint32_t row = caller != 0 ? caller : r->rows_of[r->profile->nodes[node].parent];
  return row == 0 ? 0 : row - 1;
}

static bool read_rows(reader *r, wasm_perf_call *call, const uint8_t *bytes, uint32_t count) {
  call->rows = count > 0 ? malloc(count * sizeof *call->rows) : NULL;
  if (count > 0 && !call->rows)
    return false;
  for (; call->row_count < count; call->row_count++, bytes += ROW_SIZE) {
    uint32_t node = wi_wperf_u32(bytes);
    call->rows[call->row_count] = (wasm_perf_call_row){
        .node = node,
        .caller = call->row_count == 0 ? 0 : caller_of(r, node, wi_wperf_u32(bytes + 4)),
        .call_count = wi_wperf_u64(bytes + 8),
        .self = wi_wperf_u64(bytes + 16)};
    r->rows_of[node] = call->row_count + 1;
  }
  for (uint32_t i = 0; i < count; i++)
    r->rows_of[call->rows[i].node] = 0;
  return true;
}

static bool read_call(reader *r, const record *at) {
  const uint8_t *bytes = r->in->bytes + at->offset;
  wasm_perf_call *call = &r->profile->calls.kept[r->profile->calls.kept_count++];
  *call = (wasm_perf_call){.node = wi_wperf_u32(bytes),
                           .why = wi_wperf_u32(bytes + 4),
                           .number = wi_wperf_u64(bytes + 8),
                           .start = wi_wperf_u64(bytes + 16)};
  for (uint32_t i = 0; i < r->of.count; i++)
    if (r->of.measures[i] != NO_MEASURE)
      call->values[r->of.measures[i]] = wi_wperf_u64(bytes + CALL_HEAD_SIZE + 8 * (size_t)i);
  return read_rows(r, call, bytes + call_size(&r->of),
                   (uint32_t)((at->size - call_size(&r->of)) / ROW_SIZE));
}

static bool read_records(reader *r) {
  record at = {0};
  for (size_t offset = r->of.records_offset; offset < r->of.end;)
    if (!next_record(r->in, &r->of, &offset, &at) ||
        (at.kind == HISTOGRAM && !read_histogram(r, &at)) ||
        (at.kind == CALL && !read_call(r, &at)))
      return false;
  return true;
}

bool wi_wperf_read_calls(wasm_perf_profile *profile, const wi_wperf_input *in,
                         wi_wperf_span section) {
  reader r = {.profile = profile, .in = in};
  if (section.offset == 0)
    return true;
  if (!read_measures(in, section, &r.of))
    return false; /* not reached: it was checked */
  for (uint32_t i = 0; i < r.of.count; i++)
    if (r.of.measures[i] != NO_MEASURE)
      profile->calls.measures |= WASM_PERF_CALL_MEASURE_BIT(r.of.measures[i]);
  if (profile->calls.measures == 0)
    return true;
  bool done = reserve(&r) && read_records(&r) && wi_calls_sort(profile);
  free(r.rows_of);
  return done;
}
