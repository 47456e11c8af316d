/* Writes outcomes as test cases in JUnit's XML. */
#include "cli/perf/bench/outcome_lines.h"
#include "cli/perf/bench/writers.h"

static void put_text(FILE *stream, const char *text) {
  for (; *text; text++)
    switch (*text) {
    case '&': fputs("&amp;", stream); break;
    case '<': fputs("&lt;", stream); break;
    case '>': fputs("&gt;", stream); break;
    case '"': fputs("&quot;", stream); break;
    case '\n': fputs("&#10;", stream); break;
    default: fputc(*text, stream);
    }
}

static void put_lines(FILE *stream, const cli_list *lines, size_t first) {
  for (size_t i = first; i < lines->count; i++) {
    put_text(stream, lines->items[i]);
    fputc('\n', stream);
  }
}

/* Growth is a test failure; any other problem is an error. */
static void put_case(const cli_outcome *outcome, uint32_t why_limit, FILE *stream) {
  cli_list lines = cli_outcome_lines(outcome, why_limit);
  const char *element = outcome->verdict == CLI_VERDICT_GREW ? "failure" : "error";
  fputs("  <testcase classname=\"wasm-perf bench\" name=\"", stream);
  put_text(stream, outcome->name);
  fputs("\">\n", stream);
  if (cli_verdict_fails(outcome->verdict)) {
    fprintf(stream, "    <%s type=\"%s\" message=\"", element, cli_verdict_name(outcome->verdict));
    put_text(stream, lines.items[0]);
    fputs("\">", stream);
    put_lines(stream, &lines, 0);
    fprintf(stream, "</%s>\n", element);
  } else {
    fputs("    <system-out>", stream);
    put_lines(stream, &lines, 0);
    fputs("</system-out>\n", stream);
  }
  fputs("  </testcase>\n", stream);
  cli_list_clear(&lines);
}

void cli_bench_write_junit(const cli_outcomes *outcomes, uint32_t why_limit, FILE *stream) {
  unsigned failures = 0, errors = 0;
  for (uint32_t i = 0; i < outcomes->items_count; i++) {
    cli_verdict verdict = outcomes->items[i].verdict;
    failures += verdict == CLI_VERDICT_GREW;
    errors += verdict != CLI_VERDICT_GREW && cli_verdict_fails(verdict);
  }
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", stream);
  fprintf(stream,
          "<testsuite name=\"wasm-perf bench\" tests=\"%u\" failures=\"%u\" errors=\"%u\">\n",
          (unsigned)outcomes->items_count, failures, errors);
  for (uint32_t i = 0; i < outcomes->items_count; i++)
    put_case(&outcomes->items[i], why_limit, stream);
  fputs("</testsuite>\n", stream);
}
