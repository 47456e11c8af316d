/*
 * Functions that wait for other threads (memory.atomic.wait32 and wait64). Samples in them are not
 * work. Inserts no code; the profile lists them in the fact `waiting`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/opcodes.h"
#include "hooks/follow/follower.h"

enum { WAIT32 = 1, WAIT64 = 2 };

typedef struct waits {
  WI_ARRAY(uint32_t, functions); /* in ascending order */
} waits;

static const char *const exports[] = {NULL};

static bool find(wi_following *following, const wi_plan *plan, const wi_options *options,
                 wi_scan *scan, wi_error *error) {
  (void)plan, (void)scan;
  following->is_active = options->clock == WASM_PERF_CLOCK_SAMPLED;
  following->state = calloc(1, sizeof(waits));
  return following->state || wi_error_memory(error);
}

static void clear(void *state) {
  free(((waits *)state)->functions);
  free(state);
}

static void want(const wi_following *following, const wi_module *module, wi_scan_wants *wants) {
  (void)following, (void)module;
  wi_scan_want_opcode(wants, WI_PREFIXED(PREFIX_FE, WAIT32));
  wi_scan_want_opcode(wants, WI_PREFIXED(PREFIX_FE, WAIT64));
}

static bool note(wi_following *following, wi_plan *plan, uint32_t function, const wi_site *site,
                 wi_error *error) {
  (void)plan;
  waits *all = following->state;
  bool waits_there = site->value == WI_PREFIXED(PREFIX_FE, WAIT32) ||
                     site->value == WI_PREFIXED(PREFIX_FE, WAIT64);
  bool is_known = all->functions_count > 0 && all->functions[all->functions_count - 1] == function;
  if (!waits_there || is_known)
    return true;
  uint32_t *added = WI_ARRAY_PUSH(all, functions);
  if (!added)
    return wi_error_memory(error);
  *added = function;
  return true;
}

static void put_facts(const wi_following *following, const wi_plan *plan, const wi_fact_put *put,
                      wi_buffer *out) {
  const waits *all = following->state;
  wi_buffer functions = {0};
  char number[16];
  for (uint32_t i = 0; i < all->functions_count; i++) {
    snprintf(number, sizeof number, "%s%u", i > 0 ? " " : "",
             all->functions[i] + plan->import_count);
    wi_buffer_append(&functions, number, strlen(number));
  }
  if (functions.size > 0)
    put->text(out, WASM_PERF_FACT_waiting, functions.data, functions.size);
  out->failed |= functions.failed;
  wi_buffer_clear(&functions);
}

const wi_follower wi_follow_waits = {.name = "waits",
                                     .exports = exports,
                                     .keeps_leaves = true,
                                     .find = find,
                                     .clear = clear,
                                     .want = want,
                                     .note = note,
                                     .put_facts = put_facts};
