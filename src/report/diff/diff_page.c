#include "report/diff/diff_page.h"

#include <stdlib.h>
#include <string.h>

#include "report/diff/diff_findings.h"
#include "report/formats/html/findings.h"

enum { HEAD = 5, PER_FUNCTION = 7, NEW = 1, GONE = 2 };

static uint64_t integer(double number) {
  return number >= 0 && number < 0x1p64 ? (uint64_t)number : 0;
}

static wasm_perf_change change_of(const double *numbers) {
  return (wasm_perf_change){.before = integer(numbers[0]), .after = integer(numbers[1])};
}

static wasm_perf_diff_row row_of(const double *numbers) {
  bool is_counted = numbers[4] >= 0 && numbers[5] >= 0;
  return (wasm_perf_diff_row){.self = change_of(numbers),
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

bool wi_diff_page_write(wi_json *json, const double *numbers, size_t number_count, wi_unit unit) {
  if (number_count < HEAD)
    return false;
  size_t count = (number_count - HEAD) / PER_FUNCTION;
  wi_findings findings = {.count = 0};
  wasm_perf_diff diff = {.rows = calloc(count + 1, sizeof *diff.rows),
                         .row_count = (uint32_t)count,
                         .total = change_of(numbers),
                         .sample_period = change_of(numbers + 2)};
  if (!diff.rows)
    return false;
  for (size_t i = 0; i < count; i++)
    diff.rows[i] = row_of(numbers + HEAD + i * PER_FUNCTION);
  find(&findings, &diff, unit);
  if (numbers[4] == 0)
    diff.row_count = 0; /* so that the functions of a part are not compared */
  wi_json_open(json, NULL, '{');
  wi_json_string(json, "headline", wi_diff_headline(&diff, unit).text);
  wi_html_finding_list_write(json, &findings, NULL);
  wi_json_close(json, '}');
  free(diff.rows);
  return true;
}
