#include "samples/owners.h"

#include <stdlib.h>

#include "profile/calls.h"
#include "support/large.h"

#define ROOT 0u
#define NONE UINT32_MAX

/* Whether its callees have several callers because it has them. */
static bool hands_down(const wasm_perf_profile *profile, const bool *is_several, uint32_t node) {
  return is_several[node] && !wi_graft_is_module(profile, node);
}

typedef struct needed {
  const bool *is_several;
  bool *is_needed;
} needed;

static void need(uint32_t *node, void *user) {
  const needed *of = user;
  of->is_needed[*node] = of->is_several[*node];
}

/*
 * Marks the nodes that need an owner: those with measures or measured calls, and those above them.
 * Callers come first.
 */
static void mark_needed(wasm_perf_profile *profile, bool *is_several, bool *is_needed) {
  for (uint32_t i = 1; i < profile->header.node_count; i++)
    is_several[i] |= hands_down(profile, is_several, profile->nodes[i].parent);
  needed of = {is_several, is_needed};
  for (uint32_t i = 0; i < profile->row_count; i++)
    need(&profile->rows[i].node, &of);
  wi_calls_visit(profile, need, &of);
  for (uint32_t i = profile->header.node_count - 1; i > 0; i--)
    if (is_needed[i] && hands_down(profile, is_several, profile->nodes[i].parent))
      is_needed[profile->nodes[i].parent] = true;
}

static bool add_owners(wi_graft *graft, const wasm_perf_profile *profile, const bool *is_several,
                       const bool *is_needed, uint32_t *owners) {
  uint32_t several = 0;
  for (uint32_t i = 0; i < profile->header.node_count; i++) {
    owners[i] = NONE;
    if (!is_needed[i])
      continue;
    if (several == 0) {
      uint32_t function = wi_graft_pseudo(graft, "several callers", WASM_PERF_KIND_JAVASCRIPT);
      several = function == 0 ? 0 : wi_graft_child(graft, ROOT, function, 0);
    }
    uint32_t parent = profile->nodes[i].parent;
    uint32_t above = hands_down(profile, is_several, parent) ? owners[parent] : several;
    owners[i] = several == 0 ? 0 : wi_graft_child(graft, above, profile->nodes[i].function, 0);
    if (owners[i] == 0)
      return false;
  }
  return true;
}

/*
 * Adds the nodes. Returns, per node of the profile, the added node for its measures or NONE. NULL: out of
 * memory. The caller frees it.
 */
static uint32_t *owners_new(wi_graft *graft, wasm_perf_profile *profile) {
  uint32_t count = profile->header.node_count;
  bool *is_several = wi_graft_several(graft), *is_needed = calloc(count, sizeof *is_needed);
  uint32_t *owners = wi_large_alloc(count * sizeof *owners);
  bool done = is_several && is_needed && owners;
  if (done) {
    mark_needed(profile, is_several, is_needed);
    done = add_owners(graft, profile, is_several, is_needed, owners);
  }
  free(is_several);
  free(is_needed);
  if (done)
    return owners;
  free(owners);
  return NULL;
}

bool wi_owners_finish(wi_graft *graft, wasm_perf_profile *profile) {
  if (profile->row_count == 0 && profile->calls.measures == 0)
    return wi_graft_finish(graft, NULL);
  uint32_t *owners = owners_new(graft, profile);
  bool done = owners && wi_graft_finish(graft, owners);
  free(owners);
  return done;
}
