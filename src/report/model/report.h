/* What every report of one profile starts from, worked out once. */
#ifndef WI_REPORT_MODEL_REPORT_H_
#define WI_REPORT_MODEL_REPORT_H_

#include <stdbool.h>
#include <stdio.h>

#include "report/model/summary.h"
#include "report/model/tree.h"
#include "report/model/units.h"
#include "support/label.h"
#include "wasm_perf/report.h"

/* How a format can show stacks. */
typedef enum wi_stacks {
  WI_STACKS_WHOLE,   /* however deep */
  WI_STACKS_MATCHED, /* whole, with functions of one name as one: other profiles are beside it */
  WI_STACKS_CUT,     /* beyond WI_DEPTH_LIMIT as tree.h says */
  WI_STACKS_JOINED,  /* cut, and their names joined by ';', which therefore stands in no name */
} wi_stacks;

typedef struct wi_report {
  const wasm_perf_profile *profile;  /* borrowed */
  wasm_perf_report_options options;  /* with a value wherever zero asks for the default */
  char title[WI_LABEL_MAX_SIZE + 1]; /* options.title, fit to be shown */
  wi_unit unit;                      /* of all values but calls */
  wi_tree *tree;                     /* owned */
  wi_summary summary;
} wi_report;

/*
 * `options` may be NULL: all defaults; its strings and the profile must outlive the report. False,
 * with nothing to clear: out of memory.
 */
bool wi_report_init(wi_report *report, const wasm_perf_profile *profile,
                    const wasm_perf_report_options *options, wi_stacks stacks);
void wi_report_clear(wi_report *report);

/* Writes a report in one format. False: memory ran out; the stream keeps its own errors. */
typedef bool wi_report_writer(const wi_report *report, FILE *stream);

/* Makes the report of a profile and writes it: see wasm_perf_report_writer. */
bool wi_report_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                     wi_stacks stacks, wi_report_writer *writer, FILE *stream);

#endif /* WI_REPORT_MODEL_REPORT_H_ */
