#define _POSIX_C_SOURCE 200809L /* strndup */

#include "report/formats/html/pairs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/label.h"
#include "report/formats/html/names.h"
#include "report/model/identities.h"
#include "support/path.h"

enum { RUNS = 2 };

/* ---- Labels ------------------------------------------------------------------ */

/* Whether the `size` bytes at `name` end in " (FILE:LINE)"; *mark_size is set to its size. */
static bool has_mark(const char *name, size_t size, const char *file, uint32_t line,
                     size_t *mark_size) {
  char end[16];
  size_t end_size = (size_t)snprintf(end, sizeof end, ":%" PRIu32 ")", line),
         file_size = strlen(file);
  *mark_size = 2 + file_size + end_size;
  if (*mark_size >= size)
    return false;
  const char *mark = name + size - *mark_size;
  return memcmp(mark, " (", 2) == 0 && memcmp(mark + 2, file, file_size) == 0 &&
         memcmp(mark + 2 + file_size, end, end_size) == 0;
}

/* The size of a label without the place and number that follow a name that is not unique. */
static size_t name_size(const wi_part_function *of) {
  size_t size = wi_label_name_size(of->name), mark_size;
  if (of->file && (has_mark(of->name, size, of->file, of->line, &mark_size) ||
                   has_mark(of->name, size, wi_path_name(of->file), of->line, &mark_size)))
    return size - mark_size;
  return size;
}

/* The number in the mark, or 0. */
static uint32_t mark_number(const char *name) {
  const char *mark = name + wi_label_name_size(name);
  return *mark == '\0' ? 0 : (uint32_t)strtoul(mark + strlen(WI_LABEL_MARK), NULL, 10);
}

/* ---- Pairs ------------------------------------------------------------------- */

/* Both profiles' functions, and these without repetition. The arrays are owned. */
typedef struct pairs {
  const wi_part_function *functions;
  uint32_t count;
  wi_identity *identities;  /* per function */
  wi_namesake *items;       /* of all functions; their names are owned */
  uint32_t *labels;         /* per function: its place in `merged` */
  wi_part_function *merged; /* names are borrowed, also from `items` */
  uint32_t merged_count;
} pairs;

static bool list_items(pairs *all, uint32_t first_count) {
  for (uint32_t i = 0; i < all->count; i++) {
    const wi_part_function *of = &all->functions[i];
    all->items[i] = (wi_namesake){.name = strndup(of->name, name_size(of)),
                                  .file = of->file ? wi_path_name(of->file) : NULL,
                                  .line = of->line,
                                  .number = mark_number(of->name),
                                  .profile = i >= first_count,
                                  .is_own = of->kind != WI_COLOR_JAVASCRIPT,
                                  .identity = &all->identities[i]};
    if (!all->items[i].name)
      return false;
  }
  return true;
}

/* Items that are equal are one function. */
static int compare_items(const wi_namesake *a, const wi_namesake *b) {
  const wi_identity *one = a->identity, *other = b->identity;
  int order = strcmp(a->name, b->name);
  order = order != 0 ? order : (int)a->is_own - (int)b->is_own;
  if (order == 0)
    order = strcmp(one->file ? one->file : "", other->file ? other->file : "");
  return order != 0 ? order : (one->rank > other->rank) - (one->rank < other->rank);
}

static int compare_in_profiles(const void *left, const void *right) {
  const wi_namesake *a = left, *b = right;
  int order = compare_items(a, b);
  return order != 0 ? order : (int)a->profile - (int)b->profile;
}

/* Names what several functions are together, if nobody knows which is which. */
static bool name_together(wi_namesake *item, wi_part_function *function) {
  char mark[WI_IDENTITY_MARK_SIZE];
  if (item->identity->rank > 0 || item->identity->count < 2)
    return true;
  size_t mark_size = wi_identity_mark(mark, item->identity), size = strlen(item->name);
  char *name = realloc((char *)item->name, size + mark_size + 1);
  if (!name)
    return false;
  memcpy(name + size, mark, mark_size + 1);
  item->name = function->name = name;
  return true;
}

static bool merge_items(pairs *all) {
  qsort(all->items, all->count, sizeof *all->items, compare_in_profiles);
  for (uint32_t from = 0, to; from < all->count; from = to) {
    wi_namesake *first = &all->items[from];
    for (to = from; to < all->count && compare_items(first, &all->items[to]) == 0; to++)
      all->labels[all->items[to].identity - all->identities] = all->merged_count;
    wi_part_function *function = &all->merged[all->merged_count++];
    *function = all->functions[first->identity - all->identities];
    if (!name_together(first, function))
      return false;
  }
  return true;
}

static bool find_pairs(pairs *all, uint32_t first_count) {
  size_t room = all->count + (size_t)1;
  all->identities = calloc(room, sizeof *all->identities);
  all->items = calloc(room, sizeof *all->items);
  all->labels = calloc(room, sizeof *all->labels);
  all->merged = calloc(room, sizeof *all->merged);
  if (!all->identities || !all->items || !all->labels || !all->merged ||
      !list_items(all, first_count))
    return false;
  wi_namesakes_identify(
      &(wi_namesakes){.items = all->items, .count = all->count, .profile_count = RUNS});
  return merge_items(all);
}

static void clear_pairs(pairs *all) {
  for (uint32_t i = 0; all->items && i < all->count; i++)
    free((char *)all->items[i].name);
  free(all->identities);
  free(all->items);
  free(all->labels);
  free(all->merged);
}

bool wi_html_pairs_write(wi_json *json, const wi_part_function *functions,
                         const uint32_t counts[2]) {
  pairs all = {.functions = functions, .count = counts[0] + counts[1]};
  bool done = find_pairs(&all, counts[0]);
  if (done) {
    const uint32_t *label = all.labels;
    wi_json_open(json, "labels", '[');
    for (int run = 0; run < RUNS; run++) {
      wi_json_open(json, NULL, '[');
      for (uint32_t i = 0; i < counts[run]; i++)
        wi_json_integer(json, NULL, *label++);
      wi_json_close(json, ']');
    }
    wi_json_close(json, ']');
    done = wi_html_names_write(json, all.merged, all.merged_count);
  }
  clear_pairs(&all);
  return done;
}
