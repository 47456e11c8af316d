#include "match/exact.h"

#include <stdlib.h>

#include "match/apart.h"

/* A function of either side with its look-up key. */
typedef struct keyed {
  uint64_t key;
  uint32_t function;
  uint8_t side;
} keyed;

typedef uint64_t key_of(const wi_features *features, uint32_t function);

static int compare_keyed(const void *left, const void *right) {
  const keyed *a = left, *b = right;
  if (a->key != b->key)
    return a->key > b->key ? 1 : -1;
  return a->side != b->side ? a->side - b->side
                            : (a->function > b->function) - (a->function < b->function);
}

/* Returns the functions of both sides that have a key, sorted by it; NULL if out of memory. */
static keyed *list_keys(const wi_matcher *matcher, key_of *key, uint32_t *count) {
  size_t capacity = (size_t)matcher->side[WI_IN]->count + matcher->side[WI_FROM]->count;
  keyed *items = malloc((capacity + 1) * sizeof *items);
  *count = 0;
  for (int side = 0; items && side < WI_SIDES; side++)
    for (uint32_t i = 0; i < matcher->side[side]->count; i++) {
      uint64_t value = key(matcher->side[side], i);
      if (value != 0)
        items[(*count)++] = (keyed){value, i, (uint8_t)side};
    }
  if (items)
    qsort(items, *count, sizeof *items, compare_keyed);
  return items;
}

/* What a pair needs in addition to equal keys; information is in bits, see below. */
typedef struct demand {
  wi_match_kind kind;
  float information;
} demand;

static void pair_keyed(wi_matcher *matcher, const keyed *in, const keyed *from, demand need) {
  bool are_imports = in->function < matcher->side[WI_IN]->module->imports_count &&
                     from->function < matcher->side[WI_FROM]->module->imports_count;
  bool are_free = wi_matcher_is_free(matcher, WI_IN, in->function) &&
                  wi_matcher_is_free(matcher, WI_FROM, from->function);
  bool is_distinctive =
      need.kind == WI_MATCH_EXPORT || !wi_apart_is_needed(matcher, in->function, from->function);
  if (are_imports ? are_free
                  : wi_matcher_may_pair(matcher, in->function, from->function) && is_distinctive &&
                        wi_matcher_information(matcher, in->function) >= need.information)
    wi_matcher_pair(matcher, in->function, from->function, need.kind);
}

/* Pairs functions whose key occurs exactly once on each side. */
static bool pair_unique(wi_matcher *matcher, key_of *key, demand need) {
  uint32_t count;
  keyed *items = list_keys(matcher, key, &count);
  for (uint32_t i = 0; items && i < count;) {
    uint32_t end = i + 1;
    while (end < count && items[end].key == items[i].key)
      end++;
    if (end - i == 2 && items[i].side == WI_IN && items[i + 1].side == WI_FROM)
      pair_keyed(matcher, &items[i], &items[i + 1], need);
    i = end;
  }
  free(items);
  return items != NULL;
}

static uint64_t import_key(const wi_features *features, uint32_t function) {
  return function < features->module->imports_count ? features->functions[function].exact : 0;
}

static uint64_t export_key(const wi_features *features, uint32_t function) {
  return features->functions[function].export_name;
}

static uint64_t context_key(const wi_features *features, uint32_t function) {
  return function < features->module->imports_count ? 0 : features->functions[function].context;
}

static uint64_t exact_key(const wi_features *features, uint32_t function) {
  return function < features->module->imports_count ? 0 : features->functions[function].exact;
}

bool wi_match_exact(wi_matcher *matcher) {
  return pair_unique(matcher, import_key, (demand){WI_MATCH_EXPORT, 0}) &&
         pair_unique(matcher, export_key, (demand){WI_MATCH_EXPORT, 0}) &&
         pair_unique(matcher, context_key, (demand){WI_MATCH_EXACT, 20}) &&
         pair_unique(matcher, exact_key, (demand){WI_MATCH_EXACT, 40});
}
