/*
 * Calls that were measured one by one: the section CALLS of .wperf files (format.h), and how a
 * profile in memory holds them. This header needs no C library.
 *
 * The section begins with u32 number of measures, u32 zero, and for each measure a record as in
 * VALUES, in the order of WASM_PERF_CALL_MEASURES. Readers skip other measures. Calls are ranked by
 * the first. Records follow up to the end: u32 kind, u32 size, that many bytes, a multiple of 8.
 * Readers skip unknown kinds.
 *
 *   HISTOGRAM
 *     u32 node, u32 measure, from 0; then pairs of u32 bucket, u32 count, not 0, in increasing order
 *     of bucket. Histograms of the same node and measure add up. A node may have more calls than its
 *     histograms: those were not measured.
 *
 *   CALL
 *     A call that was kept: u32 node, u32 why (WASM_PERF_KEPT_* combined), u64 number (the node's
 *     first call has 1), u64 start in nanoseconds since the first measured call of the instance, or
 *     0 without a clock, u64 for each measure. Then rows up to the end, one for each node that gained
 *     something in this call: u32 node, u32 caller, u64 calls, u64 self in instructions, or 0 if they
 *     are not counted. The first row is that of the call's own node, with 1 call. If `caller` is not
 *     0, it is the number, from 1, of the caller's row, which comes before this one. If it is 0, the
 *     caller is the node's parent, or the first row if that has none, and the node is larger than
 *     that of the previous row.
 */
#ifndef WASM_PERF_CALLS_H_
#define WASM_PERF_CALLS_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is measured of single calls: X(ID, name, unit), in the order of importance. */
#define WASM_PERF_CALL_MEASURES(X)                                                                 \
  X(TIME, "time", NANOSECONDS)                                                                     \
  X(INSTRUCTIONS, "instructions", INSTRUCTIONS)

/* Kinds of records: X(ID, number). */
#define WASM_PERF_CALLS_RECORDS(X)                                                                 \
  X(HISTOGRAM, 1)                                                                                  \
  X(CALL, 2)

/* Why a call was kept, and why it may lack rows: X(ID, number). */
#define WASM_PERF_KEPT(X)                                                                          \
  X(SLOW, 1)    /* among the slowest that began outside of other measured calls */                 \
  X(TYPICAL, 2) /* in the bucket of the median when it was kept */                                 \
  X(CUT, 4)     /* rows are missing, for lack of space */                                          \
  X(MIXED, 8)   /* other measured calls ran in between, so it has no rows */

/*
 * Buckets of histograms: a value below 16 is its own bucket. Others, from 2^e on, share 16 buckets
 * for each e: (e - 4) * 16 + (value >> (e - 4)). So a bucket is at most 1/16 of its values wide.
 * Values above the largest one are counted as that.
 */
#define WASM_PERF_BUCKET_BITS  4u
#define WASM_PERF_BUCKET_VALUE ((UINT64_C(1) << 48) - 1) /* the largest value */
#define WASM_PERF_BUCKET_COUNT 720u

static inline uint32_t wasm_perf_bucket_of(uint64_t value) {
  if (value > WASM_PERF_BUCKET_VALUE)
    value = WASM_PERF_BUCKET_VALUE;
  if (value < 1u << WASM_PERF_BUCKET_BITS)
    return (uint32_t)value;
  uint32_t shift = 63u - (uint32_t)__builtin_clzll(value) - WASM_PERF_BUCKET_BITS;
  return (shift << WASM_PERF_BUCKET_BITS) + (uint32_t)(value >> shift);
}

typedef enum wasm_perf_call_measure {
#define WASM_PERF_CALL_MEASURE_ENUM(id, name, unit) WASM_PERF_CALL_MEASURE_##id,
  WASM_PERF_CALL_MEASURES(WASM_PERF_CALL_MEASURE_ENUM)
#undef WASM_PERF_CALL_MEASURE_ENUM
      WASM_PERF_CALL_MEASURE_COUNT
} wasm_perf_call_measure;

typedef enum wasm_perf_calls_record {
#define WASM_PERF_CALLS_RECORD_ENUM(id, number) WASM_PERF_CALLS_##id = number,
  WASM_PERF_CALLS_RECORDS(WASM_PERF_CALLS_RECORD_ENUM)
#undef WASM_PERF_CALLS_RECORD_ENUM
} wasm_perf_calls_record;

typedef enum wasm_perf_kept {
#define WASM_PERF_KEPT_ENUM(id, number) WASM_PERF_KEPT_##id = number,
  WASM_PERF_KEPT(WASM_PERF_KEPT_ENUM)
#undef WASM_PERF_KEPT_ENUM
} wasm_perf_kept;

/* How many calls had a value of that bucket; see WASM_PERF_BUCKET_BITS. */
typedef struct wasm_perf_bucket {
  uint32_t bucket;
  uint64_t count;
} wasm_perf_bucket;

/* The calls of a node by one measure. */
typedef struct wasm_perf_histogram {
  uint32_t node;
  uint32_t measure; /* enum wasm_perf_call_measure */
  uint32_t bucket_count;
  wasm_perf_bucket *buckets; /* bucket_count items, increasing; owned by the profile */
} wasm_perf_histogram;

/* What a node gained in a kept call. */
typedef struct wasm_perf_call_row {
  uint32_t node;
  uint32_t caller; /* index of the caller's row, which comes before it; 0 in the first row */
  uint64_t call_count;
  uint64_t self; /* instructions; 0 in all rows: unknown */
} wasm_perf_call_row;

/* A single call that was kept. */
typedef struct wasm_perf_call {
  uint32_t node;
  uint32_t why;                                  /* WASM_PERF_KEPT_*, combined */
  uint64_t number;                               /* of the node's calls, from 1 */
  uint64_t start;                                /* nanoseconds since the first measured call */
  uint64_t values[WASM_PERF_CALL_MEASURE_COUNT]; /* 0 if that was not measured */
  uint32_t row_count;
  wasm_perf_call_row *rows; /* row_count items; owned by the profile; NULL: none */
} wasm_perf_call;

/* Calls that were measured one by one. */
typedef struct wasm_perf_calls {
  uint32_t measures; /* set of WASM_PERF_CALL_MEASURE_BIT; 0: no calls were measured */
  uint32_t histogram_count;
  uint32_t kept_count;
  wasm_perf_histogram *histograms; /* by node, then measure, at most one each; NULL: none */
  wasm_perf_call *kept;            /* the slow ones by their first measure, then the typical ones */
} wasm_perf_calls;

#define WASM_PERF_CALL_MEASURE_BIT(measure) (1u << (measure))

#ifdef __cplusplus
}
#endif

#endif /* WASM_PERF_CALLS_H_ */
