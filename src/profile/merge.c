/* Adds up profiles of one module. */
#include <stdlib.h>
#include <string.h>

#include "names/label.h"
#include "profile/calls_choose.h"
#include "profile/guests.h"
#include "profile/measures.h"
#include "profile/merge_facts.h"
#include "profile/mismatch.h"
#include "profile/names.h"
#include "profile/node_facts.h"
#include "profile/stacks.h"
#include "profile/threads.h"
#include "profile/values.h"
#include "support/arithmetic.h"
#include "support/large.h"
#include "wasm_perf/profile.h"

#define NANOSECONDS_PER_SECOND 1000000000u
#define SHORT_NAME_SIZE        60u /* maximum size of a name in a message */

typedef struct merge {
  const wasm_perf_profile *const *profiles;
  size_t profile_count;
  wasm_perf_profile *result; /* contains the nodes of all profiles until they are added up */
  bool converts;             /* converts times to nanoseconds */
  wi_guests guests;
  wasm_perf_mismatch *mismatch;
} merge;

/* ---- Checks ------------------------------------------------------------- */

static bool has_function_count(const wasm_perf_header *header) {
  return header->function_count != 0 || header->hooked_function_count != 0;
}

static bool check_functions(const wasm_perf_header *known, const wasm_perf_header *header,
                            size_t index, wasm_perf_mismatch *mismatch) {
  if (known->host_function_count != 0 && header->host_function_count != 0 &&
      known->host_function_count != header->host_function_count)
    return wi_mismatch_set(mismatch, index, "its module has %u imported functions, not %u",
                           header->host_function_count, known->host_function_count);
  if (!has_function_count(known) || !has_function_count(header))
    return true;
  if (known->function_count != header->function_count)
    return wi_mismatch_set(mismatch, index, "its module has %u functions, not %u",
                           header->function_count, known->function_count);
  if (known->hooked_function_count != header->hooked_function_count)
    return wi_mismatch_set(mismatch, index, "its module has hooks in %u functions, not %u",
                           header->hooked_function_count, known->hooked_function_count);
  return true;
}

static bool check_header(const wasm_perf_header *known, const wasm_perf_header *header,
                         size_t index, wasm_perf_mismatch *mismatch) {
  if (!wi_clocks_match(known, header, index, mismatch))
    return false;
  if (known->recursion != header->recursion)
    return wi_mismatch_set(mismatch, index,
                           "its recursive calls are %s, unlike in the profiles before",
                           header->recursion == WASM_PERF_RECURSION_FOLD ? "folded" : "not folded");
  return check_functions(known, header, index, mismatch);
}

/* ---- The header ---------------------------------------------------------- */

/* Converts a profile's ticks to the unit of the result. */
static uint64_t convert(const merge *work, const wasm_perf_header *header, uint64_t ticks) {
  return work->converts ? wi_value(header, ticks) : ticks;
}

static uint32_t add_u32(uint32_t left, uint32_t right) {
  return left > UINT32_MAX - right ? UINT32_MAX : left + right;
}

static void learn_functions(wasm_perf_header *sum, const wasm_perf_header *header) {
  if (sum->host_function_count == 0)
    sum->host_function_count = header->host_function_count;
  if (!has_function_count(sum)) {
    sum->function_count = header->function_count;
    sum->hooked_function_count = header->hooked_function_count;
  }
}

static void add_header(const merge *work, const wasm_perf_profile *profile) {
  wasm_perf_header *sum = &work->result->header;
  const wasm_perf_header *header = &profile->header;
  sum->truncated_call_count =
      wi_saturating_add(sum->truncated_call_count, header->truncated_call_count);
  sum->unbalanced_count = wi_saturating_add(sum->unbalanced_count, header->unbalanced_count);
  sum->open_frame_count = add_u32(sum->open_frame_count, header->open_frame_count);
  if (sum->node_limit < header->node_limit)
    sum->node_limit = header->node_limit;
  sum->clock_read_count = wi_saturating_add(sum->clock_read_count, header->clock_read_count);
#define ADD_TICKS(to, from, field)                                                                 \
  (to)->field = wi_saturating_add((to)->field, convert(work, header, (from)->field))
  for (unsigned kind = 0; kind < WASM_PERF_KIND_COUNT; kind++)
    ADD_TICKS(work->result, profile, hidden_self[kind]);
  ADD_TICKS(work->result, profile, hook_time);
#undef ADD_TICKS
  work->result->hidden_call_count =
      wi_saturating_add(work->result->hidden_call_count, profile->hidden_call_count);
  uint64_t cost_error = convert(work, header, header->hook_cost_error);
  if (sum->hook_cost_error < cost_error)
    sum->hook_cost_error = cost_error;
}

/* A mean that stays exact until the final rounding down. */
typedef struct weighted_mean {
  uint64_t whole; /* sum of all weights, not 0 */
  uint64_t quotient;
  uint64_t remainder; /* < whole */
} weighted_mean;

static void mean_add(weighted_mean *mean, uint64_t weight, uint64_t value) {
  wi_u128 sum = (wi_u128)weight * value + mean->remainder;
  mean->quotient = wi_saturating_add(mean->quotient, (uint64_t)(sum / mean->whole));
  mean->remainder = (uint64_t)(sum % mean->whole);
}

static uint64_t count_calls(const wasm_perf_profile *profile) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < profile->header.node_count; i++)
    count = wi_saturating_add(count, profile->nodes[i].call_count);
  return count;
}

/*
 * Sets the mean cost, so that subtracting it for all calls subtracts the total cost of all hooks.
 */
static void set_hook_costs(const merge *work) {
  if (work->profile_count == 1) /* the costs of the first profile are already set */
    return;
  uint64_t call_count = 0;
  for (size_t i = 0; i < work->profile_count; i++)
    call_count = wi_saturating_add(call_count, count_calls(work->profiles[i]));
  bool weighs_calls = call_count > 0;
  weighted_mean inner = {.whole = weighs_calls ? call_count : work->profile_count};
  weighted_mean outer = inner;
  for (size_t i = 0; i < work->profile_count; i++) {
    const wasm_perf_header *header = &work->profiles[i]->header;
    uint64_t weight = weighs_calls ? count_calls(work->profiles[i]) : 1;
    mean_add(&inner, weight, convert(work, header, header->inner_hook_cost));
    mean_add(&outer, weight, convert(work, header, header->outer_hook_cost));
  }
  work->result->header.inner_hook_cost = inner.quotient;
  work->result->header.outer_hook_cost = outer.quotient;
}

static bool add_headers(merge *work) {
  const wasm_perf_header *first = &work->profiles[0]->header;
  wasm_perf_header *sum = &work->result->header;
  *sum = *first;
  sum->name_count = 0; /* names are added later */
  for (size_t i = 1; i < work->profile_count; i++) {
    const wasm_perf_header *header = &work->profiles[i]->header;
    if (!check_header(sum, header, i, work->mismatch))
      return false;
    learn_functions(sum, header);
    work->converts |= wi_unit_of(first) == WI_UNIT_NANOSECONDS &&
                      header->ticks_per_second != first->ticks_per_second;
  }
  sum->truncated_call_count = sum->unbalanced_count = sum->clock_read_count = 0;
  sum->hook_cost_error = 0;
  sum->open_frame_count = 0;
  for (size_t i = 0; i < work->profile_count; i++)
    add_header(work, work->profiles[i]);
  set_hook_costs(work);
  if (work->converts)
    sum->ticks_per_second = NANOSECONDS_PER_SECOND;
  return true;
}

/* ---- The nodes ----------------------------------------------------------- */

static bool out_of_memory(const merge *work) {
  return wi_mismatch_set(work->mismatch, work->profile_count, "out of memory");
}

static bool allocate_nodes(merge *work) {
  uint64_t total = 0;
  for (size_t i = 0; i < work->profile_count; i++) {
    total += work->profiles[i]->header.node_count;
    if (total > UINT32_MAX)
      return wi_mismatch_set(work->mismatch, i, "there are too many nodes, more than %u",
                             UINT32_MAX);
  }
  size_t count = (size_t)total;
  work->result->header.node_count = (uint32_t)count;
  work->result->nodes = wi_large_alloc(count * sizeof *work->result->nodes);
  return work->result->nodes || out_of_memory(work);
}

/* Converts the ticks of copied nodes to nanoseconds. */
static bool convert_nodes(const wasm_perf_profile *profile, wasm_perf_node *nodes) {
  uint64_t *times = malloc(profile->header.node_count * sizeof *times);
  if (!times)
    return false;
  wi_node_times(profile, times);
  times[0] = wi_value(&profile->header, nodes[0].self);
  for (uint32_t i = 0; i < profile->header.node_count; i++)
    nodes[i].self = times[i];
  free(times);
  return true;
}

/* Copies the nodes of all profiles, one profile after another. */
static bool copy_nodes(merge *work) {
  uint32_t start = 0;
  for (size_t p = 0; p < work->profile_count; p++) {
    const wasm_perf_profile *profile = work->profiles[p];
    uint32_t count = profile->header.node_count;
    wasm_perf_node *nodes = work->result->nodes + start;
    memcpy(nodes, profile->nodes, count * sizeof *nodes);
    if (work->converts && !convert_nodes(profile, nodes))
      return out_of_memory(work);
    for (uint32_t i = 1; i < count; i++) {
      nodes[i].parent += start;
      nodes[i].function = wi_guests_number(&work->guests, p, nodes[i].function);
    }
    start += count;
  }
  return true;
}

/* Copies data that refers to nodes. Fills in `starts`. */
static bool copy_node_facts(merge *work, uint32_t *starts) {
  wasm_perf_profile *result = work->result;
  uint32_t start = 0;
  for (size_t p = 0; p < work->profile_count; p++) {
    const wasm_perf_profile *profile = work->profiles[p];
    starts[p] = start;
    if (!wi_node_facts_append(result, profile, start))
      return out_of_memory(work);
    start += profile->header.node_count;
  }
  return (wi_measures_merge_times(result, work->profiles, work->profile_count) &&
          wi_threads_merge(result, work->profiles, starts, work->profile_count)) ||
         out_of_memory(work);
}

static bool copy_rows(merge *work) {
  uint32_t *starts = calloc(work->profile_count, sizeof *starts);
  bool done = starts ? copy_node_facts(work, starts) : out_of_memory(work);
  free(starts);
  return done;
}

/* Of several profiles, the slowest calls: as many as the one with most has. A single one is copied. */
static bool choose_calls(merge *work) {
  uint32_t limit = WI_KEPT_LEAST;
  for (size_t p = 0; p < work->profile_count; p++) {
    uint32_t count = wi_calls_slow_count(work->profiles[p]);
    limit = limit > count ? limit : count;
  }
  return work->profile_count == 1 || wi_calls_choose(work->result, limit) || out_of_memory(work);
}

/* ---- The names ----------------------------------------------------------- */

typedef struct name_entry {
  uint32_t function;
  uint32_t confidence;
  size_t profile;
  const char *text;
} name_entry;

static int compare_names(const void *left, const void *right) {
  const name_entry *a = left;
  const name_entry *b = right;
  if (a->function != b->function)
    return a->function < b->function ? -1 : 1;
  return (a->profile > b->profile) - (a->profile < b->profile);
}

static name_entry *collect_names(const merge *work, size_t *count) {
  *count = 0;
  for (size_t p = 0; p < work->profile_count; p++)
    *count += work->profiles[p]->header.name_count;
  name_entry *entries = malloc((*count + 1) * sizeof *entries);
  size_t next = 0;
  for (size_t p = 0; entries && p < work->profile_count; p++) {
    const wasm_perf_profile *profile = work->profiles[p];
    for (uint32_t i = 0; i < profile->header.name_count; i++)
      entries[next++] = (name_entry){wi_guests_number(&work->guests, p, profile->names[i].function),
                                     profile->names[i].confidence, p, profile->names[i].text};
  }
  if (entries)
    qsort(entries, *count, sizeof *entries, compare_names);
  return entries;
}

/* Makes a name safe and short enough for a message. */
static void shorten_name(char *label, const char *name) {
  wi_label_clean(label, name, 0);
  if (strlen(label) <= SHORT_NAME_SIZE)
    return;
  size_t size = SHORT_NAME_SIZE;
  while ((label[size] & 0xC0) == 0x80) /* inside of a character */
    size--;
  strcpy(label + size, "...");
}

static bool refuse_name(const merge *work, const name_entry *entry, const char *known) {
  char label[WI_LABEL_MAX_SIZE + 1];
  char known_label[WI_LABEL_MAX_SIZE + 1];
  shorten_name(label, entry->text);
  shorten_name(known_label, known);
  return wi_mismatch_set(work->mismatch, entry->profile, "function %u is '%s', not '%s' as before",
                         entry->function, label, known_label);
}

/* Adds the name of a function; some profiles may have an empty one. */
static bool add_name(merge *work, const name_entry *entries, size_t count) {
  const char *text = entries[0].text;
  uint32_t confidence = entries[0].confidence;
  for (size_t i = 1; i < count; i++) {
    confidence = confidence > entries[i].confidence ? confidence : entries[i].confidence;
    if (*text == 0)
      text = entries[i].text;
    else if (*entries[i].text != 0 && strcmp(entries[i].text, text) != 0)
      return refuse_name(work, &entries[i], text);
  }
  return wi_name_set(work->result, entries[0].function, text, confidence) || out_of_memory(work);
}

static bool add_names(merge *work) {
  size_t count;
  name_entry *entries = collect_names(work, &count);
  if (!entries)
    return out_of_memory(work);
  bool ok = true;
  for (size_t start = 0, end = 0; ok && start < count; start = end) {
    while (end < count && entries[end].function == entries[start].function)
      end++;
    ok = add_name(work, entries + start, end - start);
  }
  free(entries);
  return ok;
}

/* ---- The whole ----------------------------------------------------------- */

wasm_perf_profile *wasm_perf_profile_merge(const wasm_perf_profile *const *profiles, size_t count,
                                           wasm_perf_mismatch *mismatch) {
  merge work = {.profiles = profiles, .profile_count = count, .mismatch = mismatch};
  work.result = calloc(1, sizeof *work.result);
  bool ok = (work.result && wi_guests_init(&work.guests, profiles, count)) || out_of_memory(&work);
  ok = ok && add_headers(&work) && wi_merge_facts(work.result, &work.guests, mismatch) &&
       add_names(&work) && allocate_nodes(&work) && copy_nodes(&work) && copy_rows(&work) &&
       (wi_stacks_fold(work.result) || out_of_memory(&work)) && choose_calls(&work);
  if (!ok) {
    wasm_perf_profile_free(work.result);
    work.result = NULL;
  }
  wi_guests_clear(&work.guests);
  return work.result;
}
