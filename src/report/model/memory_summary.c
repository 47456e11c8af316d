#include "report/model/memory_summary.h"

#include <stdio.h>
#include <string.h>

#include "report/model/units.h"

#define PAGE_SIZE    UINT64_C(65536) /* of memory.grow */
#define LARGE_GROWTH UINT64_C(1000000)
#define LARGE_FACTOR 4u /* allocators keep up to so many times of what blocks hold */

static uint64_t total(const wasm_perf_profile *profile, wasm_perf_measure measure) {
  return wasm_perf_measure_total(profile, measure);
}

static wi_short_text bytes(const wasm_perf_profile *profile, wasm_perf_measure measure) {
  return wi_format_value(WI_UNIT_BYTES, total(profile, measure));
}

/* A zero is a number only if it was counted. */
static void add_numbers(wi_summary *summary, const wasm_perf_profile *profile) {
  for (wasm_perf_measure i = 0; i < WASM_PERF_MEASURE_COUNT; i++)
    if (total(profile, i) > 0 || profile->facts.allocator_count > 0)
      wi_summary_count(summary, wasm_perf_measure_name(i), total(profile, i));
  if (profile->facts.memory_count > 0) {
    wi_summary_count(summary, "memories", profile->facts.memory_count);
    wi_summary_count(summary, "initial_bytes", profile->facts.initial_byte_count);
  }
}

/* The time of the peak is only known for one instance; several have one each. */
static void add_peak(wi_summary *summary, const wasm_perf_profile *profile) {
  const wasm_perf_facts *facts = &profile->facts;
  wi_short_text size = bytes(profile, WASM_PERF_MEASURE_PEAK_BYTES);
  wi_short_text blocks =
      wi_format_quantity(total(profile, WASM_PERF_MEASURE_PEAK_OBJECTS), "block");
  if (facts->peak_allocation > 0)
    wi_summary_add(summary, "Peak: %s in %s at allocation %s of %s", size.text, blocks.text,
                   wi_format_count(facts->peak_allocation).text,
                   wi_format_count(facts->allocation_count).text);
  else
    wi_summary_add(summary, "Peak: %s in %s, each instance at its own", size.text, blocks.text);
}

static void add_allocations(wi_summary *summary, const wasm_perf_profile *profile) {
  uint64_t allocated = total(profile, WASM_PERF_MEASURE_ALLOCATED_OBJECTS);
  uint64_t temporary = total(profile, WASM_PERF_MEASURE_TEMPORARY_OBJECTS);
  wi_summary_add(
      summary, "Allocated: %s in %s; %s resized, %s freed before the next allocation (%s %%)",
      bytes(profile, WASM_PERF_MEASURE_ALLOCATED_BYTES).text,
      wi_format_quantity(allocated, "block").text,
      wi_format_count(total(profile, WASM_PERF_MEASURE_RESIZED_OBJECTS)).text,
      wi_format_count(temporary).text, wi_format_percentage(temporary, allocated, 1).text);
  if (total(profile, WASM_PERF_MEASURE_PEAK_OBJECTS) == 0) {
    if (profile->facts.lost_block_count < allocated)
      wi_summary_add(summary, "Live at the end: unknown, since a garbage collector frees these "
                              "blocks without a call");
    return;
  }
  add_peak(summary, profile);
  wi_summary_add(summary, "Live at the end: %s in %s",
                 bytes(profile, WASM_PERF_MEASURE_LIVE_BYTES).text,
                 wi_format_quantity(total(profile, WASM_PERF_MEASURE_LIVE_OBJECTS), "block").text);
}

static void add_cautions(wi_summary *summary, const wasm_perf_profile *profile) {
  const wasm_perf_facts *facts = &profile->facts;
  if (facts->lost_block_count > 0)
    wi_summary_warn(
        summary,
        "Not followed for lack of space: %s of %s; they count as allocated, not as live or peak",
        wi_format_quantity(facts->lost_block_count, "block").text,
        wi_format_value(WI_UNIT_BYTES, facts->lost_byte_count).text);
  if (facts->unknown_free_count > 0)
    wi_summary_add(summary, "Ignored: %s of blocks that no known function allocated",
                   wi_format_quantity(facts->unknown_free_count, "free").text);
}

/* The sizes of all memories together, without imported ones. */
static void add_memories(wi_summary *summary, const wasm_perf_profile *profile) {
  const wasm_perf_facts *facts = &profile->facts;
  uint64_t pages = total(profile, WASM_PERF_MEASURE_GROWN_PAGES), grown = pages * PAGE_SIZE;
  wi_short_text first = wi_format_value(WI_UNIT_BYTES, facts->initial_byte_count);
  char count[64] = "";
  if (facts->memory_count > 1)
    snprintf(count, sizeof count, " in %.40s memories", wi_format_count(facts->memory_count).text);
  if (facts->memory_count == 0 && pages > 0)
    wi_summary_add(summary, "Memory grew by %s in %s", wi_format_value(WI_UNIT_BYTES, grown).text,
                   wi_format_quantity(pages, "page").text);
  else if (pages > 0)
    wi_summary_add(summary, "Memory grew from %s to %s, by %s%s", first.text,
                   wi_format_value(WI_UNIT_BYTES, facts->initial_byte_count + grown).text,
                   wi_format_quantity(pages, "page").text, count);
  else if (facts->memory_count > 0)
    wi_summary_add(summary, "Memory: %s%s, and never grew", first.text, count);
}

/* A refused growth is often why a program fails: the first thing to know. */
static void add_refused(wi_summary *summary, const wasm_perf_profile *profile) {
  uint64_t pages = total(profile, WASM_PERF_MEASURE_REFUSED_PAGES);
  if (pages > 0)
    wi_summary_warn(summary,
                    "Memory could not grow by %s (%s): top --value refused_pages shows in which "
                    "functions",
                    wi_format_quantity(pages, "page").text,
                    wi_format_value(WI_UNIT_BYTES, pages * PAGE_SIZE).text);
}

/* Whether the blocks of known allocators hold only a small part of what the memory grew by. */
static bool is_mostly_unknown(const wasm_perf_profile *profile) {
  uint64_t grown = total(profile, WASM_PERF_MEASURE_GROWN_PAGES) * PAGE_SIZE;
  uint64_t held = total(profile, WASM_PERF_MEASURE_PEAK_OBJECTS) > 0
                      ? total(profile, WASM_PERF_MEASURE_PEAK_BYTES)
                      : total(profile, WASM_PERF_MEASURE_ALLOCATED_BYTES);
  return profile->facts.allocator_count > 0 && grown >= LARGE_GROWTH && grown / LARGE_FACTOR > held;
}

static void add_unknown_use(wi_summary *summary, const wasm_perf_profile *profile) {
  uint64_t blocks = total(profile, WASM_PERF_MEASURE_ALLOCATED_OBJECTS);
  if (is_mostly_unknown(profile))
    wi_summary_warn(
        summary,
        "Memory grew by %s, far more than blocks held: only %s went through a known "
        "allocator. See record --allocator NAME=KIND.",
        wi_format_value(WI_UNIT_BYTES, total(profile, WASM_PERF_MEASURE_GROWN_PAGES) * PAGE_SIZE)
            .text,
        wi_format_quantity(blocks, "block").text);
}

/* Whether wasm-bindgen's functions, which JavaScript calls, are the only known allocators. */
static bool knows_only_bindgen(const wasm_perf_profile *profile) {
  static const char start[] = "__wbindgen_";
  enum { MOST = 3 }; /* __wbindgen_malloc, __wbindgen_realloc, __wbindgen_free */
  uint64_t count = profile->facts.allocator_count;
  for (uint64_t i = 1; count > 0 && count <= MOST && i < profile->header.node_count; i++) {
    const char *name = wasm_perf_profile_name(profile, profile->nodes[i].function);
    if (name && strncmp(name, start, sizeof start - 1) == 0 &&
        strstr("malloc realloc free", name + sizeof start - 1))
      return true;
  }
  return false;
}

void wi_summary_add_memory(wi_summary *summary, const wasm_perf_profile *profile) {
  if (!profile->follows_memory)
    return;
  add_numbers(summary, profile);
  uint64_t made = total(profile, WASM_PERF_MEASURE_GC_OBJECTS);
  bool is_partial = knows_only_bindgen(profile);
  if (total(profile, WASM_PERF_MEASURE_ALLOCATED_OBJECTS) > 0)
    add_allocations(summary, profile);
  else if (profile->facts.allocator_count > 0)
    wi_summary_add(summary, is_partial ? "JavaScript allocated nothing" : "Nothing was allocated");
  else if (made == 0)
    wi_summary_add(summary,
                   "No function has an allocator's name: see record --allocator NAME=KIND");
  if (made > 0)
    wi_summary_add(
        summary, "Made for the garbage collector: %s, about %s; what it freed is unknown",
        wi_format_quantity(made, "object").text, bytes(profile, WASM_PERF_MEASURE_GC_BYTES).text);
  if (is_partial)
    wi_summary_warn(
        summary, "Only what JavaScript allocates is known: the module's own allocator has no name. "
                 "See record --allocator NAME=KIND.");
  add_memories(summary, profile);
  add_refused(summary, profile);
  add_unknown_use(summary, profile);
  add_cautions(summary, profile);
}
