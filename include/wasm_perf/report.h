/* Showing a profile. Part of libwasm_perf_report. */
#ifndef WASM_PERF_REPORT_H_
#define WASM_PERF_REPORT_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "wasm_perf/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

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
  const char *function; /* of callers, callees and annotate, which need it: a name as reports show
                           it */
  const char *source_folder; /* where sources are, of annotate and html; NULL: they are not read */
  bool opens_paths;       /* of annotate: without source_folder, sources are read wherever the debug
                       information says. A module may name any file of its reader's: what is
                       written may be shown to nobody else then */
  const char *source_url; /* of html: what places link to, with {path}, {line} and {file}, which
                              is the path from source_root on; UTF-8; NULL: nothing */
  const char *source_root; /* of html: files that are not below it have no {file}; NULL: none has */
  wasm_perf_sort sort;     /* of top; default: by self */
  uint32_t row_limit;      /* functions of top, default: 20; lines of a tree, default: 20 */
  uint32_t depth_limit;    /* levels of a tree, default: 40 */
  uint32_t min_share; /* millionths of a tree's first line or of all that its lines have at least,
                         default: 10,000; all lines: WASM_PERF_ANY_SHARE */
  uint32_t width;     /* columns that lines of text should not exceed; default: no limit */
  bool uses_color;    /* in text, by ANSI's escape sequences */
} wasm_perf_report_options;

#define WASM_PERF_SMALL_NAME "[small]"

/*
 * Leaves out nodes whose total is less than `min_share` millionths of the whole: below each node
 * that stays, what is left out becomes one node of that name, so that all sums are what they were.
 * For formats that repeat whole stacks and get too large. *left_out_count becomes the number of
 * nodes. False, and nothing changed: out of memory.
 */
bool wasm_perf_profile_prune(wasm_perf_profile *profile, uint32_t min_share,
                             uint32_t *left_out_count);

/* Writes a profile; `options` may be NULL: all defaults. False: write or memory error. */
typedef bool wasm_perf_report_writer(const wasm_perf_profile *profile,
                                     const wasm_perf_report_options *options, FILE *stream);

/* One way to show a profile. */
typedef struct wasm_perf_report_format {
  const char *name;      /* as given to --format */
  const char *extension; /* without the dot; NULL: not meant for a file of its own */
  const char *summary;   /* one line for --help */
  wasm_perf_report_writer *write;
} wasm_perf_report_format;

/* All of them, ended by one whose name is NULL. */
extern const wasm_perf_report_format wasm_perf_report_formats[];

/* The format of that name, or NULL. */
const wasm_perf_report_format *wasm_perf_report_format_find(const char *name);

/*
 * The format html of several profiles, `names` saying what each is of: one page, in which they are
 * chosen, added up and compared. Stacks are matched by names. False: write or memory error, or the
 * profiles count different things; *mismatch then says which, else its index is `count`.
 */
bool wasm_perf_report_write_runs(const wasm_perf_profile *const *profiles, const char *const *names,
                                 size_t count, const wasm_perf_report_options *options,
                                 FILE *stream, wasm_perf_mismatch *mismatch);

/*
 * Who calls options->function, level by level, and what it calls: two trees as text, in which the
 * values of a frame's children add up to its own. They are none of wasm_perf_report_formats, as
 * they need a function; where that occurs nowhere, they write nothing and fail with EINVAL.
 *
 * Callers: a line's calls, self and total are the function's own under the callers down to there.
 * Of the function's frames on a stack only the outermost has a total. Where the function itself is
 * among the callers, that line ends there.
 *
 * Callees: all of the function's frames are one. A frame of it below another adds to the first
 * line, and has a line of calls only where it was called.
 */
extern const wasm_perf_report_format wasm_perf_callers;
extern const wasm_perf_report_format wasm_perf_callees;

/*
 * The source of options->function with what each of its lines took, which profile->lines has; it
 * fails with EINVAL where the function occurs nowhere, with ENOENT where it has no lines.
 */
extern const wasm_perf_report_format wasm_perf_annotated;

/*
 * A profile in one screen, of at most about 2,000 tokens: totals, the largest functions, the
 * heaviest path, the hottest lines, cautions, and the command to go on with, where options->title
 * is the profile's path. As text, as Markdown, and as JSON (explanation.schema.json).
 */
extern const wasm_perf_report_format wasm_perf_explained;
extern const wasm_perf_report_format wasm_perf_explained_markdown;
extern const wasm_perf_report_format wasm_perf_explained_json;

/*
 * The names that `pattern` chooses among the functions called: the one equal to it, else those that
 * are called so and told apart by their indices ("name (func 12)"), or places ("name (a.c:3)"),
 * else those that match it as a glob with * and ?, else those that contain it. They are sorted and
 * in one block that the caller frees; NULL: out of memory.
 */
char **wasm_perf_find_functions(const wasm_perf_profile *profile, const char *pattern,
                                uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif /* WASM_PERF_REPORT_H_ */
