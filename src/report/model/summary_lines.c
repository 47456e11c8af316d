#include "report/model/summary_lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void add_line(wi_summary *summary, bool is_caution, const char *format, va_list arguments) {
  unsigned last = WI_SUMMARY_MAX_LINES - 1;
  if (summary->line_count > last) {
    strcpy(summary->lines[last], "Further notes are left out for lack of space.");
    return;
  }
  summary->is_caution[summary->line_count] = is_caution;
  vsnprintf(summary->lines[summary->line_count++], sizeof summary->lines[0], format, arguments);
}

void wi_summary_add(wi_summary *summary, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_line(summary, false, format, arguments);
  va_end(arguments);
}

void wi_summary_warn(wi_summary *summary, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_line(summary, true, format, arguments);
  va_end(arguments);
}

void wi_summary_measure(wi_summary *summary, const char *name, wi_unit unit, uint64_t value) {
  if (summary->number_count < WI_SUMMARY_MAX_NUMBERS)
    summary->numbers[summary->number_count++] = (wi_summary_number){name, unit, value};
}

void wi_summary_count(wi_summary *summary, const char *name, uint64_t value) {
  wi_summary_measure(summary, name, WI_UNIT_COUNT, value);
}

unsigned wi_summary_totals(const wi_summary *summary) {
  unsigned first = 0;
  while (first < summary->line_count && summary->is_caution[first])
    first++;
  return first;
}

unsigned wi_summary_notes(const wi_summary *summary) {
  unsigned totals = wi_summary_totals(summary);
  return totals < summary->line_count ? totals + 1 : totals;
}
