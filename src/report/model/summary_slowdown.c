#include "report/model/summary_slowdown.h"

#include <stdio.h>

#include "report/model/units.h"

#define WIDE 10u /* an error above 1/WIDE of the time is wide */

void wi_summary_few_pairs(const wasm_perf_facts *facts, char *text, size_t size) {
  snprintf(text, size, "in %s of runs, too few to tell how far that is off",
           wi_format_quantity(facts->run_pair_count, "pair").text);
}

static void format_error(const wasm_perf_facts *facts, char *text, size_t size) {
  if (facts->run_time_error == 0) {
    int used = snprintf(text, size, " times ");
    wi_summary_few_pairs(facts, text + used, size - (size_t)used);
  } else {
    snprintf(text, size, " ± %s times%s",
             wi_format_quotient(facts->run_time_error, facts->plain_run_time, 2).text,
             facts->run_time_error > facts->run_time / WIDE ? "; the runs varied much" : "");
  }
}

void wi_summary_slowdown(const wasm_perf_facts *facts, char text[WI_SLOWDOWN_TEXT_SIZE]) {
  char error[120];
  format_error(facts, error, sizeof error);
  snprintf(text, WI_SLOWDOWN_TEXT_SIZE, "Ran for %s with the profiler, %s without: %s%s",
           wi_format_value(WI_UNIT_NANOSECONDS, facts->run_time).text,
           wi_format_value(WI_UNIT_NANOSECONDS, facts->plain_run_time).text,
           wi_format_quotient(facts->run_time, facts->plain_run_time, 2).text, error);
}
