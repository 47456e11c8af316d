/* The folded report with two values per line, "frame;frame BEFORE AFTER", unless both are 0. */
#include <inttypes.h>

#include "report/diff/diff_pairs.h"
#include "report/diff/diff_writers.h"

static bool write_lines(const wi_diff_pairs *pairs, FILE *stream) {
  for (uint32_t i = wi_diff_pairs_next(pairs, 0); i != 0; i = wi_diff_pairs_next(pairs, i)) {
    wasm_perf_change self = wi_diff_pairs_row(pairs, i).self;
    if (self.before == 0 && self.after == 0)
      continue;
    wi_diff_pairs_write_stack(pairs, i, stream);
    if (fprintf(stream, " %" PRIu64 " %" PRIu64 "\n", self.before, self.after) < 0)
      return false; /* on a full disk, do not spend time on the rest */
  }
  return fflush(stream) == 0 && !ferror(stream);
}

bool wi_diff_folded_write(const wasm_perf_diff *diff, const wasm_perf_diff_options *options,
                          FILE *stream) {
  (void)options;
  wi_diff_pairs pairs;
  if (!wi_diff_pairs_init(&pairs, diff, WI_DEPTH_LIMIT, ';'))
    return false;
  bool ok = write_lines(&pairs, stream);
  wi_diff_pairs_clear(&pairs);
  return ok;
}
