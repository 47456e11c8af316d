/* Source lines, with the functions inlined there, as locations of pprof. */
#ifndef WI_REPORT_FORMATS_PPROF_LINES_H_
#define WI_REPORT_FORMATS_PPROF_LINES_H_

#include "profile/inlined.h"
#include "report/model/line_split.h"

typedef struct wi_pprof_lines {
  const wi_report *report;
  wi_line_split split;            /* each item of its costs is a location */
  wi_inlined_functions functions; /* each is a function in pprof, too */
} wi_pprof_lines;

/*
 * Has no items if there would be far too many samples. Returns false, with nothing to clear, if
 * memory ran out.
 */
bool wi_pprof_lines_init(wi_pprof_lines *lines, const wi_report *report);
void wi_pprof_lines_clear(wi_pprof_lines *lines);

#define WI_PPROF_MAX_FRAMES 64u /* per item; further frames are omitted */

/* A frame of an item. */
typedef struct wi_pprof_frame {
  uint32_t function; /* index in functions.firsts; WI_PPROF_OWN_FUNCTION: the label's function */
  uint32_t line;     /* 0: unknown, or in a file other than the function's */
} wi_pprof_frame;

#define WI_PPROF_OWN_FUNCTION UINT32_MAX

/* Writes the frames of an item, innermost first, the label's own last; returns their number. */
uint32_t wi_pprof_lines_frames(const wi_pprof_lines *lines, const wi_line_cost *item,
                               wi_pprof_frame frames[WI_PPROF_MAX_FRAMES]);

#endif /* WI_REPORT_FORMATS_PPROF_LINES_H_ */
