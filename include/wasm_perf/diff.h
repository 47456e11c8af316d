/* Compares two profiles. Part of libwasm_perf_report. */
#ifndef WASM_PERF_DIFF_H_
#define WASM_PERF_DIFF_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "wasm_perf/report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wasm_perf_change {
  uint64_t before;
  uint64_t after;
} wasm_perf_change;

/* Self and total are in the unit of the value; for the clock, nanoseconds, instructions or ticks. */
typedef struct wasm_perf_diff_row {
  const char *name; /* function name as reports show it; owned by the diff */
  bool is_new;      /* called in `after` only; a function without samples may have been called */
  bool is_gone;     /* called in `before` only */
  wasm_perf_change self;
  wasm_perf_change total; /* including callees; recursion is not counted twice */
  wasm_perf_change call_count;
  bool is_uncounted; /* calls were not counted in one of the profiles: call_count is 0 and 0 */
} wasm_perf_diff_row;

typedef struct wasm_perf_diff {
  const wasm_perf_profile *before; /* both profiles are borrowed */
  const wasm_perf_profile *after;
  wasm_perf_value value;    /* what is compared as self and total */
  wasm_perf_diff_row *rows; /* one per function in either profile, in byte order */
  uint32_t row_count;
  wasm_perf_change total; /* of the whole profiles */
  wasm_perf_change call_count;
  wasm_perf_change sample_period;  /* nanoseconds; 0: times are not from samples */
  wasm_perf_change unnamed_count;  /* functions without a name, shown by index */
  wasm_perf_change namesake_count; /* functions that share the row of another one with the same
                                      name, because their numbers differ */
} wasm_perf_diff;

/*
 * Compares two profiles, possibly of different builds. Functions are matched by module and name;
 * those with the same name by file, then by order if both profiles have equally many. Both profiles
 * must outlive the diff. Returns NULL and fills in *mismatch if clocks or units differ or memory
 * ran out. The caller frees the diff.
 */
wasm_perf_diff *wasm_perf_diff_new(const wasm_perf_profile *before, const wasm_perf_profile *after,
                                   wasm_perf_value value, wasm_perf_mismatch *mismatch);

void wasm_perf_diff_free(wasm_perf_diff *diff); /* NULL is allowed */

/*
 * Returns the number of values (the total, and each function's self) that grew by more than `part`
 * / `whole` (`whole` not 0) of the total before; computed exactly. Sampled times must have grown by
 * two standard deviations more. Unless `stream` is NULL, writes
 * a line for the total and for each of the 20 functions that grew most.
 */
uint32_t wasm_perf_diff_growth(const wasm_perf_diff *diff, uint64_t part, uint64_t whole,
                               FILE *stream);

/*
 * Same relative to each function's own value: returns the number of functions whose self grew by
 * more than `part` / `whole` of their self before. New functions are ignored: they have nothing to
 * compare with.
 */
uint32_t wasm_perf_diff_function_growth(const wasm_perf_diff *diff, uint64_t part, uint64_t whole,
                                        FILE *stream);

/* Options of a table. Zero in a field selects the default. */
typedef struct wasm_perf_diff_options {
  uint32_t row_limit;  /* default: 20 */
  uint32_t width;      /* maximum line width of the table in columns; default: no limit */
  bool by_stack;       /* one row per stack, not per function */
  wasm_perf_sort sort; /* the change to sort by */
  bool is_of_calls;    /* `before` is a typical call, `after` a slow one: what grew comes first */
} wasm_perf_diff_options;

/* Writes a diff; `options` may be NULL for the defaults. False: write error or out of memory. */
typedef bool wasm_perf_diff_writer(const wasm_perf_diff *diff,
                                   const wasm_perf_diff_options *options, FILE *stream);

/*
 * Compares two kept calls of `profile`, of which both have rows: says in words what the slow one did
 * more of, then writes a table of functions, by instructions if they are known and explain the time,
 * else by calls. False: write error or out of memory.
 */
bool wasm_perf_calls_compare(const wasm_perf_profile *profile, const wasm_perf_call *slow,
                             const wasm_perf_call *typical, const wasm_perf_diff_options *options,
                             FILE *stream);

/* An output format for diffs; fields as in wasm_perf_report_format. */
typedef struct wasm_perf_diff_format {
  const char *name;
  const char *extension;
  const char *summary;
  wasm_perf_diff_writer *write;
} wasm_perf_diff_format;

/* All formats, terminated by one whose name is NULL. */
extern const wasm_perf_diff_format wasm_perf_diff_formats[];

/* Returns the format with that name, or NULL. */
const wasm_perf_diff_format *wasm_perf_diff_format_find(const char *name);

#ifdef __cplusplus
}
#endif

#endif /* WASM_PERF_DIFF_H_ */
