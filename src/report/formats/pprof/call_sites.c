#include "report/formats/pprof/call_sites.h"

#include "support/arithmetic.h"

bool wi_pprof_sites_init(wi_pprof_sites *sites, const wi_report *report,
                         const wi_line_costs *costs) {
  *sites = (wi_pprof_sites){.tree = report->tree};
  return costs->count == 0 ||
         wi_call_lines_init(&sites->calls, report->tree, report->profile, costs);
}

void wi_pprof_sites_clear(wi_pprof_sites *sites) {
  wi_call_lines_clear(&sites->calls);
}

/* Sets the end of the current line. */
static void set_end(const wi_pprof_sites *sites, wi_pprof_site *site) {
  uint64_t total = sites->tree->nodes[site->node].total;
  uint64_t part = wi_call_lines_part(site->lines, site->count, site->at, total);
  uint64_t from = site->at == 0 ? site->start : site->end;
  site->end = wi_saturating_add(from, part);
}

/* Moves a site to the next line that has a part. */
static bool move(const wi_pprof_sites *sites, wi_pprof_site *site) {
  uint32_t before = site->at;
  while (site->at + 1 < site->count && site->end <= sites->position) {
    site->at++;
    set_end(sites, site);
  }
  return site->at != before;
}

uint32_t wi_pprof_sites_enter(wi_pprof_sites *sites, uint32_t node) {
  const wi_tree_node *nodes = sites->tree->nodes, *it = &nodes[node];
  while (sites->open_count > 0 && nodes[sites->open[sites->open_count - 1].node].depth >= it->depth)
    sites->open_count--;
  if (it->parent == 0 || sites->calls.count == 0)
    return UINT32_MAX;
  uint32_t count;
  const wi_call_line *lines =
      wi_call_lines_find(&sites->calls, nodes[it->parent].label, it->label, &count);
  if (!lines || count == 1)
    return lines ? lines->item : UINT32_MAX;
  wi_pprof_site *site = &sites->open[sites->open_count++];
  *site = (wi_pprof_site){.node = node, .count = count, .lines = lines, .start = sites->position};
  set_end(sites, site);
  if (it->total > 0)
    move(sites, site);
  return site->lines[site->at].item;
}

const wi_pprof_site *wi_pprof_sites_last(const wi_pprof_sites *sites, uint32_t node) {
  if (sites->open_count == 0)
    return NULL;
  const wi_pprof_site *last = &sites->open[sites->open_count - 1];
  return last->node == node ? last : NULL;
}

uint64_t wi_pprof_sites_fit(const wi_pprof_sites *sites, uint64_t cost) {
  for (uint32_t i = 0; i < sites->open_count; i++) {
    const wi_pprof_site *site = &sites->open[i];
    uint64_t left = site->end > sites->position ? site->end - sites->position : 0;
    if (site->at + 1 < site->count && left > 0 && left < cost)
      cost = left;
  }
  return cost;
}

uint32_t wi_pprof_sites_add(wi_pprof_sites *sites, uint64_t cost) {
  uint32_t first = sites->open_count;
  sites->position = wi_saturating_add(sites->position, cost);
  for (uint32_t i = sites->open_count; cost > 0 && i-- > 0;)
    if (move(sites, &sites->open[i]))
      first = i;
  return first;
}
