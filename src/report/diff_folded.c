#include <inttypes.h>

#include "report/diff.h"

static bool write_lines(const wasm_perf_pairs *pairs, FILE *stream) {
  for (uint32_t i = wasm_perf_pairs_next(pairs, 0); i != 0; i = wasm_perf_pairs_next(pairs, i)) {
    wasm_perf_change self = wasm_perf_pairs_row(pairs, i).self;
    if (self.before == 0 && self.after == 0)
      continue;
    wasm_perf_pairs_write_stack(pairs, i, stream);
    if (fprintf(stream, " %" PRIu64 " %" PRIu64 "\n", self.before, self.after) < 0)
      return false; /* before the rest of a large report is tried in vain */
  }
  return fflush(stream) == 0 && !ferror(stream);
}

bool wasm_perf_diff_folded_write(const wasm_perf_diff *diff, const wasm_perf_diff_options *options,
                                 FILE *stream) {
  (void)options;
  wasm_perf_pairs pairs;
  if (!wasm_perf_pairs_init(&pairs, diff, WASM_PERF_DEPTH_LIMIT, ';'))
    return false;
  bool ok = write_lines(&pairs, stream);
  wasm_perf_pairs_clear(&pairs);
  return ok;
}
