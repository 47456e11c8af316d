#include "match/contract.h"

#include <stdlib.h>
#include <string.h>

#include "match/code_features.h"
#include "match/collect.h"

/* Maximum size, in instructions, of functions that wasm-opt always inlines. */
enum { TINY_SIZE = 16 };

/*
 * Maximum depth of inlined calls. A tiny function counts several levels, because it is inlined
 * often.
 */
enum { MOST_DEPTH = 64, TINY_DEPTH = 16 };

typedef struct contraction {
  const wi_features *features;
  const uint32_t *pair;
  wi_features *whole;
  bool into_paired;
  uint64_t exact, family; /* hashes of the current function */
} contraction;

static bool is_tiny(const wi_feature *function) {
  return function->size <= TINY_SIZE && function->calls.count <= 1;
}

static bool stands_alone(const contraction *all, uint32_t function) {
  return function < all->features->module->imports_count || all->pair[function] != WI_NO_FUNCTION;
}

static bool has_other_users(const wi_feature *function) {
  return function->is_exported || function->is_in_table;
}

/* Whether it is called only once, by a function that it may be inlined into. */
static bool is_called_once(const contraction *all, const wi_feature *function) {
  return function->site_count == 1 && !has_other_users(function) &&
         (all->into_paired || !stands_alone(all, all->features->links[function->callers.first]));
}

/* Whether calls of it are inlined. */
static bool is_inlined(const contraction *all, uint32_t target) {
  const wi_feature *function = &all->features->functions[target];
  return !stands_alone(all, target) && (is_tiny(function) || is_called_once(all, function));
}

/* Whether it disappears by inlining. */
static bool is_gone(const contraction *all, uint32_t function) {
  const wi_feature *item = &all->features->functions[function];
  return is_inlined(all, function) && item->site_count > 0 && !has_other_users(item);
}

static bool add_tokens(const contraction *all, wi_range tokens) {
  wi_features *whole = all->whole;
  if (!WI_ARRAY_RESERVE(whole, tokens, tokens.count))
    return false;
  if (tokens.count > 0)
    memcpy(whole->tokens + whole->tokens_count, all->features->tokens + tokens.first,
           tokens.count * sizeof *whole->tokens);
  whole->tokens_count += tokens.count;
  return true;
}

static bool expand(contraction *all, uint32_t function, int depth) {
  const wi_feature *item = &all->features->functions[function];
  all->exact = wi_hash_mix(all->exact, item->exact);
  all->family = wi_hash_mix(all->family, item->family);
  if (!add_tokens(all, item->tokens))
    return false;
  for (uint32_t i = 0; i < item->calls.count; i++) {
    uint32_t target = all->features->links[item->calls.first + i];
    int next = depth + (is_tiny(&all->features->functions[target]) ? TINY_DEPTH : 1);
    if (target != function && next <= MOST_DEPTH && is_inlined(all, target)) {
      if (!expand(all, target, next))
        return false;
      continue;
    }
    uint32_t *link = WI_ARRAY_PUSH(all->whole, links);
    if (!link)
      return false;
    *link = target;
  }
  return true;
}

static int compare_u64(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* Sorts the tokens from `first` on and removes duplicates. */
static void sort_tokens(wi_features *whole, uint32_t first) {
  uint32_t kept = first;
  if (whole->tokens_count > first)
    qsort(whole->tokens + first, whole->tokens_count - first, sizeof *whole->tokens, compare_u64);
  for (uint32_t i = first; i < whole->tokens_count; i++)
    if (i == first || whole->tokens[i] != whole->tokens[i - 1])
      whole->tokens[kept++] = whole->tokens[i];
  whole->tokens_count = kept;
}

static bool contract(contraction *all, uint32_t function) {
  wi_features *whole = all->whole;
  wi_feature *item = &whole->functions[function];
  item->calls = item->callees = item->callers = item->tokens = (wi_range){0};
  item->site_count = 0;
  if (function < whole->module->imports_count)
    return true;
  if (is_gone(all, function)) {
    item->exact = item->family = item->context = 0;
    return true;
  }
  item->tokens.first = whole->tokens_count;
  item->calls.first = whole->links_count;
  all->exact = all->family = 0;
  if (!expand(all, function, 0))
    return false;
  sort_tokens(whole, item->tokens.first);
  item->tokens.count = whole->tokens_count - item->tokens.first;
  item->calls.count = whole->links_count - item->calls.first;
  item->exact = all->exact;
  item->family = all->family;
  return true;
}

static bool copy_table(wi_features *whole, const wi_features *features) {
  if (!WI_ARRAY_RESERVE(whole, table, features->table_count))
    return false;
  if (features->table_count > 0)
    memcpy(whole->table, features->table, features->table_count * sizeof *whole->table);
  whole->table_count = features->table_count;
  return true;
}

bool wi_features_contract(wi_features *whole, const wi_features *features, const uint32_t *pair,
                          bool into_paired) {
  contraction all = {
      .features = features, .pair = pair, .whole = whole, .into_paired = into_paired};
  *whole = (wi_features){.module = features->module,
                         .data = features->data,
                         .with_addresses = features->with_addresses,
                         .count = features->count,
                         .instruction_count = features->instruction_count};
  whole->functions = malloc((whole->count + (size_t)1) * sizeof *whole->functions);
  bool done = whole->functions && copy_table(whole, features);
  if (done)
    memcpy(whole->functions, features->functions, whole->count * sizeof *whole->functions);
  for (uint32_t i = 0; done && i < whole->count; i++)
    done = contract(&all, i);
  done = done && wi_features_link(whole);
  if (!done)
    wi_features_contract_clear(whole);
  return done;
}

void wi_features_contract_clear(wi_features *whole) {
  whole->data = (wi_data_image){0};
  wi_features_clear(whole);
}
