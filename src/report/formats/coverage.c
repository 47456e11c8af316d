/* A table of files, as text: the shares of lines, branches and functions that were executed. */
#include <inttypes.h>
#include <string.h>

#include "names/label.h"
#include "names/text_width.h"
#include "report/formats/writers.h"
#include "report/model/coverage.h"
#include "report/text/text_table.h"

#define SHARE_WIDTH 8u /* of "100.00 %", the widest */

typedef struct coverage_table {
  const wi_coverage *coverage;
  const wasm_perf_report_options *options;
  FILE *stream;
} coverage_table;

static void write_cells(const coverage_table *table, const char *style, const char *lines,
                        const char *missed, const char *branches, const char *functions) {
  wi_write_cell(style, lines, SHARE_WIDTH, table->stream);
  wi_write_cell(style, missed, SHARE_WIDTH, table->stream);
  if (table->coverage->has_branches)
    wi_write_cell(style, branches, SHARE_WIDTH, table->stream);
  wi_write_cell(style, functions, SHARE_WIDTH + 1, table->stream);
}

/* Writes the path; if the width is limited, without as much of its beginning as does not fit. */
static void write_path(const coverage_table *table, const char *path) {
  char label[WI_LABEL_MAX_SIZE + 1];
  uint32_t cells = (table->coverage->has_branches ? 4 : 3) * (SHARE_WIDTH + WI_GAP_WIDTH) + 1;
  uint32_t limit = table->options->width > cells + WI_NAME_MIN_WIDTH ? table->options->width - cells
                                                                     : WI_NAME_MIN_WIDTH;
  wi_label_clean(label, path, 0);
  const char *rest = label;
  bool is_cut = table->options->width > 0 && wi_text_width(rest) > limit;
  uint32_t width;
  while (is_cut && wi_text_width(rest) + 1 > limit)
    rest = wi_text_next(rest, &width);
  fprintf(table->stream, "%s%s\n", is_cut ? "…" : "", rest);
}

static void write_row(const coverage_table *table, const wi_covered_sums *sums, const char *path) {
  char missed[32];
  snprintf(missed, sizeof missed, "%" PRIu64, wi_covered_missed(&sums->lines));
  write_cells(table, WI_STYLE_PLAIN, wi_covered_percent(&sums->lines).text, missed,
              wi_covered_percent(&sums->branches).text, wi_covered_percent(&sums->functions).text);
  write_path(table, path);
}

static void write_notes(const coverage_table *table) {
  const wi_coverage *coverage = table->coverage;
  if (coverage->generated_count > 0)
    fprintf(table->stream,
            "\nLeft out: %zu branches that only detect failures (bounds checks, "
            "assertions, panics)\n",
            coverage->generated_count);
  if (coverage->line_count == 0)
    fputs("\nNo lines: record with --coverage, and compile with -g\n", table->stream);
}

bool wi_coverage_write(const wi_report *report, FILE *stream) {
  wi_coverage coverage;
  if (!wi_coverage_init(&coverage, report->profile, &report->options))
    return false;
  const coverage_table table = {&coverage, &report->options, stream};
  write_cells(&table, report->options.uses_color ? WI_STYLE_HEADING : WI_STYLE_PLAIN, "lines",
              "missed", "branches", "functions");
  fputs("file\n", stream);
  for (size_t i = 0; i < coverage.file_count; i++)
    write_row(&table, &coverage.files[i].sums, coverage.files[i].path);
  write_row(&table, &coverage.sums, "all files");
  write_notes(&table);
  wi_coverage_clear(&coverage);
  return true;
}
