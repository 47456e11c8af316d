/*
 * What the embedded form cannot do inside of functions: making nodes, and handing out the profile.
 *
 * Freestanding WebAssembly without extensions, but for one mutable global. The memory is the
 * added one, which nobody else uses.
 */
#include "runtime/embed_image.h"

#include "wasm_perf/format.h"

#define PAGE_SIZE             65536u
#define GROWTH_PAGE_COUNT     16u
#define FIRST_ANSWER_CAPACITY 1024u /* powers of two */
#define MAX_ANSWER_CAPACITY   (1u << 24)
#define MAX_FOLD_STEPS        4096u /* ancestors looked at for a recursive call: bounds its cost */

/* Shares its layout with the instrumented functions. */
typedef struct node {
  uint32_t function;
  uint32_t parent;
  uint64_t calls;
} node;

static uint32_t top;        /* first free address of the arena; 0: not yet used */
static uint32_t flat_top;   /* the same of the flat nodes */
static uint32_t node_count; /* without flat ones */
static uint32_t folds;      /* slots answered with an ancestor's or a flat node */
static uint32_t answers;    /* address of a table of them, 0: none yet */
static uint32_t answer_capacity, answer_count;
static uint32_t truncated;       /* the node [truncated], parent of flat nodes; 0: none */
static uint32_t file, file_size; /* the profile last made */
static uint32_t was_reset;

static uint32_t *word_at(uint32_t address) {
  return (uint32_t *)address;
}

static node *node_at(uint32_t address) {
  return (node *)address;
}

static uint64_t *self_of(uint32_t address) {
  return (uint64_t *)(address + EMBED_NODE_SELF);
}

static uint32_t parent_of(uint32_t address) {
  return node_at(address)->parent & ~EMBED_PARENT_BIT;
}

static uint32_t aligned(uint32_t size) {
  return (size + EMBED_ALIGNMENT - 1) / EMBED_ALIGNMENT * EMBED_ALIGNMENT;
}

const embed_config *embed_configuration(void) {
  return (const embed_config *)aligned((uint32_t)&__heap_base);
}

/* ---- Memory -------------------------------------------------------------- */

/* Makes memory reach up to `end`; addresses stay below EMBED_PARENT_BIT. */
bool embed_reserve(uint64_t end) {
  uint64_t size = (uint64_t)__builtin_wasm_memory_size(0) * PAGE_SIZE;
  if (end <= size)
    return true;
  if (end > EMBED_PARENT_BIT)
    return false;
  uint32_t pages = (uint32_t)((end - size + PAGE_SIZE - 1) / PAGE_SIZE);
  uint32_t more = pages < GROWTH_PAGE_COUNT ? GROWTH_PAGE_COUNT : pages;
  return __builtin_wasm_memory_grow(0, more) != SIZE_MAX ||
         __builtin_wasm_memory_grow(0, pages) != SIZE_MAX;
}

/* `size` bytes at the end of the arena, or 0. */
static uint32_t allocate(uint32_t size) {
  if (top == 0)
    top = embed_configuration()->arena;
  if (!embed_reserve((uint64_t)top + size))
    return 0;
  uint32_t address = top;
  top += size;
  return address;
}

uint32_t embed_scratch(void) {
  return top != 0 ? top : embed_configuration()->arena;
}

static uint32_t node_size(uint32_t function) {
  const embed_config *config = embed_configuration();
  const uint16_t *slot_words = (const uint16_t *)config->slot_words;
  uint32_t words = function < config->function_count ? slot_words[function] : 0;
  return aligned(config->slots_offset + words * (uint32_t)sizeof(uint32_t));
}

static void init_node(uint32_t address, uint32_t function, uint32_t parent) {
  const embed_config *config = embed_configuration();
  *node_at(address) = (node){.function = function, .parent = parent | EMBED_PARENT_BIT};
  if (config->value_count > 1)
    *self_of(address) = 0;
  uint32_t end = address + node_size(function);
  for (uint32_t slot = address + config->slots_offset; slot < end; slot += sizeof(uint32_t))
    *word_at(slot) = address + EMBED_EMPTY;
}

/* ---- Nodes by parent and function ----------------------------------------- */

/*
 * What a call of a function from a node leads to, where several slots may ask for it or one slot
 * for several functions: a child, or the node that stands for it where contexts are given up.
 */
typedef struct answer {
  uint32_t parent; /* 0: a free place */
  uint32_t node;
} answer;

static uint32_t hash_of(uint32_t parent, uint32_t function) {
  uint32_t mixed = (parent * UINT32_C(0x9E3779B1)) ^ (function * UINT32_C(0x85EBCA77));
  return mixed ^ mixed >> 15;
}

/* The answer's place in the table, or the free place where it belongs. */
static answer *find_place(uint32_t parent, uint32_t function) {
  for (uint32_t i = hash_of(parent, function);; i++) {
    answer *place = (answer *)answers + (i & (answer_capacity - 1));
    if (place->parent == 0 ||
        (place->parent == parent && node_at(place->node)->function == function))
      return place;
  }
}

/* The old table stays as a gap in the arena: all of them together are no larger than the last. */
static bool grow_answers(void) {
  uint32_t capacity = answer_capacity == 0 ? FIRST_ANSWER_CAPACITY : 2 * answer_capacity;
  uint32_t size = (uint32_t)sizeof(node) + capacity * (uint32_t)sizeof(answer);
  uint32_t gap = capacity <= MAX_ANSWER_CAPACITY ? allocate(size) : 0;
  if (gap == 0)
    return false;
  *node_at(gap) = (node){.function = EMBED_FUNCTION_GAP, .parent = size};
  const answer *old = (const answer *)answers;
  uint32_t old_capacity = answer_capacity;
  answers = gap + (uint32_t)sizeof(node);
  answer_capacity = capacity;
  for (uint32_t i = 0; i < capacity; i++)
    ((answer *)answers)[i].parent = 0;
  for (uint32_t i = 0; i < old_capacity; i++)
    if (old[i].parent != 0)
      *find_place(old[i].parent, node_at(old[i].node)->function) = old[i];
  return true;
}

static uint32_t known_answer(uint32_t parent, uint32_t function) {
  const answer *place = answer_capacity != 0 ? find_place(parent, function) : NULL;
  return place && place->parent != 0 ? place->node : 0;
}

/* Where there is no room for more, the search starts anew each time: slow, but right. */
static void keep_answer(uint32_t parent, uint32_t node) {
  if (4 * answer_count >= 3 * answer_capacity && !grow_answers())
    return;
  *find_place(parent, node_at(node)->function) = (answer){parent, node};
  answer_count++;
}

/* ---- Entering ------------------------------------------------------------ */

/* One node for each function past the limit. The rewriter has reserved their memory. */
static uint32_t flat_node(uint32_t function) {
  const embed_config *config = embed_configuration();
  uint32_t *known = word_at(config->flat_index) + function;
  if (*known != 0)
    return *known;
  if (truncated == 0) {
    truncated = config->flat;
    init_node(truncated, WASM_PERF_FUNCTION_TRUNCATED, config->root);
    flat_top = truncated + node_size(WASM_PERF_FUNCTION_TRUNCATED);
  }
  *known = flat_top;
  flat_top += node_size(function);
  init_node(*known, function, truncated);
  return *known;
}

static bool is_flat(uint32_t address) {
  const embed_config *config = embed_configuration();
  return address >= config->flat && address < config->arena;
}

static bool folds_recursion(const embed_config *config) {
  return config->recursion == WASM_PERF_RECURSION_FOLD ||
         (config->recursion == WASM_PERF_RECURSION_AUTO && node_count >= config->node_limit / 2);
}

/* The nearest node of the function from `from` outwards, or 0. */
static uint32_t find_outwards(uint32_t from, uint32_t function) {
  uint32_t root = embed_configuration()->root;
  for (uint32_t steps = 0; from != root && steps < MAX_FOLD_STEPS; steps++) {
    if (node_at(from)->function == function)
      return from;
    from = parent_of(from);
  }
  return 0;
}

static uint32_t add_node(uint32_t parent, uint32_t function) {
  if (node_count + 1 >= embed_configuration()->node_limit)
    return 0;
  uint32_t address = allocate(node_size(function));
  if (address == 0)
    return 0;
  node_count++;
  init_node(address, function, parent);
  return address;
}

static uint32_t folded_node(uint32_t parent, uint32_t function) {
  if (is_flat(parent))
    return flat_node(function);
  return folds_recursion(embed_configuration()) ? find_outwards(parent, function) : 0;
}

static uint32_t make_answer(uint32_t parent, uint32_t function) {
  uint32_t address = folded_node(parent, function);
  if (address == 0) {
    address = add_node(parent, function);
    if (address != 0)
      return address;
    address = flat_node(function);
  }
  folds++;
  return address;
}

static uint32_t child(uint32_t parent, uint32_t function, bool is_shared) {
  uint32_t address = is_shared ? known_answer(parent, function) : 0;
  if (address == 0) {
    address = make_answer(parent, function);
    if (is_shared)
      keep_answer(parent, address);
  }
  return address;
}

/*
 * The node for a call of `function` through the current slot, which does not lead to it; from now
 * on it does. `is_shared`: the function may be called from one parent through several slots.
 */
EMBED_EXPORT(enter) uint32_t embed_enter(uint32_t function, uint32_t is_shared) {
  uint32_t *slot = word_at(embed_callee_slot());
  uint32_t owner = (*slot & EMBED_EMPTY ? slot[0] : slot[1]) - EMBED_EMPTY;
  return *slot = child(owner, function, is_shared != 0);
}

/* A call of an import with a node of its own, through that slot; what it calls back goes below. */
EMBED_EXPORT(enter_host) void embed_enter_host(uint32_t function, uint32_t slot) {
  embed_set_callee_slot(slot);
  uint32_t address = *word_at(slot);
  if (node_at(address)->function != function)
    address = embed_enter(function, 1);
  node_at(address)->calls++;
  embed_set_callee_slot(address + embed_configuration()->slots_offset);
}

/* ---- The profile ---------------------------------------------------------- */

/* The first node at that address of the arena or of the flat nodes, or after it; 0: none is left.
 */
static uint32_t node_from(uint32_t address) {
  const embed_config *config = embed_configuration();
  if (address >= config->arena) {
    while (address < top && node_at(address)->function == EMBED_FUNCTION_GAP)
      address += node_at(address)->parent;
    if (address < top)
      return address;
    address = config->flat;
  }
  return address < flat_top ? address : 0;
}

/* All nodes in turn: the root, then parents before their children, flat ones last. */
static uint32_t next_node(uint32_t address) {
  const embed_config *config = embed_configuration();
  if (address == config->root)
    return node_from(config->arena);
  uint32_t next = address + node_size(node_at(address)->function);
  if (is_flat(address)) /* the last of all of them ends where the arena begins */
    return next < flat_top ? next : 0;
  return node_from(next);
}

/* A node as it stands in the file; `self` only with a clock. */
typedef struct record {
  uint32_t function;
  uint32_t parent;
  uint64_t calls;
  uint64_t self;
} record;

static uint32_t record_size; /* bytes */
static uint32_t records;     /* address of the first */
static uint32_t record_count;

static record *record_at(uint32_t index) {
  return (record *)(records + index * record_size);
}

static void zero_node(uint32_t address) {
  node_at(address)->calls = 0;
  if (embed_configuration()->value_count > 1)
    *self_of(address) = 0;
}

/* While records are made, `calls` of a node holds the index of its record. */
static void write_record(uint32_t address) {
  record *to = record_at(record_count);
  node *from = node_at(address);
  to->function = from->function;
  to->parent = record_count == 0 ? 0 : (uint32_t)node_at(parent_of(address))->calls;
  to->calls = from->calls;
  if (embed_configuration()->value_count > 1)
    to->self = *self_of(address);
  from->calls = record_count++;
}

static void restore_calls(uint32_t address) {
  node *at = node_at(address);
  at->calls = record_at((uint32_t)at->calls)->calls;
}

/* Drops what has not run since the reset. The map of indices stands after the records. */
static bool drop_unused_records(void) {
  uint32_t *map = word_at(records + record_count * record_size);
  if (!embed_reserve((uint64_t)(uint32_t)map + record_count * sizeof *map))
    return false;
  for (uint32_t i = 0; i < record_count; i++)
    map[i] = i == 0;
  bool has_self = embed_configuration()->value_count > 1;
  for (uint32_t i = record_count; i-- > 0;) {
    map[i] |= record_at(i)->calls != 0 || (has_self && record_at(i)->self != 0);
    map[record_at(i)->parent] |= map[i];
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < record_count; i++) {
    if (!map[i])
      continue;
    map[i] = kept++;
    record *to = record_at(map[i]), *from = record_at(i);
    to->function = from->function;
    to->parent = map[from->parent];
    to->calls = from->calls;
    if (has_self)
      to->self = from->self;
  }
  record_count = kept;
  return true;
}

/* ---- The file, see wasm_perf/format.h --------------------------------------- */

static uint32_t end; /* of what was written so far */

static void put_bytes(const void *bytes, uint32_t size) {
  for (uint32_t i = 0; i < size; i++)
    ((unsigned char *)end)[i] = ((const unsigned char *)bytes)[i];
  end += size;
  for (; end % EMBED_ALIGNMENT != 0; end++)
    *(unsigned char *)end = 0;
}

static void put_u32(uint32_t value) {
  *word_at(end) = value;
  end += (uint32_t)sizeof value;
}

static void put_section(uint32_t id, uint32_t size) {
  put_u32(id);
  put_u32(0);
  put_u32(size);
  put_u32(0);
}

static void put_fact(uint32_t key, uint64_t value) {
  put_u32(key);
  put_u32(sizeof value);
  put_bytes(&value, sizeof value);
}

static uint64_t flat_calls(void) {
  uint64_t calls = 0;
  for (uint32_t at = node_from(embed_configuration()->flat); at != 0; at = next_node(at))
    calls += node_at(at)->calls;
  return calls;
}

/* What is known only now, as many records as put_file reserves room for. */
enum { DYNAMIC_FACT_COUNT = 2, FACT_SIZE = 16, SECTION_HEAD_SIZE = 16 };

static void put_facts(void) {
  const embed_config *config = embed_configuration();
  put_section(WASM_PERF_SECTION_FACTS, config->facts_size + DYNAMIC_FACT_COUNT * FACT_SIZE);
  put_bytes((const void *)config->facts, config->facts_size);
  put_fact(WASM_PERF_FACT_folded_call_count, flat_calls());
  put_fact(WASM_PERF_FACT_folded_slot_count, folds);
}

static void put_head(void) {
  static const char magic[8] = WASM_PERF_MAGIC;
  put_bytes(magic, sizeof magic);
  put_u32(WASM_PERF_VERSION);
  put_u32(WASM_PERF_HEAD_SIZE);
}

static bool put_nodes(void) {
  uint32_t root = embed_configuration()->root;
  record_count = 0;
  for (uint32_t at = root; at != 0; at = next_node(at))
    record_count++;
  records = end + SECTION_HEAD_SIZE;
  if (!embed_reserve((uint64_t)records + (uint64_t)record_count * record_size))
    return false;
  record_count = 0;
  for (uint32_t at = root; at != 0; at = next_node(at))
    write_record(at);
  for (uint32_t at = root; at != 0; at = next_node(at))
    restore_calls(at);
  if (was_reset && !drop_unused_records())
    return false;
  put_section(WASM_PERF_SECTION_NODES, record_count * record_size);
  end += record_count * record_size;
  return true;
}

/* ---- Blocks --------------------------------------------------------------- */

/* The size of the section. Calls `visit`, unless NULL, with each function's blocks. */
static uint32_t visit_blocks(void (*visit)(uint32_t function, uint32_t count, uint64_t *blocks)) {
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
  put_u32(function);
  put_u32(count);
  put_bytes(blocks, count * (uint32_t)sizeof *blocks);
}

static void zero_blocks(uint32_t function, uint32_t count, uint64_t *blocks) {
  (void)function;
  for (uint32_t i = 0; i < count; i++)
    blocks[i] = 0;
}

static bool put_blocks(void) {
  uint32_t size = visit_blocks(NULL);
  if (size == 0)
    return true;
  if (!embed_reserve((uint64_t)end + SECTION_HEAD_SIZE + size))
    return false;
  put_section(WASM_PERF_SECTION_BLOCKS, size);
  visit_blocks(put_function_blocks);
  return true;
}

/* ---- The whole ------------------------------------------------------------ */

/*
 * Settles the profile in memory that the next new node takes: what wasm_perf_read gives holds until
 * then. Returns the size in bytes of a .wperf file; 0: memory is short.
 */
EMBED_EXPORT(wasm_perf_profile) uint32_t embed_profile(void) {
  const embed_config *config = embed_configuration();
  if (flat_top == 0)
    flat_top = config->flat;
  if (top == 0)
    top = config->arena;
  record_size = config->value_count > 1 ? 24 : 16;
  file = end = top;
  file_size = 0;
  uint32_t before_nodes = WASM_PERF_HEAD_SIZE + 3 * SECTION_HEAD_SIZE + config->facts_size +
                          DYNAMIC_FACT_COUNT * FACT_SIZE + aligned(config->values_size);
  if (!embed_reserve((uint64_t)end + before_nodes))
    return 0;
  put_head();
  put_facts();
  put_section(WASM_PERF_SECTION_VALUES, config->values_size);
  put_bytes((const void *)config->values, config->values_size);
  if (put_nodes() && put_blocks())
    file_size = end - file;
  return file_size;
}

uint32_t embed_file(void) {
  return file;
}

/* Eight bytes of the profile from `offset` on, little endian; zeros after its end. */
EMBED_EXPORT(wasm_perf_read) uint64_t embed_read(uint32_t offset) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < sizeof bytes && offset + i < file_size; i++)
    bytes |= (uint64_t)((const unsigned char *)file)[offset + i] << 8 * i;
  return bytes;
}

/* Forgets what was counted. Nodes stay: functions that are open have their addresses. */
EMBED_EXPORT(wasm_perf_reset) void embed_reset(void) {
  for (uint32_t at = embed_configuration()->root; at != 0; at = next_node(at))
    zero_node(at);
  visit_blocks(zero_blocks);
  was_reset = 1;
  file_size = 0;
}

EMBED_EXPORT(wasm_perf_slot) uint32_t embed_slot(void) {
  return embed_callee_slot();
}

EMBED_EXPORT(wasm_perf_set_slot) void embed_set_slot(uint32_t slot) {
  embed_set_callee_slot(slot);
}
