/* Which functions, lines and branches of the program's sources were executed, and how often. */
#ifndef WI_REPORT_MODEL_COVERAGE_H_
#define WI_REPORT_MODEL_COVERAGE_H_

#include "wasm_perf/report.h"

/* A function of a file; several with the same name and line are one. */
typedef struct wi_covered_function {
  const char *path;
  const char *name; /* as in the profile, NULL if it has none */
  uint32_t line;
  uint32_t function; /* index in the profile, of the first one */
  uint64_t count;
} wi_covered_function;

/* A line: the sum over all functions that have code of it. */
typedef struct wi_covered_line {
  const char *path;
  uint32_t line;
  uint64_t count; /* executions of its most executed instruction */
} wi_covered_line;

/* A way of a branch: the sum over all copies of the branch. */
typedef struct wi_covered_way {
  const char *path;
  wasm_perf_branch branch; /* the first copy's; the count is the sum */
  uint32_t number;         /* of the branch in its line, from 0 */
  bool is_executed;        /* any way of the branch was taken */
} wi_covered_way;

/* Numbers of functions, lines or ways. */
typedef struct wi_covered_share {
  uint64_t count;
  uint64_t hit_count; /* of those executed at least once */
} wi_covered_share;

static inline uint64_t wi_covered_missed(const wi_covered_share *share) {
  return share->count - share->hit_count;
}

typedef struct wi_covered_sums {
  wi_covered_share functions, lines, branches;
} wi_covered_sums;

typedef struct wi_covered_file {
  const char *path;                     /* as in the profile */
  const wi_covered_function *functions; /* by line */
  const wi_covered_line *lines;         /* by line */
  const wi_covered_way *ways;           /* by line, column and number; without the compiler's */
  wi_covered_sums sums;                 /* and the numbers of items above */
} wi_covered_file;

/* Adds the numbers of `more` to the sums. */
void wi_covered_sums_add(wi_covered_sums *sums, const wi_covered_sums *more);

/* A share as text: "83.1 %", 100 and 0 only if exact, "-" of nothing. */
typedef struct wi_covered_text {
  char text[16];
} wi_covered_text;

wi_covered_text wi_covered_percent(const wi_covered_share *share);

/* Everything is owned, but paths and names are the profile's. */
typedef struct wi_coverage {
  wi_covered_function *functions;
  wi_covered_line *lines;
  wi_covered_way *ways;
  wi_covered_file *files; /* by path */
  size_t function_count, line_count, way_count, file_count;
  size_t generated_count; /* branches that only detect failures, and so are left out */
  bool has_branches;      /* they were counted */
  wi_covered_sums sums;   /* over all files */
} wi_coverage;

/* Returns false, with nothing to clear, if memory ran out. */
bool wi_coverage_init(wi_coverage *coverage, const wasm_perf_profile *profile,
                      const wasm_perf_report_options *options);
void wi_coverage_clear(wi_coverage *coverage);

/* The ways of the line, with their number in *count. */
const wi_covered_way *wi_coverage_ways(const wi_covered_file *file, uint32_t line, size_t *count);

#endif /* WI_REPORT_MODEL_COVERAGE_H_ */
