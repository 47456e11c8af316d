/* Writes outcomes as text for a terminal. */
#include <string.h>

#include "cli/perf/bench/outcome_lines.h"
#include "cli/perf/bench/writers.h"

void cli_bench_write_table(const cli_outcomes *outcomes, uint32_t why_limit, FILE *stream) {
  int width = 0;
  for (uint32_t i = 0; i < outcomes->items_count; i++) {
    int size = (int)strlen(outcomes->items[i].name);
    width = size > width ? size : width;
  }
  for (uint32_t i = 0; i < outcomes->items_count; i++) {
    const cli_outcome *outcome = &outcomes->items[i];
    cli_list lines = cli_outcome_lines(outcome, why_limit);
    for (size_t k = 0; k < lines.count; k++)
      fprintf(stream, "%-*s  %-7s  %s\n", width, k == 0 ? outcome->name : "",
              k == 0 ? cli_verdict_name(outcome->verdict) : "", lines.items[k]);
    cli_list_clear(&lines);
  }
}
