/*
 * lcov's tracefile (geninfo(1)), for genhtml: the functions, lines and branches that were executed,
 * and how often. If lines or branches were not counted, they are not written.
 */
#include <inttypes.h>

#include "names/label.h"
#include "report/formats/writers.h"
#include "report/model/coverage.h"
#include "report/text/source_file.h"

#define TEST_NAME "wasm_perf"

static void write_name(const wi_covered_function *function, FILE *stream) {
  char label[WI_LABEL_MAX_SIZE + 1];
  if (function->name && *function->name)
    wi_label_clean(label, function->name, 0);
  else
    snprintf(label, sizeof label, "func[%" PRIu32 "]", function->function);
  fprintf(stream, "%s\n", label);
}

static void write_share(const char *found, const char *hit, const wi_covered_share *share,
                        FILE *stream) {
  fprintf(stream, "%s:%" PRIu64 "\n%s:%" PRIu64 "\n", found, share->count, hit, share->hit_count);
}

static void write_functions(const wi_covered_file *file, FILE *stream) {
  const wi_covered_function *end = file->functions + file->sums.functions.count;
  for (const wi_covered_function *function = file->functions; function < end; function++) {
    fprintf(stream, "FN:%" PRIu32 ",", function->line);
    write_name(function, stream);
  }
  for (const wi_covered_function *function = file->functions; function < end; function++) {
    fprintf(stream, "FNDA:%" PRIu64 ",", function->count);
    write_name(function, stream);
  }
  write_share("FNF", "FNH", &file->sums.functions, stream);
}

/* A branch that was not reached has no counts. */
static void write_branches(const wi_covered_file *file, FILE *stream) {
  for (uint64_t i = 0; i < file->sums.branches.count; i++) {
    const wi_covered_way *way = &file->ways[i];
    fprintf(stream, "BRDA:%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",", way->branch.line, way->number,
            way->branch.way);
    if (way->is_executed)
      fprintf(stream, "%" PRIu64 "\n", way->branch.count);
    else
      fputs("-\n", stream);
  }
  write_share("BRF", "BRH", &file->sums.branches, stream);
}

static void write_file(const wi_coverage *coverage, const wi_covered_file *file, FILE *stream) {
  char path[WI_LABEL_MAX_SIZE + 1];
  wi_source_full_path(path, file->path);
  fprintf(stream, "SF:%s\n", path);
  write_functions(file, stream);
  if (coverage->has_branches)
    write_branches(file, stream);
  for (uint64_t i = 0; i < file->sums.lines.count; i++)
    fprintf(stream, "DA:%" PRIu32 ",%" PRIu64 "\n", file->lines[i].line, file->lines[i].count);
  write_share("LF", "LH", &file->sums.lines, stream);
  fputs("end_of_record\n", stream);
}

bool wi_lcov_write(const wi_report *report, FILE *stream) {
  wi_coverage coverage;
  if (!wi_coverage_init(&coverage, report->profile, &report->options))
    return false;
  fputs("TN:" TEST_NAME "\n", stream); /* applies to all records that follow */
  for (size_t i = 0; i < coverage.file_count && !ferror(stream); i++)
    write_file(&coverage, &coverage.files[i], stream);
  wi_coverage_clear(&coverage);
  return true;
}
