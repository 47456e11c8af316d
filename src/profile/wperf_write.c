/* Writes .wperf files, version 2. */
#include <string.h>

#include "profile/calls.h"
#include "profile/measures.h"
#include "profile/values.h"
#include "profile/wperf.h"
#include "support/leb128.h"

#define NODE_SIZE     24u
#define NODES_AT_ONCE 2048u /* encoded per write to the stream */

static void encode_u32(uint8_t *bytes, uint32_t value) {
  for (int i = 0; i < 4; i++)
    bytes[i] = (uint8_t)(value >> 8 * i);
}

static void encode_u64(uint8_t *bytes, uint64_t value) {
  encode_u32(bytes, (uint32_t)value);
  encode_u32(bytes + 4, (uint32_t)(value >> 32));
}

static void put_u32(FILE *stream, uint32_t value) {
  uint8_t bytes[4];
  encode_u32(bytes, value);
  fwrite(bytes, sizeof bytes, 1, stream);
}

static void put_u64(FILE *stream, uint64_t value) {
  uint8_t bytes[8];
  encode_u64(bytes, value);
  fwrite(bytes, sizeof bytes, 1, stream);
}

static void put_padding(FILE *stream, uint64_t size) {
  for (; size % 8 != 0; size++)
    putc(0, stream);
}

static uint64_t padded(uint64_t size) {
  return (size + 7) & ~UINT64_C(7);
}

static void begin_section(FILE *stream, wasm_perf_section id, uint64_t size) {
  put_u32(stream, id);
  put_u32(stream, 0);
  put_u64(stream, size);
}

/* ---- Facts --------------------------------------------------------------- */

/* If `stream` is NULL, only returns the size. Numbers that are 0 are omitted. */
static uint64_t put_number(FILE *stream, uint32_t key, uint64_t value) {
  if (value == 0)
    return 0;
  if (stream) {
    put_u32(stream, key);
    put_u32(stream, 8);
    put_u64(stream, value);
  }
  return 16;
}

static uint64_t put_text(FILE *stream, uint32_t key, const char *text) {
  if (!text)
    return 0;
  size_t size = strlen(text);
  if (stream) {
    put_u32(stream, key);
    put_u32(stream, (uint32_t)size);
    fwrite(text, 1, size, stream);
    put_padding(stream, size);
  }
  return 8 + padded(size);
}

static uint64_t put_facts(FILE *stream, const wasm_perf_profile *profile) {
  uint64_t size = 0;
#define PUT_HEADER(field, type, key) size += put_number(stream, key, profile->header.field);
#define PUT_NUMBER(field, key)       size += put_number(stream, key, profile->facts.field);
#define PUT_TEXT(field, key)         size += put_text(stream, key, profile->facts.field);
  WASM_PERF_HEADER_FACTS(PUT_HEADER)
  WASM_PERF_NUMBER_FACTS(PUT_NUMBER)
  WASM_PERF_TEXT_FACTS(PUT_TEXT)
#undef PUT_TEXT
#undef PUT_NUMBER
#undef PUT_HEADER
  return size;
}

static void write_facts(FILE *stream, const wasm_perf_profile *profile) {
  begin_section(stream, WASM_PERF_SECTION_FACTS, put_facts(NULL, profile));
  put_facts(stream, profile);
}

/* ---- Values and nodes ---------------------------------------------------- */

static const char *unit_name(const wasm_perf_header *header) {
  switch (wi_unit_of(header)) {
  case WI_UNIT_INSTRUCTIONS: return "instructions";
  case WI_UNIT_NANOSECONDS:
    return header->ticks_per_second == 1000000000u ? "nanoseconds" : "ticks";
  default: break;
  }
  return "ticks";
}

static uint64_t value_size(const char *name, const char *unit) {
  return padded(8 + strlen(name) + strlen(unit));
}

static void write_value(FILE *stream, const char *name, const char *unit) {
  put_u32(stream, (uint32_t)strlen(name));
  put_u32(stream, (uint32_t)strlen(unit));
  fputs(name, stream);
  fputs(unit, stream);
  put_padding(stream, strlen(name) + strlen(unit));
}

static void write_values(FILE *stream, const wasm_perf_profile *profile) {
  const char *unit = unit_name(&profile->header);
  begin_section(stream, WASM_PERF_SECTION_VALUES,
                value_size("calls", "calls") + value_size("self", unit));
  write_value(stream, "calls", "calls");
  write_value(stream, "self", unit);
}

static void encode_node(uint8_t bytes[NODE_SIZE], const wasm_perf_node *node) {
  encode_u32(bytes, node->function);
  encode_u32(bytes + 4, node->parent);
  encode_u64(bytes + 8, node->call_count);
  encode_u64(bytes + 16, node->self);
}

/* Encodes many nodes per write, because there may be millions. */
static void write_nodes(FILE *stream, const wasm_perf_profile *profile) {
  uint8_t bytes[NODES_AT_ONCE][NODE_SIZE];
  uint32_t node_count = profile->header.node_count, count;
  begin_section(stream, WASM_PERF_SECTION_NODES, node_count * (uint64_t)NODE_SIZE);
  for (uint32_t start = 0; start < node_count; start += count) {
    count = node_count - start < NODES_AT_ONCE ? node_count - start : NODES_AT_ONCE;
    for (uint32_t i = 0; i < count; i++)
      encode_node(bytes[i], &profile->nodes[start + i]);
    fwrite(bytes, NODE_SIZE, count, stream);
  }
}

/* ---- Names and places ---------------------------------------------------- */

static void write_names(FILE *stream, const wasm_perf_profile *profile) {
  uint64_t size = 0;
  for (uint32_t i = 0; i < profile->header.name_count; i++)
    size += 8 + strlen(profile->names[i].text);
  begin_section(stream, WASM_PERF_SECTION_NAMES, size);
  for (uint32_t i = 0; i < profile->header.name_count; i++) {
    const wasm_perf_name *name = &profile->names[i];
    put_u32(stream, name->function);
    put_u32(stream, (uint32_t)strlen(name->text));
    fputs(name->text, stream);
  }
  put_padding(stream, size);
}

static void write_places(FILE *stream, const wasm_perf_profile *profile) {
  uint64_t size = 0;
  for (uint32_t i = 0; i < profile->place_count; i++)
    size += 12 + strlen(profile->places[i].file);
  begin_section(stream, WASM_PERF_SECTION_PLACES, size);
  for (uint32_t i = 0; i < profile->place_count; i++) {
    const wasm_perf_place *place = &profile->places[i];
    put_u32(stream, place->function);
    put_u32(stream, place->line);
    put_u32(stream, (uint32_t)strlen(place->file));
    fputs(place->file, stream);
  }
  put_padding(stream, size);
}

static void write_blocks(FILE *stream, const wasm_perf_profile *profile) {
  uint64_t size = 0;
  for (uint32_t i = 0; i < profile->block_function_count; i++)
    size += 8 + 8 * (uint64_t)profile->blocks[i].count;
  begin_section(stream, WASM_PERF_SECTION_BLOCKS, size);
  for (uint32_t i = 0; i < profile->block_function_count; i++) {
    const wasm_perf_blocks *blocks = &profile->blocks[i];
    put_u32(stream, blocks->function);
    put_u32(stream, blocks->count);
    for (uint32_t block = 0; block < blocks->count; block++)
      put_u64(stream, blocks->counts[block]);
  }
}

static void write_uncounted(FILE *stream, const wasm_perf_profile *profile) {
  uint64_t size = 4 * (uint64_t)profile->uncounted_count;
  begin_section(stream, WASM_PERF_SECTION_UNCOUNTED, size);
  for (uint32_t i = 0; i < profile->uncounted_count; i++)
    put_u32(stream, profile->uncounted[i]);
  put_padding(stream, size);
}

static void write_kinds(FILE *stream, const wasm_perf_profile *profile) {
  begin_section(stream, WASM_PERF_SECTION_KINDS, 8 * (uint64_t)profile->kind_count);
  for (uint32_t i = 0; i < profile->kind_count; i++) {
    put_u32(stream, profile->kinds[i].function);
    put_u32(stream, profile->kinds[i].kind);
  }
}

static uint32_t count_matched(const wasm_perf_profile *profile) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < profile->header.name_count; i++)
    count += profile->names[i].confidence > 0;
  return count;
}

static void write_matched(FILE *stream, const wasm_perf_profile *profile, uint32_t count) {
  begin_section(stream, WASM_PERF_SECTION_MATCHED, 8 * (uint64_t)count);
  for (uint32_t i = 0; i < profile->header.name_count; i++)
    if (profile->names[i].confidence > 0) {
      put_u32(stream, profile->names[i].function);
      put_u32(stream, profile->names[i].confidence);
    }
}

static void write_shared(FILE *stream, const wasm_perf_profile *profile) {
  begin_section(stream, WASM_PERF_SECTION_SHARED, 8 * (uint64_t)profile->shared_count);
  for (uint32_t i = 0; i < profile->shared_count; i++) {
    put_u32(stream, profile->shared[i].node);
    put_u32(stream, profile->shared[i].first);
  }
}

static void write_modules(FILE *stream, wasm_perf_section section, const wasm_perf_module *modules,
                          uint32_t count) {
  uint64_t size = 0;
  for (uint32_t i = 0; i < count; i++)
    size += 12 + strlen(modules[i].name);
  begin_section(stream, section, size);
  for (uint32_t i = 0; i < count; i++) {
    put_u32(stream, modules[i].function);
    put_u32(stream, modules[i].count);
    put_u32(stream, (uint32_t)strlen(modules[i].name));
    fputs(modules[i].name, stream);
  }
  put_padding(stream, size);
}

/* ---- Threads ------------------------------------------------------------- */

static uint32_t stretches_size(const wasm_perf_thread *thread) {
  size_t size = 0;
  for (uint32_t i = 0; i < thread->stretch_count; i++)
    size += wi_leb128_u32_size(thread->stretches[i].microseconds) +
            wi_leb128_u32_size(thread->stretches[i].node);
  return (uint32_t)size;
}

static void write_stretches(FILE *stream, const wasm_perf_thread *thread) {
  uint8_t bytes[2 * WI_LEB128_U32_MAX_SIZE];
  for (uint32_t i = 0; i < thread->stretch_count; i++) {
    size_t size = wi_leb128_u32_write(bytes, thread->stretches[i].microseconds);
    size += wi_leb128_u32_write(bytes + size, thread->stretches[i].node);
    fwrite(bytes, 1, size, stream);
  }
}

static void write_threads(FILE *stream, const wasm_perf_profile *profile) {
  uint64_t size = 0;
  for (uint32_t i = 0; i < profile->thread_count; i++)
    size += padded(32 + strlen(profile->threads[i].name) + stretches_size(&profile->threads[i]));
  begin_section(stream, WASM_PERF_SECTION_SAMPLES, size);
  for (uint32_t i = 0; i < profile->thread_count; i++) {
    const wasm_perf_thread *thread = &profile->threads[i];
    put_u64(stream, thread->start);
    put_u64(stream, thread->dropped);
    put_u32(stream, thread->process);
    put_u32(stream, thread->number);
    put_u32(stream, (uint32_t)strlen(thread->name));
    put_u32(stream, stretches_size(thread));
    fputs(thread->name, stream);
    write_stretches(stream, thread);
    put_padding(stream, strlen(thread->name) + stretches_size(thread));
  }
}

/* ---- Memory -------------------------------------------------------------- */

static const char *measure_unit(wasm_perf_measure measure) {
  return wi_unit_name(wi_measure_unit(measure));
}

static void write_measures(FILE *stream, const wasm_perf_profile *profile) {
  uint64_t size = 8 + (uint64_t)profile->row_count * (8 + 8 * WASM_PERF_MEASURE_COUNT);
  for (unsigned i = 0; i < WASM_PERF_MEASURE_COUNT; i++)
    size += value_size(wasm_perf_measure_name(i), measure_unit(i));
  begin_section(stream, WASM_PERF_SECTION_MEASURES, size);
  put_u32(stream, WASM_PERF_MEASURE_COUNT);
  put_u32(stream, 0);
  for (unsigned i = 0; i < WASM_PERF_MEASURE_COUNT; i++)
    write_value(stream, wasm_perf_measure_name(i), measure_unit(i));
  for (uint32_t i = 0; i < profile->row_count; i++) {
    put_u32(stream, profile->rows[i].node);
    put_u32(stream, 0);
    for (unsigned j = 0; j < WASM_PERF_MEASURE_COUNT; j++)
      put_u64(stream, profile->rows[i].values[j]);
  }
}

static void write_sizes(FILE *stream, const wasm_perf_profile *profile) {
  uint32_t count = WASM_PERF_SIZE_CLASSES;
  while (count > 0 && profile->size_counts[count - 1] == 0)
    count--;
  begin_section(stream, WASM_PERF_SECTION_SIZES, 8 * (uint64_t)count);
  for (uint32_t i = 0; i < count; i++)
    put_u64(stream, profile->size_counts[i]);
}

static void write_timeline(FILE *stream, const wasm_perf_profile *profile) {
  begin_section(stream, WASM_PERF_SECTION_TIMELINE, 16 * (uint64_t)profile->moment_count);
  for (uint32_t i = 0; i < profile->moment_count; i++) {
    put_u64(stream, profile->moments[i].allocation_count);
    put_u64(stream, profile->moments[i].byte_count);
  }
}

/* ---- Calls ----------------------------------------------------------------- */

/* If `stream` is NULL, only returns the size. */
static uint64_t put_call_measures(FILE *stream, uint32_t measures) {
  uint64_t size = 8;
  uint32_t count = 0;
  for (unsigned i = 0; i < WASM_PERF_CALL_MEASURE_COUNT; i++)
    count += (measures & WASM_PERF_CALL_MEASURE_BIT(i)) != 0;
  if (stream) {
    put_u32(stream, count);
    put_u32(stream, 0);
  }
  for (unsigned i = 0; i < WASM_PERF_CALL_MEASURE_COUNT; i++) {
    const char *unit = wi_unit_name(wi_call_measure_unit((wasm_perf_call_measure)i));
    if ((measures & WASM_PERF_CALL_MEASURE_BIT(i)) == 0)
      continue;
    const char *name = wi_call_measure_name((wasm_perf_call_measure)i);
    size += value_size(name, unit);
    if (stream)
      write_value(stream, name, unit);
  }
  return size;
}

/*
 * The part of a count that record number `part` has, from 0: records hold u32, and add up. 0 after
 * the last one.
 */
static uint32_t part_of(uint64_t count, uint64_t part) {
  uint64_t rest = count / UINT32_MAX >= part ? count - part * UINT32_MAX : 0;
  return rest < UINT32_MAX ? (uint32_t)rest : UINT32_MAX;
}

static uint64_t put_histogram(FILE *stream, const wasm_perf_histogram *of, uint32_t measure) {
  uint64_t size = 0;
  uint32_t count = 1;
  for (uint64_t part = 0; count > 0; part++) {
    count = 0;
    for (uint32_t i = 0; i < of->bucket_count; i++)
      count += part_of(of->buckets[i].count, part) > 0;
    size += count > 0 ? 16 + 8 * (uint64_t)count : 0;
    if (!stream || count == 0)
      continue;
    put_u32(stream, WASM_PERF_CALLS_HISTOGRAM);
    put_u32(stream, 8 + 8 * count);
    put_u32(stream, of->node);
    put_u32(stream, measure);
    for (uint32_t i = 0; i < of->bucket_count; i++)
      if (part_of(of->buckets[i].count, part) > 0) {
        put_u32(stream, of->buckets[i].bucket);
        put_u32(stream, part_of(of->buckets[i].count, part));
      }
  }
  return size;
}

/* The number that a measure has in the section. */
static uint32_t number_of(uint32_t measures, uint32_t measure) {
  uint32_t number = 0;
  for (uint32_t i = 0; i < measure; i++)
    number += (measures & WASM_PERF_CALL_MEASURE_BIT(i)) != 0;
  return number;
}

static uint64_t put_call(FILE *stream, const wasm_perf_call *call, uint32_t measures) {
  uint64_t count = number_of(measures, WASM_PERF_CALL_MEASURE_COUNT);
  uint64_t size = 24 + 8 * count + 24 * (uint64_t)call->row_count;
  if (!stream)
    return 8 + size;
  put_u32(stream, WASM_PERF_CALLS_CALL);
  put_u32(stream, (uint32_t)size);
  put_u32(stream, call->node);
  put_u32(stream, call->why);
  put_u64(stream, call->number);
  put_u64(stream, call->start);
  for (unsigned i = 0; i < WASM_PERF_CALL_MEASURE_COUNT; i++)
    if ((measures & WASM_PERF_CALL_MEASURE_BIT(i)) != 0)
      put_u64(stream, call->values[i]);
  for (uint32_t i = 0; i < call->row_count; i++) {
    put_u32(stream, call->rows[i].node);
    put_u32(stream, i == 0 ? 0 : call->rows[i].caller + 1);
    put_u64(stream, call->rows[i].call_count);
    put_u64(stream, call->rows[i].self);
  }
  return 8 + size;
}

static uint64_t put_calls(FILE *stream, const wasm_perf_calls *calls) {
  uint64_t size = put_call_measures(stream, calls->measures);
  for (uint32_t i = 0; i < calls->histogram_count; i++)
    size += put_histogram(stream, &calls->histograms[i],
                          number_of(calls->measures, calls->histograms[i].measure));
  for (uint32_t i = 0; i < calls->kept_count; i++)
    size += put_call(stream, &calls->kept[i], calls->measures);
  return size;
}

static void write_calls(FILE *stream, const wasm_perf_profile *profile) {
  begin_section(stream, WASM_PERF_SECTION_CALLS, put_calls(NULL, &profile->calls));
  put_calls(stream, &profile->calls);
}

bool wasm_perf_profile_write(const wasm_perf_profile *profile, FILE *stream) {
  fwrite(WASM_PERF_MAGIC, WI_WPERF_MAGIC_SIZE, 1, stream);
  put_u32(stream, WASM_PERF_VERSION);
  put_u32(stream, WASM_PERF_HEAD_SIZE);
  write_facts(stream, profile);
  write_values(stream, profile);
  write_nodes(stream, profile);
  if (profile->header.name_count > 0)
    write_names(stream, profile);
  if (profile->place_count > 0)
    write_places(stream, profile);
  if (profile->block_function_count > 0)
    write_blocks(stream, profile);
  if (profile->uncounted_count > 0)
    write_uncounted(stream, profile);
  if (profile->kind_count > 0)
    write_kinds(stream, profile);
  uint32_t matched_count = count_matched(profile);
  if (matched_count > 0)
    write_matched(stream, profile, matched_count);
  if (profile->shared_count > 0)
    write_shared(stream, profile);
  if (profile->module_count > 0)
    write_modules(stream, WASM_PERF_SECTION_MODULES, profile->modules, profile->module_count);
  if (profile->joined_count > 0)
    write_modules(stream, WASM_PERF_SECTION_JOINED, profile->joined, profile->joined_count);
  if (profile->thread_count > 0)
    write_threads(stream, profile);
  if (profile->follows_memory) {
    write_measures(stream, profile);
    write_sizes(stream, profile);
    write_timeline(stream, profile);
  }
  if (profile->calls.measures != 0)
    write_calls(stream, profile);
  return fflush(stream) == 0 && !ferror(stream);
}
