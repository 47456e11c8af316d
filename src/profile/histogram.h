/* Histograms of single calls: their buckets and percentiles. format.h describes the buckets. */
#ifndef WI_PROFILE_HISTOGRAM_H_
#define WI_PROFILE_HISTOGRAM_H_

#include "wasm_perf/profile.h"

/* The smallest value of a bucket, and the number of its values. */
uint64_t wi_bucket_start(uint32_t bucket);
uint64_t wi_bucket_width(uint32_t bucket);

/* Calls by bucket, which sums of any number of histograms fit into. Zero it before use. */
typedef struct wi_bucket_sums {
  uint64_t counts[WASM_PERF_BUCKET_COUNT];
  uint64_t count; /* of all */
} wi_bucket_sums;

void wi_bucket_sums_add(wi_bucket_sums *sums, const wasm_perf_histogram *histogram);

/*
 * The value that `part` / `whole` of the calls do not exceed: of the call with that rank, counted
 * from the smallest value and rounded up. Calls are assumed to be spread evenly over their bucket.
 * 0 without calls.
 */
uint64_t wi_bucket_sums_quantile(const wi_bucket_sums *sums, uint32_t part, uint32_t whole);

/* The largest value that a call may have had. 0 without calls. */
uint64_t wi_bucket_sums_most(const wi_bucket_sums *sums);

/* The sum of the values, each taken as the middle of its bucket: within 1/32 of the true one. */
uint64_t wi_bucket_sums_total(const wi_bucket_sums *sums);

#endif /* WI_PROFILE_HISTOGRAM_H_ */
