/* The data from which every report of one profile starts, computed once. */
#ifndef WI_REPORT_MODEL_REPORT_H_
#define WI_REPORT_MODEL_REPORT_H_

#include <stdbool.h>
#include <stdio.h>

#include "names/label.h"
#include "report/model/sampling.h"
#include "report/model/summary.h"
#include "report/model/tree.h"
#include "report/model/units.h"
#include "wasm_perf/report.h"

/* How a format shows stacks. */
typedef enum wi_stacks {
  WI_STACKS_WHOLE,  /* at any depth */
  WI_STACKS_CUT,    /* beyond WI_DEPTH_LIMIT, see tree.h */
  WI_STACKS_JOINED, /* cut, with names joined by ';', which no name may contain */
} wi_stacks;

typedef struct wi_report {
  const wasm_perf_profile *profile;  /* borrowed */
  wasm_perf_report_options options;  /* with defaults instead of zeros */
  char title[WI_LABEL_MAX_SIZE + 1]; /* options.title, cleaned */
  wi_unit unit;                      /* of all values except calls */
  wi_tree *tree;                     /* owned */
  wi_time_notes notes;               /* owned */
  wi_summary summary;
} wi_report;

/*
 * `options` may be NULL for defaults. Its strings and the profile must outlive the report. Returns
 * false, with nothing to clear, if memory ran out.
 */
bool wi_report_init(wi_report *report, const wasm_perf_profile *profile,
                    const wasm_perf_report_options *options, wi_stacks stacks);
void wi_report_clear(wi_report *report);

/*
 * Makes reports of `count` profiles, with whole stacks, whose labels are equal where functions are
 * recognised in each other (identities.h). `titles` replace the one in the options. Returns false,
 * with nothing to clear, if memory ran out.
 */
bool wi_reports_init(wi_report *reports, const wasm_perf_profile *const *profiles,
                     const char *const *titles, uint32_t count,
                     const wasm_perf_report_options *options);
void wi_reports_clear(wi_report *reports, uint32_t count);

/*
 * Writes a report in one format. Returns false if memory ran out. The stream keeps its own errors.
 */
typedef bool wi_report_writer(const wi_report *report, FILE *stream);

/* Makes the report of a profile and writes it: see wasm_perf_report_writer. */
bool wi_report_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                     wi_stacks stacks, wi_report_writer *writer, FILE *stream);

#endif /* WI_REPORT_MODEL_REPORT_H_ */
