/*
 * Measures each call of chosen functions, by the host's clock and by executed instructions, into a histogram for each
 * node of theirs. The slowest calls keep what they added to the tree (kept_calls.c).
 */
#include "runtime/embedded/file.h"
#include "runtime/embedded/kept_calls.h"
#include "runtime/embedded/profile.h"
#include "wasm_perf/format.h"

#define FOR_EACH_ACCOUNT(at)                                                                       \
  for (embed_call_account *at = embed_last_call_account(); at; at = at->next)

/* What the rewriter provides: records of names and units, as in the section. */
typedef struct calls_description {
  uint32_t kept_limit;
  uint32_t sizes[WASM_PERF_CALL_MEASURE_COUNT]; /* bytes of each measure's record */
  unsigned char records[];
} calls_description;

static const calls_description *description(void) {
  return (const calls_description *)embed_described(EMBED_FOLLOWER_calls);
}

/* ---- Hooks ------------------------------------------------------------------ */

/* The instructions that were executed so far, which instrumented code adds up. */
__asm__(".globl executed\n.globaltype executed, i64\n"
        "executed:");

static uint64_t executed(void) {
  uint64_t count;
  __asm__ volatile("global.get executed\n\tlocal.set %0" : "=r"(count));
  return count;
}

EMBED_EXPORT(calls_now) uint64_t embed_calls_now(void) {
  return embed_call_now();
}

/* A chosen function begins. Returns the number that calls_leave wants. */
EMBED_EXPORT(calls_enter) uint32_t embed_calls_enter(uint32_t node) {
  return embed_begin_call(node);
}

/* It returns: it began at `start`, when `before` instructions had been executed. */
EMBED_EXPORT(calls_leave)
void embed_calls_leave(uint32_t node, uint32_t slot, uint32_t number, uint64_t start,
                       uint64_t before) {
  static embed_measured_call call; /* not on a stack: see embed.h */
  uint64_t now = embed_call_now();
  call.values[WASM_PERF_CALL_MEASURE_INSTRUCTIONS] = executed() - before;
  call.values[WASM_PERF_CALL_MEASURE_TIME] = now > start ? now - start : 0;
  call.start = start;
  call.account = embed_call_account_of(slot);
  if (call.account) {
    call.account->count++;
    for (uint32_t i = 0; i < WASM_PERF_CALL_MEASURE_COUNT; i++) {
      uint32_t *histogram = embed_call_histogram(call.account, i);
      if (histogram)
        histogram[wasm_perf_bucket_of(call.values[i])]++;
    }
  }
  embed_end_call(number, node, &call, description()->kept_limit);
}

/* ---- The file, see wasm_perf/format.h ----------------------------------------- */

enum { RECORD_HEAD = 8, PAIR_SIZE = 8 };

static uint32_t names_size(void) {
  uint32_t size = 0;
  for (uint32_t i = 0; i < WASM_PERF_CALL_MEASURE_COUNT; i++)
    size += embed_call_has(i) ? description()->sizes[i] : 0;
  return size;
}

static void put_names(void) {
  const unsigned char *at = description()->records;
  for (uint32_t i = 0; i < WASM_PERF_CALL_MEASURE_COUNT; at += description()->sizes[i++])
    if (embed_call_has(i))
      embed_put_bytes(at, description()->sizes[i]);
}

EMBED_EXPORT(calls_sections_size) uint64_t embed_calls_sections_size(void) {
  return SECTION_HEAD_SIZE + 8 + names_size() +
         (uint64_t)embed_call_account_count() * embed_call_measure_count() * EMBED_HISTOGRAM_SIZE +
         embed_kept_size();
}

static uint32_t used_buckets(const uint32_t *histogram) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < WASM_PERF_BUCKET_COUNT; i++)
    count += histogram[i] != 0;
  return count;
}

static void put_histogram(const embed_call_account *account, uint32_t measure,
                          const uint32_t *histogram) {
  embed_put_u32(WASM_PERF_CALLS_HISTOGRAM);
  embed_put_u32(RECORD_HEAD + PAIR_SIZE * used_buckets(histogram));
  embed_put_u32(account->record);
  embed_put_u32(measure);
  for (uint32_t i = 0; i < WASM_PERF_BUCKET_COUNT; i++) {
    if (histogram[i] == 0)
      continue;
    embed_put_u32(i);
    embed_put_u32(histogram[i]);
  }
}

/* Writes the account's histograms, or only adds up their size. */
static uint32_t each_histogram(embed_call_account *account, bool writes) {
  uint32_t size = 0, number = 0;
  for (uint32_t i = 0; i < WASM_PERF_CALL_MEASURE_COUNT && account->count > 0; i++) {
    const uint32_t *histogram = embed_call_histogram(account, i);
    if (!histogram)
      continue;
    size += 2 * RECORD_HEAD + PAIR_SIZE * used_buckets(histogram);
    if (writes)
      put_histogram(account, number, histogram);
    number++;
  }
  return size;
}

/* Nothing is written if the host has no clock, and instructions are not counted. */
EMBED_EXPORT(calls_put_sections) void embed_calls_put_sections(void) {
  if (embed_call_measure_count() == 0)
    return;
  uint32_t size = 8 + names_size() + embed_kept_size();
  FOR_EACH_ACCOUNT(at)
  size += each_histogram(at, false);
  embed_put_section(WASM_PERF_SECTION_CALLS, size);
  embed_put_u32(embed_call_measure_count());
  embed_put_u32(0);
  put_names();
  FOR_EACH_ACCOUNT(at)
  each_histogram(at, true);
  embed_put_kept(embed_first_call_start());
}

EMBED_EXPORT(calls_find_records) void embed_calls_find_records(void) {
  FOR_EACH_ACCOUNT(at)
  at->record = embed_record_of(at->node);
  embed_find_kept();
}

EMBED_EXPORT(calls_mark_used) void embed_calls_mark_used(uint32_t *used) {
  FOR_EACH_ACCOUNT(at)
  used[at->record] |= at->count > 0;
  embed_mark_kept(used);
}

EMBED_EXPORT(calls_move_records) void embed_calls_move_records(const uint32_t *indices) {
  FOR_EACH_ACCOUNT(at)
  at->record = indices[at->record];
  embed_move_kept(indices);
}

EMBED_EXPORT(calls_reset) void embed_calls_reset(void) {
  FOR_EACH_ACCOUNT(at) {
    at->count = 0;
    for (uint32_t i = 0; i < embed_call_measure_count() * WASM_PERF_BUCKET_COUNT; i++)
      at->histograms[0][i] = 0;
  }
  embed_reset_kept();
}
