#include "cli/perf/input/texts.h"

#include <stdlib.h>
#include <string.h>

#include "cli/perf/input/symbols.h"
#include "report/model/labels.h"
#include "support/arithmetic.h"
#include "symbols/module_text.h"

#define MAX_TEXTS 200u /* most functions of a page whose text is included */

/* A function whose blocks were counted. */
typedef struct candidate {
  uint32_t function;
  uint64_t executed; /* blocks */
} candidate;

/* The functions whose text is added. */
typedef struct texts_request {
  wasm_perf_profile *profile;
  candidate *wanted;
  uint32_t count;
  uint32_t added_count;
} texts_request;

static bool take_texts(void *context, const wi_module *module, wi_names *names,
                       wi_function_map *original, const void *map) {
  texts_request *request = context;
  for (uint32_t i = 0; i < request->count; i++) {
    uint32_t function = request->wanted[i].function;
    request->added_count +=
        wi_module_text_add(request->profile, module, names, function, original(map, function));
  }
  return request->added_count > 0;
}

/* The first function of that label whose blocks were counted, or WI_NO_FUNCTION. */
static uint32_t counted_function(const wasm_perf_profile *profile, const char *label) {
  wi_labels labels;
  uint32_t index, found = WI_NO_FUNCTION;
  if (!wi_labels_init(&labels, profile, 0, NULL))
    return found;
  for (uint32_t i = 0; i < profile->block_function_count && found == WI_NO_FUNCTION; i++)
    if (wi_labels_search(&labels, profile->blocks[i].function, &index) &&
        strcmp(labels.texts[index], label) == 0)
      found = profile->blocks[i].function;
  wi_labels_clear(&labels);
  return found;
}

bool cli_text_add(wasm_perf_profile *profile, const char *profile_path, const cli_list *symbols,
                  const char *label) {
  candidate wanted = {.function = counted_function(profile, label)};
  texts_request request = {.profile = profile, .wanted = &wanted, .count = 1};
  return wanted.function != WI_NO_FUNCTION &&
         cli_symbols_use(profile, profile_path, symbols, take_texts, &request);
}

/* ---- Of many --------------------------------------------------------------- */

static int compare_functions(const void *left, const void *right) {
  const uint32_t *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

static int compare_executed(const void *left, const void *right) {
  const candidate *a = left, *b = right;
  if (a->executed != b->executed)
    return a->executed > b->executed ? -1 : 1;
  return compare_functions(&a->function, &b->function);
}

/* The functions that have lines, in order; the caller frees them. NULL: memory ran out. */
static uint32_t *list_with_lines(const wasm_perf_profile *profile) {
  const wasm_perf_lines *lines = &profile->lines;
  uint32_t *functions = malloc((lines->count + (size_t)1) * sizeof *functions);
  if (!functions)
    return NULL;
  for (uint32_t i = 0; i < lines->count; i++)
    functions[i] = lines->items[i].function;
  qsort(functions, lines->count, sizeof *functions, compare_functions);
  return functions;
}

static uint64_t executed_blocks(const wasm_perf_blocks *blocks) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < blocks->count; i++)
    sum = wi_saturating_add(sum, blocks->counts[i]);
  return sum;
}

/* Lists executed functions without source lines, most executed first. */
static uint32_t list_candidates(const wasm_perf_profile *profile, const uint32_t *with_lines,
                                candidate *candidates) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < profile->block_function_count; i++) {
    candidate one = {profile->blocks[i].function, executed_blocks(&profile->blocks[i])};
    if (one.executed > 0 && !bsearch(&one.function, with_lines, profile->lines.count,
                                     sizeof *with_lines, compare_functions))
      candidates[count++] = one;
  }
  qsort(candidates, count, sizeof *candidates, compare_executed);
  return count < MAX_TEXTS ? count : MAX_TEXTS;
}

void cli_texts_add(wasm_perf_profile *profile, const char *profile_path, const cli_list *symbols) {
  texts_request request = {.profile = profile};
  uint32_t *with_lines = list_with_lines(profile);
  request.wanted = calloc(profile->block_function_count + (size_t)1, sizeof *request.wanted);
  if (with_lines && request.wanted)
    request.count = list_candidates(profile, with_lines, request.wanted);
  if (request.count > 0)
    cli_symbols_use(profile, profile_path, symbols, take_texts, &request);
  free(with_lines);
  free(request.wanted);
}
