#include "report/diff/diff_page.h"

#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include <stdlib.h>
#include <string.h>

#include "report/diff/diff_findings.h"
#include "report/encode/markup.h"
#include "report/formats/html/findings.h"

enum { HEAD = 6, PER_FUNCTION = 7, NEW = 1, GONE = 2 };

static uint64_t integer(double number) {
  return number >= 0 && number < 0x1p64 ? (uint64_t)number : 0;
}

static wasm_perf_change change_of(const double *numbers) {
  return (wasm_perf_change){.before = integer(numbers[0]), .after = integer(numbers[1])};
}

static wasm_perf_diff_row row_of(const double *numbers, const char *name) {
  bool is_counted = numbers[4] >= 0 && numbers[5] >= 0;
  return (wasm_perf_diff_row){.name = name,
                              .self = change_of(numbers),
                              .total = change_of(numbers + 2),
                              .call_count =
                                  is_counted ? change_of(numbers + 4) : (wasm_perf_change){0},
                              .is_uncounted = !is_counted,
                              .is_new = numbers[6] == NEW,
                              .is_gone = numbers[6] == GONE};
}

static void find(wi_findings *findings, const wasm_perf_diff *diff, wi_unit unit) {
  uint32_t rows[WI_DIFF_FINDINGS];
  unsigned count = wi_diff_find(diff, rows);
  for (unsigned i = 0; i < count; i++) {
    wi_finding *finding = wi_findings_add(findings, rows[i], 0);
    if (finding)
      strcpy(finding->after, wi_diff_finding(diff, &diff->rows[rows[i]], unit).text);
  }
}

static void write_markdown(const wasm_perf_diff *diff, const wi_findings *findings,
                           const char *title, const char *headline, FILE *stream) {
  fputs("# ", stream);
  wi_markdown_write(title, stream);
  fputs("\n\n* ", stream);
  wi_markdown_write(headline, stream);
  fputs("\n\n## Findings\n\n", stream);
  for (unsigned i = 0; i < findings->count; i++) {
    const wi_finding *finding = &findings->list[i];
    fputs("* ", stream);
    if (finding->label != WI_FINDING_NO_LABEL) {
      wi_markdown_write(diff->rows[finding->label].name, stream);
      fputc(' ', stream);
    }
    wi_markdown_write(finding->after, stream);
    fputc('\n', stream);
  }
}

/* Writes a text that `write_markdown` makes. */
static bool write_explanation(wi_json *json, const wasm_perf_diff *diff,
                              const wi_findings *findings, const char *title,
                              const char *headline) {
  char *text = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&text, &size);
  if (!memory)
    return false;
  write_markdown(diff, findings, title, headline, memory);
  bool done = fclose(memory) == 0;
  if (done)
    wi_json_string(json, "explanation", text);
  free(text);
  return done;
}

bool wi_diff_page_write(wi_json *json, const wi_diff_page *page, const double *numbers,
                        size_t number_count) {
  if (number_count != HEAD + page->function_count * PER_FUNCTION)
    return false;
  uint32_t count = page->function_count;
  wi_findings findings = {.count = 0};
  wasm_perf_diff diff = {.rows = calloc(count + (size_t)1, sizeof *diff.rows),
                         .row_count = count,
                         .total = change_of(numbers),
                         .sample_period = change_of(numbers + 2)};
  if (!diff.rows)
    return false;
  for (uint32_t i = 0; i < count; i++)
    diff.rows[i] = row_of(numbers + HEAD + i * (size_t)PER_FUNCTION, page->functions[i].name);
  if (numbers[5] > 0)
    wi_findings_are_rough(&findings);
  else
    find(&findings, &diff, page->unit);
  if (numbers[4] == 0)
    diff.row_count = 0; /* so that the functions of a part are not compared */
  wi_long_text headline = wi_diff_headline(&diff, page->unit);
  wi_json_open(json, NULL, '{');
  wi_json_string(json, "headline", headline.text);
  wi_html_finding_list_write(json, &findings);
  bool done = write_explanation(json, &diff, &findings, page->title, headline.text);
  wi_json_close(json, '}');
  free(diff.rows);
  return done;
}
