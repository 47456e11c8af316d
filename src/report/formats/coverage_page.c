/*
 * Coverage as a page without scripts: files, those with the most missed lines first, and their
 * source with the count of each line and the ways of each branch. Links lead from each line that was
 * missed, or missed a way of a branch, to the next one.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "names/label.h"
#include "report/encode/markup.h"
#include "report/formats/coverage_page.h"
#include "report/formats/writers.h"
#include "report/model/coverage.h"
#include "report/text/source_file.h"

#define TEXT_SIZE 1024u

typedef struct coverage_page {
  const wi_report *report;
  const wi_coverage *coverage;
  const wi_covered_file **files; /* most missed lines first */
  FILE *stream;
} coverage_page;

static int compare_missed(const void *left, const void *right) {
  const wi_covered_file *a = *(wi_covered_file *const *)left, *b = *(wi_covered_file *const *)right;
  uint64_t of_a = wi_covered_missed(&a->sums.lines), of_b = wi_covered_missed(&b->sums.lines);
  if (of_a != of_b)
    return of_a > of_b ? -1 : 1;
  return (a > b) - (a < b); /* by path */
}

static void write_label(const coverage_page *page, const char *text) {
  char label[WI_LABEL_MAX_SIZE + 1];
  wi_label_clean(label, text, 0);
  wi_markup_write(label, page->stream);
}

/* ---- Files ------------------------------------------------------------------ */

static void write_share(const coverage_page *page, const wi_covered_share *share) {
  fprintf(page->stream, "<td>%s", wi_covered_percent(share).text);
}

static void write_sums(const coverage_page *page, const wi_covered_sums *sums) {
  fprintf(page->stream, "<tr><td><meter max=\"%" PRIu64 "\" value=\"%" PRIu64 "\"></meter>",
          sums->lines.count > 0 ? sums->lines.count : 1, sums->lines.hit_count);
  write_share(page, &sums->lines);
  fprintf(page->stream, "<td>%" PRIu64, wi_covered_missed(&sums->lines));
  if (page->coverage->has_branches)
    write_share(page, &sums->branches);
  write_share(page, &sums->functions);
  fputs("<td>", page->stream);
}

static void write_files(const coverage_page *page) {
  fprintf(page->stream,
          "<table>\n<thead><tr><th colspan=\"2\">lines<th>missed%s<th>functions<th>file"
          "</thead>\n<tbody>\n",
          page->coverage->has_branches ? "<th>branches" : "");
  for (size_t i = 0; i < page->coverage->file_count; i++) {
    write_sums(page, &page->files[i]->sums);
    fprintf(page->stream, "<a href=\"#f%zu\">", i);
    write_label(page, page->files[i]->path);
    fputs("</a>\n", page->stream);
  }
  fputs("</tbody>\n<tfoot>", page->stream);
  write_sums(page, &page->coverage->sums);
  fputs("all files</tfoot>\n</table>\n", page->stream);
}

/* ---- Lines ------------------------------------------------------------------ */

typedef enum line_state { LINE_HIT, LINE_PART, LINE_MISSED } line_state;

static line_state state_of(const wi_covered_file *file, const wi_covered_line *line) {
  size_t count;
  const wi_covered_way *ways = wi_coverage_ways(file, line->line, &count);
  if (line->count == 0)
    return LINE_MISSED;
  for (size_t i = 0; i < count; i++)
    if (ways[i].branch.count == 0)
      return LINE_PART;
  return LINE_HIT;
}

/* Writes how often each way of the line's branches was taken, as 12:0 7:3. */
static void write_ways(const coverage_page *page, const wi_covered_file *file, uint32_t line) {
  size_t count;
  const wi_covered_way *ways = wi_coverage_ways(file, line, &count);
  for (size_t i = 0; i < count; i++) {
    const char *before = i == 0 ? "" : ways[i].number != ways[i - 1].number ? " " : ":";
    fprintf(page->stream, "%s%" PRIu64, before, ways[i].branch.count);
  }
}

/* Writes a row; `line` is NULL for one without code. `next` is the next line to look at, or 0. */
static void write_row(const coverage_page *page, size_t index, uint32_t number,
                      const wi_covered_line *line, uint32_t next, const char *text) {
  static const char *const classes[] = {
      [LINE_HIT] = "", [LINE_PART] = " class=\"part\"", [LINE_MISSED] = " class=\"no\""};
  const wi_covered_file *file = page->files[index];
  line_state state = line ? state_of(file, line) : LINE_HIT;
  fprintf(page->stream, "<tr id=\"f%zul%" PRIu32 "\"%s><td>", index, number, classes[state]);
  if (state != LINE_HIT && next > 0)
    fprintf(page->stream, "<a href=\"#f%zul%" PRIu32 "\" title=\"next\">↓</a>", index, next);
  fputs("<td>", page->stream);
  if (line)
    fprintf(page->stream, "%" PRIu64, line->count);
  if (page->coverage->has_branches) {
    fputs("<td>", page->stream);
    if (line)
      write_ways(page, file, number);
  }
  fprintf(page->stream, "<td>%" PRIu32 "<td>", number);
  wi_markup_write(text, page->stream);
  fputc('\n', page->stream);
}

/* The next line after `at` that is not fully executed; 0: there is none. */
static uint32_t next_missed(const wi_covered_file *file, uint64_t at) {
  while (++at < file->sums.lines.count)
    if (state_of(file, &file->lines[at]) != LINE_HIT)
      return file->lines[at].line;
  return 0;
}

/* Opens the source of the file; false if it cannot be read. */
static bool open_source(const coverage_page *page, const wi_covered_file *file,
                        wi_source_file *source) {
  const wasm_perf_lines *lines = &page->report->profile->lines;
  for (uint32_t i = 0; i < lines->file_count; i++)
    if (strcmp(lines->files[i], file->path) == 0)
      return wi_source_file_open(source, lines, i, page->report->options.source_folder, false);
  return false;
}

/* Without the source, only lines with code are written. */
static void write_lines(const coverage_page *page, size_t index) {
  const wi_covered_file *file = page->files[index];
  wi_source_file source = {0};
  bool has_source = open_source(page, file, &source);
  char text[TEXT_SIZE] = "";
  if (!has_source)
    fputs("<p>The source was not found. To add it: wasm-perf report --source FOLDER\n",
          page->stream);
  fputs("<table class=\"source\">\n", page->stream);
  uint32_t number = 0;
  for (uint64_t i = 0; i < file->sums.lines.count; i++) {
    const wi_covered_line *line = &file->lines[i];
    for (number++; has_source && number < line->line && number <= source.line_count; number++) {
      wi_source_file_line(&source, number, text, sizeof text);
      write_row(page, index, number, NULL, 0, text);
    }
    number = line->line;
    if (has_source)
      wi_source_file_line(&source, number, text, sizeof text);
    bool is_hit = state_of(file, line) == LINE_HIT; /* then nobody asks for the next one */
    write_row(page, index, number, line, is_hit ? 0 : next_missed(file, i), text);
  }
  fputs("</table>\n", page->stream);
  wi_source_file_clear(&source);
}

static void write_file(const coverage_page *page, size_t index) {
  const wi_covered_file *file = page->files[index];
  uint32_t first = next_missed(file, UINT64_MAX);
  fprintf(page->stream, "<details id=\"f%zu\"%s><summary>", index,
          page->coverage->file_count == 1 ? " open" : "");
  write_label(page, file->path);
  fprintf(page->stream, " %s</summary>\n", wi_covered_percent(&file->sums.lines).text);
  if (first > 0)
    fprintf(page->stream,
            "<p><a href=\"#f%zul%" PRIu32 "\">First line or branch that was missed ↓</a>\n", index,
            first);
  write_lines(page, index);
  fputs("</details>\n", page->stream);
}

static void write_page(const coverage_page *page) {
  fprintf(page->stream,
          "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Coverage of ");
  wi_markup_write(page->report->title, page->stream);
  fprintf(page->stream, "</title>\n<style>\n%s</style>\n<h1>Coverage of ", wi_coverage_page_css);
  wi_markup_write(page->report->title, page->stream);
  fputs("</h1>\n", page->stream);
  write_files(page);
  if (page->coverage->has_branches)
    fputs("<p>Beside each line: how often it was executed, and how often each way of its branches "
          "was taken.\n",
          page->stream);
  if (page->coverage->generated_count > 0)
    fprintf(page->stream, "<p>Left out: %zu branches that only detect failures.\n",
            page->coverage->generated_count);
  for (size_t i = 0; i < page->coverage->file_count && !ferror(page->stream); i++)
    write_file(page, i);
}

bool wi_coverage_page_write(const wi_report *report, FILE *stream) {
  wi_coverage coverage;
  if (!wi_coverage_init(&coverage, report->profile, &report->options))
    return false;
  coverage_page page = {report, &coverage, calloc(coverage.file_count + 1, sizeof *page.files),
                        stream};
  for (size_t i = 0; page.files && i < coverage.file_count; i++)
    page.files[i] = &coverage.files[i];
  bool done = page.files != NULL;
  if (done) {
    qsort(page.files, coverage.file_count, sizeof *page.files, compare_missed);
    write_page(&page);
  }
  free(page.files);
  wi_coverage_clear(&coverage);
  return done;
}
