/*
 * Profiles in memory: taking, reading, naming, writing and showing them. format.h
 * documents the .wperf file.
 */
#ifndef WASM_PERF_PROFILE_H_
#define WASM_PERF_PROFILE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "wasm_perf/format.h"
#include "wasm_perf/wasm_perf.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wasm_perf_name {
  uint32_t function;
  char *text; /* UTF-8 with a terminator; owned by the profile */
} wasm_perf_name;

/* A profile in memory. Read its fields; change it through the functions below. */
typedef struct wasm_perf_profile {
  wasm_perf_header header; /* counts match the arrays, sizes the structs of format.h */
  wasm_perf_node *nodes;   /* header.node_count of them, at least 1, parents before children */
  wasm_perf_name *names;   /* header.name_count of them, by function; NULL where there are none */
  uint64_t hidden_self;    /* sums over the nodes that wasm_perf_profile_hide_host left out */
  uint64_t hidden_call_count;
  uint64_t hook_time; /* sum that wasm_perf_profile_compensate took out, in ticks */
} wasm_perf_profile;

/* Why a profile could not be read: `offset` is in bytes from the start. */
typedef struct wasm_perf_error {
  uint64_t offset;
  char message[160];
} wasm_perf_error;

/*
 * A snapshot of a context, which goes on unchanged. Open frames are charged up to
 * now by a wall clock, up to the last event by a module's own clock. With a wall clock it also
 * measures what the hooks cost, which takes some 10,000 calls of them and is charged to nobody.
 * NULL when memory is short. The caller frees it.
 */
wasm_perf_profile *wasm_perf_profile_take(wasm_perf_context *context);

/*
 * Reads a .wperf file from memory; `bytes` is not kept. Checks every count,
 * parent and name before it allocates, so hostile input costs no more memory than
 * a few times its size. NULL on failure, with *error filled in.
 */
wasm_perf_profile *wasm_perf_profile_parse(const uint8_t *bytes, size_t size,
                                           wasm_perf_error *error);

void wasm_perf_profile_free(wasm_perf_profile *profile); /* NULL is allowed */

/*
 * Names `function`, replacing an earlier name. `text` is copied; bytes in it that are
 * not UTF-8 become U+FFFD. False, and nothing changed: out of memory.
 */
bool wasm_perf_profile_set_name(wasm_perf_profile *profile, uint32_t function, const char *text);

/* The same for `size` bytes without a terminator; a zero byte in them ends the name. */
bool wasm_perf_profile_set_name_n(wasm_perf_profile *profile, uint32_t function, const char *text,
                                  size_t size);

/* The name of `function`, or NULL. Valid until the profile changes. */
const char *wasm_perf_profile_name(const wasm_perf_profile *profile, uint32_t function);

/*
 * Takes out of a wall clock's times what the hooks themselves cost, as the header says; to be
 * called once, before wasm_perf_profile_hide_host. No time becomes negative. Where calls are
 * folded, their hooks' outer part is taken from the node's parent, whoever called.
 */
void wasm_perf_profile_compensate(wasm_perf_profile *profile);

/*
 * Leaves out the calls of host functions (--host-calls of wasm-instrument), with the time that they
 * took themselves; what the host called in turn moves to the frame that called the host. Siblings
 * may then be of the same function. False, and nothing changed: out of memory.
 */
bool wasm_perf_profile_hide_host(wasm_perf_profile *profile);

/* Writes the .wperf form to `stream` and flushes it; false on a write error. */
bool wasm_perf_profile_write(const wasm_perf_profile *profile, FILE *stream);

/* Why profiles do not fit together: the one at `index` is not like those before it. */
typedef struct wasm_perf_mismatch {
  size_t index; /* their number where none is to blame: memory ran out */
  char message[240];
} wasm_perf_mismatch;

/*
 * Adds up `count` profiles, at least 1, of one module: of threads or of repeated runs. Nodes of the
 * same stack of functions become one with the sums of calls and self, in the order in which the
 * profiles have them, so of a single profile the result is a copy. Sums that are too large stay at
 * the largest value. The module has to be the same: clock, recursion, counts of functions and
 * names must not differ where two profiles know them.
 *
 * Where ticks_per_second differ the sums are in nanoseconds, each profile rounded as reports round
 * it; else adding up is exact and associative. Of the header, counts and times are added, hook
 * costs are the mean weighted by calls, and node_limit and hook_cost_error are the largest.
 *
 * Takes O(n log n) time and memory in proportion to all nodes and names. NULL on failure, with
 * *mismatch filled in. The caller frees the result.
 */
wasm_perf_profile *wasm_perf_profile_merge(const wasm_perf_profile *const *profiles, size_t count,
                                           wasm_perf_mismatch *mismatch);

/* What a table is in order of, the largest first. */
typedef enum wasm_perf_sort {
  WASM_PERF_SORT_SELF,
  WASM_PERF_SORT_TOTAL,
  WASM_PERF_SORT_CALLS,
} wasm_perf_sort;

#define WASM_PERF_ANY_SHARE 0xFFFFFFFFu

/*
 * What reports leave to the caller. Each takes what concerns it: "tables" are html and top, "trees"
 * are tree, callers and callees, "text" is top and the trees. Zero in a field asks for the default.
 * Strings are borrowed.
 */
typedef struct wasm_perf_report_options {
  const char *title;    /* what the profile is of, for formats that name it; UTF-8 */
  const char *function; /* of callers and callees, which need it: a name as reports show it */
  wasm_perf_sort sort;  /* of top; default: by self */
  uint32_t row_limit;   /* functions in a table, default: 50, html: 1,000; lines of a tree, default:
                           100 */
  uint32_t depth_limit; /* levels of a tree, default: 40 */
  uint32_t min_share;   /* millionths of a tree's first line or of all that its lines have at least,
                           default: 10,000; all lines: WASM_PERF_ANY_SHARE */
  uint32_t width;       /* columns that lines of text should not exceed; default: no limit */
  bool uses_color;      /* in text, by ANSI's escape sequences */
} wasm_perf_report_options;

/* One way to show a profile. */
typedef struct wasm_perf_exporter {
  const char *name;      /* as given to --format */
  const char *extension; /* without the dot; NULL: not meant for a file of its own */
  const char *summary;   /* one line for --help */
  /* `options` may be NULL: all defaults. False: write or memory error. */
  bool (*write)(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                FILE *stream);
} wasm_perf_exporter;

/* All exporters, ended by one whose name is NULL. */
extern const wasm_perf_exporter wasm_perf_exporters[];

/* The exporter of that name, or NULL. */
const wasm_perf_exporter *wasm_perf_exporter_find(const char *name);

/* ---- Two profiles compared ----------------------------------------------- */

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
} wasm_perf_diff_row;

typedef struct wasm_perf_diff {
  const wasm_perf_profile *before; /* borrowed, as is the other */
  const wasm_perf_profile *after;
  wasm_perf_diff_row *rows; /* one for each function of either, in byte order of the names */
  uint32_t row_count;
  wasm_perf_change total; /* of the profiles */
  wasm_perf_change call_count;
  wasm_perf_change unnamed_count; /* functions without a name, which go by their number */
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

/* What the caller chooses of a table. Zero in a field asks for the default. */
typedef struct wasm_perf_diff_options {
  uint32_t row_limit;  /* default: 50 */
  bool by_stack;       /* of stacks instead of functions */
  wasm_perf_sort sort; /* by the change of what */
} wasm_perf_diff_options;

/* One way to show a diff; fields as in wasm_perf_exporter. */
typedef struct wasm_perf_diff_format {
  const char *name;
  const char *extension;
  const char *summary;
  bool (*write)(const wasm_perf_diff *diff, const wasm_perf_diff_options *options, FILE *stream);
} wasm_perf_diff_format;

/* All of them, ended by one whose name is NULL. */
extern const wasm_perf_diff_format wasm_perf_diff_formats[];

/* The format of that name, or NULL. */
const wasm_perf_diff_format *wasm_perf_diff_format_find(const char *name);

/*
 * Who calls options->function, level by level, and what it calls: two trees as text, in which the
 * values of a frame's children add up to its own. They are none of wasm_perf_exporters, as they
 * need a function; where that occurs nowhere, they write nothing and fail with EINVAL.
 *
 * Callers: a line's calls, self and total are the function's own under the callers down to there.
 * Of the function's frames on a stack only the outermost has a total. Where the function itself is
 * among the callers, that line ends there.
 *
 * Callees: all of the function's frames are one. A frame of it below another adds to the first
 * line, and has a line of calls only where it was called.
 */
extern const wasm_perf_exporter wasm_perf_callers;
extern const wasm_perf_exporter wasm_perf_callees;

/*
 * The names that `pattern` chooses among the functions called: the one equal to it, else those that
 * match it as a glob with * and ?, else those that contain it. They are sorted and in one block
 * that the caller frees; NULL: out of memory.
 */
char **wasm_perf_find_functions(const wasm_perf_profile *profile, const char *pattern,
                                uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif /* WASM_PERF_PROFILE_H_ */
