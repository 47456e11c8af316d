#include "report/model/labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/modules.h"
#include "support/path.h"

/* A function whose label is being computed. */
typedef struct named_function {
  char *text;          /* owned */
  uint32_t index;      /* in wi_labels.functions.items */
  uint32_t module;     /* its module's number */
  uint32_t name_size;  /* size of the text without the module's name */
  uint16_t confidence; /* in its name, see wi_labels */
  bool has_module;     /* the text has the module's name */
} named_function;

typedef struct labeller {
  wi_labels *labels;
  const wasm_perf_profile *profile;
  const wi_identity *identities; /* one per item of labels->functions; NULL: not matched */
  named_function *named;         /* likewise, owned */
  named_function *spare;         /* room for as many, owned */
  char separator;
  bool is_sorted; /* `named` is sorted by text */
} labeller;

static uint32_t function_of(const labeller *work, const named_function *named) {
  return work->labels->functions.items[named->index];
}

/* Frees the previous text. Returns false if memory ran out. */
static bool set_text(named_function *named, const char *text) {
  free(named->text);
  named->text = strdup(text);
  named->name_size = (uint32_t)strlen(text);
  return named->text != NULL;
}

static bool set_name(const labeller *work, named_function *named) {
  char label[WI_LABEL_MAX_SIZE + 1];
  uint32_t function = function_of(work, named);
  const char *name = wasm_perf_profile_name(work->profile, function);
  if (function == WASM_PERF_FUNCTION_TRUNCATED)
    strcpy(label, "[truncated]");
  else if (function == WASM_PERF_FUNCTION_UNHOOKED)
    strcpy(label, "[functions without hooks]");
  else if (!name || *name == 0)
    snprintf(label, sizeof label, "func[%u]", function);
  else
    wi_label_clean(label, name, work->separator);
  return set_text(named, label);
}

/* For namesakes in one module, of profiles that are matched. */
static bool add_identity(const labeller *work, named_function *named) {
  char label[WI_LABEL_MAX_SIZE + 1], mark[WI_IDENTITY_MARK_SIZE], clean[WI_LABEL_MAX_SIZE + 1];
  if (wi_identity_mark(mark, &work->identities[named->index]) == 0)
    return true;
  wi_label_clean(clean, mark + 1, work->separator);
  wi_label_clean_within(label, named->text, work->separator, WI_LABEL_MAX_SIZE - strlen(clean) - 1);
  sprintf(label + strlen(label), " %s", clean);
  return set_text(named, label);
}

/* For namesakes in several modules. */
static bool add_module(const labeller *work, named_function *named) {
  char label[WI_LABEL_MAX_SIZE + 1], module[WI_LABEL_MAX_SIZE + 1];
  uint32_t of = wi_module_of(work->profile, function_of(work, named));
  const char *name = wi_module_name(work->profile, of);
  if (of == WI_NO_MODULE)
    return true;
  wi_label_clean_within(module, name, work->separator, WI_LABEL_MAX_SIZE / 4);
  size_t added = strlen(WI_IN_MODULE) + strlen(module) + 1;
  wi_label_clean_within(label, named->text, work->separator, WI_LABEL_MAX_SIZE - added);
  size_t name_size = strlen(label);
  sprintf(label + name_size, WI_IN_MODULE "%s)", module);
  bool done = set_text(named, label);
  named->name_size = (uint32_t)name_size;
  named->has_module = true;
  return done;
}

static bool set_marked_name(const labeller *work, named_function *named) {
  char label[WI_LABEL_MAX_SIZE + 1], mark[32];
  int size = snprintf(mark, sizeof mark, WI_LABEL_MARK "%u)", function_of(work, named));
  wi_label_clean_within(label, named->text, work->separator, WI_LABEL_MAX_SIZE - (size_t)size);
  strcat(label, mark);
  return set_text(named, label);
}

/* A function's source position is the same in every build and run; its number may not be. */
static bool add_place(const labeller *work, named_function *named, const char *file,
                      uint32_t line) {
  char label[WI_LABEL_MAX_SIZE + 1], text[WI_LABEL_MAX_SIZE];
  int size = snprintf(text, sizeof text, "%s (%s:%u)", named->text, file, line);
  if (size < 0 || (size_t)size >= sizeof text)
    return true;
  wi_label_clean(label, text, work->separator);
  return set_text(named, label);
}

static const wasm_perf_place *place_of(const labeller *work, const named_function *named) {
  return wasm_perf_profile_place(work->profile, function_of(work, named));
}

static bool set_placed_name(const labeller *work, named_function *named) {
  const wasm_perf_place *place = place_of(work, named);
  return !place || add_place(work, named, wi_path_name(place->file), place->line);
}

/* For namesakes in files of one name. */
static bool set_name_with_path(const labeller *work, named_function *named) {
  const wasm_perf_place *place = place_of(work, named);
  if (!place)
    return true;
  bool is_marked = named->has_module;
  return set_name(work, named) && (!is_marked || add_module(work, named)) &&
         add_place(work, named, place->file, place->line);
}

static bool is_ours(const labeller *work, const named_function *named) {
  uint32_t function = function_of(work, named);
  return function >= WASM_PERF_FUNCTION_UNHOOKED || function == WI_FUNCTION_SMALL ||
         wasm_perf_profile_kind(work->profile, function) >= WASM_PERF_KIND_NATIVE;
}

/* Whether its text could be mistaken for one of ours, or for a marked name. */
static bool is_misleading(const named_function *named) {
  return wi_label_is_bracketed(named->text) ||
         wi_label_name_size(named->text) < strlen(named->text);
}

/* Merges two sorted parts of `from`, which end at `middle` and `end`. */
static void merge(const named_function *from, named_function *to, uint32_t start, uint32_t middle,
                  uint32_t end) {
  for (uint32_t left = start, right = middle, i = start; i < end; i++) {
    bool is_left =
        left < middle && (right == end || strcmp(from[left].text, from[right].text) <= 0);
    to[i] = from[is_left ? left++ : right++];
  }
}

/*
 * There may be a million functions, and the smoothsort that qsort is in the reader of pages takes
 * twice as long.
 */
static void sort_by_text(labeller *work) {
  uint32_t count = work->labels->functions.count;
  for (uint64_t size = 1; size < count && !work->is_sorted; size *= 2) {
    named_function *to = work->spare;
    for (uint64_t i = 0; i < count; i += 2 * size)
      merge(work->named, to, (uint32_t)i, (uint32_t)(i + size < count ? i + size : count),
            (uint32_t)(i + 2 * size < count ? i + 2 * size : count));
    work->spare = work->named;
    work->named = to;
  }
  work->is_sorted = true;
}

/* Compares `a_size` and `b_size` bytes as strcmp does. */
static int compare_bytes(const char *a, uint32_t a_size, const char *b, uint32_t b_size) {
  int order = memcmp(a, b, a_size < b_size ? a_size : b_size);
  return order != 0 ? order : (a_size > b_size) - (a_size < b_size);
}

/* By name, then by module: how functions are matched. */
static int compare_identities(const void *left, const void *right) {
  const named_function *a = left, *b = right;
  int order = compare_bytes(a->text, a->name_size, b->text, b->name_size);
  return order != 0 ? order : (a->module > b->module) - (a->module < b->module);
}

/* Whether functions of one text, at least one, need a mark. */
typedef bool names_test(const labeller *work, const named_function *named, uint32_t count);

static bool need_marks(const labeller *work, const named_function *named, uint32_t count) {
  (void)work;
  return count > 1 || is_misleading(named);
}

static bool are_in_several_files(const labeller *work, const named_function *named,
                                 uint32_t count) {
  const wasm_perf_place *first = place_of(work, named);
  for (uint32_t i = 1; i < count; i++) {
    const wasm_perf_place *place = place_of(work, &named[i]);
    if (first && place && strcmp(first->file, place->file) != 0)
      return true;
  }
  return false;
}

/* Functions outside of the modules are of no module. */
static bool are_apart(const labeller *work, const named_function *named, uint32_t count) {
  (void)work;
  for (uint32_t i = 1; i < count; i++)
    if (named[i].module != named->module)
      return true;
  return false;
}

static bool are_in_several_modules(const labeller *work, const named_function *named,
                                   uint32_t count) {
  uint32_t module = WI_NO_MODULE;
  if (work->profile->joined_count == 0)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    if (module != WI_NO_MODULE && named[i].module != WI_NO_MODULE && named[i].module != module)
      return true;
    module = named[i].module != WI_NO_MODULE ? named[i].module : module;
  }
  return false;
}

/* Marks each name that passes the test. */
static bool mark_names(labeller *work, names_test *is_wanted,
                       bool (*mark)(const labeller *work, named_function *named)) {
  uint32_t count = work->labels->functions.count;
  named_function *named = work->named;
  bool ok = true;
  for (uint32_t from = 0, to; ok && from < count; from = to) {
    for (to = from + 1; to < count && strcmp(named[from].text, named[to].text) == 0; to++)
      ;
    bool is_marked = is_wanted(work, &named[from], to - from);
    for (uint32_t i = from; ok && is_marked && i < to; i++)
      if (!is_ours(work, &named[i])) {
        work->is_sorted = false;
        ok = mark(work, &named[i]);
      }
  }
  return ok;
}

/*
 * Marks names that several functions share or that mislead: by their module, by the name of their
 * file, by its path, by their number. All names then differ: numbered ones end in different indices, and a name that
 * ended in such a mark was itself marked.
 */
static bool mark_all(labeller *work) {
  static const struct {
    names_test *is_wanted;
    bool (*mark)(const labeller *work, named_function *named);
  } marks[] = {{are_in_several_modules, add_module},
               {need_marks, set_placed_name},
               {are_in_several_files, set_name_with_path},
               {need_marks, set_marked_name}};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    sort_by_text(work);
    if (!mark_names(work, marks[i].is_wanted, marks[i].mark))
      return false;
  }
  sort_by_text(work);
  return true;
}

/* Finds the module of a function. A frame that stands for one is that module, whatever its name. */
static void set_module(const labeller *work, named_function *named) {
  uint32_t function = function_of(work, named);
  uint32_t module = wi_module_of(work->profile, function);
  named->module = work->identities ? work->identities[named->index].module : module;
  if (wi_module_is(work->profile, function))
    named->name_size = 0;
}

/* Looked up in the order of functions, in which names are stored: others miss the cache. */
static void set_confidence(const labeller *work, named_function *named) {
  named->confidence =
      (uint16_t)wasm_perf_profile_confidence(work->profile, function_of(work, named));
}

/* In a profile of one module, a name is the same function wherever it is. */
static void unite(const labeller *work) {
  named_function *named = work->named;
  for (uint32_t i = 1; i < work->labels->functions.count; i++)
    if (compare_bytes(named[i - 1].text, named[i - 1].name_size, named[i].text,
                      named[i].name_size) == 0)
      named[i].module = named[i - 1].module;
}

/* Marks only names that functions of several modules share. */
static bool mark_modules(labeller *work) {
  qsort(work->named, work->labels->functions.count, sizeof *work->named, compare_identities);
  if (work->profile->joined_count == 0)
    unite(work);
  return mark_names(work, are_apart, add_module);
}

static bool name_functions(labeller *work) {
  for (uint32_t i = 0; i < work->labels->functions.count; i++) {
    work->named[i].index = i;
    if (!set_name(work, &work->named[i]) ||
        (work->identities && !add_identity(work, &work->named[i])))
      return false;
    set_module(work, &work->named[i]);
    set_confidence(work, &work->named[i]);
  }
  return work->identities ? mark_modules(work) : mark_all(work);
}

static bool is_same(const wi_labels *labels, const named_function *named) {
  uint32_t last = labels->count - 1;
  return labels->count > 0 && labels->modules[last] == named->module &&
         strcmp(labels->texts[last], named->text) == 0;
}

/*
 * Fills in everything per text, and indices, from the sorted functions. Takes ownership of their
 * texts; frees duplicates.
 */
static void number_labels(const labeller *work) {
  wi_labels *labels = work->labels;
  for (uint32_t i = 0; i < labels->functions.count; i++) {
    named_function *named = &work->named[i];
    uint32_t function = function_of(work, named);
    uint8_t kind = (uint8_t)wasm_perf_profile_kind(work->profile, function);
    if (is_same(labels, named)) {
      free(named->text);
    } else {
      labels->modules[labels->count] = named->module;
      labels->name_sizes[labels->count] = named->name_size;
      labels->texts[labels->count++] = named->text;
    }
    named->text = NULL;
    labels->indices[named->index] = labels->count - 1;
    if (labels->kinds[labels->count - 1] < kind)
      labels->kinds[labels->count - 1] = kind;
    uint16_t *least = &labels->confidences[labels->count - 1];
    if (named->confidence > 0 && (*least == 0 || named->confidence < *least))
      *least = named->confidence;
    labels->is_uncounted[labels->count - 1] |=
        !wasm_perf_profile_is_counted(work->profile, function);
  }
}

static bool label_functions(labeller *work) {
  wi_labels *labels = work->labels;
  size_t capacity = labels->functions.count + (size_t)1;
  work->named = calloc(capacity, sizeof *work->named);
  work->spare = malloc(capacity * sizeof *work->spare);
  labels->texts = malloc(sizeof *labels->texts * capacity);
  labels->indices = malloc(sizeof *labels->indices * capacity);
  labels->kinds = calloc(capacity, sizeof *labels->kinds);
  labels->confidences = calloc(capacity, sizeof *labels->confidences);
  labels->is_uncounted = calloc(capacity, sizeof *labels->is_uncounted);
  labels->modules = malloc(sizeof *labels->modules * capacity);
  labels->name_sizes = malloc(sizeof *labels->name_sizes * capacity);
  bool ok = work->named && work->spare && labels->texts && labels->indices && labels->kinds &&
            labels->confidences && labels->is_uncounted && labels->modules && labels->name_sizes &&
            name_functions(work);
  if (ok)
    number_labels(work);
  for (uint32_t i = 0; work->named && i < labels->functions.count; i++)
    free(work->named[i].text);
  free(work->named);
  free(work->spare);
  return ok;
}

bool wi_labels_init(wi_labels *labels, const wasm_perf_profile *profile, char separator,
                    const wi_identity *identities) {
  memset(labels, 0, sizeof *labels);
  labeller work = {
      .labels = labels, .profile = profile, .identities = identities, .separator = separator};
  if (wi_functions_init(&labels->functions, profile) && label_functions(&work))
    return true;
  wi_labels_clear(labels);
  return false;
}

void wi_labels_clear(wi_labels *labels) {
  for (uint32_t i = 0; i < labels->count; i++)
    free(labels->texts[i]);
  free(labels->texts);
  wi_functions_clear(&labels->functions);
  free(labels->indices);
  free(labels->kinds);
  free(labels->confidences);
  free(labels->is_uncounted);
  free(labels->modules);
  free(labels->name_sizes);
  memset(labels, 0, sizeof *labels);
}

bool wi_labels_search(const wi_labels *labels, uint32_t function, uint32_t *label) {
  uint32_t number = wi_functions_find(&labels->functions, function);
  if (number != WI_NO_NUMBER)
    *label = labels->indices[number];
  return number != WI_NO_NUMBER;
}

int wi_labels_compare(const wi_labels *before, uint32_t a, const wi_labels *after, uint32_t b) {
  int order =
      compare_bytes(before->texts[a], before->name_sizes[a], after->texts[b], after->name_sizes[b]);
  if (order != 0)
    return order;
  return (before->modules[a] > after->modules[b]) - (before->modules[a] < after->modules[b]);
}
