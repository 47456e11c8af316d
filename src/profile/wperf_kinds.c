#include "profile/wperf_kinds.h"

#include "profile/kinds.h"

#define PAIR_SIZE 8u

static bool check_pairs(const wi_wperf_input *in, wi_wperf_span section, const char *what) {
  const uint8_t *bytes = in->bytes + section.offset;
  if (section.size % PAIR_SIZE != 0)
    return wi_wperf_fail(in, section.offset, "%s do not fill %zu bytes", what, section.size);
  for (size_t i = PAIR_SIZE; i < section.size; i += PAIR_SIZE)
    if (wi_wperf_u32(bytes + i) <= wi_wperf_u32(bytes + i - PAIR_SIZE))
      return wi_wperf_fail(in, section.offset + i, "%s are not in order: %u follows %u", what,
                           wi_wperf_u32(bytes + i), wi_wperf_u32(bytes + i - PAIR_SIZE));
  return true;
}

/* A kind from a later version is some code outside of the module. */
static wasm_perf_kind known_kind(uint32_t kind) {
  return kind < WASM_PERF_KIND_COUNT ? (wasm_perf_kind)kind : WASM_PERF_KIND_NATIVE;
}

bool wi_wperf_check_kinds(const wi_wperf_input *in, wi_wperf_span section) {
  if (!check_pairs(in, section, "kinds of functions"))
    return false;
  for (size_t i = 0; i < section.size; i += PAIR_SIZE)
    if (wi_wperf_u32(in->bytes + section.offset + i + 4) == WASM_PERF_KIND_WASM)
      return wi_wperf_fail(in, section.offset + i, "a function's kind is 0");
  return true;
}

bool wi_wperf_check_columns(const wi_wperf_input *in, wi_wperf_span section) {
  return check_pairs(in, section, "columns of functions");
}

bool wi_wperf_check_matched(const wi_wperf_input *in, wi_wperf_span section) {
  if (!check_pairs(in, section, "confidences"))
    return false;
  for (size_t i = 0; i < section.size; i += PAIR_SIZE) {
    uint32_t thousandths = wi_wperf_u32(in->bytes + section.offset + i + 4);
    if (thousandths < 1 || thousandths > 1000)
      return wi_wperf_fail(in, section.offset + i, "a confidence is %u thousandths", thousandths);
  }
  return true;
}

bool wi_wperf_check_shared(const wi_wperf_input *in, wi_wperf_span section, uint32_t node_count) {
  const uint8_t *bytes = in->bytes + section.offset;
  if (!check_pairs(in, section, "nodes with shared calls"))
    return false;
  for (size_t i = 0; i < section.size; i += PAIR_SIZE) {
    uint32_t node = wi_wperf_u32(bytes + i), first = wi_wperf_u32(bytes + i + 4);
    if (node >= node_count || first > node)
      return wi_wperf_fail(in, section.offset + i,
                           "node %u shares its calls with node %u, of %u nodes", node, first,
                           node_count);
  }
  return true;
}

bool wi_wperf_read_kinds(wasm_perf_profile *profile, const wi_wperf_input *in,
                         wi_wperf_span section) {
  const uint8_t *bytes = in->bytes + section.offset;
  for (size_t i = 0; i < section.size; i += PAIR_SIZE)
    if (!wasm_perf_profile_set_kind(profile, wi_wperf_u32(bytes + i),
                                    known_kind(wi_wperf_u32(bytes + i + 4))))
      return false;
  return true;
}

void wi_wperf_read_columns(wasm_perf_profile *profile, const wi_wperf_input *in,
                           wi_wperf_span section) {
  const uint8_t *bytes = in->bytes + section.offset, *end = bytes + section.size;
  for (uint32_t i = 0; i < profile->place_count; i++) {
    wasm_perf_place *place = &profile->places[i];
    while (bytes < end && wi_wperf_u32(bytes) < place->function)
      bytes += PAIR_SIZE;
    if (bytes < end && wi_wperf_u32(bytes) == place->function)
      place->column = wi_wperf_u32(bytes + 4);
  }
}

void wi_wperf_read_matched(wasm_perf_profile *profile, const wi_wperf_input *in,
                           wi_wperf_span section) {
  const uint8_t *bytes = in->bytes + section.offset;
  for (size_t i = 0; i < section.size; i += PAIR_SIZE)
    wasm_perf_profile_set_confidence(profile, wi_wperf_u32(bytes + i), wi_wperf_u32(bytes + i + 4));
}

bool wi_wperf_read_shared(wasm_perf_profile *profile, const wi_wperf_input *in,
                          wi_wperf_span section) {
  const uint8_t *bytes = in->bytes + section.offset;
  for (size_t i = 0; i < section.size; i += PAIR_SIZE)
    if (!wi_shared_add(profile, wi_wperf_u32(bytes + i), wi_wperf_u32(bytes + i + 4)))
      return false;
  return true;
}
