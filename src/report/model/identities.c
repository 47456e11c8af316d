#include "report/model/identities.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/label.h"
#include "profile/functions.h"
#include "profile/modules.h"
#include "support/path.h"

/* ---- Names and modules ------------------------------------------------------------ */

/* Whether the module itself has the function: inlined ones are numbered by the run. */
static bool is_own(const wasm_perf_profile *profile, uint32_t function) {
  return wi_module_of(profile, function) != WI_NO_MODULE &&
         (profile->joined_count > 0 || profile->header.function_count == 0 ||
          function < wi_functions_end(profile));
}

/* The number before hooks were added, which some forms import: a run in another engine has none. */
static uint32_t original_number(const wasm_perf_profile *profile, uint32_t function) {
  uint64_t added = profile->facts.added_import_count;
  bool is_import = wasm_perf_profile_kind(profile, function) == WASM_PERF_KIND_IMPORT;
  return !is_import && function >= added ? function - (uint32_t)added : function;
}

static wi_namesake describe(const wasm_perf_profile *profile, uint32_t function) {
  const wasm_perf_place *place = wasm_perf_profile_place(profile, function);
  bool own = is_own(profile, function);
  return (wi_namesake){.name = wasm_perf_profile_name(profile, function),
                       .file = place ? wi_path_name(place->file) : NULL,
                       .line = place ? place->line : 0,
                       .number = own ? original_number(profile, function) : function,
                       .is_own = own};
}

static bool has_name(const wi_namesake *item) {
  return item->number < WASM_PERF_FUNCTION_UNHOOKED && item->name && *item->name != '\0' &&
         !wi_label_is_number(item->name, NULL);
}

/* Returns the profile's identities, or NULL if memory ran out. */
static wi_identity *add_profile(wi_namesakes *all, const wasm_perf_profile *profile,
                                uint32_t number, const uint32_t *modules,
                                const wi_functions *functions) {
  size_t capacity = all->count + functions->count + 1;
  wi_identity *identities = calloc(functions->count + (size_t)1, sizeof *identities);
  wi_namesake *items = realloc(all->items, capacity * sizeof *items);
  all->items = items ? items : all->items;
  if (!identities || !items) {
    free(identities);
    return NULL;
  }
  for (uint32_t i = 0; i < functions->count; i++) {
    wi_namesake item = describe(profile, functions->items[i]);
    uint32_t module = wi_module_of(profile, functions->items[i]);
    item.profile = number;
    item.identity = &identities[i];
    identities[i].module = module == WI_NO_MODULE ? module : modules[module];
    if (has_name(&item))
      all->items[all->count++] = item;
  }
  return identities;
}

static wi_identity *list_profile(wi_namesakes *all, const wasm_perf_profile *const *profiles,
                                 uint32_t number) {
  uint32_t *modules = wi_modules_pair(profiles[number], profiles[all->profile_count - 1]);
  wi_functions functions = {0};
  wi_identity *identities = modules && wi_functions_init(&functions, profiles[number])
                                ? add_profile(all, profiles[number], number, modules, &functions)
                                : NULL;
  wi_functions_clear(&functions);
  free(modules);
  return identities;
}

/* ---- Order ------------------------------------------------------------------------ */

static int compare_numbers(uint32_t a, uint32_t b) {
  return (a > b) - (a < b);
}

static int compare_names(const void *left, const void *right) {
  const wi_namesake *a = left, *b = right;
  int order = strcmp(a->name, b->name);
  if (order != 0)
    return order;
  order = compare_numbers(a->identity->module, b->identity->module);
  return order != 0 ? order : (int)a->is_own - (int)b->is_own;
}

static int compare_files(const wi_namesake *a, const wi_namesake *b) {
  return a->identity->file ? strcmp(a->identity->file, b->identity->file) : 0;
}

static int compare_places(const void *left, const void *right) {
  const wi_namesake *a = left, *b = right;
  int order = compare_files(a, b);
  order = order != 0 ? order : compare_numbers(a->profile, b->profile);
  order = order != 0 ? order : compare_numbers(a->line, b->line);
  return order != 0 ? order : compare_numbers(a->number, b->number);
}

/* The order of one build's functions, whose runs may each lack some. */
static int compare_functions(const void *left, const void *right) {
  const wi_namesake *a = left, *b = right;
  int order = compare_files(a, b);
  order = order != 0 ? order : compare_numbers(a->line, b->line);
  return order != 0 ? order : compare_numbers(a->number, b->number);
}

/* ---- Functions with one name ------------------------------------------------------- */

/* Ranks functions of one file, which are sorted by profile. */
static void rank_by_order(wi_namesake *items, size_t count) {
  uint32_t least = UINT32_MAX, most = 0;
  for (size_t from = 0, to; from < count; from = to) {
    for (to = from; to < count && items[to].profile == items[from].profile; to++)
      items[to].identity->rank = (uint32_t)(to - from) + 1;
    least = to - from < least ? (uint32_t)(to - from) : least;
    most = to - from > most ? (uint32_t)(to - from) : most;
  }
  bool is_known = least == most;
  for (size_t i = least; i < count && is_known; i++) /* which functions are sampled is chance */
    is_known = items[i].is_own || items[i].line == items[i - least].line;
  for (size_t i = 0; i < count; i++) {
    wi_identity *identity = items[i].identity;
    *identity =
        (wi_identity){identity->module, identity->file, is_known ? identity->rank : 0, most, least};
  }
}

/* Ranks functions of one file and build; the same ones follow one another. */
static void rank_by_number(wi_namesake *items, size_t count) {
  uint32_t rank = 0;
  for (size_t i = 0; i < count; i++) {
    rank += i == 0 || items[i].number != items[i - 1].number;
    items[i].identity->rank = rank;
  }
  for (size_t i = 0; i < count; i++)
    items[i].identity->count = items[i].identity->least = rank;
}

static bool is_by_number(const wi_namesakes *all, const wi_namesake *items) {
  return all->is_one_build && items->is_own;
}

/* Whether a name and module are not enough to find a function in the other profiles. */
static bool are_ambiguous(const wi_namesakes *all, const wi_namesake *items, size_t count) {
  if (count > all->profile_count)
    return true;
  for (size_t i = 1; i < count; i++)
    for (size_t k = 0; k < i; k++)
      if (is_by_number(all, items) ? items[k].number != items[i].number
                                   : items[k].profile == items[i].profile)
        return true;
  return false;
}

static void distinguish(const wi_namesakes *all, wi_namesake *items, size_t count) {
  bool by_number = is_by_number(all, items), have_files = true;
  for (size_t i = 0; i < count; i++)
    have_files = have_files && items[i].file;
  for (size_t i = 0; i < count; i++)
    items[i].identity->file = have_files ? items[i].file : NULL;
  qsort(items, count, sizeof *items, by_number ? compare_functions : compare_places);
  for (size_t from = 0, to; from < count; from = to) {
    for (to = from + 1; to < count && compare_files(&items[from], &items[to]) == 0; to++)
      ;
    if (by_number)
      rank_by_number(items + from, to - from);
    else
      rank_by_order(items + from, to - from);
  }
}

void wi_namesakes_identify(const wi_namesakes *all) {
  if (all->count > 0)
    qsort(all->items, all->count, sizeof *all->items, compare_names);
  for (size_t from = 0, to; from < all->count; from = to) {
    for (to = from + 1; to < all->count && compare_names(&all->items[from], &all->items[to]) == 0;
         to++)
      ;
    if (are_ambiguous(all, all->items + from, to - from))
      distinguish(all, all->items + from, to - from);
  }
}

/* ---- Entry points ------------------------------------------------------------------ */

static bool is_one_build(const wasm_perf_profile *const *profiles, size_t count) {
  const char *identity = profiles[0]->facts.identity;
  for (size_t i = 0; i < count; i++) {
    const char *other = profiles[i]->facts.identity;
    if (count > 1 && (!identity || !other || strcmp(identity, other) != 0))
      return false;
  }
  return true;
}

wi_identity **wi_identities_new(const wasm_perf_profile *const *profiles, size_t count) {
  wi_namesakes all = {.profile_count = count, .is_one_build = is_one_build(profiles, count)};
  wi_identity **identities = calloc(count + 1, sizeof *identities);
  bool ok = identities != NULL;
  for (uint32_t i = 0; i < count && ok; i++)
    ok = (identities[i] = list_profile(&all, profiles, i)) != NULL;
  if (ok) {
    wi_namesakes_identify(&all);
  } else {
    wi_identities_free(identities, count);
    identities = NULL;
  }
  free(all.items);
  return identities;
}

void wi_identities_free(wi_identity **identities, size_t count) {
  for (size_t i = 0; identities && i < count; i++)
    free(identities[i]);
  free(identities);
}

size_t wi_identity_mark(char mark[WI_IDENTITY_MARK_SIZE], const wi_identity *identity) {
  char order[64] = "", file[WI_IDENTITY_MARK_SIZE - sizeof order];
  snprintf(file, sizeof file, "%s", identity->file ? identity->file : "");
  if (identity->rank > 0 && identity->count > 1)
    snprintf(order, sizeof order, "%u of %u", (unsigned)identity->rank, (unsigned)identity->count);
  else if (identity->rank == 0 && identity->least < identity->count)
    snprintf(order, sizeof order, "%u to %u functions", (unsigned)identity->least,
             (unsigned)identity->count);
  else if (identity->rank == 0 && identity->count > 1)
    snprintf(order, sizeof order, "%u functions", (unsigned)identity->count);
  if (*file == '\0' && *order == '\0')
    return *mark = '\0', 0;
  const char *comma = *file != '\0' && *order != '\0' ? ", " : "";
  return (size_t)snprintf(mark, WI_IDENTITY_MARK_SIZE, " (%s%s%s)", file, comma, order);
}
