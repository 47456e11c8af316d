#include "cli/perf/bench/why.h"

#include <stdlib.h>
#include <string.h>

#include "cli/perf/bench/pairs.h"
#include "cli/perf/bench/suite.h"
#include "names/label.h"
#include "report/diff/change.h"
#include "report/model/color.h"
#include "report/model/summary.h"
#include "report/model/units.h"

enum { MAX_SHARES = 3 };

/* A name with its value before and after. */
typedef struct difference {
  const char *name;
  wasm_perf_change value;
  const cli_function *before, *after; /* of functions; NULL if missing */
  wasm_perf_change count;             /* of functions with one name that are compared as one; else
                                         zero */
} difference;

typedef struct differences {
  WI_ARRAY(difference, items);
} differences;

static void add(differences *all, difference item) {
  if (item.value.before == item.value.after && !item.before && !item.after)
    return;
  difference *added = WI_ARRAY_PUSH(all, items);
  if (added)
    *added = item;
}

static int compare(const void *a, const void *b) {
  const difference *left = a, *right = b;
  uint64_t x = wi_change_size(left->value), y = wi_change_size(right->value);
  return x != y ? (x < y ? 1 : -1) : strcmp(left->name, right->name);
}

static void sort(differences *all) {
  if (all->items_count > 0)
    qsort(all->items, all->items_count, sizeof *all->items, compare);
}

/* ---- Functions ------------------------------------------------------------------- */

static bool is_changed(const cli_function *before, const cli_function *after) {
  return !before || !after || before->self != after->self || before->calls != after->calls;
}

static bool is_single(const difference *item) {
  return !item->before || !item->after;
}

static int compare_names(const void *a, const void *b) {
  const difference *left = a, *right = b;
  uint32_t x = cli_function_name_size(left->name), y = cli_function_name_size(right->name);
  int order = memcmp(left->name, right->name, x < y ? x : y);
  order = order != 0 ? order : (x > y) - (x < y);
  return order != 0 ? order : (int)is_single(left) - (int)is_single(right);
}

/* Adds up functions without partner; returns whether there are some on both sides. */
static bool add_up(const difference *items, uint32_t count, difference *sum) {
  *sum = (difference){.name = items->name};
  for (uint32_t i = 0; i < count; i++) {
    sum->value.before += items[i].value.before;
    sum->value.after += items[i].value.after;
    sum->count.before += items[i].before != NULL;
    sum->count.after += items[i].after != NULL;
  }
  return sum->count.before > 0 && sum->count.after > 0;
}

/*
 * Nobody knows which function of one name is which if one side has more of them, and nothing else
 * pairs them: they are one difference.
 */
static void unite(differences *all) {
  uint32_t kept = 0;
  if (all->items_count > 0)
    qsort(all->items, all->items_count, sizeof *all->items, compare_names);
  for (uint32_t from = 0, to; from < all->items_count; from = to) {
    difference sum;
    for (to = from + 1;
         to < all->items_count && compare_names(&all->items[from], &all->items[to]) == 0; to++)
      ;
    bool is_one = is_single(&all->items[from]) &&
                  !wi_label_is_number(all->items[from].name, NULL) &&
                  add_up(&all->items[from], to - from, &sum);
    if (is_one)
      all->items[kept++] = sum;
    else
      for (uint32_t i = from; i < to; i++)
        all->items[kept++] = all->items[i];
  }
  all->items_count = kept;
}

static differences find_functions(const cli_pairs *pairs) {
  differences all = {0};
  const cli_counts *before = pairs->counts[CLI_BEFORE], *after = pairs->counts[CLI_AFTER];
  for (uint32_t i = 0; i < after->functions_count; i++) {
    const cli_function *now = &after->functions[i], *then = cli_pairs_partner(pairs, CLI_AFTER, i);
    if (is_changed(then, now))
      add(&all, (difference){.name = now->name,
                             .value = {then ? then->self : 0, now->self},
                             .before = then,
                             .after = now});
  }
  for (uint32_t i = 0; i < before->functions_count; i++) {
    const cli_function *then = &before->functions[i];
    if (!cli_pairs_partner(pairs, CLI_BEFORE, i))
      add(&all, (difference){.name = then->name, .value = {then->self, 0}, .before = then});
  }
  unite(&all);
  sort(&all);
  return all;
}

/* ---- Their callers and lines ------------------------------------------------------ */

typedef struct shares {
  const cli_share *items;
  uint32_t count;
} shares;

static differences find_shares(shares before, shares after) {
  differences all = {0};
  for (uint32_t i = 0; i < after.count; i++)
    add(&all,
        (difference){.name = after.items[i].name,
                     .value = {cli_share_find(before.items, before.count, after.items[i].name),
                               after.items[i].value}});
  for (uint32_t i = 0; i < before.count; i++)
    if (cli_share_find(after.items, after.count, before.items[i].name) == 0)
      add(&all, (difference){.name = before.items[i].name, .value = {before.items[i].value, 0}});
  sort(&all);
  return all;
}

static shares callers_of(const cli_function *function) {
  return function ? (shares){function->callers, function->callers_count} : (shares){0};
}

/* The callers of the function before, by the names that they have now. The caller frees the array. */
static cli_share *renamed_callers(const cli_pairs *pairs, const cli_function *before) {
  shares callers = callers_of(before);
  cli_share *renamed = malloc((callers.count + (size_t)1) * sizeof *renamed);
  for (uint32_t i = 0; renamed && i < callers.count; i++)
    renamed[i] = (cli_share){(char *)cli_pairs_later_name(pairs, CLI_BEFORE, callers.items[i].name),
                             callers.items[i].value};
  return renamed;
}

static shares lines_of(const cli_function *function) {
  return function ? (shares){function->lines, function->lines_count} : (shares){0};
}

static char *append(char *text, char *more) {
  char *longer = cli_text("%s%s", text, more);
  free(text);
  free(more);
  return longer;
}

static char *append_callers(char *text, const cli_pairs *pairs, const difference *function) {
  cli_share *renamed = renamed_callers(pairs, function->before);
  if (!renamed)
    return text;
  shares before = {renamed, callers_of(function->before).count};
  differences all = find_shares(before, callers_of(function->after));
  for (uint32_t i = 0; i < all.items_count && i < MAX_SHARES; i++)
    text = append(text, cli_text("; by %s %s \xE2\x86\x92 %s", all.items[i].name,
                                 wi_format_count(all.items[i].value.before).text,
                                 wi_format_calls(all.items[i].value.after, true).text));
  free(all.items);
  free(renamed);
  return text;
}

static const char *signed_count(wasm_perf_change change, wi_short_text *text) {
  *text = wi_format_count(wi_change_size(change));
  return change.after < change.before ? "-" : "+";
}

/* Appends changed lines if both sides have lines. */
static char *append_lines(char *text, const difference *function) {
  shares before = lines_of(function->before), after = lines_of(function->after);
  if ((function->before && before.count == 0) || (function->after && after.count == 0))
    return text;
  differences all = find_shares(before, after);
  for (uint32_t i = 0; i < all.items_count && i < MAX_SHARES; i++) {
    wi_short_text size;
    const char *sign = signed_count(all.items[i].value, &size);
    text = append(text, cli_text("; at %s %s%s", all.items[i].name, sign, size.text));
  }
  free(all.items);
  return text;
}

static char *describe(const cli_pairs *pairs, const difference *function) {
  const cli_function *before = function->before, *after = function->after;
  wi_short_text size;
  const char *sign = signed_count(function->value, &size);
  if (function->count.after > 0)
    return cli_text("%.*s, %s \xE2\x86\x92 %s: %s%s instructions",
                    (int)cli_function_name_size(function->name), function->name,
                    wi_format_count(function->count.before).text,
                    wi_format_quantity(function->count.after, "function").text, sign, size.text);
  bool is_renamed = before && after && strcmp(before->name, after->name) != 0;
  char *text = cli_text("%s%s%s: %s%s instructions", function->name, is_renamed ? ", was " : "",
                        is_renamed ? before->name : "", sign, size.text);
  if (!before || !after)
    text = append(text, cli_text(before ? ", gone" : ", new"));
  if (before && after && before->calls != after->calls)
    text = append(text, cli_text(", %s \xE2\x86\x92 %s", wi_format_count(before->calls).text,
                                 wi_format_calls(after->calls, true).text));
  return append_lines(append_callers(text, pairs, function), function);
}

static bool is_unnamed(const difference *function) {
  return wi_color_kind_of(function->name, NULL, WASM_PERF_KIND_WASM) == WI_COLOR_UNNAMED;
}

void cli_why_add(const cli_outcome *outcome, uint32_t limit, cli_list *lines) {
  cli_pairs pairs;
  uint32_t unnamed = 0;
  if (!outcome->before || !cli_pairs_init(&pairs, &outcome->before->counts, &outcome->counts))
    return;
  differences all = find_functions(&pairs);
  for (uint32_t i = 0; i < all.items_count && i < limit; i++) {
    cli_list_add(lines, describe(&pairs, &all.items[i]));
    unnamed += is_unnamed(&all.items[i]);
  }
  if (unnamed > 0)
    cli_list_add(lines, cli_text(WI_SUMMARY_UNNAMED "set symbols in " CLI_SUITE_FILE
                                                    " to a build that has them",
                                 wi_format_quantity(unnamed, "function").text));
  free(all.items);
  cli_pairs_clear(&pairs);
}
