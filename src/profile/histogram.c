#include "profile/histogram.h"

#include "support/arithmetic.h"

#define SHARED (1u << WASM_PERF_BUCKET_BITS) /* buckets of a power of two */

/* ---- Buckets --------------------------------------------------------------- */

/* The power of two by which the bucket's values were divided. */
static uint32_t shift_of(uint32_t bucket) {
  return bucket < 2 * SHARED ? 0 : bucket / SHARED - 1;
}

uint64_t wi_bucket_start(uint32_t bucket) {
  uint32_t shift = shift_of(bucket);
  return (uint64_t)(bucket - shift * SHARED) << shift;
}

uint64_t wi_bucket_width(uint32_t bucket) {
  return UINT64_C(1) << shift_of(bucket);
}

/* ---- Sums ------------------------------------------------------------------ */

void wi_bucket_sums_add(wi_bucket_sums *sums, const wasm_perf_histogram *histogram) {
  for (uint32_t i = 0; i < histogram->bucket_count; i++) {
    const wasm_perf_bucket *of = &histogram->buckets[i];
    sums->counts[of->bucket] = wi_saturating_add(sums->counts[of->bucket], of->count);
    sums->count = wi_saturating_add(sums->count, of->count);
  }
}

uint64_t wi_bucket_sums_quantile(const wi_bucket_sums *sums, uint32_t part, uint32_t whole) {
  uint64_t rank = (uint64_t)(((wi_u128)sums->count * part + whole - 1) / whole);
  uint32_t bucket = 0;
  if (sums->count == 0)
    return 0;
  rank = rank == 0 ? 1 : rank;
  while (bucket + 1 < WASM_PERF_BUCKET_COUNT && sums->counts[bucket] < rank)
    rank -= sums->counts[bucket++];
  wi_u128 middle = ((wi_u128)rank * 2 - 1) * wi_bucket_width(bucket);
  uint64_t count = sums->counts[bucket];
  return wi_bucket_start(bucket) + (count == 0 ? 0 : (uint64_t)(middle / ((wi_u128)count * 2)));
}

uint64_t wi_bucket_sums_most(const wi_bucket_sums *sums) {
  for (uint32_t bucket = WASM_PERF_BUCKET_COUNT; bucket-- > 0;)
    if (sums->counts[bucket] > 0)
      return wi_bucket_start(bucket) + wi_bucket_width(bucket) - 1;
  return 0;
}

uint64_t wi_bucket_sums_total(const wi_bucket_sums *sums) {
  wi_u128 total = 0;
  for (uint32_t bucket = 0; bucket < WASM_PERF_BUCKET_COUNT; bucket++)
    total +=
        (wi_u128)sums->counts[bucket] * (2 * wi_bucket_start(bucket) + wi_bucket_width(bucket) - 1);
  total /= 2;
  return total > UINT64_MAX ? UINT64_MAX : (uint64_t)total;
}
