/* Why one call was slow: compares it with a typical one, in words and in a table of functions. */
#include <stdlib.h>

#include "names/shorten.h"
#include "profile/call_tree.h"
#include "report/diff/change.h"
#include "report/diff/diff_writers.h"
#include "report/model/measured.h"
#include "report/text/text_table.h"
#include "support/arithmetic.h"

#define ARROW " \xE2\x86\x92 " /* U+2192 */

enum { MOST_CAUSES = 3, LEAST_PART = 20 };

typedef struct comparison {
  const wasm_perf_profile *profile;
  const wasm_perf_call *slow, *typical;
  const wasm_perf_diff *diff;
  bool by_instructions; /* otherwise by calls */
  char function[WI_SHORTENED_SIZE];
} comparison;

static wasm_perf_change sum_of(const comparison *of, const wasm_perf_diff_row *row) {
  return of->by_instructions ? row->self : row->call_count;
}

static uint64_t growth_of(const comparison *of, const wasm_perf_diff_row *row) {
  wasm_perf_change change = sum_of(of, row);
  return change.after > change.before ? change.after - change.before : 0;
}

/* The row that grew most but for `count` others; NULL: none did. */
static const wasm_perf_diff_row *
next_cause(const comparison *of, const wasm_perf_diff_row *const *others, uint32_t count) {
  const wasm_perf_diff_row *best = NULL;
  for (uint32_t i = 0; i < of->diff->row_count; i++) {
    const wasm_perf_diff_row *row = &of->diff->rows[i];
    bool is_known = false;
    for (uint32_t k = 0; k < count; k++)
      is_known |= others[k] == row;
    if (!is_known && growth_of(of, row) > 0 && (!best || growth_of(of, row) > growth_of(of, best)))
      best = row;
  }
  return best;
}

/* "read_config 1 → 40 calls"; without twice the calls, "parse 60 → 9,000 instructions" */
static void write_cause(const comparison *of, const wasm_perf_diff_row *row, FILE *stream) {
  wasm_perf_change calls = row->call_count, change = sum_of(of, row);
  bool tells_calls =
      !of->by_instructions || (!row->is_uncounted && calls.after / 2 >= calls.before);
  char name[WI_SHORTENED_SIZE];
  wi_shorten(name, row->name, WI_SENTENCE_WIDTH);
  if (!tells_calls)
    calls = change;
  fprintf(stream, "%s %s%s%s", name, wi_format_count(calls.before).text, ARROW,
          wi_format_quantity(calls.after, tells_calls ? "call" : "instruction").text);
}

/* Writes what grew most; functions that grew by much less than the first one are left out. */
static void write_causes(const comparison *of, FILE *stream) {
  const wasm_perf_diff_row *causes[MOST_CAUSES];
  uint32_t count = 0;
  for (; count < MOST_CAUSES; count++) {
    causes[count] = next_cause(of, causes, count);
    if (!causes[count] || growth_of(of, causes[count]) < growth_of(of, causes[0]) / LEAST_PART)
      break;
  }
  if (count == 0)
    fputs("It called the same functions as often.\n", stream);
  for (uint32_t i = 0; i < count; i++) {
    fputs(i == 0 ? "In it: " : ", ", stream);
    write_cause(of, causes[i], stream);
  }
  if (count > 0)
    fputc('\n', stream);
}

/* "212 ms", "9,100 instructions" */
static wi_short_text text_of(wasm_perf_call_measure measure, uint64_t value) {
  return wi_format_value(wi_call_measure_unit(measure), value);
}

static void write_headline(const comparison *of, FILE *stream) {
  wasm_perf_call_measure measure = wi_calls_rank(of->profile);
  uint64_t slow = of->slow->values[measure], typical = of->typical->values[measure];
  const char *verb = measure == WASM_PERF_CALL_MEASURE_TIME ? "took" : "executed";
  fprintf(stream, "%s %s %s; a typical call %s %s", of->function, verb, text_of(measure, slow).text,
          verb, text_of(measure, typical).text);
  if (typical > 0)
    fprintf(stream, " (%s times)", wi_format_multiple(slow, typical).text);
  fputc('\n', stream);
}

/* Whether instructions explain less than half of the factor in time. */
static bool is_elsewhere(const comparison *of) {
  const uint64_t *slow = of->slow->values, *typical = of->typical->values;
  const unsigned time = WASM_PERF_CALL_MEASURE_TIME, count = WASM_PERF_CALL_MEASURE_INSTRUCTIONS;
  return typical[time] > 0 && typical[count] > 0 && slow[count] > 0 &&
         (wi_u128)slow[time] * typical[count] >= 2 * (wi_u128)typical[time] * slow[count];
}

static void write_elsewhere(const comparison *of, FILE *stream) {
  const unsigned count = WASM_PERF_CALL_MEASURE_INSTRUCTIONS;
  fprintf(
      stream,
      "It executed %s times the instructions. Most of its time passed elsewhere: in imports, in "
      "waits or while other programs ran.\n",
      wi_format_multiple(of->slow->values[count], of->typical->values[count]).text);
}

static bool write_all(const comparison *of, const wasm_perf_diff_options *options, FILE *stream) {
  wasm_perf_diff_options own = options ? *options : (wasm_perf_diff_options){0};
  own.is_of_calls = true;
  own.sort = of->by_instructions ? WASM_PERF_SORT_SELF : WASM_PERF_SORT_CALLS;
  write_headline(of, stream);
  if (is_elsewhere(of))
    write_elsewhere(of, stream);
  write_causes(of, stream);
  if (((of->slow->why | of->typical->why) & WASM_PERF_KEPT_CUT) != 0)
    fputs("Some functions are missing: there was no space to keep them all.\n", stream);
  return wi_diff_table_write(of->diff, &own, stream);
}

/* The name of the slow call's function, as its profile shows it. */
static bool name_function(comparison *of, const wasm_perf_profile *slow) {
  wi_labels labels;
  if (!wi_labels_init(&labels, slow, 0, NULL))
    return false;
  wi_shorten(of->function, labels.texts[wi_labels_find(&labels, slow->nodes[1].function)],
             WI_SENTENCE_WIDTH);
  wi_labels_clear(&labels);
  return true;
}

bool wasm_perf_calls_compare(const wasm_perf_profile *profile, const wasm_perf_call *slow,
                             const wasm_perf_call *typical, const wasm_perf_diff_options *options,
                             FILE *stream) {
  comparison of = {.profile = profile, .slow = slow, .typical = typical};
  bool has_instructions = wi_call_has_instructions(slow) || wi_call_has_instructions(typical);
  of.by_instructions = has_instructions && !is_elsewhere(&of);
  wasm_perf_clock clock = has_instructions ? WASM_PERF_CLOCK_INSTRUCTIONS : WASM_PERF_CLOCK_NONE;
  wasm_perf_mismatch mismatch;
  wasm_perf_profile *after = wi_call_profile(profile, slow, clock);
  wasm_perf_profile *before = wi_call_profile(profile, typical, clock);
  wasm_perf_diff *diff =
      after && before ? wasm_perf_diff_new(before, after, WASM_PERF_VALUE_SELF, &mismatch) : NULL;
  of.diff = diff;
  bool done = diff && name_function(&of, after) && write_all(&of, options, stream);
  wasm_perf_diff_free(diff);
  wasm_perf_profile_free(before);
  wasm_perf_profile_free(after);
  return done;
}
