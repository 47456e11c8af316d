/*
 * The call tree as text, largest totals first, within options->min_share, depth_limit and
 * row_limit. A line marks each place at which something is omitted.
 */
#include "report/formats/writers.h"
#include "report/model/outline.h"
#include "report/text/outline_text.h"
#include "report/text/text_table.h"

bool wi_tree_write(const wi_report *report, FILE *stream) {
  wi_outline *outline = wi_outline_new(report, WI_OUTLINE_TREE, WI_OUTLINE_NO_LABEL);
  if (!outline)
    return false;
  wi_write_totals(report, stream);
  bool ok = wi_outline_write(outline, false, report, stream);
  wi_write_notes(report, stream);
  wi_outline_free(outline);
  return ok;
}
