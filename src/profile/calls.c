#include "profile/calls.h"

#include <stdlib.h>
#include <string.h>

#include "support/arithmetic.h"

static const struct {
  const char *name;
  wi_unit unit;
} measures[] = {
#define MEASURE(id, name, unit) {name, WI_UNIT_##unit},
    WASM_PERF_CALL_MEASURES(MEASURE)
#undef MEASURE
};

const char *wi_call_measure_name(wasm_perf_call_measure measure) {
  return measures[measure].name;
}

wi_unit wi_call_measure_unit(wasm_perf_call_measure measure) {
  return measures[measure].unit;
}

wasm_perf_call_measure wi_calls_rank(const wasm_perf_profile *profile) {
  unsigned measure = 0;
  while (measure < WASM_PERF_CALL_MEASURE_COUNT &&
         (profile->calls.measures & WASM_PERF_CALL_MEASURE_BIT(measure)) == 0)
    measure++;
  return (wasm_perf_call_measure)measure;
}

static bool is_slow(const wasm_perf_call *call) {
  return (call->why & WASM_PERF_KEPT_SLOW) != 0;
}

uint32_t wi_calls_slow_count(const wasm_perf_profile *profile) {
  uint32_t count = 0;
  while (count < profile->calls.kept_count && is_slow(&profile->calls.kept[count]))
    count++;
  return count;
}

void wi_calls_clear(wasm_perf_profile *profile) {
  wasm_perf_calls *calls = &profile->calls;
  for (uint32_t i = 0; i < calls->histogram_count; i++)
    free(calls->histograms[i].buckets);
  for (uint32_t i = 0; i < calls->kept_count; i++)
    free(calls->kept[i].rows);
  free(calls->histograms);
  free(calls->kept);
  *calls = (wasm_perf_calls){0};
}

/* ---- Order ----------------------------------------------------------------- */

static int compare_u64(uint64_t a, uint64_t b) {
  return (a > b) - (a < b);
}

static int compare_histograms(const void *left, const void *right) {
  const wasm_perf_histogram *a = left, *b = right;
  int order = compare_u64(a->node, b->node);
  return order != 0 ? order : compare_u64(a->measure, b->measure);
}

/* Slow calls first, then by value. Calls without a measure are the last by it. */
static int compare_kept(const void *left, const void *right) {
  const wasm_perf_call *a = left, *b = right;
  int order = is_slow(b) - is_slow(a);
  for (unsigned i = 0; order == 0 && i < WASM_PERF_CALL_MEASURE_COUNT; i++)
    order = compare_u64(b->values[i], a->values[i]);
  if (order == 0)
    order = compare_u64(a->start, b->start);
  if (order == 0)
    order = compare_u64(a->node, b->node);
  return order != 0 ? order : compare_u64(a->number, b->number);
}

/* Stores the sums in the histogram's buckets. Returns false if out of memory. */
static bool set_buckets(wasm_perf_histogram *histogram, const wi_bucket_sums *sums) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < WASM_PERF_BUCKET_COUNT; i++)
    count += sums->counts[i] > 0;
  wasm_perf_bucket *buckets = realloc(histogram->buckets, (count + (size_t)1) * sizeof *buckets);
  if (!buckets)
    return false;
  histogram->buckets = buckets;
  histogram->bucket_count = 0;
  for (uint32_t i = 0; i < WASM_PERF_BUCKET_COUNT; i++)
    if (sums->counts[i] > 0)
      buckets[histogram->bucket_count++] = (wasm_perf_bucket){i, sums->counts[i]};
  return true;
}

/* Adds up `count` histograms in the first one, and frees the others' buckets. */
static bool add_up(wasm_perf_histogram *histograms, uint32_t count) {
  wi_bucket_sums sums = {.count = 0};
  if (count == 1)
    return true;
  for (uint32_t i = 0; i < count; i++)
    wi_bucket_sums_add(&sums, &histograms[i]);
  for (uint32_t i = 1; i < count; i++) {
    free(histograms[i].buckets);
    histograms[i].buckets = NULL;
  }
  return set_buckets(&histograms[0], &sums);
}

bool wi_calls_sort(wasm_perf_profile *profile) {
  wasm_perf_calls *calls = &profile->calls;
  wasm_perf_histogram *histograms = calls->histograms;
  uint32_t kept = 0, count = calls->histogram_count;
  bool done = true;
  if (count > 0)
    qsort(histograms, count, sizeof *histograms, compare_histograms);
  for (uint32_t first = 0, end = 0; first < count; first = end) {
    while (end < count && compare_histograms(&histograms[end], &histograms[first]) == 0)
      end++;
    done = done && add_up(&histograms[first], end - first);
    histograms[kept++] = histograms[first];
    for (uint32_t i = first + 1; !done && i < end; i++)
      histograms[kept++] = histograms[i]; /* to be freed */
  }
  calls->histogram_count = kept;
  if (calls->kept_count > 0)
    qsort(calls->kept, calls->kept_count, sizeof *calls->kept, compare_kept);
  return done;
}

/* ---- Combining ------------------------------------------------------------- */

/* A copy of `count` items; NULL if out of memory, or if there are none. */
static void *copy_items(const void *items, uint32_t count, size_t item_size) {
  void *copy = count > 0 ? malloc(count * item_size) : NULL;
  if (copy)
    memcpy(copy, items, count * item_size);
  return copy;
}

/* Makes room for `more` items after `count`. Returns false if out of memory. */
static bool reserve(void **items, uint32_t count, uint32_t more, size_t item_size) {
  size_t whole = (size_t)count + more;
  void *larger = more > 0 && whole <= UINT32_MAX ? realloc(*items, whole * item_size) : NULL;
  if (larger)
    *items = larger;
  return larger || more == 0;
}

bool wi_calls_append(wasm_perf_profile *result, const wasm_perf_profile *profile, uint32_t start) {
  wasm_perf_calls *to = &result->calls;
  const wasm_perf_calls *from = &profile->calls;
  to->measures |= from->measures;
  if (!reserve((void **)&to->histograms, to->histogram_count, from->histogram_count,
               sizeof *to->histograms) ||
      !reserve((void **)&to->kept, to->kept_count, from->kept_count, sizeof *to->kept))
    return false;
  for (uint32_t i = 0; i < from->histogram_count; i++) {
    wasm_perf_histogram copy = from->histograms[i];
    copy.node += start;
    copy.buckets = copy_items(copy.buckets, copy.bucket_count, sizeof *copy.buckets);
    if (copy.bucket_count > 0 && !copy.buckets)
      return false;
    to->histograms[to->histogram_count++] = copy;
  }
  for (uint32_t i = 0; i < from->kept_count; i++) {
    wasm_perf_call copy = from->kept[i];
    copy.node += start;
    copy.rows = copy_items(copy.rows, copy.row_count, sizeof *copy.rows);
    if (copy.row_count > 0 && !copy.rows)
      return false;
    for (uint32_t row = 0; row < copy.row_count; row++)
      copy.rows[row].node += start;
    to->kept[to->kept_count++] = copy;
  }
  return true;
}

void wi_calls_visit(wasm_perf_profile *profile, wi_node_visitor *visit, void *user) {
  wasm_perf_calls *calls = &profile->calls;
  for (uint32_t i = 0; i < calls->histogram_count; i++)
    visit(&calls->histograms[i].node, user);
  for (uint32_t i = 0; i < calls->kept_count; i++) {
    visit(&calls->kept[i].node, user);
    for (uint32_t row = 0; row < calls->kept[i].row_count; row++)
      visit(&calls->kept[i].rows[row].node, user);
  }
}

static void move_node(uint32_t *node, void *places) {
  *node = ((const uint32_t *)places)[*node];
}

bool wi_calls_move(wasm_perf_profile *profile, uint32_t *places) {
  wi_calls_visit(profile, move_node, places);
  return wi_calls_sort(profile);
}

/* ---- Removing -------------------------------------------------------------- */

/* Whether to remove what belongs to that item. */
typedef bool is_unwanted(const void *item, const void *what);

static void remove_histograms(wasm_perf_calls *calls, is_unwanted *unwanted, const void *what) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < calls->histogram_count; i++)
    if (unwanted(&calls->histograms[i], what))
      free(calls->histograms[i].buckets);
    else
      calls->histograms[kept++] = calls->histograms[i];
  calls->histogram_count = kept;
}

static void remove_kept(wasm_perf_calls *calls, is_unwanted *unwanted, const void *what) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < calls->kept_count; i++)
    if (unwanted(&calls->kept[i], what))
      free(calls->kept[i].rows);
    else
      calls->kept[kept++] = calls->kept[i];
  calls->kept_count = kept;
}

/* `what` says of each node whether it is hidden. */
static bool hides_histogram(const void *item, const void *what) {
  return ((const bool *)what)[((const wasm_perf_histogram *)item)->node];
}

static bool hides_call(const void *item, const void *what) {
  return ((const bool *)what)[((const wasm_perf_call *)item)->node];
}

/* Removes rows; what they called belongs to their callers. The first row stays. */
static bool hide_rows(const bool *is_hidden, wasm_perf_call *call) {
  uint32_t *places = malloc((call->row_count + (size_t)1) * sizeof *places), kept = 0;
  for (uint32_t i = 0; places && i < call->row_count; i++) {
    wasm_perf_call_row row = call->rows[i];
    places[i] = row.caller = i == 0 ? 0 : places[row.caller];
    if (i == 0 || !is_hidden[row.node]) {
      places[i] = kept;
      call->rows[kept++] = row;
    }
  }
  if (places)
    call->row_count = kept;
  free(places);
  return places != NULL;
}

bool wi_calls_hide(wasm_perf_profile *profile, const bool *is_hidden) {
  bool done = true;
  remove_histograms(&profile->calls, hides_histogram, is_hidden);
  remove_kept(&profile->calls, hides_call, is_hidden);
  for (uint32_t i = 0; done && i < profile->calls.kept_count; i++)
    done = hide_rows(is_hidden, &profile->calls.kept[i]);
  return done;
}

/* ---- Differences ----------------------------------------------------------- */

static bool is_empty(const void *item, const void *what) {
  (void)what;
  return ((const wasm_perf_histogram *)item)->bucket_count == 0;
}

/* Both are in increasing order of bucket. */
static void take_buckets(wasm_perf_histogram *histogram, const wasm_perf_histogram *before) {
  uint32_t kept = 0, other = 0;
  for (uint32_t i = 0; i < histogram->bucket_count; i++) {
    wasm_perf_bucket bucket = histogram->buckets[i];
    while (other < before->bucket_count && before->buckets[other].bucket < bucket.bucket)
      other++;
    if (other < before->bucket_count && before->buckets[other].bucket == bucket.bucket) {
      uint64_t count = before->buckets[other].count;
      bucket.count = bucket.count > count ? bucket.count - count : 0;
    }
    if (bucket.count > 0)
      histogram->buckets[kept++] = bucket;
  }
  histogram->bucket_count = kept;
}

/* A kept call of the earlier profile, by the node's number in the later one. */
typedef struct known_call {
  uint64_t number;
  uint32_t node;
  uint32_t count; /* of all, in the first one */
} known_call;

static int compare_known(const void *left, const void *right) {
  const known_call *a = left, *b = right;
  int order = compare_u64(a->node, b->node);
  return order != 0 ? order : compare_u64(a->number, b->number);
}

static bool is_known(const void *item, const void *what) {
  const wasm_perf_call *call = item;
  const known_call *known = what, wanted = {call->number, call->node, 0};
  return bsearch(&wanted, known + 1, known[0].count, sizeof *known, compare_known) != NULL;
}

static bool remove_known(wasm_perf_profile *profile, const wasm_perf_profile *before,
                         const uint32_t *places) {
  uint32_t count = before->calls.kept_count;
  known_call *known = malloc((count + (size_t)1) * sizeof *known);
  if (!known)
    return false;
  known[0] = (known_call){.count = count};
  for (uint32_t i = 0; i < count; i++)
    known[i + 1] =
        (known_call){before->calls.kept[i].number, places[before->calls.kept[i].node], 0};
  qsort(known + 1, count, sizeof *known, compare_known);
  remove_kept(&profile->calls, is_known, known);
  free(known);
  return true;
}

bool wi_calls_subtract(wasm_perf_profile *profile, const wasm_perf_profile *before,
                       const uint32_t *places) {
  wasm_perf_calls *calls = &profile->calls;
  if (!remove_known(profile, before, places))
    return false;
  for (uint32_t i = 0; calls->histogram_count > 0 && i < before->calls.histogram_count; i++) {
    const wasm_perf_histogram *other = &before->calls.histograms[i];
    const wasm_perf_histogram wanted = {.node = places[other->node], .measure = other->measure};
    wasm_perf_histogram *found = bsearch(&wanted, calls->histograms, calls->histogram_count,
                                         sizeof wanted, compare_histograms);
    if (found)
      take_buckets(found, other);
  }
  remove_histograms(calls, is_empty, NULL);
  return true;
}
