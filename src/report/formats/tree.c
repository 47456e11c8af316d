/*
 * The call tree as text, the largest totals first: what options->min_share, depth_limit and
 * row_limit leave, with a line at each place where they leave something out.
 */
#include "report/model/tree.h"
#include "report/formats/writers.h"
#include "report/model/outline.h"
#include "report/text/outline_text.h"
#include "report/text/text_table.h"

bool wi_tree_write(const wasm_perf_profile *profile, const wasm_perf_report_options *options,
                   FILE *stream) {
  wi_outline_limits limits = wi_outline_limits_of(options);
  wi_tree *tree = wi_tree_new(profile, WI_NO_DEPTH_LIMIT, 0);
  wi_outline *outline =
      tree ? wi_outline_new(tree, WI_OUTLINE_TREE, WI_OUTLINE_NO_LABEL, &limits) : NULL;
  bool ok = outline != NULL;
  if (ok) {
    wi_write_summary(profile, tree, options, stream);
    ok = wi_outline_write(outline, false, profile, tree, options, stream) && fflush(stream) == 0 &&
         !ferror(stream);
  }
  wi_outline_free(outline);
  wi_tree_free(tree);
  return ok;
}
