/*
 * Memory profiles of the embedded form: which stacks allocated blocks, which hold them now, and
 * which held them at the peak. Keeps accounts, a table of live blocks, and the peak.
 *
 * An instrumented allocator calls memory_enter (or memory_release) first, which returns whether it
 * is the outermost layer. Before it returns it calls one of the other functions, or memory_leave if
 * it has nothing else to report.
 */
#include "runtime/embedded/file.h"
#include "runtime/embedded/instance.h"
#include "runtime/embedded/memory_accounts.h"
#include "runtime/embedded/memory_course.h"
#include "runtime/embedded/profile.h"
#include "runtime/embedded/table.h"
#include "runtime/embedded/tree.h"
#include "wasm_perf/format.h"

/* A live block. */
typedef struct block {
  uint32_t account;    /* 0: a free entry */
  uint32_t allocation; /* low half of the allocation's number */
  uint64_t address;    /* see own_address */
  uint64_t size;
} block;

static uint64_t live_bytes, peak_bytes;
static uint64_t epoch; /* number of new peaks so far */
static uint64_t allocation_count, peak_allocation;
static uint64_t lost_blocks, lost_bytes, unknown_frees;
static uint32_t outermost;     /* node of the open outermost allocator; 0: none */
static uint64_t outermost_own; /* the block passed to it */

/* ---- Accounts ------------------------------------------------------------ */

/* The account that `slot` leads to, of the stack that calls; 0 if memory is short. */
static uint32_t account_of(uint32_t slot) {
  return embed_account_of(slot, embed_current_caller(), epoch);
}

/*
 * Call before an account's live values change. If the peak was reached since they last changed,
 * they are also its values at the peak. So a new peak only has to increment `epoch`.
 */
static void update_peak(embed_account *of) {
  if (of->epoch == epoch)
    return;
  of->values[WASM_PERF_MEASURE_PEAK_OBJECTS] = of->values[WASM_PERF_MEASURE_LIVE_OBJECTS];
  of->values[WASM_PERF_MEASURE_PEAK_BYTES] = of->values[WASM_PERF_MEASURE_LIVE_BYTES];
  of->epoch = epoch;
}

/* ---- Addresses ----------------------------------------------------------------- */

#define ADDRESS_BITS 40u /* no engine has memories beyond */

/* The address with the number of the instance that runs, because each has a memory of its own. */
static inline uint64_t own_address(uint64_t address) {
  return address == 0 ? 0 : address | (uint64_t)embed_instance() << ADDRESS_BITS;
}

static inline uint64_t address_in_memory(uint64_t address) {
  return address & ((UINT64_C(1) << ADDRESS_BITS) - 1);
}

/* ---- The table of blocks ----------------------------------------------------- */

EMBED_TABLE_INLINE uint32_t hash_of(uint64_t address) {
  return (uint32_t)(address * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

EMBED_TABLE_INLINE uint32_t block_hash(const void *entry) {
  return hash_of(((const block *)entry)->address);
}

EMBED_TABLE_INLINE bool is_at(const void *entry, const void *address) {
  return ((const block *)entry)->address == *(const uint64_t *)address;
}

static const embed_table_kind block_kind = {.entry_size = sizeof(block),
                                            .first_capacity = 1024,
                                            .max_capacity = 1u << 23,
                                            .hash = block_hash,
                                            .is = is_at};
static embed_table blocks;

/* ---- Blocks ---------------------------------------------------------------- */

/* A block leaves its account; its entry in the table remains. */
static void release_from_account(uint32_t address, uint64_t size) {
  embed_account *holder = embed_account_at(address);
  update_peak(holder);
  holder->values[WASM_PERF_MEASURE_LIVE_OBJECTS]--;
  holder->values[WASM_PERF_MEASURE_LIVE_BYTES] -= size;
  live_bytes -= size;
}

/*
 * Removes the block from the table and from its account, and copies it to *gone. Returns false if
 * it is unknown.
 */
EMBED_TABLE_INLINE bool drop(uint64_t address, block *gone) {
  const block *known = embed_table_find(&blocks, &block_kind, hash_of(address), &address);
  if (!known)
    return false;
  *gone = *known;
  release_from_account(gone->account, gone->size);
  embed_table_remove(&blocks, &block_kind, known);
  return true;
}

/*
 * Where the block begins that contains the address, or 0: a compiler inlines aligned_alloc, which
 * asks malloc for more and returns an aligned address inside of that block.
 */
__attribute__((noinline)) static uint64_t start_around(uint64_t address) {
  enum { STEP = 8, MOST = 4096 };
  for (uint64_t before = STEP; before <= MOST && before <= address_in_memory(address);
       before += STEP) {
    uint64_t start = address - before;
    const block *known = embed_table_find(&blocks, &block_kind, hash_of(start), &start);
    if (known)
      return known->size > before ? start : 0;
  }
  return 0;
}

/* No account or table has room for the block. One at its address whose free was not seen is gone. */
static void lose(uint64_t address, uint64_t size) {
  block unseen;
  (void)drop(address, &unseen);
  lost_blocks++;
  lost_bytes += size;
}

/* If the address holds a block already, its free was not seen: the new one takes its place. */
static void hold(uint32_t holder, uint64_t address, uint64_t size) {
  if (!embed_table_reserve(&blocks, &block_kind)) {
    lose(address, size);
    return;
  }
  embed_account *of = embed_account_at(holder);
  block *place = embed_table_place(&blocks, &block_kind, hash_of(address), &address);
  update_peak(of);
  if (embed_table_is_free(place))
    blocks.count++;
  else
    release_from_account(place->account, place->size);
  *place = (block){holder, (uint32_t)allocation_count, address, size};
  of->values[WASM_PERF_MEASURE_LIVE_OBJECTS]++;
  of->values[WASM_PERF_MEASURE_LIVE_BYTES] += size;
  live_bytes += size;
  if (live_bytes > peak_bytes) {
    peak_bytes = live_bytes;
    peak_allocation = allocation_count;
    epoch++;
  }
}

__attribute__((noinline, flatten)) static void free_block(uint64_t address, bool must_be_known) {
  block gone;
  if (address == 0)
    return;
  bool is_known = drop(address, &gone);
  if (!is_known && must_be_known)
    is_known = drop(start_around(address), &gone);
  if (!is_known)
    unknown_frees += must_be_known;
  else if (gone.allocation == (uint32_t)allocation_count)
    embed_account_at(gone.account)->values[WASM_PERF_MEASURE_TEMPORARY_OBJECTS]++;
}

/* ---- Calls from allocators ---------------------------------------------------- */

/* Exported functions begin with the usual case, which engines inline into hooks. This is the rest. */
#define RARE __attribute__((noinline, flatten))

/* First the usual cases: the outermost allocator calls it, directly or through one function. */
static bool is_inner(uint32_t node) {
  uint32_t parent = embed_parent_of(node);
  return parent == outermost || embed_parent_of(parent) == outermost ||
         embed_is_below(node, outermost);
}

static uint32_t open(uint32_t node, uint64_t own) {
  outermost = node;
  outermost_own = own;
  return 1;
}

RARE static uint32_t enter_below(uint32_t node, uint64_t own) {
  return is_inner(node) ? 0 : open(node, own);
}

/*
 * An allocator enters, in `node`; `own` is the block that it was passed to resize, or 0. Returns
 * whether it is the outermost. If the open allocator is not among its callers, an exception or a
 * trap has unwound that one.
 */
EMBED_EXPORT(memory_enter) uint32_t embed_memory_enter(uint32_t node, uint64_t own) {
  own = own_address(own);
  return outermost == 0 ? open(node, own) : enter_below(node, own);
}

/*
 * An inner call may free a block that was passed to its caller, which is counted there; a block
 * that its callers made for themselves, which is unknown; or a block that a collector found, which
 * its callers started.
 */
static inline uint32_t release(uint32_t node, uint64_t address, bool must_be_known) {
  address = own_address(address);
  if (outermost != 0 && is_inner(node)) {
    if (address != outermost_own)
      free_block(address, false);
    return 0;
  }
  free_block(address, must_be_known);
  return open(node, address);
}

/* As memory_enter, for a function that frees a block. */
EMBED_EXPORT(memory_release) uint32_t embed_memory_release(uint32_t node, uint64_t address) {
  return release(node, address, true);
}

/* As memory_release, for a function that may also be passed blocks that were never handed out. */
EMBED_EXPORT(memory_put_back) uint32_t embed_memory_put_back(uint32_t node, uint64_t address) {
  return release(node, address, false);
}

EMBED_EXPORT(memory_leave) void embed_memory_leave(uint32_t is_outermost) {
  if (is_outermost)
    outermost = 0;
}

/* The outermost allocator returns a block, or 0. `slot` leads to its node's account. */
RARE static void allocated(uint32_t slot, uint64_t address, uint64_t size, bool is_collected) {
  address = own_address(address);
  outermost = 0;
  if (address == 0)
    return;
  uint32_t holder = account_of(slot);
  allocation_count++;
  embed_course_note_size(size);
  if (holder == 0) {
    lose(address, size);
    return;
  }
  embed_account_at(holder)->values[WASM_PERF_MEASURE_ALLOCATED_OBJECTS]++;
  embed_account_at(holder)->values[WASM_PERF_MEASURE_ALLOCATED_BYTES] += size;
  if (!is_collected)
    hold(holder, address, size);
  embed_course_note_time(allocation_count, live_bytes);
}

/* An allocator returns. */
EMBED_EXPORT(memory_allocated)
void embed_memory_allocated(uint32_t slot, uint64_t address, uint64_t size, uint32_t is_outermost) {
  if (is_outermost)
    allocated(slot, address, size, false);
}

/* As memory_allocated, if a collector frees the block. */
EMBED_EXPORT(memory_collected)
void embed_memory_collected(uint32_t slot, uint64_t address, uint64_t size, uint32_t is_outermost) {
  if (is_outermost)
    allocated(slot, address, size, true);
}

/* Resizes a known block. It remains one object, now held by the stack that resized it. */
static void resized(uint32_t slot, uint64_t old_size, uint64_t address, uint64_t size) {
  uint32_t holder = account_of(slot);
  allocation_count++;
  if (holder == 0) {
    lose(address, size);
    return;
  }
  uint64_t *values = embed_account_at(holder)->values;
  values[WASM_PERF_MEASURE_RESIZED_OBJECTS]++;
  if (size > old_size)
    values[WASM_PERF_MEASURE_ALLOCATED_BYTES] += size - old_size;
  hold(holder, address, size);
  embed_course_note_time(allocation_count, live_bytes);
}

/*
 * A function returns that was to resize the block `own`; `address` is its result. It is 0 if the
 * call failed, which leaves the block unchanged, or if the size is 0, which frees it.
 */
EMBED_EXPORT(memory_resized)
void embed_memory_resized(uint32_t slot, uint64_t own, uint64_t address, uint64_t size,
                          uint32_t is_outermost) {
  block old;
  if (!is_outermost)
    return;
  own = own_address(own);
  outermost = 0;
  if (address == 0 && size == 0)
    free_block(own, true);
  if (address == 0)
    return;
  if (drop(own, &old))
    resized(slot, old.size, own_address(address), size);
  else
    allocated(slot, address, size, false);
}

static void add(uint32_t holder, uint64_t value, wasm_perf_measure measure) {
  if (holder != 0)
    embed_account_at(holder)->values[measure] += value;
}

/*
 * Adds to a measure of work, which many calls do that allocate nothing: who called is not worth
 * asking.
 */
EMBED_EXPORT(memory_count)
void embed_memory_count(uint32_t slot, uint64_t value, wasm_perf_measure measure) {
  if (value != 0)
    add(embed_account_of(slot, 0, epoch), value, measure);
}

/* memory.grow has returned `result`, which is -1 if it was refused. */
EMBED_EXPORT(memory_grown)
void embed_memory_grown(uint32_t slot, uint64_t pages, uint64_t result) {
  if (pages != 0)
    add(account_of(slot), pages,
        result != UINT64_MAX ? WASM_PERF_MEASURE_GROWN_PAGES : WASM_PERF_MEASURE_REFUSED_PAGES);
}

/* The program created a GC object with `count` items, of the type that `function` stands for. */
EMBED_EXPORT(memory_made)
void embed_memory_made(uint32_t slot, uint32_t function, uint32_t size, uint32_t item_size,
                       uint32_t count) {
  uint64_t whole = size + (uint64_t)item_size * count;
  uint32_t node = embed_type_node(slot, function);
  uint32_t own = node + embed_configuration()->slots_offset;
  embed_course_note_size(whole);
  uint32_t holder = account_of(own);
  add(holder, 1, WASM_PERF_MEASURE_GC_OBJECTS);
  add(holder, whole, WASM_PERF_MEASURE_GC_BYTES);
}

/* ---- The file ------------------------------------------------------------------- */

enum { FACT_COUNT = 7 };

/* What the rewriter provides. */
typedef struct memory_description {
  uint32_t measures_size; /* bytes of `measures` */
  uint32_t memory_count;  /* of one instance, and their initial size */
  uint64_t initial_bytes;
  unsigned char measures[]; /* the description of the measures in their section */
} memory_description;

static const memory_description *description(void) {
  return (const memory_description *)embed_described(EMBED_FOLLOWER_memory);
}

static uint32_t measures_size(void) {
  return description()->measures_size;
}

EMBED_EXPORT(memory_facts_size) uint32_t embed_memory_facts_size(void) {
  return FACT_COUNT * FACT_SIZE;
}

EMBED_EXPORT(memory_put_facts) void embed_memory_put_facts(void) {
  embed_put_fact(WASM_PERF_FACT_allocation_count, allocation_count);
  embed_put_fact(WASM_PERF_FACT_peak_allocation, peak_allocation);
  embed_put_fact(WASM_PERF_FACT_lost_block_count, lost_blocks);
  embed_put_fact(WASM_PERF_FACT_lost_byte_count, lost_bytes);
  embed_put_fact(WASM_PERF_FACT_unknown_free_count, unknown_frees);
  uint64_t instance_count = embed_instance_count() == 0 ? 1 : embed_instance_count();
  embed_put_fact(WASM_PERF_FACT_memory_count, instance_count * description()->memory_count);
  embed_put_fact(WASM_PERF_FACT_initial_byte_count, instance_count * description()->initial_bytes);
}

EMBED_EXPORT(memory_sections_size) uint64_t embed_memory_sections_size(void) {
  return SECTION_HEAD_SIZE + measures_size() +
         (uint64_t)embed_account_count() * sizeof(embed_account_row) + embed_course_sections_size();
}

static bool has_values(const embed_account *of) {
  uint64_t any = 0;
  for (uint32_t i = 0; i < WASM_PERF_MEASURE_COUNT; i++)
    any |= of->values[i];
  return any != 0;
}

EMBED_EXPORT(memory_find_records) void embed_memory_find_records(void) {
  for (uint32_t at = embed_last_account(); at != 0; at = embed_account_at(at)->next) {
    update_peak(embed_account_at(at));
    embed_account_at(at)->record = embed_record_of(embed_account_at(at)->node);
  }
}

EMBED_EXPORT(memory_mark_used) void embed_memory_mark_used(uint32_t *used) {
  for (uint32_t at = embed_last_account(); at != 0; at = embed_account_at(at)->next)
    used[embed_account_at(at)->record] |= has_values(embed_account_at(at));
}

EMBED_EXPORT(memory_move_records) void embed_memory_move_records(const uint32_t *indices) {
  for (uint32_t at = embed_last_account(); at != 0; at = embed_account_at(at)->next)
    embed_account_at(at)->record = indices[embed_account_at(at)->record];
}

static void put_measures(void) {
  uint32_t count = 0;
  for (uint32_t at = embed_last_account(); at != 0; at = embed_account_at(at)->next)
    count += has_values(embed_account_at(at));
  embed_put_section(WASM_PERF_SECTION_MEASURES,
                    measures_size() + count * (uint32_t)sizeof(embed_account_row));
  embed_put_bytes(description()->measures, measures_size());
  for (uint32_t at = embed_last_account(); at != 0; at = embed_account_at(at)->next) {
    if (!has_values(embed_account_at(at)))
      continue;
    embed_put_u32(embed_account_at(at)->record);
    embed_put_u32(embed_account_at(at)->caller);
    embed_put_bytes(embed_account_at(at)->values, sizeof embed_account_at(at)->values);
  }
}

EMBED_EXPORT(memory_put_sections) void embed_memory_put_sections(void) {
  put_measures();
  embed_course_put_sections(allocation_count);
}

/* ---- Reset ------------------------------------------------------------------------ */

EMBED_EXPORT(memory_reset) void embed_memory_reset(void) {
  for (uint32_t at = embed_last_account(); at != 0; at = embed_account_at(at)->next)
    for (uint32_t i = 0; i < WASM_PERF_MEASURE_COUNT; i++)
      if (wasm_perf_measure_nature(i) != WASM_PERF_NATURE_LIVE)
        embed_account_at(at)->values[i] = 0;
  embed_course_reset(live_bytes);
  peak_bytes = live_bytes;
  epoch++; /* the peak so far is what is live now */
  allocation_count = peak_allocation = lost_blocks = lost_bytes = unknown_frees = 0;
}
