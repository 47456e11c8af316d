#include "profile/merge_facts.h"

#include <string.h>

#include "profile/blocks.h"
#include "profile/kinds.h"
#include "profile/mismatch.h"
#include "profile/modules.h"
#include "profile/names.h"
#include "profile/uncounted.h"
#include "profile/values.h"
#include "support/arithmetic.h"

typedef struct facts_merge {
  wasm_perf_profile *result;
  const wi_guests *guests;
  const wasm_perf_profile *const *profiles;
  size_t count;
  wasm_perf_mismatch *mismatch;
} facts_merge;

/*
 * Returns the number that all profiles with a number agree on, or 0. `offset` is that of a field in
 * wasm_perf_facts.
 */
static uint64_t agreed_number(const facts_merge *work, size_t offset) {
  uint64_t agreed = 0;
  for (size_t i = 0; i < work->count; i++) {
    uint64_t number = *(const uint64_t *)((const char *)&work->profiles[i]->facts + offset);
    if (agreed != 0 && number != 0 && number != agreed)
      return 0;
    agreed = number != 0 ? number : agreed;
  }
  return agreed;
}

/* Same for texts. *index is set to the first profile that disagrees, else to `count`. */
static const char *agreed_text(const facts_merge *work, size_t offset, size_t *index) {
  const char *agreed = NULL;
  for (*index = 0; *index < work->count; ++*index) {
    const char *text = *(char *const *)((const char *)&work->profiles[*index]->facts + offset);
    if (agreed && text && strcmp(text, agreed) != 0)
      return NULL;
    agreed = text ? text : agreed;
  }
  return agreed;
}

/* The latest one: dates are in UTC, and of one form. */
static const char *latest_date(const facts_merge *work) {
  const char *latest = NULL;
  for (size_t i = 0; i < work->count; i++) {
    const char *date = work->profiles[i]->facts.date;
    if (date && (!latest || strcmp(date, latest) > 0))
      latest = date;
  }
  return latest;
}

static bool set_text(const facts_merge *work, wasm_perf_fact key, size_t offset) {
  size_t index = work->count;
  const char *text =
      key == WASM_PERF_FACT_date ? latest_date(work) : agreed_text(work, offset, &index);
  if (key == WASM_PERF_FACT_identity && index < work->count)
    return wi_mismatch_set(work->mismatch, index,
                           "it belongs to another module: the identities differ");
  return !text || wasm_perf_profile_set_text(work->result, key, text, strlen(text)) ||
         wi_mismatch_set(work->mismatch, work->count, "out of memory");
}

#define SET_TEXT(field, ...)                                                                       \
  if (!set_text(work, WASM_PERF_FACT_##field, offsetof(wasm_perf_facts, field)))                   \
    return false;

static bool set_texts(const facts_merge *work) {
  WASM_PERF_TEXT_FACTS(SET_TEXT)
  return true;
}

static bool set_run_texts(const facts_merge *work) {
  SET_TEXT(tool)
  SET_TEXT(command)
  SET_TEXT(engine)
  SET_TEXT(date)
  return true;
}
#undef SET_TEXT

bool wi_merge_run_texts(wasm_perf_profile *result, const wasm_perf_profile *const *profiles,
                        size_t count, wasm_perf_mismatch *mismatch) {
  return set_run_texts(&(facts_merge){result, NULL, profiles, count, mismatch});
}

/* A profile without an instance count has one instance. */
static uint64_t count_instances(const facts_merge *work) {
  uint64_t sum = 0;
  bool is_known = false;
  for (size_t i = 0; i < work->count; i++) {
    uint64_t count = work->profiles[i]->facts.instance_count;
    is_known |= count != 0;
    sum = wi_saturating_add(sum, count != 0 ? count : 1);
  }
  return is_known ? sum : 0;
}

static uint64_t add_unmatched_times(const facts_merge *work) {
  uint64_t sum = 0;
  for (size_t i = 0; i < work->count; i++) {
    const wasm_perf_profile *profile = work->profiles[i];
    bool converts = profile->header.ticks_per_second != work->result->header.ticks_per_second;
    uint64_t time = profile->facts.unmatched_time;
    sum = wi_saturating_add(sum, converts ? wi_value(&profile->header, time) : time);
  }
  return sum;
}

/* 0 if it is not known of all. */
static uint64_t add_cpu_times(const facts_merge *work) {
  uint64_t sum = 0;
  for (size_t i = 0; i < work->count; i++) {
    uint64_t time = work->profiles[i]->facts.cpu_time;
    if (time == 0)
      return 0;
    sum = wi_saturating_add(sum, time);
  }
  return sum;
}

static void add_sampled_times(const facts_merge *work, wasm_perf_facts *sum) {
  for (size_t i = 0; i < work->count; i++) {
    const wasm_perf_facts *facts = &work->profiles[i]->facts;
    sum->starved_time = wi_saturating_add(sum->starved_time, facts->starved_time);
    sum->linked_time = wi_saturating_add(sum->linked_time, facts->linked_time);
  }
}

/* Adds up the counts of memory profiles. */
static void add_memory_facts(const facts_merge *work) {
  wasm_perf_facts *sum = &work->result->facts;
  sum->allocation_count = sum->lost_block_count = sum->lost_byte_count = sum->unknown_free_count =
      sum->memory_count = sum->initial_byte_count = 0;
  for (size_t i = 0; i < work->count; i++) {
    const wasm_perf_facts *facts = &work->profiles[i]->facts;
    sum->allocation_count = wi_saturating_add(sum->allocation_count, facts->allocation_count);
    sum->lost_block_count = wi_saturating_add(sum->lost_block_count, facts->lost_block_count);
    sum->lost_byte_count = wi_saturating_add(sum->lost_byte_count, facts->lost_byte_count);
    sum->unknown_free_count = wi_saturating_add(sum->unknown_free_count, facts->unknown_free_count);
    sum->memory_count = wi_saturating_add(sum->memory_count, facts->memory_count);
    sum->initial_byte_count = wi_saturating_add(sum->initial_byte_count, facts->initial_byte_count);
  }
  if (work->count > 1)
    sum->peak_allocation = 0; /* each instance has its own count */
}

static bool add_places(const facts_merge *work) {
  for (size_t p = 0; p < work->count; p++) {
    const wasm_perf_profile *profile = work->profiles[p];
    for (uint32_t i = 0; i < profile->place_count; i++) {
      const wasm_perf_place *place = &profile->places[i];
      uint32_t function = wi_guests_number(work->guests, p, place->function);
      if (!wi_place_copy(work->result, function, place))
        return wi_mismatch_set(work->mismatch, work->count, "out of memory");
    }
  }
  return true;
}

static bool add_blocks(const facts_merge *work) {
  for (size_t p = 0; p < work->count; p++) {
    const wasm_perf_profile *profile = work->profiles[p];
    uint32_t function;
    if (!wi_blocks_agree(profile, work->result, &function))
      return wi_mismatch_set(work->mismatch, p, "function %u has a different number of blocks",
                             function);
    for (uint32_t i = 0; i < profile->block_function_count; i++) {
      const wasm_perf_blocks *blocks = &profile->blocks[i];
      if (!wasm_perf_profile_add_blocks(work->result, blocks->function, blocks->counts,
                                        blocks->count))
        return wi_mismatch_set(work->mismatch, work->count, "out of memory");
    }
  }
  return true;
}

/* Checks that all profiles have the same modules at the same numbers, and copies them. */
static bool set_modules(const facts_merge *work) {
  const wasm_perf_profile *first = work->profiles[0];
  for (size_t p = 1; p < work->count; p++) {
    const wasm_perf_profile *profile = work->profiles[p];
    bool is_same = profile->joined_count == first->joined_count;
    for (uint32_t i = 0; is_same && i < first->joined_count; i++)
      is_same = profile->joined[i].function == first->joined[i].function &&
                strcmp(profile->joined[i].name, first->joined[i].name) == 0;
    if (!is_same)
      return wi_mismatch_set(work->mismatch, p, "it has other modules, or in another order");
  }
  for (uint32_t i = 0; i < first->joined_count; i++) {
    const wasm_perf_module *module = &first->joined[i];
    if (!wi_joined_add(work->result, module->function, module->count, module->name,
                       strlen(module->name)))
      return wi_mismatch_set(work->mismatch, work->count, "out of memory");
  }
  return true;
}

bool wi_merge_facts(wasm_perf_profile *result, const wi_guests *guests,
                    wasm_perf_mismatch *mismatch) {
  const facts_merge work = {result, guests, guests->profiles, guests->count, mismatch};
#define SET_NUMBER(field, key)                                                                     \
  result->facts.field = agreed_number(&work, offsetof(wasm_perf_facts, field));
  WASM_PERF_NUMBER_FACTS(SET_NUMBER)
#undef SET_NUMBER
  result->facts.first_guest = guests->first;
  result->facts.instance_count = count_instances(&work);
  result->facts.unmatched_time = add_unmatched_times(&work);
  result->facts.cpu_time = add_cpu_times(&work);
  add_sampled_times(&work, &result->facts);
  add_memory_facts(&work);
  if (!set_texts(&work) || !set_modules(&work) || !add_places(&work) || !add_blocks(&work))
    return false;
  return (wi_uncounted_merge(result, guests->profiles, guests->count) &&
          wi_kinds_merge(result, guests)) ||
         wi_mismatch_set(mismatch, guests->count, "out of memory");
}
