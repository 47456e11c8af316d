#include "rewrite/leaves.h"

#include <stdlib.h>

bool wi_leaves_init(wi_leaves *leaves, uint32_t function_count) {
  leaves->costs = malloc((function_count + (size_t)1) * sizeof *leaves->costs);
  leaves->first = calloc(function_count + (size_t)1, sizeof *leaves->first);
  for (uint32_t i = 0; leaves->costs && i < function_count; ++i)
    leaves->costs[i] = WI_NO_COST;
  return leaves->costs && leaves->first;
}

void wi_leaves_clear(wi_leaves *leaves) {
  free(leaves->costs);
  free(leaves->first);
  free(leaves->callees);
  *leaves = (wi_leaves){0};
}

/* Whether the site ends the function otherwise than by returning. */
static bool ends_early(const wi_scan *scan, uint32_t site) {
  return site < scan->sites_count &&
         (scan->sites[site].kind == WI_SITE_UNREACHABLE || scan->sites[site].kind == WI_SITE_THROW);
}

/* What all ways out of the function hand over, or WI_NO_COST. */
static uint32_t common_cost(const wi_tallies *tallies, const wi_scan *scan) {
  int64_t cost = 0;
  if (tallies->uses_local)
    return WI_NO_COST;
  for (uint32_t i = 0; i < tallies->items_count; ++i) {
    const wi_tally *tally = &tallies->items[i];
    if (tally->step == WI_TALLY_NONE)
      continue;
    if (ends_early(scan, i) || (cost != 0 && cost != tally->constant))
      return WI_NO_COST;
    cost = tally->constant;
  }
  return cost < WI_NO_COST ? (uint32_t)cost : WI_NO_COST;
}

bool wi_leaves_find_cost(wi_leaves *leaves, uint32_t function, const wi_scan *scan,
                         wi_tallies *tallies) {
  if (!wi_tallies_find(tallies, scan, scan->conditional_exit))
    return false;
  leaves->costs[function] = common_cost(tallies, scan);
  return true;
}
