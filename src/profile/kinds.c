#include "profile/kinds.h"

#include <stdlib.h>
#include <string.h>

#include "support/search.h"

/*
 * Makes room for one more item after `count`; the capacity is a power of two. NULL: out of memory.
 */
static void *with_room(void *items, size_t count, size_t item_size) {
  if ((count & (count - 1)) != 0)
    return items;
  return realloc(items, (count == 0 ? 1 : count * 2) * item_size);
}

/* ---- Kinds ----------------------------------------------------------------- */

/* Position of the function's kind, or where to insert it. */
static uint32_t position_of(const wasm_perf_profile *profile, uint32_t function) {
  return WI_LOWER_BOUND(wasm_perf_function_kind, profile->kinds, profile->kind_count, function,
                        function);
}

static bool is_at(const wasm_perf_profile *profile, uint32_t position, uint32_t function) {
  return position < profile->kind_count && profile->kinds[position].function == function;
}

wasm_perf_kind wasm_perf_profile_kind(const wasm_perf_profile *profile, uint32_t function) {
  uint32_t position = position_of(profile, function);
  if (is_at(profile, position, function))
    return (wasm_perf_kind)profile->kinds[position].kind;
  return function < profile->header.host_function_count ? WASM_PERF_KIND_IMPORT
                                                        : WASM_PERF_KIND_WASM;
}

bool wasm_perf_profile_set_kind(wasm_perf_profile *profile, uint32_t function,
                                wasm_perf_kind kind) {
  uint32_t position = position_of(profile, function), count = profile->kind_count;
  if (kind == WASM_PERF_KIND_WASM || is_at(profile, position, function))
    return kind != WASM_PERF_KIND_WASM;
  wasm_perf_function_kind *kinds = with_room(profile->kinds, count, sizeof *kinds);
  if (!kinds)
    return false;
  profile->kinds = kinds;
  memmove(kinds + position + 1, kinds + position, (count - position) * sizeof *kinds);
  kinds[position] = (wasm_perf_function_kind){function, kind};
  profile->kind_count++;
  return true;
}

bool wi_kinds_merge(wasm_perf_profile *result, const wi_guests *guests) {
  for (size_t p = 0; p < guests->count; p++) {
    const wasm_perf_profile *profile = guests->profiles[p];
    for (uint32_t i = 0; i < profile->kind_count; i++)
      if (!wasm_perf_profile_set_kind(result,
                                      wi_guests_number(guests, p, profile->kinds[i].function),
                                      (wasm_perf_kind)profile->kinds[i].kind))
        return false;
  }
  return true;
}

const char *wi_kind_name(wasm_perf_kind kind) {
  static const char *const names[] = {
#define NAME(id, name, number, plural) [number] = name,
      WASM_PERF_KINDS(NAME)
#undef NAME
  };
  return names[kind];
}

const char *wi_kind_plural(wasm_perf_kind kind) {
  static const char *const plurals[] = {
#define PLURAL(id, name, number, plural) [number] = plural,
      WASM_PERF_KINDS(PLURAL)
#undef PLURAL
  };
  return plurals[kind];
}

/* ---- Shared calls ------------------------------------------------------------ */

bool wi_shared_add(wasm_perf_profile *profile, uint32_t node, uint32_t first) {
  wasm_perf_shared *shared =
      with_room(profile->shared, profile->shared_count, sizeof *profile->shared);
  if (!shared)
    return false;
  profile->shared = shared;
  shared[profile->shared_count++] = (wasm_perf_shared){node, first};
  return true;
}

/* Returns the smallest node of the group of `node`, and shortens the path to it. */
static uint32_t first_of(uint32_t *above, uint32_t node) {
  while (above[node] != node) {
    above[node] = above[above[node]];
    node = above[node];
  }
  return node;
}

/* Merges the groups of two nodes. */
static void merge_groups(uint32_t *above, uint32_t left, uint32_t right) {
  uint32_t a = first_of(above, left), b = first_of(above, right);
  above[a > b ? a : b] = a > b ? b : a;
}

/* Lists the marked nodes, each with the first of its group. Returns their number. */
static uint32_t list_shared(wasm_perf_shared *shared, const uint8_t *is_shared, uint32_t *above,
                            uint32_t node_count) {
  uint32_t count = 0;
  for (uint32_t node = 0; node < node_count; node++)
    if (is_shared[node])
      shared[count++] = (wasm_perf_shared){node, first_of(above, node)};
  return count;
}

/* There may be hundreds of thousands: they are listed in the order of nodes without sorting. */
bool wi_shared_move(wasm_perf_profile *profile, const uint32_t *places) {
  uint32_t node_count = profile->header.node_count, count = profile->shared_count;
  profile->shared_count = 0;
  if (count == 0)
    return true;
  uint32_t *above = malloc(node_count * sizeof *above);
  uint8_t *is_shared = calloc(node_count, sizeof *is_shared);
  bool ok = above && is_shared;
  for (uint32_t i = 0; ok && i < node_count; i++)
    above[i] = i;
  for (uint32_t i = 0; ok && i < count; i++) {
    uint32_t node = places[profile->shared[i].node];
    is_shared[node] = 1;
    merge_groups(above, node, places[profile->shared[i].first]);
  }
  if (ok)
    profile->shared_count = list_shared(profile->shared, is_shared, above, node_count);
  free(above);
  free(is_shared);
  return ok;
}
