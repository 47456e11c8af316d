#include "names/names_fit.h"

#include <stdlib.h>
#include <string.h>

#include "names/shorten.h"

const char *wi_fitted_text(const wi_fitted_name *name) {
  return name->text ? name->text : name->name;
}

void wi_names_clear(wi_fitted_name *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(names[i].text);
}

static bool fit(wi_fitted_name *name) {
  char text[WI_SHORTENED_SIZE];
  free(name->text);
  name->text = NULL;
  if (name->width == 0)
    return true;
  wi_shorten(text, name->name, name->width);
  if (strcmp(text, name->name) == 0)
    return true;
  size_t size = strlen(text) + 1;
  name->text = malloc(size);
  if (name->text)
    memcpy(name->text, text, size);
  return name->text != NULL;
}

/* By text; equal texts by name. */
static int compare(const void *left, const void *right) {
  const wi_fitted_name *a = *(wi_fitted_name *const *)left;
  const wi_fitted_name *b = *(wi_fitted_name *const *)right;
  int order = strcmp(wi_fitted_text(a), wi_fitted_text(b));
  return order != 0 ? order : strcmp(a->name, b->name);
}

/*
 * Widens names with the same text, except those that are not shortened. Sets *found if there was
 * any.
 */
static bool widen(wi_fitted_name **same, size_t count, bool *found) {
  for (size_t i = 0; i < count; i++) {
    if (!same[i]->text)
      continue;
    *found = true;
    same[i]->width += same[i]->width / 4 + 4;
    if (!fit(same[i]))
      return false;
  }
  return true;
}

/* Widens different names with the same text. Sets *found to whether there was any. */
static bool widen_ambiguous(wi_fitted_name **sorted, size_t count, bool *found) {
  *found = false;
  qsort(sorted, count, sizeof *sorted, compare);
  for (size_t from = 0, to; from < count; from = to) {
    const char *text = wi_fitted_text(sorted[from]);
    for (to = from + 1; to < count && strcmp(wi_fitted_text(sorted[to]), text) == 0; to++)
      ;
    if (strcmp(sorted[from]->name, sorted[to - 1]->name) != 0 &&
        !widen(sorted + from, to - from, found))
      return false;
  }
  return true;
}

bool wi_names_fit(wi_fitted_name *names, size_t count) {
  wi_fitted_name **sorted = malloc((count + 1) * sizeof *sorted);
  bool ok = sorted != NULL;
  for (size_t i = 0; ok && i < count; i++) {
    names[i].text = NULL;
    sorted[i] = &names[i];
    ok = fit(&names[i]);
  }
  for (bool found = true; ok && found;)
    ok = widen_ambiguous(sorted, count, &found);
  free(sorted);
  return ok;
}
