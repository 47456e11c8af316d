#include "cli/perf/bench/pairs.h"

#include <stdlib.h>
#include <string.h>

#include "match/code_features.h"
#include "names/label.h"
#include "support/search.h"

enum { NONE = UINT32_MAX };

/* A function of either side. */
typedef struct keyed {
  uint64_t key;
  uint32_t rank; /* its number, or its place by name */
  uint32_t function;
  int side;
} keyed;

typedef struct keyed_list {
  WI_ARRAY(keyed, items); /* with room for all functions of both sides */
} keyed_list;

static const cli_function *function_of(const cli_pairs *pairs, int side, uint32_t function) {
  return &pairs->counts[side]->functions[function];
}

static bool is_free(const cli_pairs *pairs, int side, uint32_t function) {
  return pairs->partners[side][function] == NONE;
}

static void pair(cli_pairs *pairs, uint32_t before, uint32_t after) {
  pairs->partners[CLI_BEFORE][before] = after;
  pairs->partners[CLI_AFTER][after] = before;
}

const cli_function *cli_pairs_partner(const cli_pairs *pairs, int side, uint32_t function) {
  return is_free(pairs, side, function)
             ? NULL
             : function_of(pairs, !side, pairs->partners[side][function]);
}

/* ---- By name ------------------------------------------------------------------------ */

static void pair_names(cli_pairs *pairs) {
  const cli_counts *before = pairs->counts[CLI_BEFORE], *after = pairs->counts[CLI_AFTER];
  for (uint32_t i = 0; i < after->functions_count; i++) {
    const char *name = after->functions[i].name;
    const cli_function *found =
        wi_label_is_number(name, NULL) ? NULL : cli_counts_find(before, name);
    if (found && is_free(pairs, CLI_BEFORE, (uint32_t)(found - before->functions)))
      pair(pairs, (uint32_t)(found - before->functions), i);
  }
}

/* The name without its module, which may have been renamed, and without its mark. */
static uint64_t bare_name_key(const cli_pairs *pairs, int side, const cli_function *function) {
  (void)pairs;
  (void)side;
  const char *name = function->name;
  return wi_label_is_number(name, NULL) ? 0 : wi_hash_bytes(name, cli_function_name_size(name));
}

/* ---- By a key ----------------------------------------------------------------------- */

typedef uint64_t key_of(const cli_pairs *pairs, int side, const cli_function *function);

static uint64_t code_key(const cli_pairs *pairs, int side, const cli_function *function) {
  (void)pairs;
  (void)side;
  return function->code;
}

static uint64_t counts_key(const cli_pairs *pairs, int side, const cli_function *function) {
  (void)pairs;
  (void)side;
  return wi_hash_mix(wi_hash_mix(1, function->self), function->calls);
}

const char *cli_pairs_later_name(const cli_pairs *pairs, int side, const char *name) {
  const cli_counts *counts = pairs->counts[side];
  const cli_function *found = side == CLI_BEFORE ? cli_counts_find(counts, name) : NULL;
  const cli_function *partner =
      found ? cli_pairs_partner(pairs, side, (uint32_t)(found - counts->functions)) : NULL;
  return partner ? partner->name : name;
}

/* The same in any order of the callers. */
static uint64_t callers_key(const cli_pairs *pairs, int side, const cli_function *function) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < function->callers_count; i++) {
    const char *name = cli_pairs_later_name(pairs, side, function->callers[i].name);
    sum += wi_hash_mix(wi_hash_bytes(name, strlen(name)), function->callers[i].value);
  }
  return sum;
}

static int compare_keyed(const void *left, const void *right) {
  const keyed *a = left, *b = right;
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  if (a->side != b->side)
    return a->side - b->side;
  return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Lists the functions without partner whose key is not 0. */
static void list_free(const cli_pairs *pairs, key_of *key, keyed_list *list) {
  list->items_count = 0;
  for (int side = 0; side < CLI_SIDES; side++)
    for (uint32_t i = 0; i < pairs->counts[side]->functions_count; i++) {
      const cli_function *function = function_of(pairs, side, i);
      uint64_t value = is_free(pairs, side, i) ? key(pairs, side, function) : 0;
      uint32_t rank = i;
      wi_label_is_number(function->name, &rank);
      if (value != 0)
        list->items[list->items_count++] = (keyed){value, rank, i, side};
    }
  if (list->items_count > 0)
    qsort(list->items, list->items_count, sizeof *list->items, compare_keyed);
}

/* The number of items with the same key from `first` on; *before_count of them are from before. */
static uint32_t group_size(const keyed_list *list, uint32_t first, uint32_t *before_count) {
  uint32_t end = first;
  *before_count = 0;
  for (; end < list->items_count && list->items[end].key == list->items[first].key; end++)
    *before_count += list->items[end].side == CLI_BEFORE;
  return end - first;
}

/* Pairs functions with equal keys, if both sides have equally many of them, at most `most`. */
static void pair_keys(cli_pairs *pairs, key_of *key, uint32_t most, keyed_list *list) {
  list_free(pairs, key, list);
  for (uint32_t i = 0, before_count, size; i < list->items_count; i += size) {
    size = group_size(list, i, &before_count);
    for (uint32_t k = 0; size == 2 * before_count && before_count <= most && k < before_count; k++)
      pair(pairs, list->items[i + k].function, list->items[i + before_count + k].function);
  }
}

/* ---- By order ----------------------------------------------------------------------- */

/* Lists the numbered functions of a side, by number; returns how many there are. */
static uint32_t list_numbered(const cli_pairs *pairs, int side, keyed *items) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < pairs->counts[side]->functions_count; i++) {
    uint32_t number;
    if (wi_label_is_number(function_of(pairs, side, i)->name, &number))
      items[count++] = (keyed){.rank = number, .function = i, .side = side};
  }
  if (count > 0)
    qsort(items, count, sizeof *items, compare_keyed);
  return count;
}

/* Numbered functions of a side, by number. */
typedef struct numbered {
  const keyed *items;
  uint32_t count;
} numbered;

/* The number of functions without partner from `first` on, up to one that has one. */
static uint32_t gap_size(const cli_pairs *pairs, const numbered *side, uint32_t first) {
  uint32_t end = first;
  while (end < side->count && is_free(pairs, side->items[end].side, side->items[end].function))
    end++;
  return end - first;
}

/* Where the functions of two gaps end: both at their sides' ends, or at partners. */
static bool ends_alike(const cli_pairs *pairs, const numbered *before, uint32_t before_end,
                       const numbered *after, uint32_t after_end) {
  if (before_end == before->count || after_end == after->count)
    return before_end == before->count && after_end == after->count;
  return pairs->partners[CLI_BEFORE][before->items[before_end].function] ==
         after->items[after_end].function;
}

/* Pairs the functions from these places on if the gaps are equally long. */
static void pair_gap(cli_pairs *pairs, const numbered *before, uint32_t first_before,
                     const numbered *after, uint32_t first_after) {
  uint32_t size = gap_size(pairs, before, first_before);
  if (size == gap_size(pairs, after, first_after) &&
      ends_alike(pairs, before, first_before + size, after, first_after + size))
    for (uint32_t i = 0; i < size; i++)
      pair(pairs, before->items[first_before + i].function, after->items[first_after + i].function);
}

static void pair_order(cli_pairs *pairs, keyed_list *list) {
  keyed *items = list->items, *others = items + pairs->counts[CLI_BEFORE]->functions_count;
  const numbered before = {items, list_numbered(pairs, CLI_BEFORE, items)};
  const numbered after = {others, list_numbered(pairs, CLI_AFTER, others)};
  pair_gap(pairs, &before, 0, &after, 0);
  for (uint32_t i = 0; i < before.count; i++) {
    const cli_function *partner = cli_pairs_partner(pairs, CLI_BEFORE, before.items[i].function);
    uint32_t number;
    if (!partner || !wi_label_is_number(partner->name, &number))
      continue;
    uint32_t at = WI_LOWER_BOUND(keyed, after.items, after.count, rank, number);
    pair_gap(pairs, &before, i + 1, &after, at + 1);
  }
}

/* ---- The whole -------------------------------------------------------------------------- */

static bool make_partners(cli_pairs *pairs, int side) {
  uint32_t count = pairs->counts[side]->functions_count;
  pairs->partners[side] = malloc((count + (size_t)1) * sizeof(uint32_t));
  if (!pairs->partners[side])
    return false;
  for (uint32_t i = 0; i < count; i++)
    pairs->partners[side][i] = NONE;
  return true;
}

bool cli_pairs_init(cli_pairs *pairs, const cli_counts *before, const cli_counts *after) {
  keyed_list list = {0};
  *pairs = (cli_pairs){.counts = {before, after}};
  bool done = make_partners(pairs, CLI_BEFORE) && make_partners(pairs, CLI_AFTER) &&
              WI_ARRAY_RESERVE(&list, items, before->functions_count + after->functions_count + 1);
  if (done) {
    pair_names(pairs);
    pair_keys(pairs, bare_name_key, 1, &list);
    pair_keys(pairs, code_key, NONE, &list);
    pair_keys(pairs, counts_key, NONE, &list);
    pair_keys(pairs, callers_key, 1, &list);
    pair_order(pairs, &list);
  } else {
    cli_pairs_clear(pairs);
  }
  free(list.items);
  return done;
}

void cli_pairs_clear(cli_pairs *pairs) {
  for (int side = 0; side < CLI_SIDES; side++)
    free(pairs->partners[side]);
  *pairs = (cli_pairs){0};
}
