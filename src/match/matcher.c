#include "match/matcher.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "match/code_features.h"
#include "support/search.h"

bool wi_matcher_may_pair(const wi_matcher *matcher, uint32_t in, uint32_t from) {
  return in >= matcher->side[WI_IN]->module->imports_count &&
         from >= matcher->side[WI_FROM]->module->imports_count &&
         wi_matcher_is_free(matcher, WI_IN, in) && wi_matcher_is_free(matcher, WI_FROM, from);
}

void wi_matcher_pair(wi_matcher *matcher, uint32_t in, uint32_t from, wi_match_kind kind) {
  matcher->pair[WI_IN][in] = from;
  matcher->pair[WI_FROM][from] = in;
  matcher->kind[in] = (uint8_t)kind;
}

void wi_matcher_part(wi_matcher *matcher, uint32_t in) {
  matcher->pair[WI_FROM][matcher->pair[WI_IN][in]] = WI_NO_FUNCTION;
  matcher->pair[WI_IN][in] = WI_NO_FUNCTION;
  matcher->kind[in] = WI_MATCH_NONE;
}

bool wi_matcher_has_link(const wi_features *features, wi_range range, uint32_t function) {
  const uint32_t *links = range.count > 0 ? features->links + range.first : NULL;
  uint32_t at = wi_lower_bound(&function, links, range.count, sizeof *links, wi_compare_u32);
  return at < range.count && links[at] == function;
}

bool wi_matcher_has_token(const wi_features *features, uint32_t function, uint64_t token) {
  wi_range tokens = features->functions[function].tokens;
  const uint64_t *items = tokens.count > 0 ? features->tokens + tokens.first : NULL;
  uint32_t at = wi_lower_bound(&token, items, tokens.count, sizeof *items, wi_compare_u64);
  return at < tokens.count && items[at] == token;
}

float wi_matcher_information(const wi_matcher *matcher, uint32_t in) {
  wi_range tokens = wi_matcher_function(matcher, WI_IN, in)->tokens;
  float sum = 0;
  for (uint32_t i = tokens.first; i < tokens.first + tokens.count; i++)
    sum += wi_matcher_weight(matcher, WI_IN, i);
  return sum;
}

/* ---- Tokens -------------------------------------------------------------------------- */

/* A hash table of the tokens of both sides, with open addressing; a token is its own hash. */
typedef struct lexicon {
  uint64_t *keys;
  uint32_t *ids;
  uint32_t mask;
  uint32_t count;
} lexicon;

static bool open_lexicon(lexicon *all, size_t token_count) {
  size_t size = 1024;
  while (size < token_count + token_count / 2)
    size *= 2;
  if (size > UINT32_MAX)
    return false;
  *all = (lexicon){.mask = (uint32_t)size - 1};
  all->keys = calloc(size, sizeof *all->keys);
  all->ids = malloc(size * sizeof *all->ids);
  return all->keys && all->ids;
}

static uint32_t token_id(lexicon *all, uint64_t token) {
  uint64_t key = token != 0 ? token : 1;
  uint32_t at = (uint32_t)(key >> 20) & all->mask;
  while (all->keys[at] != 0 && all->keys[at] != key)
    at = (at + 1) & all->mask;
  if (all->keys[at] == 0) {
    all->keys[at] = key;
    all->ids[at] = all->count++;
  }
  return all->ids[at];
}

static void number_tokens(wi_matcher *matcher, lexicon *all, int side) {
  const wi_features *features = matcher->side[side];
  for (uint32_t i = 0; i < features->tokens_count; i++)
    matcher->ids[side][i] = token_id(all, features->tokens[i]);
}

static void weigh_tokens(wi_matcher *matcher) {
  enum { LEAST_COUNT = 64 }; /* number of functions; in small modules nothing is rare */
  float counts[WI_SIDES];
  for (int side = 0; side < WI_SIDES; side++) {
    const wi_features *features = matcher->side[side];
    counts[side] = (float)(features->count > LEAST_COUNT ? features->count : LEAST_COUNT);
    for (uint32_t i = 0; i < features->tokens_count; i++)
      matcher->frequency[side][matcher->ids[side][i]]++;
  }
  for (uint32_t i = 0; i < matcher->token_count; i++) {
    float in = (float)matcher->frequency[WI_IN][i] / counts[WI_IN];
    float from = (float)matcher->frequency[WI_FROM][i] / counts[WI_FROM];
    matcher->weights[i] = -log2f(in > from ? in : from) + 0.1f;
  }
}

static bool read_tokens(wi_matcher *matcher) {
  size_t total = 0;
  lexicon all = {0};
  for (int side = 0; side < WI_SIDES; side++) {
    uint32_t count = matcher->side[side]->tokens_count;
    total += count;
    matcher->ids[side] = malloc((count + (size_t)1) * sizeof *matcher->ids[side]);
  }
  bool done = matcher->ids[WI_IN] && matcher->ids[WI_FROM] && open_lexicon(&all, total);
  for (int side = 0; side < WI_SIDES && done; side++)
    number_tokens(matcher, &all, side);
  free(all.keys);
  free(all.ids);
  matcher->token_count = all.count;
  for (int side = 0; side < WI_SIDES; side++)
    matcher->frequency[side] = calloc(all.count + (size_t)1, sizeof *matcher->frequency[side]);
  matcher->weights = malloc((all.count + (size_t)1) * sizeof *matcher->weights);
  if (!done || !matcher->weights || !matcher->frequency[WI_IN] || !matcher->frequency[WI_FROM])
    return false;
  weigh_tokens(matcher);
  return true;
}

/* ---- All of it ------------------------------------------------------------------------ */

bool wi_matcher_init(wi_matcher *matcher, const wi_features *in, const wi_features *from) {
  *matcher = (wi_matcher){.side = {in, from}};
  bool done = true;
  for (int side = 0; side < WI_SIDES; side++) {
    size_t count = matcher->side[side]->count + (size_t)1;
    matcher->pair[side] = malloc(count * sizeof *matcher->pair[side]);
    done &= matcher->pair[side] != NULL;
    for (size_t i = 0; matcher->pair[side] && i < count; i++)
      matcher->pair[side][i] = WI_NO_FUNCTION;
  }
  matcher->kind = calloc(in->count + (size_t)1, sizeof *matcher->kind);
  if (done && matcher->kind && read_tokens(matcher))
    return true;
  wi_matcher_clear(matcher);
  return false;
}

void wi_matcher_clear(wi_matcher *matcher) {
  for (int side = 0; side < WI_SIDES; side++) {
    free(matcher->pair[side]);
    free(matcher->ids[side]);
    free(matcher->frequency[side]);
  }
  free(matcher->kind);
  free(matcher->weights);
  *matcher = (wi_matcher){0};
}
