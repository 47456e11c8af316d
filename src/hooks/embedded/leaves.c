/* Finds functions whose callers can count their calls. */
#include "hooks/embedded/leaves.h"

#include <stdlib.h>

#include "code/opcodes.h"

bool wi_leaves_init(wi_leaves *leaves, uint32_t function_count) {
  leaves->costs = malloc((function_count + (size_t)1) * sizeof *leaves->costs);
  leaves->forwards = malloc((function_count + (size_t)1) * sizeof *leaves->forwards);
  leaves->first = calloc(function_count + (size_t)1, sizeof *leaves->first);
  bool done = leaves->costs && leaves->forwards && leaves->first;
  for (uint32_t i = 0; done && i < function_count; i++) {
    leaves->costs[i] = WI_NO_COST;
    leaves->forwards[i] = WI_NO_FUNCTION;
  }
  return done;
}

void wi_leaves_clear(wi_leaves *leaves) {
  free(leaves->costs);
  free(leaves->forwards);
  free(leaves->first);
  free(leaves->callees);
  *leaves = (wi_leaves){0};
}

/* Whether the function ends at this site without returning. */
static bool ends_early(const wi_scan *scan, uint32_t site) {
  return site < scan->sites_count &&
         (scan->sites[site].kind == WI_SITE_UNREACHABLE || scan->sites[site].kind == WI_SITE_THROW);
}

/* The cost that every exit of the function flushes, or WI_NO_COST if they differ. */
static uint32_t common_cost(const wi_tallies *tallies, const wi_scan *scan) {
  int64_t cost = 0;
  if (tallies->uses_local)
    return WI_NO_COST;
  for (uint32_t i = 0; i < tallies->items_count; i++) {
    const wi_tally *tally = &tallies->items[i];
    if (tally->step == WI_TALLY_NONE)
      continue;
    if (ends_early(scan, i) || (cost != 0 && cost != tally->constant))
      return WI_NO_COST;
    cost = tally->constant;
  }
  return cost < WI_NO_COST ? (uint32_t)cost : WI_NO_COST;
}

/* Whether the code only reads variables and constants, so it cannot trap. */
static bool fetches_only(const uint8_t *at, const uint8_t *end) {
  while (at < end) {
    uint8_t opcode = *at++;
    if (opcode != LOCAL_GET && opcode != GLOBAL_GET && opcode != I32_CONST && opcode != I64_CONST)
      return false;
    while (at < end && *at++ & 0x80)
      ;
  }
  return true;
}

/* Whether a straight-line body may contain the site. */
static bool is_straight_at(const wi_scan *scan, const wi_site *site) {
  switch ((wi_site_kind)site->kind) {
  case WI_SITE_FUNCTION_INDEX:
  case WI_SITE_BEFORE_CALL:
  case WI_SITE_AFTER_CALL:
  case WI_SITE_BASIC_BLOCK: return true;
  case WI_SITE_RETURN: return site->offset + 1 == scan->end_offset;
  default: return false;
  }
}

/* The instructions that each call of a forwarder executes, or WI_NO_COST. */
static uint32_t forwarder_cost(const wi_scan *scan) {
  for (uint32_t i = 0; i < scan->sites_count; i++)
    if (!is_straight_at(scan, &scan->sites[i]))
      return WI_NO_COST;
  return scan->instruction_count;
}

/*
 * The function that a forwarder calls, or WI_NO_FUNCTION. After the call the code is unrestricted.
 */
static uint32_t find_forwarded(const wi_module *module, const wi_scan *scan) {
  const wi_site *call = scan->sites;
  const wi_site *end = call + scan->sites_count;
  while (call < end && call->kind != WI_SITE_BEFORE_CALL)
    call++;
  bool is_forwarder = call < end && scan->call_count == 1 &&
                      fetches_only(module->bytes + scan->code_offset, module->bytes + call->offset);
  return is_forwarder ? call->value : WI_NO_FUNCTION;
}

bool wi_leaves_look_at(wi_leaves *leaves, const wi_module *module, uint32_t function,
                       const wi_scan *scan, wi_tallies *tallies) {
  uint32_t *cost = &leaves->costs[function];
  if (scan->call_count > 0) {
    leaves->forwards[function] = find_forwarded(module, scan);
    if (leaves->forwards[function] != WI_NO_FUNCTION)
      *cost = tallies ? forwarder_cost(scan) : 0;
    return true;
  }
  if (tallies && !wi_tallies_find(tallies, scan, scan->conditional_exit))
    return false;
  *cost = tallies ? common_cost(tallies, scan) : 0;
  return true;
}
