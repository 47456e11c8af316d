/*
 * The lines at which the outer frames of a stack are, while the tree is walked in preorder.
 *
 * If a function calls another at several lines, the cost below that call is divided among them in
 * proportion to their calls: the first line has the first part of the walk, and so on. So a stack's
 * cost has to be cut where a frame moves to its next line, which adds at most one sample for each
 * further line.
 */
#ifndef WI_REPORT_FORMATS_PPROF_CALL_SITES_H_
#define WI_REPORT_FORMATS_PPROF_CALL_SITES_H_

#include "report/model/call_lines.h"
#include "report/model/report.h"

/* A call from several lines. */
typedef struct wi_pprof_site {
  uint32_t node; /* the callee's */
  uint32_t count;
  uint32_t at; /* index of the current line */
  const wi_call_line *lines;
  uint64_t start; /* cost before the callee's */
  uint64_t end;   /* cost at which the current line ends */
} wi_pprof_site;

typedef struct wi_pprof_sites {
  const wi_tree *tree;
  wi_call_lines calls;
  uint64_t position;   /* cost written so far */
  uint32_t open_count; /* sites around the current node, outermost first */
  wi_pprof_site open[WI_DEPTH_LIMIT + 2];
} wi_pprof_sites;

/* Returns false, with nothing to clear, if memory ran out. */
bool wi_pprof_sites_init(wi_pprof_sites *sites, const wi_report *report,
                         const wi_line_costs *costs);
void wi_pprof_sites_clear(wi_pprof_sites *sites);

/*
 * Enters the next node in preorder. Returns the item of the costs at which its parent is, or
 * UINT32_MAX if that is unknown.
 */
uint32_t wi_pprof_sites_enter(wi_pprof_sites *sites, uint32_t node);

/* The site of the node that was entered last, if it is called at several lines; else NULL. */
const wi_pprof_site *wi_pprof_sites_last(const wi_pprof_sites *sites, uint32_t node);

/* The part of a cost that can be written before a frame moves to another line. */
uint64_t wi_pprof_sites_fit(const wi_pprof_sites *sites, uint64_t cost);

/*
 * Adds a cost that was written, and moves frames to their next lines. Returns the index of the
 * outermost site that moved, or open_count; sites further in may have moved, too.
 */
uint32_t wi_pprof_sites_add(wi_pprof_sites *sites, uint64_t cost);

#endif /* WI_REPORT_FORMATS_PPROF_CALL_SITES_H_ */
