/*
 * The JSON of llvm-cov export. A line is a region of its own. A branch has two counts there; a way of
 * a table of ways has its own and that of all others.
 */
#include <string.h>

#include "names/label.h"
#include "report/encode/json_parts.h"
#include "report/formats/writers.h"
#include "report/model/coverage.h"
#include "report/text/source_file.h"
#include "support/arithmetic.h"

/* Kinds of regions. */
enum { CODE_REGION = 0, BRANCH_REGION = 4 };

static void write_share(wi_json *json, const char *key, const wi_covered_share *share,
                        bool has_rest) {
  enum { SCALE = 100 * 10000, DECIMALS = 4 };
  wi_json_open(json, key, '{');
  wi_json_integer(json, "count", share->count);
  wi_json_integer(json, "covered", share->hit_count);
  if (has_rest)
    wi_json_integer(json, "notcovered", wi_covered_missed(share));
  wi_json_decimal(json, "percent",
                  share->count > 0 ? wi_scale(share->hit_count, share->count, SCALE) : 0, DECIMALS);
  wi_json_close(json, '}');
}

static void write_sums(wi_json *json, const char *key, const wi_covered_sums *sums) {
  wi_json_open(json, key, '{');
  write_share(json, "branches", &sums->branches, true);
  write_share(json, "functions", &sums->functions, false);
  write_share(json, "instantiations", &sums->functions, false);
  write_share(json, "lines", &sums->lines, false);
  write_share(json, "regions", &sums->lines, true);
  wi_json_close(json, '}');
}

static void write_segment(wi_json *json, uint32_t line, uint64_t count, bool has_count) {
  const char *flag = has_count ? "true" : "false";
  wi_json_open(json, NULL, '[');
  wi_json_integer(json, NULL, line);
  wi_json_integer(json, NULL, 1);
  wi_json_integer(json, NULL, count);
  wi_json_literal(json, NULL, flag);
  wi_json_literal(json, NULL, flag);
  wi_json_literal(json, NULL, "false");
  wi_json_close(json, ']');
}

static void write_segments(wi_json *json, const wi_covered_file *file) {
  wi_json_open(json, "segments", '[');
  for (uint64_t i = 0; i < file->sums.lines.count; i++) {
    const wi_covered_line *line = &file->lines[i];
    bool is_last = i + 1 == file->sums.lines.count || line[1].line > line->line + 1;
    write_segment(json, line->line, line->count, true);
    if (is_last)
      write_segment(json, line->line + 1, 0, false);
  }
  wi_json_close(json, ']');
}

static void write_branch(wi_json *json, const wi_covered_way *way, uint64_t others) {
  const wasm_perf_branch *branch = &way->branch;
  uint32_t column = branch->column > 0 ? branch->column : 1;
  wi_json_open(json, NULL, '[');
  for (int end = 0; end < 2; end++) {
    wi_json_integer(json, NULL, branch->line);
    wi_json_integer(json, NULL, column);
  }
  wi_json_integer(json, NULL, branch->count);
  wi_json_integer(json, NULL, others);
  wi_json_integer(json, NULL, 0); /* the file, and the file that it is expanded in */
  wi_json_integer(json, NULL, 0);
  wi_json_integer(json, NULL, BRANCH_REGION);
  wi_json_close(json, ']');
}

static void write_branches(wi_json *json, const wi_covered_file *file) {
  const wi_covered_way *ways = file->ways;
  wi_json_open(json, "branches", '[');
  for (uint64_t i = 0, next; i < file->sums.branches.count; i = next) {
    uint64_t sum = 0;
    for (next = i;
         next < file->sums.branches.count && ways[next].branch.line == ways[i].branch.line &&
         ways[next].number == ways[i].number;
         next++)
      sum = wi_saturating_add(sum, ways[next].branch.count);
    uint64_t count = next - i == 2 ? 1 : next - i;
    for (uint64_t n = i; n < i + count; n++)
      write_branch(json, &ways[n], sum - ways[n].branch.count);
  }
  wi_json_close(json, ']');
}

static void write_path(wi_json *json, const char *key, const char *path) {
  char full[WI_LABEL_MAX_SIZE + 1];
  wi_source_full_path(full, path);
  wi_json_string(json, key, full);
}

static void write_file(wi_json *json, const wi_covered_file *file) {
  wi_json_open(json, NULL, '{');
  write_branches(json, file);
  wi_json_open(json, "expansions", '[');
  wi_json_close(json, ']');
  write_path(json, "filename", file->path);
  write_segments(json, file);
  write_sums(json, "summary", &file->sums);
  wi_json_close(json, '}');
}

static void write_function(wi_json *json, const wi_covered_function *function) {
  char label[WI_LABEL_MAX_SIZE + 1];
  const uint64_t region[] = {function->line, 1, function->line, 1, function->count, 0, 0,
                             CODE_REGION};
  wi_label_clean(label, function->name && *function->name ? function->name : "?", 0);
  wi_json_open(json, NULL, '{');
  wi_json_open(json, "branches", '[');
  wi_json_close(json, ']');
  wi_json_integer(json, "count", function->count);
  wi_json_open(json, "filenames", '[');
  write_path(json, NULL, function->path);
  wi_json_close(json, ']');
  wi_json_string(json, "name", label);
  wi_json_open(json, "regions", '[');
  wi_json_open(json, NULL, '[');
  for (size_t i = 0; i < sizeof region / sizeof *region; i++)
    wi_json_integer(json, NULL, region[i]);
  wi_json_close(json, ']');
  wi_json_close(json, ']');
  wi_json_close(json, '}');
}

bool wi_llvmcov_write(const wi_report *report, FILE *stream) {
  wi_coverage coverage;
  wi_json json;
  if (!wi_coverage_init(&coverage, report->profile, &report->options))
    return false;
  wi_json_init(&json, stream);
  wi_json_open(&json, NULL, '{');
  wi_json_open(&json, "data", '[');
  wi_json_open(&json, NULL, '{');
  wi_json_open(&json, "files", '[');
  for (size_t i = 0; i < coverage.file_count && !wi_json_failed(&json); i++)
    write_file(&json, &coverage.files[i]);
  wi_json_close(&json, ']');
  wi_json_open(&json, "functions", '[');
  for (size_t i = 0; i < coverage.function_count && !wi_json_failed(&json); i++)
    write_function(&json, &coverage.functions[i]);
  wi_json_close(&json, ']');
  write_sums(&json, "totals", &coverage.sums);
  wi_json_close(&json, '}');
  wi_json_close(&json, ']');
  wi_json_string(&json, "type", "llvm.coverage.json.export");
  wi_json_string(&json, "version", "2.0.1");
  wi_json_close(&json, '}');
  wi_coverage_clear(&coverage);
  return wi_json_finish(&json);
}
