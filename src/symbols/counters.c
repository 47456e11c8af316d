#include "symbols/counters.h"

#include "code/scan_body.h"

bool wi_counters_scan(wi_scan *scan, const wi_module *module, uint32_t index,
                      const wasm_perf_profile *profile, const wasm_perf_blocks *blocks) {
  static const wi_scan_wants of_blocks = {.basic_blocks = true, .instructions = true},
                             of_edges = {.basic_blocks = true, .instructions = true, .edges = true};
  wi_error ignored;
  wi_error_reset(&ignored);
  const wi_scan_wants *wants = profile->facts.counts_edges ? &of_edges : &of_blocks;
  return wi_scan_body(scan, module, index, wants, &ignored) &&
         scan->basic_block_count == blocks->count;
}

uint32_t wi_counters_at(const wi_site *site) {
  if (site->kind == WI_SITE_TABLE_EDGES)
    return site->value;
  return site->kind == WI_SITE_BASIC_BLOCK;
}
