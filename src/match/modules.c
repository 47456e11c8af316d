#include "match/modules.h"

#include <stdlib.h>
#include <string.h>

#include "match/apart.h"
#include "match/calls.h"
#include "match/check.h"
#include "match/collect.h"
#include "match/contract.h"
#include "match/exact.h"
#include "match/order.h"
#include "match/similar.h"
#include "match/wrapper.h"

enum { MOST_ROUNDS = 16 };

/* ---- Equal code -------------------------------------------------------------------- */

static wi_span code_of(const wi_module *module) {
  for (uint32_t i = 0; i < module->sections_count; i++)
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
  for (uint32_t i = in->imports_count; i < matches->count; i++)
    matches->items[i] = (wi_match){i, 1, WI_MATCH_SAME};
  matches->has_same_layout = true;
}

/* ---- Similar code ----------------------------------------------------------------------- */

static bool repeat(wi_matcher *matcher, bool (*step)(wi_matcher *, uint32_t *), uint32_t *added) {
  for (uint32_t round = 0, before = *added; round < MOST_ROUNDS; round++, before = *added)
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

/* The paired part of a module, in percent of its instructions. */
static uint32_t paired_percent(const wi_matcher *matcher, int side) {
  const wi_features *features = matcher->side[side];
  uint64_t paired = 0;
  for (uint32_t i = 0; i < features->count; i++) {
    uint32_t other = matcher->pair[side][i];
    uint32_t in = side == WI_IN ? i : other;
    if (other != WI_NO_FUNCTION && matcher->kind[in] != WI_MATCH_EXPORT)
      paired += features->functions[i].size;
  }
  return features->instruction_count > 0 ? (uint32_t)(paired * 100 / features->instruction_count)
                                         : 0;
}

/*
 * Different programs have libraries in common. Names from there would at best be right, but the
 * build that was passed is not the profile's. Measured: of two programs at most 12 percent of the
 * larger one are paired, of two builds of one program at least 25 percent of both.
 */
static bool is_unrelated(const wi_matcher *matcher) {
  enum { LEAST_PERCENT = 20, ENOUGH_PERCENT = 40 };
  uint32_t in = paired_percent(matcher, WI_IN), from = paired_percent(matcher, WI_FROM);
  return in < ENOUGH_PERCENT && (in < LEAST_PERCENT || from < LEAST_PERCENT);
}

static void take_pair(const wi_matcher *matcher, uint32_t in, wi_matches *matches) {
  matches->items[in] =
      (wi_match){matcher->pair[WI_IN][in], wi_match_confidence(matcher, in), matcher->kind[in]};
}

static bool match_all(wi_matcher *matcher, wi_matches *matches) {
  uint32_t added = 0;
  if (!wi_match_exact(matcher) || !repeat(matcher, match_round, &added))
    return false;
  if (!wi_match_check(matcher))
    return false;
  for (uint32_t i = matcher->side[WI_IN]->module->imports_count; i < matches->count; i++)
    if (!wi_matcher_is_free(matcher, WI_IN, i))
      take_pair(matcher, i, matches);
  return true;
}

/* ---- Contracted code ---------------------------------------------------------------------- */

/* Copies the pairs found so far. */
static void copy_pairs(wi_matcher *to, const wi_matcher *from) {
  for (uint32_t i = 0; i < from->side[WI_IN]->count; i++)
    if (!wi_matcher_is_free(from, WI_IN, i))
      wi_matcher_pair(to, i, from->pair[WI_IN][i], from->kind[i]);
}

/* Whether the functions themselves are similar, rather than code inlined into one of them. */
static bool are_roots(const wi_matcher *matcher, const wi_matcher *whole, uint32_t in,
                      uint32_t from) {
  return wi_matcher_function(matcher, WI_IN, in)->exact_count ==
             wi_matcher_function(matcher, WI_FROM, from)->exact_count &&
         !wi_apart_is_contradicted(matcher, in, from) &&
         wi_wrapper_is_held(matcher, whole, WI_IN, in, from) &&
         wi_wrapper_is_held(matcher, whole, WI_FROM, from, in) &&
         !wi_wrapper_may_hold(matcher, WI_IN, in, from, 1) &&
         !wi_wrapper_may_hold(matcher, WI_FROM, from, in, 1);
}

/* Adds pairs found in contracted code; existing pairs stay. */
static bool add_contracted(wi_matcher *matcher, wi_matcher *whole, wi_matches *matches,
                           uint32_t *added) {
  uint32_t found = 0;
  copy_pairs(whole, matcher);
  if (!repeat(whole, match_round, &found) || !wi_match_check(whole))
    return false;
  for (uint32_t i = matcher->side[WI_IN]->module->imports_count; i < matches->count; i++) {
    uint32_t from = whole->pair[WI_IN][i];
    if (from == WI_NO_FUNCTION || !wi_matcher_may_pair(matcher, i, from) ||
        !are_roots(matcher, whole, i, from))
      continue;
    take_pair(whole, i, matches);
    wi_matcher_pair(matcher, i, from, whole->kind[i]);
    (*added)++;
  }
  return true;
}

static bool match_contracted(wi_matcher *matcher, bool into_paired, wi_matches *matches,
                             uint32_t *added) {
  wi_features in = {0}, from = {0};
  wi_matcher whole;
  bool done =
      wi_features_contract(&in, matcher->side[WI_IN], matcher->pair[WI_IN], into_paired) &&
      wi_features_contract(&from, matcher->side[WI_FROM], matcher->pair[WI_FROM], into_paired) &&
      wi_matcher_init(&whole, &in, &from);
  if (done) {
    done = add_contracted(matcher, &whole, matches, added);
    wi_matcher_clear(&whole);
  }
  wi_features_contract_clear(&in);
  wi_features_contract_clear(&from);
  return done;
}

/*
 * Every pair adds a function that is not inlined, which is evidence about others. If almost
 * everything is paired, there was no optimiser.
 */
static bool match_by_features(wi_matches *matches, const wi_features *in, const wi_features *from) {
  enum { CONTRACTIONS = 4, ENOUGH_PERCENT = 98 };
  wi_matcher matcher;
  uint32_t idle = 0; /* consecutive rounds without new pairs */
  if (!wi_matcher_init(&matcher, in, from))
    return false;
  bool done = match_all(&matcher, matches);
  if (paired_percent(&matcher, WI_IN) >= ENOUGH_PERCENT)
    idle = 2;
  for (int round = 0; done && idle < 2 && round < CONTRACTIONS; round++) {
    uint32_t added = 0;
    done = match_contracted(&matcher, round % 2 == 0, matches, &added);
    idle = added == 0 ? idle + 1 : 0;
  }
  matches->has_same_layout = in->with_addresses;
  matches->is_unrelated = done && !in->with_addresses && is_unrelated(&matcher);
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
  if (done && !match_by_features(matches, &in_features, &from_features))
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
  for (uint32_t i = 0; i < matches->count; i++)
    matches->items[i] = (wi_match){.from = WI_NO_FUNCTION};
  bool done = true;
  if (is_same_code(in, from))
    pair_all(matches, in);
  else
    done = match_similar(matches, in, from, in_error, from_error);
  for (uint32_t i = 0; done && i < matches->count; i++) {
    if (matches->is_unrelated)
      matches->items[i] = (wi_match){.from = WI_NO_FUNCTION};
    matches->matched_count += matches->items[i].from != WI_NO_FUNCTION;
  }
  if (!done)
    wi_matches_clear(matches);
  return done;
}
