#include "symbols/match_modules.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/collect.h"
#include "symbols/match_calls.h"
#include "symbols/match_check.h"
#include "symbols/match_exact.h"
#include "symbols/match_order.h"
#include "symbols/match_similar.h"

enum { MOST_ROUNDS = 16 };

/* ---- The same code -------------------------------------------------------------------- */

static wi_span code_of(const wi_module *module) {
  for (uint32_t i = 0; i < module->sections_count; ++i)
    if (module->sections[i].id == WI_SECTION_CODE)
      return module->sections[i].payload;
  return (wi_span){0};
}

static bool is_same_code(const wi_module *in, const wi_module *from) {
  wi_span left = code_of(in), right = code_of(from);
  return left.size > 0 && left.size == right.size && in->imports_count == from->imports_count &&
         memcmp(in->bytes + left.offset, from->bytes + right.offset, left.size) == 0;
}

static void pair_all(wi_matches *matches, const wi_module *in) {
  for (uint32_t i = in->imports_count; i < matches->count; ++i)
    matches->items[i] = (wi_match){i, 1, WI_MATCH_SAME};
  matches->has_same_layout = true;
}

/* ---- Similar code ----------------------------------------------------------------------- */

static bool repeat(wi_matcher *matcher, bool (*step)(wi_matcher *, uint32_t *), uint32_t *added) {
  for (uint32_t round = 0, before = *added; round < MOST_ROUNDS; ++round, before = *added)
    if (!step(matcher, added))
      return false;
    else if (*added == before)
      break;
  return true;
}

static bool match_round(wi_matcher *matcher, uint32_t *added) {
  return repeat(matcher, wi_match_calls, added) && wi_match_order(matcher, added) &&
         wi_match_similar(matcher, added);
}

/*
 * Libraries are what programs of different sources have in common. Names from there would be right
 * at best, and the profile is not of what was given.
 */
static bool is_unrelated(const wi_matcher *matcher) {
  enum { LEAST_PERCENT = 25 };
  const wi_features *in = matcher->side[WI_IN];
  uint64_t paired = 0;
  for (uint32_t i = 0; i < in->count; ++i)
    if (matcher->kind[i] != WI_MATCH_NONE && matcher->kind[i] != WI_MATCH_EXPORT)
      paired += in->functions[i].size;
  return paired * 100 < in->instruction_count * LEAST_PERCENT;
}

static void take_pairs(const wi_matcher *matcher, wi_matches *matches) {
  const wi_features *in = matcher->side[WI_IN];
  matches->has_same_layout = in->with_addresses;
  matches->is_unrelated = !in->with_addresses && is_unrelated(matcher);
  for (uint32_t i = in->module->imports_count; !matches->is_unrelated && i < in->count; ++i) {
    if (wi_matcher_is_free(matcher, WI_IN, i))
      continue;
    matches->items[i] =
        (wi_match){matcher->pair[WI_IN][i], wi_match_confidence(matcher, i), matcher->kind[i]};
    matches->matched_size += in->functions[i].size;
  }
}

static bool match_all(wi_matches *matches, const wi_features *in, const wi_features *from) {
  wi_matcher matcher;
  uint32_t added = 0;
  if (!wi_matcher_init(&matcher, in, from))
    return false;
  bool done =
      wi_match_exact(&matcher) && repeat(&matcher, match_round, &added) && wi_match_check(&matcher);
  if (done)
    take_pairs(&matcher, matches);
  wi_matcher_clear(&matcher);
  return done;
}

static bool match_similar(wi_matches *matches, const wi_module *in, const wi_module *from,
                          wi_error *in_error, wi_error *from_error) {
  enum { SAME_LAYOUT_PERCENT = 90 };
  wi_data_image in_data, from_data;
  wi_features in_features = {0}, from_features = {0};
  bool done = wi_data_image_init(&in_data, in);
  done = wi_data_image_init(&from_data, from) && done;
  bool same = done && wi_data_image_common(&in_data, &from_data) * 100 >= SAME_LAYOUT_PERCENT;
  if (!done) {
    wi_data_image_clear(&in_data);
    wi_data_image_clear(&from_data);
    return wi_error_memory(in_error);
  }
  done = wi_features_collect(&in_features, in, in_data, same, in_error);
  done = wi_features_collect(&from_features, from, from_data, same, from_error) && done;
  if (done && !match_all(matches, &in_features, &from_features))
    done = wi_error_memory(in_error);
  matches->instruction_count = in_features.instruction_count;
  wi_features_clear(&in_features);
  wi_features_clear(&from_features);
  return done;
}

bool wi_match_modules(wi_matches *matches, const wi_module *in, const wi_module *from,
                      wi_error *in_error, wi_error *from_error) {
  *matches = (wi_matches){.count = wi_module_function_count(in)};
  matches->items = malloc((matches->count + (size_t)1) * sizeof *matches->items);
  if (!matches->items)
    return wi_error_memory(in_error);
  for (uint32_t i = 0; i < matches->count; ++i)
    matches->items[i] = (wi_match){.from = WI_NO_FUNCTION};
  bool done = true;
  if (is_same_code(in, from))
    pair_all(matches, in);
  else
    done = match_similar(matches, in, from, in_error, from_error);
  for (uint32_t i = 0; done && i < matches->count; ++i)
    matches->matched_count += matches->items[i].from != WI_NO_FUNCTION;
  if (!done)
    wi_matches_clear(matches);
  return done;
}
