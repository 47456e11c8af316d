/* The call tree as text. */
#include "report/exporters.h"
#include "report/outline.h"
#include "report/outline_text.h"
#include "report/text_table.h"
#include "report/tree.h"

bool wasm_perf_tree_text_write(const wasm_perf_profile *profile,
                               const wasm_perf_report_options *options, FILE *stream) {
  wasm_perf_outline_limits limits = wasm_perf_outline_limits_of(options);
  wasm_perf_tree *tree = wasm_perf_tree_new(profile, WASM_PERF_NO_DEPTH_LIMIT, 0);
  wasm_perf_outline *outline = tree ? wasm_perf_outline_new(tree, WASM_PERF_OUTLINE_TREE,
                                                            WASM_PERF_OUTLINE_NO_LABEL, &limits)
                                    : NULL;
  bool ok = outline != NULL;
  if (ok) {
    wasm_perf_write_summary(profile, tree, options, stream);
    ok = wasm_perf_outline_write(outline, false, profile, tree, options, stream) &&
         fflush(stream) == 0 && !ferror(stream);
  }
  wasm_perf_outline_free(outline);
  wasm_perf_tree_free(tree);
  return ok;
}
