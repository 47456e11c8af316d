#include "profile/wperf_threads.h"

#include <stdlib.h>

#include "profile/threads.h"

#define RECORD_HEAD_SIZE 32u

/* A record, with as much data as its head says. */
typedef struct record {
  wasm_perf_thread thread; /* without name and stretches */
  wi_wperf_span name;
  wi_wperf_span stretches;
  size_t end;
} record;

static bool read_record(const wi_wperf_input *in, size_t offset, size_t end, record *found) {
  const uint8_t *bytes = in->bytes + offset;
  size_t left = end - offset, start = offset + RECORD_HEAD_SIZE;
  if (left < RECORD_HEAD_SIZE)
    return wi_wperf_fail(in, offset, "a thread ends past its section");
  *found = (record){.thread = {.start = wi_wperf_u64(bytes),
                               .dropped = wi_wperf_u64(bytes + 8),
                               .process = wi_wperf_u32(bytes + 16),
                               .number = wi_wperf_u32(bytes + 20)},
                    .name = {start, wi_wperf_u32(bytes + 24)}};
  found->stretches = (wi_wperf_span){start + found->name.size, wi_wperf_u32(bytes + 28)};
  uint64_t size = (uint64_t)RECORD_HEAD_SIZE + found->name.size + found->stretches.size;
  size = (size + 7) & ~UINT64_C(7);
  if (size > left)
    return wi_wperf_fail(in, offset, "a thread ends past its section");
  found->end = offset + (size_t)size;
  return true;
}

/* Reads a number and moves *offset past it. Returns false if it does not end before `end`. */
static bool read_number(const uint8_t *bytes, size_t *offset, size_t end, uint32_t *number) {
  uint64_t sum = 0;
  for (unsigned shift = 0; *offset < end && shift < 35; shift += 7) {
    uint8_t byte = bytes[(*offset)++];
    sum |= (uint64_t)(byte & 0x7F) << shift;
    if (byte < 0x80) {
      *number = (uint32_t)sum;
      return sum <= UINT32_MAX;
    }
  }
  return false;
}

static bool check_stretches(const wi_wperf_input *in, wi_wperf_span span, uint32_t node_count) {
  size_t offset = span.offset, end = span.offset + span.size;
  while (offset < end) {
    size_t start = offset;
    uint32_t microseconds, node;
    if (!read_number(in->bytes, &offset, end, &microseconds) ||
        !read_number(in->bytes, &offset, end, &node))
      return wi_wperf_fail(in, start, "an interval is truncated");
    if (node >= node_count)
      return wi_wperf_fail(in, start, "an interval refers to node %u of %u nodes", node,
                           node_count);
  }
  return true;
}

bool wi_wperf_check_threads(const wi_wperf_input *in, wi_wperf_span section, uint32_t node_count) {
  size_t offset = section.offset, end = section.offset + section.size;
  while (offset < end) {
    record found;
    if (!read_record(in, offset, end, &found) ||
        !wi_wperf_check_text(in, found.name, "a thread's name") ||
        !check_stretches(in, found.stretches, node_count))
      return false;
    offset = found.end;
  }
  return true;
}

/* A stretch has at least two bytes. */
static bool read_stretches(const wi_wperf_input *in, record *found) {
  wasm_perf_thread *thread = &found->thread;
  size_t offset = found->stretches.offset, end = offset + found->stretches.size;
  thread->stretches = malloc((found->stretches.size / 2 + 1) * sizeof *thread->stretches);
  while (thread->stretches && offset < end) {
    wasm_perf_stretch *stretch = &thread->stretches[thread->stretch_count++];
    if (!read_number(in->bytes, &offset, end, &stretch->microseconds) ||
        !read_number(in->bytes, &offset, end, &stretch->node))
      break; /* not reached: it was checked */
  }
  return thread->stretches != NULL;
}

bool wi_wperf_read_threads(wasm_perf_profile *profile, const wi_wperf_input *in,
                           wi_wperf_span section) {
  size_t offset = section.offset, end = section.offset + section.size;
  while (offset < end) {
    record found;
    if (!read_record(in, offset, end, &found) || !read_stretches(in, &found) ||
        !wi_threads_add(profile, &found.thread, (const char *)in->bytes + found.name.offset,
                        found.name.size))
      return false;
    offset = found.end;
  }
  return true;
}
