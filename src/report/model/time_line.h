/* Samples in order of time, with the stacks of a report's tree. */
#ifndef WI_REPORT_MODEL_TIME_LINE_H_
#define WI_REPORT_MODEL_TIME_LINE_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/report.h"

/* Whether the report's values are times, and the order of the samples is known. */
bool wi_time_line_is_there(const wi_report *report);

/* Iterates over the frames that a thread enters and leaves. */
typedef struct wi_time_events {
  const wi_tree *tree;
  const wasm_perf_thread *thread;
  uint32_t *path; /* by depth: the frames from the outermost to that of `stretch`; owned */
  uint32_t stretch;
  uint32_t target;   /* the stretch's node */
  uint32_t top;      /* the innermost open node */
  uint32_t shared;   /* the innermost open node that the stretch shares */
  uint64_t position; /* microseconds since the profile's first thread began */
  bool is_open;      /* `node` begins at this event; otherwise it ends */
  uint32_t node;
} wi_time_events;

/* Returns false if memory ran out. */
bool wi_time_events_init(wi_time_events *events, const wi_report *report, uint32_t thread);
void wi_time_events_clear(wi_time_events *events);

/* Advances to the next event. Returns false after the last. */
bool wi_time_events_next(wi_time_events *events);

#endif /* WI_REPORT_MODEL_TIME_LINE_H_ */
