/* Samples in order of time, as a report's tree has their stacks. */
#ifndef WI_REPORT_MODEL_TIME_LINE_H_
#define WI_REPORT_MODEL_TIME_LINE_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/report.h"

/* Whether the report's values are times whose samples have an order. */
bool wi_time_line_is_there(const wi_report *report);

/* The frames that a thread enters and leaves, one after the other. */
typedef struct wi_time_events {
  const wi_tree *tree;
  const wasm_perf_thread *thread;
  uint32_t *path; /* by depth: the frames from the outermost to that of `stretch`; owned */
  uint32_t stretch;
  uint32_t target;   /* the node that the stretch is of */
  uint32_t top;      /* the innermost node that is open */
  uint32_t shared;   /* the innermost node of those open that the stretch has, too */
  uint64_t position; /* microseconds since the profile's first thread began */
  bool is_open;      /* the event is that `node` begins; else it ends */
  uint32_t node;
} wi_time_events;

/* False: memory ran out. */
bool wi_time_events_init(wi_time_events *events, const wi_report *report, uint32_t thread);
void wi_time_events_clear(wi_time_events *events);

/* Goes to the next event; false after the last one. */
bool wi_time_events_next(wi_time_events *events);

#endif /* WI_REPORT_MODEL_TIME_LINE_H_ */
