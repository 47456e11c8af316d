/* Checks whether something grew by more than allowed. */
#include <string.h>

#include "report/diff/change.h"
#include "report/diff/diff_summary.h"
#include "support/arithmetic.h"

#define MAX_GROWTH_LINES 20u

/*
 * part ÷ whole of the total, rounded down: an integer exceeds the result if it exceeds the exact
 * value.
 */
static uint64_t allowance(uint64_t total, uint64_t part, uint64_t whole) {
  uint64_t times = part / whole;
  uint64_t rest = wi_scale(part % whole, whole, total);
  if (times != 0 && total > UINT64_MAX / times)
    return UINT64_MAX;
  return wi_saturating_add(times * total, rest);
}

/* Of sampled times two standard deviations may be chance. */
static bool exceeds(const wasm_perf_diff *diff, wasm_perf_change change, uint64_t allowed) {
  uint64_t error = wi_change_error(change, diff->sample_period);
  uint64_t most = wi_saturating_add(allowed, wi_saturating_add(error, error));
  return change.after > change.before && change.after - change.before > most;
}

typedef struct growth_list {
  const wasm_perf_diff_row *rows[MAX_GROWTH_LINES]; /* largest growth first, then by name */
  uint32_t count;
} growth_list;

static void list_growth(growth_list *list, const wasm_perf_diff_row *row) {
  uint64_t size = wi_change_size(row->self);
  uint32_t place = list->count;
  while (place > 0 && wi_change_size(list->rows[place - 1]->self) < size)
    place--;
  if (place == MAX_GROWTH_LINES)
    return;
  list->count += list->count < MAX_GROWTH_LINES;
  memmove(&list->rows[place + 1], &list->rows[place],
          (list->count - 1 - place) * sizeof *list->rows);
  list->rows[place] = row;
}

static void write_growth(const wasm_perf_diff *diff, const char *name, wasm_perf_change change,
                         uint64_t base, const char *base_name, FILE *stream) {
  wi_unit unit = wi_diff_unit(diff);
  fprintf(stream, "%s: %s", name, wi_format_value(unit, change.before).text);
  fprintf(stream, " \xE2\x86\x92 %s", wi_format_value(unit, change.after).text);
  if (wi_change_has_percentage(change, base))
    fprintf(stream, ", %s %% of %s", wi_format_change_of(change, base).text, base_name);
  fputc('\n', stream);
}

/* `count` functions grew; the list has those that grew most. */
static void write_list(const wasm_perf_diff *diff, const growth_list *list, uint32_t count,
                       bool of_total, FILE *stream) {
  for (uint32_t i = 0; i < list->count; i++) {
    const wasm_perf_diff_row *row = list->rows[i];
    write_growth(diff, row->name, row->self, of_total ? diff->total.before : row->self.before,
                 of_total ? "the total before" : "its own before", stream);
  }
  if (count > list->count)
    fprintf(stream, "and %s\n", wi_format_quantity(count - list->count, "more function").text);
}

uint32_t wasm_perf_diff_growth(const wasm_perf_diff *diff, uint64_t part, uint64_t whole,
                               FILE *stream) {
  uint64_t allowed = allowance(diff->total.before, part, whole);
  bool total_exceeds = exceeds(diff, diff->total, allowed);
  growth_list list = {.count = 0};
  uint32_t count = 0;
  for (uint32_t i = 0; i < diff->row_count; i++) {
    if (exceeds(diff, diff->rows[i].self, allowed)) {
      count++;
      list_growth(&list, &diff->rows[i]);
    }
  }
  if (stream && total_exceeds)
    write_growth(diff, "the total", diff->total, diff->total.before, "the total before", stream);
  if (stream)
    write_list(diff, &list, count, true, stream);
  return count + total_exceeds;
}

uint32_t wasm_perf_diff_function_growth(const wasm_perf_diff *diff, uint64_t part, uint64_t whole,
                                        FILE *stream) {
  growth_list list = {.count = 0};
  uint32_t count = 0;
  for (uint32_t i = 0; i < diff->row_count; i++) {
    const wasm_perf_diff_row *row = &diff->rows[i];
    bool has_base = row->is_uncounted ? row->self.before > 0 : !row->is_new;
    if (has_base && exceeds(diff, row->self, allowance(row->self.before, part, whole))) {
      count++;
      list_growth(&list, row);
    }
  }
  if (stream)
    write_list(diff, &list, count, false, stream);
  return count;
}
