/* Comparing two profiles. Part of libwasm_perf_report. */
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

/* Self and total are in nanoseconds, instructions or ticks; in calls where there is no clock. */
typedef struct wasm_perf_diff_row {
  const char *name; /* of a function, as reports show it; owned by the diff */
  bool is_new;      /* it does not occur before */
  bool is_gone;     /* it does not occur after */
  wasm_perf_change self;
  wasm_perf_change total; /* with what it calls; recursion is not counted twice */
  wasm_perf_change call_count;
  bool is_uncounted; /* calls were not counted before or after: both are 0 here */
} wasm_perf_diff_row;

typedef struct wasm_perf_diff {
  const wasm_perf_profile *before; /* borrowed, as is the other */
  const wasm_perf_profile *after;
  wasm_perf_diff_row *rows; /* one for each name of either, in byte order */
  uint32_t row_count;
  wasm_perf_change total; /* of the profiles */
  wasm_perf_change call_count;
  wasm_perf_change unnamed_count;  /* functions without a name, which go by their number */
  wasm_perf_change namesake_count; /* functions in the row of another one of their name */
} wasm_perf_diff;

/*
 * Compares two profiles, of different builds of a program perhaps: functions are matched by their
 * names. Both must outlive the diff. NULL on failure, with *mismatch filled in: their clocks or
 * units differ, or memory ran out. The caller frees the diff.
 */
wasm_perf_diff *wasm_perf_diff_new(const wasm_perf_profile *before, const wasm_perf_profile *after,
                                   wasm_perf_mismatch *mismatch);

void wasm_perf_diff_free(wasm_perf_diff *diff); /* NULL is allowed */

/*
 * The number of sums that grew by more than `part` / `whole` (not 0) of the total before, exactly:
 * the total, and the self of each function. Unless `stream` is NULL, it gets a line for the total
 * and for the 20 functions that grew most.
 */
uint32_t wasm_perf_diff_growth(const wasm_perf_diff *diff, uint64_t part, uint64_t whole,
                               FILE *stream);

/*
 * The same for each function beside itself: the number of those whose self grew by more than
 * `part` / `whole` of their own before. Functions that are new have nothing to be compared to.
 */
uint32_t wasm_perf_diff_function_growth(const wasm_perf_diff *diff, uint64_t part, uint64_t whole,
                                        FILE *stream);

/* What the caller chooses of a table. Zero in a field asks for the default. */
typedef struct wasm_perf_diff_options {
  uint32_t row_limit;  /* default: 20 */
  uint32_t width;      /* columns that lines of the table should not exceed; default: no limit */
  bool by_stack;       /* of stacks instead of functions */
  wasm_perf_sort sort; /* by the change of what */
} wasm_perf_diff_options;

/* Writes a diff; `options` may be NULL: all defaults. False: write or memory error. */
typedef bool wasm_perf_diff_writer(const wasm_perf_diff *diff,
                                   const wasm_perf_diff_options *options, FILE *stream);

/* One way to show a diff; fields as in wasm_perf_report_format. */
typedef struct wasm_perf_diff_format {
  const char *name;
  const char *extension;
  const char *summary;
  wasm_perf_diff_writer *write;
} wasm_perf_diff_format;

/* All of them, ended by one whose name is NULL. */
extern const wasm_perf_diff_format wasm_perf_diff_formats[];

/* The format of that name, or NULL. */
const wasm_perf_diff_format *wasm_perf_diff_format_find(const char *name);

#ifdef __cplusplus
}
#endif

#endif /* WASM_PERF_DIFF_H_ */
