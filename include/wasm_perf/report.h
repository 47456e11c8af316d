/* Shows a profile. Part of libwasm_perf_report. */
#ifndef WASM_PERF_REPORT_H_
#define WASM_PERF_REPORT_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "wasm_perf/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The column that sorts a table, largest value first. */
typedef enum wasm_perf_sort {
  WASM_PERF_SORT_SELF,
  WASM_PERF_SORT_TOTAL,
  WASM_PERF_SORT_CALLS,
} wasm_perf_sort;

#define WASM_PERF_ANY_SHARE 0xFFFFFFFFu

/*
 * Options of reports. Each format uses those that concern it: "tables" are html and top, "trees"
 * are tree, callers and callees, "text" is top and the trees. Zero in a field selects the default.
 * Strings are borrowed.
 */
typedef struct wasm_perf_report_options {
  const char *title;         /* what was profiled, for formats that show it; UTF-8 */
  const char *function;      /* callers, callees, annotate: the function's name as in reports;
                                required */
  const char *source_folder; /* annotate and html: folder of the sources; NULL: do not read
                                sources */
  bool opens_paths;       /* annotate: without source_folder, read sources at the paths in the debug
                             information. A module can name any file that the user can read, so do
                             not pass the output on */
  const char *source_url; /* html: link target of source locations, with {path}, {line} and {file},
                             the path relative to source_root; UTF-8; NULL: no links */
  const char *source_root;        /* html: files outside it have no {file}; NULL: no file has one */
  const char *const *coverage_of; /* lcov and other formats of coverage: globs of source files,
                                     terminated by NULL; NULL: all but libraries' */
  wasm_perf_value value;          /* what to show; default: what the clock measured */
  wasm_perf_sort sort;            /* top; default: by self */
  uint32_t row_limit;             /* functions in top, lines of a tree; default: 20 */
  uint32_t depth_limit;           /* levels of a tree; default: 40 */
  uint32_t min_share; /* minimum value of a line, in millionths of the tree's first line or of the
                         sum of all lines; default: 10,000; WASM_PERF_ANY_SHARE: all lines */
  uint32_t width;     /* maximum width of text lines, in columns; default: no limit */
  bool uses_color;    /* colour text with ANSI escape sequences */
  bool by_caller;     /* measured calls: also a row for each caller */
  wasm_perf_call_measure call_measure; /* measured calls: what to show; default: time, or the first
                                          one that the profile has */
} wasm_perf_report_options;

#define WASM_PERF_SMALL_NAME "[small]"

/*
 * Removes nodes whose total of `value` is less than `min_share` millionths of the whole, for formats
 * that repeat whole stacks and would get too large, and those with the smallest totals until at most
 * `max_stacks` (0: any number) are left, for readers that refuse more. Below each remaining node,
 * the removed ones are combined in one node named WASM_PERF_SMALL_NAME, so all sums stay the same.
 * Calls that were measured one by one are dropped.
 * *left_out_count is set to the number of removed nodes. Returns false if out of memory; shared
 * calls may then be lost. O(n log n) time.
 */
bool wasm_perf_profile_prune(wasm_perf_profile *profile, wasm_perf_value value, uint32_t min_share,
                             uint32_t max_stacks, uint32_t *left_out_count);

/* Writes a profile; `options` may be NULL for the defaults. False: write error or out of memory. */
typedef bool wasm_perf_report_writer(const wasm_perf_profile *profile,
                                     const wasm_perf_report_options *options, FILE *stream);

/* What distinguishes a format, for programs that prepare profiles for it. */
typedef enum wasm_perf_format_trait {
  WASM_PERF_FORMAT_REPEATS_STACKS = 1, /* writes each whole stack, so large profiles need pruning */
  WASM_PERF_FORMAT_IS_PAGE = 2,        /* shows texts of functions, and several profiles */
  WASM_PERF_FORMAT_KEEPS_INLINED = 4,  /* shows inlined code by its lines, not as frames */
  WASM_PERF_FORMAT_NEEDS_MEMORY = 8,   /* shows only what profiles with memory have */
  WASM_PERF_FORMAT_NEEDS_FUNCTION = 16, /* is about options->function */
  WASM_PERF_FORMAT_NEEDS_LINES = 32     /* shows the lines of that function */
} wasm_perf_format_trait;

/* An output format. */
typedef struct wasm_perf_report_format {
  const char *name;      /* for --format */
  const char *extension; /* without the dot; NULL: not meant for a file */
  const char *summary;   /* one line for --help */
  wasm_perf_report_writer *write;
  unsigned traits; /* wasm_perf_format_trait, combined */
} wasm_perf_report_format;

/* All formats, terminated by one whose name is NULL. */
extern const wasm_perf_report_format wasm_perf_report_formats[];

/* Returns the format with that name, or NULL. */
const wasm_perf_report_format *wasm_perf_report_format_find(const char *name);

/*
 * Writes several profiles in format html: one page that can select, add up and compare them.
 * `names` says what each one is of. Stacks are matched by name. Returns false on a write error, if
 * out of memory, or if the profiles have different units; in the last case *mismatch says which
 * one, else its index is `count`.
 */
bool wasm_perf_report_write_runs(const wasm_perf_profile *const *profiles, const char *const *names,
                                 size_t count, const wasm_perf_report_options *options,
                                 FILE *stream, wasm_perf_mismatch *mismatch);

/*
 * Callers and callees of options->function, as text trees in which the values of a frame's children
 * add up to its own. They are not in wasm_perf_report_formats because they need a function. If the
 * function does not occur, they write nothing and fail with EINVAL.
 *
 * Callers: a line's calls, self and total are the function's own when called through the frames of
 * that line's path. Only the function's outermost frame on a stack has a total. A path ends at the
 * function itself if it is among its callers.
 *
 * Callees: all frames of the function are combined. A frame below another one adds to the first
 * line, and has a line for its calls only where it was called.
 */
extern const wasm_perf_report_format wasm_perf_callers;
extern const wasm_perf_report_format wasm_perf_callees;

/*
 * The source of options->function with the cost of each line, from profile->lines. Fails with
 * EINVAL if the function does not occur, with ENOENT if it has no lines.
 */
extern const wasm_perf_report_format wasm_perf_annotated;

/*
 * A profile on one screen, at most about 2,000 tokens: totals, largest functions, heaviest path,
 * hottest lines, warnings, and the next command to run, with options->title as the profile's path.
 * As text, Markdown and JSON (explanation.schema.json).
 */
extern const wasm_perf_report_format wasm_perf_explained;
extern const wasm_perf_report_format wasm_perf_explained_markdown;
extern const wasm_perf_report_format wasm_perf_explained_json;

/*
 * The calls that were measured one by one: a table of functions with percentiles, and the slowest
 * calls, numbered as in profile->calls.kept, from 1. As text and JSON (calls.schema.json). They fail
 * with EINVAL if no calls were measured.
 */
extern const wasm_perf_report_format wasm_perf_measured;
extern const wasm_perf_report_format wasm_perf_measured_json;

/*
 * Returns the names of called functions that `pattern` selects: the one equal to it; else those
 * with that name that differ only by an index ("name (func 12)") or place ("name (a.c:3)"); else
 * those that match it as a glob with * and ?; else those that contain it. Sorted, in one block that
 * the caller frees. NULL: out of memory.
 */
char **wasm_perf_find_functions(const wasm_perf_profile *profile, const char *pattern,
                                uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif /* WASM_PERF_REPORT_H_ */
