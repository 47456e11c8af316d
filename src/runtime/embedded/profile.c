/* Writes the tree as a .wperf file in memory, and exports the functions by which hosts read it. */
#include "runtime/embedded/profile.h"

#include "runtime/embedded/file.h"
#include "runtime/embedded/followers.h"
#include "runtime/embedded/instance.h"
#include "wasm_perf/format.h"

static uint32_t file, file_size; /* the profile written last */
static uint32_t kept, kept_size; /* memory that the arena keeps for it; 0: none */
static uint32_t was_reset;

/* ---- Records --------------------------------------------------------------- */

/* A node in the file; without a clock it ends before `self`. */
typedef struct record {
  uint32_t function;
  uint32_t parent;
  uint64_t calls;
  uint64_t self;
} record;

static uint32_t record_size; /* bytes */
static uint32_t records;     /* address of the first record */
static uint32_t record_count;
static uint32_t first_flat; /* index of the first record of a flat node; UINT32_MAX: none */
static uint32_t *owners;    /* per record: address of its node, or of the leaf's caller */

static record *record_at(uint32_t index) {
  return (record *)(records + index * record_size);
}

static void zero_node(uint32_t address) {
  embed_node_at(address)->calls = 0;
  if (embed_configuration()->value_count > 1)
    *embed_self_of(address) = 0;
  uint64_t *leaf_calls = embed_leaf_calls(address);
  for (uint32_t i = embed_leaf_count(embed_node_at(address)->function); i-- > 0;)
    leaf_calls[i] = 0;
}

/* The first record from `low` on, and before `high`, whose owner is not before the node. */
static uint32_t search_records(uint32_t low, uint32_t high, uint32_t node) {
  uint32_t step = 1; /* first backwards: parents are often close to their children */
  for (; high - low > step && owners[high - step] >= node; step *= 2)
    high -= step;
  low = high - low > step ? high - step : low;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (owners[middle] < node)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uint32_t embed_record_of(uint32_t node) {
  const embed_config *config = embed_configuration();
  if (node == config->root)
    return 0;
  return node < config->arena
             ? search_records(first_flat, record_count, node)
             : search_records(1, first_flat < record_count ? first_flat : record_count, node);
}

/* A node is not changed, because an exception may come before it could be put right again. */
static void write_record(uint32_t address) {
  record *to = record_at(record_count);
  const embed_node *from = embed_node_at(address);
  if (address == embed_first_flat())
    first_flat = record_count;
  to->function = from->function;
  to->parent = record_count == 0 ? 0 : embed_record_of(embed_parent_of(address));
  to->calls = from->calls;
  if (embed_configuration()->value_count > 1)
    to->self = *embed_self_of(address);
  owners[record_count++] = address;
}

static uint64_t call_count; /* of all records that were counted last */

/* Number of records for the leaves that the node has called, and for the leaves that those call. */
static uint32_t count_leaf_records(uint32_t address) {
  uint32_t function = embed_node_at(address)->function;
  const uint64_t *calls = embed_leaf_calls(address);
  uint32_t count = 0;
  for (uint32_t i = embed_leaf_count(function); i-- > 0;) {
    if (calls[i] == 0)
      continue;
    for (const embed_leaf *leaf = embed_leaves_of(function) + i; leaf;
         leaf = embed_leaf_behind(leaf)) {
      count++;
      call_count += calls[i];
    }
  }
  return count;
}

/* Each leaf is called by the one before it, the first by a node, whose record was written last. */
static void write_calls_of_leaf(const embed_leaf *leaf, uint32_t owner, uint32_t parent,
                                uint64_t calls) {
  for (; leaf; leaf = embed_leaf_behind(leaf)) {
    record *to = record_at(record_count);
    to->function = leaf->function;
    to->parent = parent;
    to->calls = calls;
    if (embed_configuration()->value_count > 1)
      to->self = calls * leaf->cost;
    owners[record_count] = owner;
    parent = record_count++;
  }
}

/* Leaf records directly follow the node's record. */
static void write_leaf_records(uint32_t address) {
  uint32_t function = embed_node_at(address)->function, parent = record_count - 1;
  const uint64_t *calls = embed_leaf_calls(address);
  uint32_t count = embed_leaf_count(function);
  for (uint32_t i = 0; i < count; i++)
    if (calls[i] != 0)
      write_calls_of_leaf(embed_leaves_of(function) + i, address, parent, calls[i]);
}

/* Drops nodes that have not run since the reset. The map of indices takes the owners' place. */
static void drop_unused_records(void) {
  uint32_t *map = owners;
  for (uint32_t i = 0; i < record_count; i++)
    map[i] = i == 0;
  each_mark_used(map);
  bool has_self = embed_configuration()->value_count > 1;
  for (uint32_t i = record_count; i-- > 0;) {
    map[i] |= record_at(i)->calls != 0 || (has_self && record_at(i)->self != 0);
    map[record_at(i)->parent] |= map[i];
  }
  uint32_t used = 0;
  for (uint32_t i = 0; i < record_count; i++) {
    if (!map[i])
      continue;
    map[i] = used++;
    record *to = record_at(map[i]), *from = record_at(i);
    to->function = from->function;
    to->parent = map[from->parent];
    to->calls = from->calls;
    if (has_self)
      to->self = from->self;
  }
  record_count = used;
  each_move_records(map);
}

/* ---- The file, see wasm_perf/format.h --------------------------------------- */

static uint64_t flat_calls(void) {
  uint64_t calls = 0;
  for (uint32_t at = embed_first_flat(); at != 0; at = embed_next_node(at))
    calls += embed_node_at(at)->calls;
  return calls;
}

/* Facts that are only known now; embed_profile reserves room for this many. */
enum { DYNAMIC_FACT_COUNT = 3 };

static void put_facts(void) {
  const embed_config *config = embed_configuration();
  embed_put_section(WASM_PERF_SECTION_FACTS,
                    config->facts_size + DYNAMIC_FACT_COUNT * FACT_SIZE + each_facts_size());
  embed_put_bytes((const void *)config->facts, config->facts_size);
  embed_put_fact(WASM_PERF_FACT_truncated_call_count, flat_calls());
  embed_put_fact(WASM_PERF_FACT_shared_slot_count, embed_shared_slot_count());
  embed_put_fact(WASM_PERF_FACT_instance_count, embed_instance_count());
  each_put_facts();
}

static void put_head(void) {
  static const char magic[8] = WASM_PERF_MAGIC;
  embed_put_bytes(magic, sizeof magic);
  embed_put_u32(WASM_PERF_VERSION);
  embed_put_u32(WASM_PERF_HEAD_SIZE);
}

/* Number of records; 0 if there is a node that cannot be one. */
static uint32_t count_records(void) {
  uint32_t count = 0;
  call_count = 0;
  for (uint32_t at = embed_configuration()->root; at != 0; at = embed_next_node(at)) {
    if (!embed_is_whole(at))
      return 0;
    count += 1 + count_leaf_records(at);
    call_count += embed_node_at(at)->calls;
  }
  return count;
}

/* `count` has room for all records, and for an index of each behind them. */
static void put_nodes(uint32_t count) {
  records = embed_file_end() + SECTION_HEAD_SIZE;
  owners = embed_word_at(records + count * record_size);
  record_count = 0;
  first_flat = UINT32_MAX;
  for (uint32_t at = embed_configuration()->root; at != 0; at = embed_next_node(at)) {
    write_record(at);
    write_leaf_records(at);
  }
  each_find_records();
  if (was_reset)
    drop_unused_records();
  embed_put_section(WASM_PERF_SECTION_NODES, record_count * record_size);
  embed_file_skip(record_count * record_size);
}

/* ---- Blocks --------------------------------------------------------------- */

/*
 * Calls `visit`, unless NULL, with each function's blocks; returns the size of the section.
 * Inlined, because the image has no table through which to call `visit`.
 */
static inline __attribute__((always_inline)) uint32_t
visit_blocks(void (*visit)(uint32_t function, uint32_t count, uint64_t *blocks)) {
  const embed_config *config = embed_configuration();
  const uint32_t *counts = (const uint32_t *)config->block_counts;
  uint64_t *blocks = (uint64_t *)config->blocks;
  uint32_t size = 0;
  for (uint32_t i = 0; counts && i < config->function_count; i++) {
    if (counts[i] == 0)
      continue;
    size += (1 + counts[i]) * (uint32_t)sizeof *blocks;
    if (visit)
      visit(i, counts[i], blocks);
    blocks += counts[i];
  }
  return size;
}

static void put_function_blocks(uint32_t function, uint32_t count, uint64_t *blocks) {
  embed_put_u32(function);
  embed_put_u32(count);
  embed_put_bytes(blocks, count * (uint32_t)sizeof *blocks);
}

static void zero_blocks(uint32_t function, uint32_t count, uint64_t *blocks) {
  (void)function;
  for (uint32_t i = 0; i < count; i++)
    blocks[i] = 0;
}

static void put_blocks(void) {
  uint32_t size = visit_blocks(NULL);
  if (size == 0)
    return;
  embed_put_section(WASM_PERF_SECTION_BLOCKS, size);
  visit_blocks(put_function_blocks);
}

/* ---- Names ---------------------------------------------------------------- */

/* Hosts know the names of functions. Only names of types and of a guest's functions are written. */
static void put_names(void) {
  const embed_config *config = embed_configuration();
  uint32_t size = config->names_size + each_names_size();
  if (size == 0)
    return;
  embed_put_section(WASM_PERF_SECTION_NAMES, size);
  embed_put_text((const void *)config->names, config->names_size);
  each_put_names();
  embed_put_padding();
}

/* ---- Where the file is ------------------------------------------------------ */

/* The most bytes that a file with so many records needs while it is written. */
static uint64_t file_bound(uint32_t count) {
  const embed_config *config = embed_configuration();
  enum { SECTION_COUNT = 5 };
  return WASM_PERF_HEAD_SIZE + SECTION_COUNT * SECTION_HEAD_SIZE + config->facts_size +
         DYNAMIC_FACT_COUNT * FACT_SIZE + each_facts_size() + embed_aligned(config->values_size) +
         count * (uint64_t)(record_size + sizeof *owners) + visit_blocks(NULL) +
         embed_aligned(config->names_size + each_names_size()) + each_sections_size();
}

/* Has the arena keep so much memory for the file. */
static void keep_memory(uint64_t size) {
  uint32_t address = size < EMBED_PARENT_BIT ? embed_allocate_gap((uint32_t)size, 0) : 0;
  if (address == 0)
    return;
  kept = address;
  kept_size = (uint32_t)size;
}

/*
 * Chooses memory for the file: what is kept, if possible at least twice as much as before, because
 * that is lost; else what is unused now.
 */
static bool place_file(uint64_t size) {
  if (size > kept_size && size < 2ull * kept_size)
    keep_memory(2ull * kept_size);
  if (size > kept_size)
    keep_memory(size);
  file = size <= kept_size ? kept : embed_scratch();
  return file == kept || embed_reserve(file + size);
}

/* Whether new nodes have left the file unharmed. */
static bool is_there(void) {
  return file == kept || file == embed_scratch();
}

/* ---- Entry points --------------------------------------------------------- */

/*
 * Writes the profile to memory of its own, which the next profile reuses. Returns the size of the
 * .wperf file in bytes, or 0 if memory is short or the tree is damaged.
 */
EMBED_EXPORT(wasm_perf_profile) uint32_t embed_profile(void) {
  const embed_config *config = embed_configuration();
  embed_move_flat_leaves();
  record_size = config->value_count > 1 ? 24 : 16;
  file_size = 0;
  uint32_t count = count_records();
  if (count == 0 || !place_file(file_bound(count)))
    return 0;
  embed_file_begin(file);
  put_head();
  put_facts();
  embed_put_section(WASM_PERF_SECTION_VALUES, config->values_size);
  embed_put_bytes((const void *)config->values, config->values_size);
  put_nodes(count);
  put_blocks();
  put_names();
  each_put_sections();
  file_size = embed_file_end() - file;
  return file_size;
}

uint32_t embed_file(void) {
  return file;
}

uint32_t embed_behind_file(void) {
  return file == kept ? embed_scratch() : file + file_size;
}

/*
 * Eight bytes of the profile from `offset` on, little-endian; bytes past its end are zero. So are
 * all, if memory was too short to keep it, and new nodes took its place.
 */
EMBED_EXPORT(wasm_perf_read) uint64_t embed_read(uint32_t offset) {
  uint64_t bytes = 0;
  if (!is_there())
    return 0;
  if (file_size >= sizeof bytes && offset <= file_size - sizeof bytes) {
    __builtin_memcpy(&bytes, (const void *)(file + offset), sizeof bytes);
    return bytes;
  }
  for (uint32_t i = 0; i < sizeof bytes && offset + i < file_size; i++)
    bytes |= (uint64_t)((const unsigned char *)file)[offset + i] << 8 * i;
  return bytes;
}

/*
 * The number of calls so far or, with `of_nodes`, of nodes of the call tree without its root when
 * calls were counted last. Takes a small part of the time of a profile, and leaves the one that is
 * being read.
 */
EMBED_EXPORT(wasm_perf_count) uint64_t embed_count(uint32_t of_nodes) {
  static uint32_t count;
  if (of_nodes)
    return count == 0 ? 0 : count - 1;
  count = count_records();
  return call_count;
}

bool embed_write_is_due(void) {
  static uint32_t count;
  count = (count + 1) % embed_configuration()->write_every;
  return count == 0;
}

EMBED_EXPORT(wasm_perf_reset) void embed_reset(void) {
  for (uint32_t at = embed_configuration()->root; at != 0; at = embed_next_node(at))
    if (embed_is_whole(at))
      zero_node(at);
  visit_blocks(zero_blocks);
  each_reset();
  was_reset = 1;
  file_size = 0;
}

/*
 * For hosts that continue after an exception, or run tasks: read the current slot before a call,
 * and restore it afterwards. A slot is the address of a word; the lowest bit marks a slot for a
 * task.
 */
EMBED_EXPORT(wasm_perf_slot) uint32_t embed_slot(void) {
  return embed_callee_slot();
}

EMBED_EXPORT(wasm_perf_set_slot) void embed_set_slot(uint32_t slot) {
  embed_place_slot(slot & ~1u, slot & 1);
}
