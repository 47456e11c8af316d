/* Reads .wperf files of version 2: sections. Everything is checked before anything is allocated. */
#include "profile/wperf_v2.h"

#include <stdlib.h>
#include <string.h>

#include "profile/modules.h"
#include "profile/wperf.h"
#include "profile/wperf_blocks.h"
#include "profile/wperf_calls.h"
#include "profile/wperf_kinds.h"
#include "profile/wperf_measures.h"
#include "profile/wperf_threads.h"
#include "support/large.h"

#define RECORD_HEAD_SIZE 8u
#define NODE_HEAD_SIZE   8u /* function and parent */
#define MAX_VALUE_COUNT  64u
#define NO_VALUE         UINT32_MAX

/* Contents of the sections, as spans of the input. */
typedef struct layout {
  wi_wperf_span sections[WASM_PERF_SECTION_END]; /* by id; offset 0: missing */
  wasm_perf_header header;                       /* from FACTS */
  wasm_perf_facts facts;                         /* only numbers; texts are read later */
  uint32_t value_count;
  uint32_t calls_value; /* index among the values, or NO_VALUE; likewise self_value */
  uint32_t self_value;
} layout;

static size_t padded(size_t size) {
  return (size + 7) & ~(size_t)7;
}

/* ---- Sections ------------------------------------------------------------ */

static bool check_sections(const wi_wperf_input *in, layout *file) {
  size_t offset = wi_wperf_u32(in->bytes + WI_WPERF_MAGIC_SIZE + 4);
  if (offset < WASM_PERF_HEAD_SIZE || offset % 8 != 0)
    return wi_wperf_fail(in, WI_WPERF_MAGIC_SIZE + 4, "the head has %zu bytes, not %u", offset,
                         WASM_PERF_HEAD_SIZE);
  if (offset > in->size)
    return wi_wperf_fail(in, in->size, "the file ends inside the head");
  while (offset < in->size) {
    if (in->size - offset < WI_WPERF_SECTION_HEAD_SIZE)
      return wi_wperf_fail(in, in->size, "the file ends inside a section's head");
    uint32_t id = wi_wperf_u32(in->bytes + offset);
    uint64_t size = wi_wperf_u64(in->bytes + offset + 8);
    size_t start = offset + WI_WPERF_SECTION_HEAD_SIZE;
    if (size > in->size - start || padded((size_t)size) > in->size - start)
      return wi_wperf_fail(in, in->size, "the file ends inside section %u", id);
    if (id > 0 && id < WASM_PERF_SECTION_END) {
      if (file->sections[id].offset != 0)
        return wi_wperf_fail(in, offset, "a second section %u", id);
      file->sections[id] = (wi_wperf_span){start, (size_t)size};
    }
    offset = start + padded((size_t)size);
  }
  return true;
}

/*
 * Iterator over records that start with two u32 and end with padding. next_record returns false at
 * the end of the section, and on failure, which also sets `failed`.
 */
typedef struct records {
  const wi_wperf_input *in;
  size_t offset;
  size_t end;
  bool failed;
} records;

static records records_of(const wi_wperf_input *in, wi_wperf_span section) {
  return (records){in, section.offset, section.offset + section.size, false};
}

/*
 * The last `text_count` of the two numbers are sizes of what follows. *start is set to the record's
 * offset.
 */
static bool next_record(records *all, unsigned text_count, size_t *start) {
  if (all->failed || all->offset == all->end)
    return false;
  size_t left = all->end - all->offset;
  uint64_t size = RECORD_HEAD_SIZE;
  for (unsigned i = 2 - text_count; left >= RECORD_HEAD_SIZE && i < 2; i++)
    size += wi_wperf_u32(all->in->bytes + all->offset + 4 * (size_t)i);
  if (size > left || padded((size_t)size) > left) {
    all->failed = true;
    return wi_wperf_fail(all->in, all->offset, "a record ends past its section");
  }
  *start = all->offset;
  all->offset += padded((size_t)size);
  return true;
}

/* ---- Facts --------------------------------------------------------------- */

typedef enum fact_kind { FACT_u32, FACT_u64, FACT_TEXT } fact_kind;

typedef struct fact {
  uint32_t key;
  fact_kind kind;
  size_t offset; /* of a number, in layout */
} fact;

#define HEADER_FACT(field, type, key) {key, FACT_##type, offsetof(layout, header.field)},
#define NUMBER_FACT(field, key)       {key, FACT_u64, offsetof(layout, facts.field)},
#define TEXT_FACT(field, key)         {key, FACT_TEXT, 0},
static const fact known_facts[] = {WASM_PERF_HEADER_FACTS(HEADER_FACT) WASM_PERF_NUMBER_FACTS(
    NUMBER_FACT) WASM_PERF_TEXT_FACTS(TEXT_FACT)};
#undef TEXT_FACT
#undef NUMBER_FACT
#undef HEADER_FACT

static const fact *find_fact(uint32_t key) {
  for (size_t i = 0; i < sizeof known_facts / sizeof *known_facts; i++)
    if (known_facts[i].key == key)
      return &known_facts[i];
  return NULL;
}

static void set_number(layout *file, const fact *known, uint64_t value) {
  void *field = (char *)file + known->offset;
  if (known->kind == FACT_u32)
    *(uint32_t *)field = (uint32_t)value;
  else
    *(uint64_t *)field = value;
}

static bool check_fact(const wi_wperf_input *in, layout *file, size_t offset) {
  uint32_t key = wi_wperf_u32(in->bytes + offset);
  uint32_t size = wi_wperf_u32(in->bytes + offset + 4);
  size_t value_offset = offset + RECORD_HEAD_SIZE;
  const fact *known = find_fact(key);
  if (!known)
    return true;
  if (known->kind == FACT_TEXT)
    return wi_wperf_check_text(in, (wi_wperf_span){value_offset, size}, "a fact");
  if (size != 8)
    return wi_wperf_fail(in, offset, "fact %u is a number of %u bytes, not 8", key, size);
  uint64_t value = wi_wperf_u64(in->bytes + value_offset);
  if (known->kind == FACT_u32 && value > UINT32_MAX)
    return wi_wperf_fail(in, value_offset, "fact %u is too large", key);
  set_number(file, known, value);
  return true;
}

static bool check_facts(const wi_wperf_input *in, layout *file) {
  records facts = records_of(in, file->sections[WASM_PERF_SECTION_FACTS]);
  size_t offset = 0;
  while (next_record(&facts, 1, &offset))
    if (!check_fact(in, file, offset))
      return false;
  if (facts.failed)
    return false;
  if (wasm_perf_clock_is_time(file->header.clock) && file->header.ticks_per_second == 0)
    return wi_wperf_fail(in, file->sections[WASM_PERF_SECTION_FACTS].offset,
                         "the clock has no ticks");
  return true;
}

static bool read_texts(wasm_perf_profile *profile, const wi_wperf_input *in, const layout *file) {
  records facts = records_of(in, file->sections[WASM_PERF_SECTION_FACTS]);
  size_t offset = 0;
  while (next_record(&facts, 1, &offset)) {
    uint32_t key = wi_wperf_u32(in->bytes + offset);
    const char *text = (const char *)in->bytes + offset + RECORD_HEAD_SIZE;
    const fact *known = find_fact(key);
    if (known && known->kind == FACT_TEXT &&
        !wasm_perf_profile_set_text(profile, (wasm_perf_fact)key, text,
                                    wi_wperf_u32(in->bytes + offset + 4)))
      return false;
  }
  return true;
}

/* ---- Values and nodes ---------------------------------------------------- */

static bool check_value(const wi_wperf_input *in, layout *file, size_t offset) {
  const char *name = (const char *)in->bytes + offset + RECORD_HEAD_SIZE;
  uint32_t size = wi_wperf_u32(in->bytes + offset);
  uint32_t *index = NULL;
  if (size == 5 && memcmp(name, "calls", size) == 0)
    index = &file->calls_value;
  else if (size == 4 && memcmp(name, "self", size) == 0)
    index = &file->self_value;
  if (index && *index != NO_VALUE)
    return wi_wperf_fail(in, offset, "two values have the name '%s'", size == 4 ? "self" : "calls");
  if (file->value_count == MAX_VALUE_COUNT)
    return wi_wperf_fail(in, offset, "a node has more than %u values", MAX_VALUE_COUNT);
  if (index)
    *index = file->value_count;
  file->value_count++;
  return true;
}

static bool check_values(const wi_wperf_input *in, layout *file) {
  records values = records_of(in, file->sections[WASM_PERF_SECTION_VALUES]);
  size_t offset = 0;
  while (next_record(&values, 2, &offset))
    if (!check_value(in, file, offset))
      return false;
  return !values.failed;
}

static size_t node_size(const layout *file) {
  return NODE_HEAD_SIZE + 8 * (size_t)file->value_count;
}

static bool check_nodes(const wi_wperf_input *in, layout *file) {
  wi_wperf_span nodes = file->sections[WASM_PERF_SECTION_NODES];
  if (nodes.size == 0)
    return wi_wperf_fail(in, nodes.offset == 0 ? in->size : nodes.offset,
                         "there are no nodes: the root is missing");
  size_t count = nodes.size / node_size(file);
  if (nodes.size % node_size(file) != 0 || count > UINT32_MAX)
    return wi_wperf_fail(in, nodes.offset, "the nodes, of %zu bytes each, do not fill %zu bytes",
                         node_size(file), nodes.size);
  file->header.node_count = (uint32_t)count;
  for (uint32_t i = 0; i < count; i++)
    if (!wi_wperf_check_node(in, nodes.offset + i * node_size(file), i))
      return false;
  return true;
}

static uint64_t value_at(const uint8_t *node, uint32_t value) {
  return value == NO_VALUE ? 0 : wi_wperf_u64(node + NODE_HEAD_SIZE + 8 * (size_t)value);
}

static bool read_nodes(wasm_perf_profile *profile, const wi_wperf_input *in, const layout *file) {
  const uint8_t *bytes = in->bytes + file->sections[WASM_PERF_SECTION_NODES].offset;
  profile->nodes = wi_large_alloc(file->header.node_count * sizeof *profile->nodes);
  if (!profile->nodes)
    return false;
  for (uint32_t i = 0; i < file->header.node_count; i++, bytes += node_size(file))
    profile->nodes[i] = (wasm_perf_node){.function = wi_wperf_u32(bytes),
                                         .parent = wi_wperf_u32(bytes + 4),
                                         .call_count = value_at(bytes, file->calls_value),
                                         .self = value_at(bytes, file->self_value)};
  return true;
}

/* ---- Functions without counts -------------------------------------------- */

static bool check_uncounted(const wi_wperf_input *in, wi_wperf_span section) {
  const uint8_t *bytes = in->bytes + section.offset;
  if (section.size % 4 != 0)
    return wi_wperf_fail(in, section.offset, "functions without counts do not fill %zu bytes",
                         section.size);
  for (size_t i = 4; i < section.size; i += 4)
    if (wi_wperf_u32(bytes + i) <= wi_wperf_u32(bytes + i - 4))
      return wi_wperf_fail(in, section.offset + i, "function %u without counts follows function %u",
                           wi_wperf_u32(bytes + i), wi_wperf_u32(bytes + i - 4));
  return true;
}

static bool read_uncounted(wasm_perf_profile *profile, const wi_wperf_input *in,
                           wi_wperf_span section) {
  for (size_t i = 0; i < section.size; i += 4)
    if (!wasm_perf_profile_set_uncounted(profile, wi_wperf_u32(in->bytes + section.offset + i)))
      return false;
  return true;
}

/* ---- Names and places ---------------------------------------------------- */

static bool check_texts(const wi_wperf_input *in, wi_wperf_span section, unsigned number_count,
                        const char *what) {
  size_t offset = section.offset;
  uint32_t left = UINT32_MAX;
  return wi_wperf_check_records(in, &offset, section.offset + section.size, &left, number_count,
                                what);
}

typedef bool add_record(wasm_perf_profile *profile, uint32_t function, uint32_t number,
                        const char *text, size_t size);

/* Reads records of two numbers and a text, which were checked. */
static bool read_records(wasm_perf_profile *profile, const wi_wperf_input *in,
                         wi_wperf_span section, add_record *add) {
  const uint8_t *bytes = in->bytes + section.offset;
  const uint8_t *end = bytes + section.size;
  while (bytes < end) {
    uint32_t size = wi_wperf_u32(bytes + 8);
    if (!add(profile, wi_wperf_u32(bytes), wi_wperf_u32(bytes + 4), (const char *)bytes + 12, size))
      return false;
    bytes += 12 + (size_t)size;
  }
  return true;
}

/* ---- The whole ----------------------------------------------------------- */

static void init_header(wasm_perf_header *header) {
  memcpy(header->magic, WASM_PERF_MAGIC, WI_WPERF_MAGIC_SIZE);
  header->version = WASM_PERF_MEMORY_VERSION;
  header->header_size = sizeof(wasm_perf_header);
  header->node_size = sizeof(wasm_perf_node);
}

static wi_wperf_memory memory_of(const layout *file) {
  return (wi_wperf_memory){.measures = file->sections[WASM_PERF_SECTION_MEASURES],
                           .sizes = file->sections[WASM_PERF_SECTION_SIZES],
                           .timeline = file->sections[WASM_PERF_SECTION_TIMELINE],
                           .callers = file->sections[WASM_PERF_SECTION_CALLERS]};
}

/* Checks the sections that describe functions. */
static bool check_functions(const wi_wperf_input *in, const wi_wperf_span *sections) {
  return check_texts(in, sections[WASM_PERF_SECTION_NAMES], 0, "name") &&
         check_texts(in, sections[WASM_PERF_SECTION_PLACES], 1, "place") &&
         wi_wperf_check_blocks(in, sections[WASM_PERF_SECTION_BLOCKS]) &&
         check_uncounted(in, sections[WASM_PERF_SECTION_UNCOUNTED]) &&
         wi_wperf_check_kinds(in, sections[WASM_PERF_SECTION_KINDS]) &&
         wi_wperf_check_columns(in, sections[WASM_PERF_SECTION_COLUMNS]) &&
         wi_wperf_check_matched(in, sections[WASM_PERF_SECTION_MATCHED]);
}

/* Reads all sections, which were checked. Returns false if out of memory. */
static bool read_all(wasm_perf_profile *profile, const wi_wperf_input *in, const layout *file) {
  const wi_wperf_span *sections = file->sections;
  wi_wperf_memory memory = memory_of(file);
  profile->header = file->header;
  profile->facts = file->facts;
  if (!read_texts(profile, in, file) || !read_nodes(profile, in, file) ||
      !wi_wperf_read_names(profile, in, sections[WASM_PERF_SECTION_NAMES]) ||
      !read_records(profile, in, sections[WASM_PERF_SECTION_PLACES], wasm_perf_profile_set_place) ||
      !wi_wperf_read_blocks(profile, in, sections[WASM_PERF_SECTION_BLOCKS]) ||
      !read_uncounted(profile, in, sections[WASM_PERF_SECTION_UNCOUNTED]) ||
      !wi_wperf_read_kinds(profile, in, sections[WASM_PERF_SECTION_KINDS]) ||
      !wi_wperf_read_shared(profile, in, sections[WASM_PERF_SECTION_SHARED]) ||
      !read_records(profile, in, sections[WASM_PERF_SECTION_MODULES], wi_modules_add) ||
      !read_records(profile, in, sections[WASM_PERF_SECTION_JOINED], wi_joined_add) ||
      !wi_wperf_read_threads(profile, in, sections[WASM_PERF_SECTION_SAMPLES]) ||
      !wi_wperf_read_calls(profile, in, sections[WASM_PERF_SECTION_CALLS]) ||
      !wi_wperf_read_memory(profile, in, &memory))
    return false;
  wi_wperf_read_columns(profile, in, sections[WASM_PERF_SECTION_COLUMNS]);
  wi_wperf_read_matched(profile, in, sections[WASM_PERF_SECTION_MATCHED]);
  return true;
}

wasm_perf_profile *wi_wperf_read_v2(const wi_wperf_input *in) {
  layout file = {.calls_value = NO_VALUE, .self_value = NO_VALUE};
  const wi_wperf_span *sections = file.sections;
  init_header(&file.header);
  if (!check_sections(in, &file) || !check_facts(in, &file) || !check_values(in, &file) ||
      !check_nodes(in, &file) || !check_functions(in, sections) ||
      !wi_wperf_check_shared(in, sections[WASM_PERF_SECTION_SHARED], file.header.node_count) ||
      !check_texts(in, sections[WASM_PERF_SECTION_MODULES], 1, "module") ||
      !check_texts(in, sections[WASM_PERF_SECTION_JOINED], 1, "module") ||
      !wi_wperf_check_threads(in, sections[WASM_PERF_SECTION_SAMPLES], file.header.node_count) ||
      !wi_wperf_check_calls(in, sections[WASM_PERF_SECTION_CALLS], file.header.node_count))
    return NULL;
  wi_wperf_memory memory = memory_of(&file);
  if (!wi_wperf_check_memory(in, &memory, file.header.node_count))
    return NULL;
  wasm_perf_profile *profile = calloc(1, sizeof *profile);
  if (profile && read_all(profile, in, &file))
    return profile;
  wasm_perf_profile_free(profile);
  wi_wperf_fail(in, 0, "out of memory");
  return NULL;
}
