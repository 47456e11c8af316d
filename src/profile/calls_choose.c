#include "profile/calls_choose.h"

#include <stdlib.h>

/* A histogram or a typical call, by its function. */
typedef struct entry {
  uint32_t function;
  uint32_t index;
} entry;

static int compare_entries(const void *left, const void *right) {
  const entry *a = left, *b = right;
  if (a->function != b->function)
    return a->function < b->function ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

typedef struct chooser {
  const wasm_perf_profile *profile;
  wasm_perf_call_measure measure;
  entry *histograms; /* of that measure, by function; so are the typical calls */
  entry *calls;
  uint32_t histogram_count, call_count;
} chooser;

static void list_entries(chooser *of, uint32_t slow_count) {
  const wasm_perf_calls *calls = &of->profile->calls;
  const wasm_perf_node *nodes = of->profile->nodes;
  for (uint32_t i = 0; i < calls->histogram_count; i++)
    if (calls->histograms[i].measure == of->measure)
      of->histograms[of->histogram_count++] = (entry){nodes[calls->histograms[i].node].function, i};
  for (uint32_t i = slow_count; i < calls->kept_count; i++)
    of->calls[of->call_count++] = (entry){nodes[calls->kept[i].node].function, i};
  qsort(of->histograms, of->histogram_count, sizeof *of->histograms, compare_entries);
  qsort(of->calls, of->call_count, sizeof *of->calls, compare_entries);
}

/* The median of the function; moves *at past its histograms. */
static uint64_t median_of(const chooser *of, uint32_t function, uint32_t *at) {
  wi_bucket_sums sums = {.count = 0};
  while (*at < of->histogram_count && of->histograms[*at].function < function)
    ++*at;
  for (; *at < of->histogram_count && of->histograms[*at].function == function; ++*at)
    wi_bucket_sums_add(&sums, &of->profile->calls.histograms[of->histograms[*at].index]);
  return wi_bucket_sums_quantile(&sums, 1, 2);
}

static uint64_t distance(uint64_t a, uint64_t b) {
  return a > b ? a - b : b - a;
}

/* Marks for each function the typical call that is nearest to the median. */
static void mark_nearest(const chooser *of, bool *is_kept) {
  const wasm_perf_call *kept = of->profile->calls.kept;
  for (uint32_t first = 0, end = 0, at = 0; first < of->call_count; first = end) {
    uint64_t median = median_of(of, of->calls[first].function, &at);
    uint32_t nearest = of->calls[first].index;
    for (; end < of->call_count && of->calls[end].function == of->calls[first].function; end++) {
      uint32_t index = of->calls[end].index;
      if (distance(kept[index].values[of->measure], median) <
          distance(kept[nearest].values[of->measure], median))
        nearest = index;
    }
    is_kept[nearest] = true;
  }
}

static void remove_others(wasm_perf_calls *calls, const bool *is_kept) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < calls->kept_count; i++)
    if (is_kept[i])
      calls->kept[count++] = calls->kept[i];
    else
      free(calls->kept[i].rows);
  calls->kept_count = count;
}

bool wi_calls_choose(wasm_perf_profile *profile, uint32_t limit) {
  wasm_perf_calls *calls = &profile->calls;
  uint32_t slow_count = wi_calls_slow_count(profile);
  chooser of = {.profile = profile, .measure = wi_calls_rank(profile)};
  if (calls->kept_count == 0)
    return true;
  of.histograms = malloc((calls->histogram_count + (size_t)1) * sizeof *of.histograms);
  of.calls = malloc((calls->kept_count + (size_t)1) * sizeof *of.calls);
  bool *is_kept = calloc(calls->kept_count, sizeof *is_kept);
  bool done = of.histograms && of.calls && is_kept;
  if (done) {
    for (uint32_t i = 0; i < slow_count && i < limit; i++)
      is_kept[i] = true;
    list_entries(&of, slow_count);
    mark_nearest(&of, is_kept);
    remove_others(calls, is_kept);
  }
  free(of.histograms);
  free(of.calls);
  free(is_kept);
  return done;
}
