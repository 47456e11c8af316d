/* Writes outcomes as a comment for a pull request. */
#include <string.h>

#include "cli/perf/bench/outcome_lines.h"
#include "cli/perf/bench/writers.h"

/* Writes text into a table cell, with all characters of Markdown and HTML escaped. */
static void put_text(FILE *stream, const char *text) {
  for (; *text; text++)
    if (*text == '&' || *text == '<' || *text == '>')
      fputs(*text == '&' ? "&amp;" : *text == '<' ? "&lt;" : "&gt;", stream);
    else if (strchr("\\`*_[]|#@~$", *text))
      fprintf(stream, "&#%d;", *text);
    else
      fputc(*text, stream);
}

static void put_row(const cli_outcome *outcome, uint32_t why_limit, FILE *stream) {
  cli_list lines = cli_outcome_lines(outcome, why_limit);
  fputs("| ", stream);
  put_text(stream, outcome->name);
  bool fails = cli_verdict_fails(outcome->verdict);
  fprintf(stream, " | %s%s%s | ", fails ? "**" : "", cli_verdict_name(outcome->verdict),
          fails ? "**" : "");
  for (size_t i = 0; i < lines.count; i++) {
    if (i > 0)
      fputs("<br>", stream);
    put_text(stream, lines.items[i]);
  }
  fputs(" |\n", stream);
  cli_list_clear(&lines);
}

/* "1 of 2 benchmarks and 0 of 5 measures failed.", or one of both if there are no others. */
static void put_summary(const cli_outcomes *outcomes, FILE *stream) {
  unsigned failed[2] = {0}, all[2] = {0}; /* benchmarks, measures */
  for (uint32_t i = 0; i < outcomes->items_count; i++) {
    const cli_outcome *outcome = &outcomes->items[i];
    failed[outcome->is_measure] += cli_verdict_fails(outcome->verdict);
    all[outcome->is_measure]++;
  }
  if (all[false] > 0 || all[true] == 0)
    fprintf(stream, "%u of %u benchmarks%s", failed[false], all[false],
            all[true] > 0 ? " and " : "");
  if (all[true] > 0)
    fprintf(stream, "%u of %u measures", failed[true], all[true]);
  fputs(" failed.\n\n", stream);
}

void cli_bench_write_markdown(const cli_outcomes *outcomes, uint32_t why_limit, FILE *stream) {
  fputs("<!-- wasm-perf bench -->\n### wasm-perf bench\n\n", stream);
  put_summary(outcomes, stream);
  fputs("| benchmark | | |\n|---|---|---|\n", stream);
  for (uint32_t i = 0; i < outcomes->items_count; i++)
    put_row(&outcomes->items[i], why_limit, stream);
}
