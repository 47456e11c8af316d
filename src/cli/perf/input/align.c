#include "cli/perf/input/align.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/message.h"
#include "cli/perf/input/symbols.h"
#include "match/modules.h"
#include "names/label.h"
#include "profile/functions.h"

/* One of the two profiles. */
typedef struct side {
  const cli_aligned *given;
  const wi_module *module;
  wi_function_map *original;
  const void *map;
  wi_functions functions;
  char **names; /* of all its functions before any renaming, sorted; owned */
} side;

typedef struct alignment {
  side before, after;
  char *renamed; /* for each function of `after`, whether it has its new name */
  uint32_t count;
  bool failed; /* memory ran out */
} alignment;

/* ---- Names --------------------------------------------------------------------------------- */

static int compare_names(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static const char *name_of(const side *of, uint32_t function) {
  return wasm_perf_profile_name(of->given->profile, function);
}

static bool list_names(side *of) {
  if (!wi_functions_init(&of->functions, of->given->profile))
    return false;
  of->names = malloc((of->functions.count + (size_t)1) * sizeof *of->names);
  for (uint32_t i = 0; of->names && i < of->functions.count; i++) {
    const char *name = name_of(of, of->functions.items[i]);
    of->names[i] = cli_text("%s", name ? name : "");
  }
  if (of->names)
    qsort(of->names, of->functions.count, sizeof *of->names, compare_names);
  return of->names != NULL;
}

static bool has_name(const side *of, const char *name) {
  return bsearch(&name, of->names, of->functions.count, sizeof *of->names, compare_names) != NULL;
}

static bool is_number(const char *name) {
  return !name || wi_label_is_number(name, NULL);
}

/* ---- Pairs --------------------------------------------------------------------------------- */

/*
 * Whether nothing is left to rename: both names are equal already, or each name also belongs to
 * another function of the other profile.
 */
static bool keeps_name(const alignment *all, const char *before, const char *after) {
  if (is_number(after))
    return false;
  return !before || strcmp(before, after) == 0 || has_name(&all->before, after) ||
         (!is_number(before) && has_name(&all->after, before));
}

static void rename_function(alignment *all, uint32_t place, uint32_t before) {
  char number[24];
  const char *name = name_of(&all->before, before);
  uint32_t after = all->after.functions.items[place];
  if (keeps_name(all, name, name_of(&all->after, after)))
    return;
  snprintf(number, sizeof number, "func[%u]",
           (unsigned)all->before.original(all->before.map, before));
  name = name ? name : number;
  const char *old = name_of(&all->after, after);
  all->count += !old || strcmp(old, name) != 0;
  all->renamed[place] = 1;
  all->failed |= !wasm_perf_profile_set_name(all->after.given->profile, after, name);
}

/* Maps a module's function indices to its profile's; NULL if memory ran out. */
static uint32_t *places_of(const side *of) {
  uint32_t count = wi_module_function_count(of->module);
  uint32_t *places = malloc((count + (size_t)1) * sizeof *places);
  for (uint32_t i = 0; places && i < count; i++)
    places[i] = WI_NO_FUNCTION;
  for (uint32_t i = 0; places && i < of->functions.count; i++) {
    uint32_t function = of->functions.items[i];
    uint32_t original =
        function < WASM_PERF_FUNCTION_UNHOOKED ? of->original(of->map, function) : WI_NO_FUNCTION;
    if (original < count)
      places[original] = function;
  }
  return places;
}

/* An unmatched func[N] of `after` must not look like the func[N] of `before`. */
static void mark_others(alignment *all) {
  for (uint32_t i = 0; !all->failed && i < all->after.functions.count; i++) {
    uint32_t function = all->after.functions.items[i];
    const char *name = name_of(&all->after, function);
    if (all->renamed[i] || !name || !is_number(name) || !has_name(&all->before, name))
      continue;
    char *marked = cli_text("%s, after", name);
    all->failed |= !wasm_perf_profile_set_name(all->after.given->profile, function, marked);
    free(marked);
  }
}

static void rename_all(alignment *all, const wi_matches *matches) {
  uint32_t *places = places_of(&all->before);
  all->renamed = calloc(all->after.functions.count + (size_t)1, 1);
  all->failed = !places || !all->renamed;
  for (uint32_t i = 0; !all->failed && i < all->after.functions.count; i++) {
    uint32_t function = all->after.functions.items[i];
    uint32_t original = function < WASM_PERF_FUNCTION_UNHOOKED
                            ? all->after.original(all->after.map, function)
                            : WI_NO_FUNCTION;
    uint32_t from = original < matches->count ? matches->items[original].from : WI_NO_FUNCTION;
    if (from != WI_NO_FUNCTION && places[from] != WI_NO_FUNCTION)
      rename_function(all, i, places[from]);
  }
  mark_others(all);
  free(places);
  free(all->renamed);
}

/* ---- The two modules ------------------------------------------------------------------------ */

static bool use_module(const cli_aligned *of, cli_module_use *use, void *context) {
  const cli_list none = {0};
  return (of->symbols->count > 0 &&
          cli_symbols_use(of->profile, of->path, of->symbols, use, context)) ||
         cli_symbols_use(of->profile, of->path, &none, use, context);
}

/* If a module cannot be read, the profiles are still compared, by name. */
static bool use_after(void *context, const wi_module *module, wi_names *names,
                      wi_function_map *original, const void *map) {
  alignment *all = context;
  wi_matches matches;
  wi_error before_error, after_error;
  (void)names;
  all->after.module = module;
  all->after.original = original;
  all->after.map = map;
  wi_error_reset(&before_error);
  wi_error_reset(&after_error);
  if (!wi_match_modules(&matches, module, all->before.module, &after_error, &before_error))
    return true;
  if (matches.matched_count > 0)
    rename_all(all, &matches);
  wi_matches_clear(&matches);
  return true;
}

static bool use_before(void *context, const wi_module *module, wi_names *names,
                       wi_function_map *original, const void *map) {
  alignment *all = context;
  (void)names;
  all->before.module = module;
  all->before.original = original;
  all->before.map = map;
  use_module(all->after.given, use_after, all);
  return true;
}

static bool is_one_build(const wasm_perf_profile *before, const wasm_perf_profile *after) {
  return !before->facts.identity || !after->facts.identity ||
         strcmp(before->facts.identity, after->facts.identity) == 0;
}

static void clear(side *of) {
  for (uint32_t i = 0; of->names && i < of->functions.count; i++)
    free(of->names[i]);
  free(of->names);
  wi_functions_clear(&of->functions);
}

bool cli_align_names(const cli_aligned *before, const cli_aligned *after) {
  alignment all = {.before = {.given = before}, .after = {.given = after}};
  if (is_one_build(before->profile, after->profile))
    return true;
  all.failed = !list_names(&all.before) || !list_names(&all.after);
  if (!all.failed)
    use_module(before, use_before, &all);
  clear(&all.before);
  clear(&all.after);
  if (all.failed)
    return cli_error(NULL, "out of memory"), false;
  if (all.count > 0)
    cli_message("wasm-perf: %u functions that moved or were renamed are matched by their code",
                (unsigned)all.count);
  return true;
}
