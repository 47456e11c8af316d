/* Lines of the source and the functions that were inlined there, as locations of pprof. */
#ifndef WI_REPORT_FORMATS_PPROF_LINES_H_
#define WI_REPORT_FORMATS_PPROF_LINES_H_

#include "profile/inlined.h"
#include "report/model/line_split.h"

typedef struct wi_pprof_lines {
  const wi_report *report;
  wi_line_split split;            /* each item of its costs is a location */
  wi_inlined_functions functions; /* each is one of pprof's, too */
} wi_pprof_lines;

/*
 * Without items also where there would be far too many samples. False, with nothing to clear: out
 * of memory.
 */
bool wi_pprof_lines_init(wi_pprof_lines *lines, const wi_report *report);
void wi_pprof_lines_clear(wi_pprof_lines *lines);

#define WI_PPROF_MAX_FRAMES 64u /* of an item: what is beyond is left out */

/* A frame of an item. */
typedef struct wi_pprof_frame {
  uint32_t function; /* index in functions.firsts, or WI_PPROF_OWN_FUNCTION: the label's */
  uint32_t line;     /* 0: not known, or not in the function's file */
} wi_pprof_frame;

#define WI_PPROF_OWN_FUNCTION UINT32_MAX

/* The frames of an item, innermost first, the label's own last; returns how many. */
uint32_t wi_pprof_lines_frames(const wi_pprof_lines *lines, const wi_line_cost *item,
                               wi_pprof_frame frames[WI_PPROF_MAX_FRAMES]);

#endif /* WI_REPORT_FORMATS_PPROF_LINES_H_ */
