/* The lines of a report's summary, and the numbers in them. */
#ifndef WI_REPORT_MODEL_SUMMARY_LINES_H_
#define WI_REPORT_MODEL_SUMMARY_LINES_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/units.h"

#define WI_SUMMARY_MAX_LINES   48 /* more than ever needed; the last line reports an overflow */
#define WI_SUMMARY_MAX_NUMBERS 48 /* more than ever needed; further ones are dropped */

/* A number from a line, for programs. The name is static; without a unit it names what is counted. */
typedef struct wi_summary_number {
  const char *name;
  wi_unit unit; /* WI_UNIT_COUNT: none */
  uint64_t value;
} wi_summary_number;

typedef struct wi_summary {
  char lines[WI_SUMMARY_MAX_LINES][240];
  bool is_caution[WI_SUMMARY_MAX_LINES]; /* the line says that results are unreliable */
  bool is_rough;       /* a line says that the values of single functions are not reliable */
  unsigned line_count; /* the first that is not a caution has the totals */
  wi_summary_number numbers[WI_SUMMARY_MAX_NUMBERS];
  unsigned number_count;
} wi_summary;

/* The number of the line with the totals, and of the first note after it; line_count if none. */
unsigned wi_summary_totals(const wi_summary *summary);
unsigned wi_summary_notes(const wi_summary *summary);

/* Adds a line; `format` as for printf. */
void wi_summary_add(wi_summary *summary, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Likewise, a line saying that results are unreliable. */
void wi_summary_warn(wi_summary *summary, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a number that a line has. */
void wi_summary_count(wi_summary *summary, const char *name, uint64_t value);
void wi_summary_measure(wi_summary *summary, const char *name, wi_unit unit, uint64_t value);

#endif /* WI_REPORT_MODEL_SUMMARY_LINES_H_ */
