/*
 * The calling context tree: creates, finds and enters its nodes.
 *
 * Freestanding WebAssembly without extensions, except for one mutable global.
 */
#include "runtime/embedded/tree.h"

#include "runtime/embedded/answers.h"
#include "runtime/embedded/shadow.h"
#include "wasm_perf/format.h"

#define MAX_OUTWARD_STEPS 4096u /* ancestors searched for a recursive call; bounds its cost */

static uint32_t node_count;   /* excludes flat nodes */
static uint32_t shared_slots; /* slots that lead to an ancestor or to a flat node */

/* ---- Nodes --------------------------------------------------------------- */

bool embed_has_nodes(uint32_t function) {
  const embed_config *config = embed_configuration();
  const embed_slots *slots = (const embed_slots *)config->slots;
  return function < config->function_count && slots[function].shared != EMBED_NO_NODES;
}

/* The kind of stand-ins that the function belongs to, or NULL. */
static const embed_stand_ins *stand_ins_of(uint32_t function) {
  const embed_config *config = embed_configuration();
  const embed_stand_ins *kinds = (const embed_stand_ins *)config->stand_ins;
  for (uint32_t i = 0; i < config->stand_in_kinds; i++)
    if (function - kinds[i].first < kinds[i].count)
      return &kinds[i];
  return NULL;
}

/* Whether folding the recursion of module functions stops at this function. */
static bool bounds_recursion(uint32_t function) {
  const embed_stand_ins *kind = stand_ins_of(function);
  return kind && kind->bounds_recursion;
}

static const embed_slots *slots_of(uint32_t function) {
  static const embed_slots none = {0};
  if (embed_has_nodes(function))
    return (const embed_slots *)embed_configuration()->slots + function;
  const embed_stand_ins *kind = stand_ins_of(function);
  return kind ? &kind->slots : &none;
}

static uint32_t words_of(const embed_slots *slots) {
  return embed_first_pair(slots) + 2u * slots->pairs;
}

/* Only functions of the output call leaves; stand-ins call nothing. */
uint32_t embed_leaf_count(uint32_t function) {
  const embed_config *config = embed_configuration();
  const uint32_t *first = (const uint32_t *)config->first_leaf;
  return first && function < config->function_count ? first[function + 1] - first[function] : 0;
}

const embed_leaf *embed_leaves_of(uint32_t function) {
  const embed_config *config = embed_configuration();
  const uint32_t *first = (const uint32_t *)config->first_leaf;
  return (const embed_leaf *)config->leaves + first[function];
}

/* Offset of the calls of leaves in a node. */
static uint32_t leaves_offset(const embed_slots *slots) {
  return embed_aligned(embed_configuration()->slots_offset +
                       words_of(slots) * (uint32_t)sizeof(uint32_t));
}

static uint32_t node_size(uint32_t function) {
  return leaves_offset(slots_of(function)) +
         embed_leaf_count(function) * (uint32_t)sizeof(uint64_t);
}

uint64_t *embed_leaf_calls(uint32_t node) {
  return (uint64_t *)(node + leaves_offset(slots_of(embed_node_at(node)->function)));
}

static void init_slots(uint32_t node, const embed_slots *slots) {
  uint32_t *word = embed_word_at(node + embed_configuration()->slots_offset);
  for (uint32_t i = 0; i < embed_first_pair(slots); i++)
    *word++ = node + (i < slots->shared ? EMBED_EMPTY_SHARED : EMBED_EMPTY);
  for (uint32_t i = 0; i < slots->pairs; i++, word += 2)
    embed_init_pair(word, node);
}

/* All but the head; `calls` of the arena's memory are 0 already. */
static void init_node(uint32_t address, uint32_t function) {
  if (embed_configuration()->value_count > 1)
    *embed_self_of(address) = 0;
  const embed_slots *slots = slots_of(function);
  init_slots(address, slots);
  uint64_t *calls = (uint64_t *)(address + leaves_offset(slots));
  for (uint32_t i = embed_leaf_count(function); i-- > 0;)
    calls[i] = 0;
}

/* ---- Entering ------------------------------------------------------------ */

uint32_t embed_known_answer(uint32_t parent, uint32_t function) {
  const embed_slots *slots = slots_of(embed_node_at(parent)->function);
  return embed_answers_are_in_slots(parent, slots) ? embed_answer_in_slots(parent, slots, function)
                                                   : embed_answer_in_table(parent, function);
}

/* ---- Flat nodes ----------------------------------------------------------- */

/* Index into flat_index: all functions, then the stand-ins of all kinds. */
static uint32_t flat_place(uint32_t function) {
  const embed_config *config = embed_configuration();
  const embed_stand_ins *kinds = (const embed_stand_ins *)config->stand_ins;
  uint32_t place = config->function_count;
  for (uint32_t i = 0; i < config->stand_in_kinds; place += kinds[i++].count)
    if (function - kinds[i].first < kinds[i].count)
      return place + function - kinds[i].first;
  return function;
}

static uint32_t flat_place_count(void) {
  const embed_config *config = embed_configuration();
  const embed_stand_ins *kinds = (const embed_stand_ins *)config->stand_ins;
  uint32_t count = config->function_count;
  for (uint32_t i = 0; i < config->stand_in_kinds; i++)
    count += kinds[i].count;
  return count;
}

/*
 * Gives each function that may have a flat node its address, in the order of places. The rewriter
 * has reserved the memory, which is 0 before. Repeating it changes nothing.
 */
static void place_flat_nodes(void) {
  const embed_config *config = embed_configuration();
  const embed_stand_ins *kinds = (const embed_stand_ins *)config->stand_ins;
  uint32_t *place = embed_word_at(config->flat_index);
  uint32_t at = config->flat + node_size(WASM_PERF_FUNCTION_TRUNCATED);
  for (uint32_t i = 0; i < config->function_count; i++, place++)
    if (embed_has_nodes(i)) {
      *place = at;
      at += node_size(i);
    }
  for (uint32_t kind = 0; kind < config->stand_in_kinds; kind++)
    for (uint32_t i = 0; i < kinds[kind].count; i++, at += node_size(kinds[kind].first))
      *place++ = at;
}

static bool is_made(uint32_t flat) {
  return embed_node_at(flat)->parent != 0;
}

/* The [truncated] node, parent of all other flat nodes, is the first of them. */
uint32_t embed_first_flat(void) {
  uint32_t truncated = embed_configuration()->flat;
  return is_made(truncated) ? truncated : 0;
}

/* The function's single node beyond the limit. */
static uint32_t flat_node(uint32_t function) {
  const embed_config *config = embed_configuration();
  if (!is_made(config->flat)) {
    place_flat_nodes();
    embed_publish_node(config->flat, WASM_PERF_FUNCTION_TRUNCATED, config->root);
  }
  uint32_t address = embed_word_at(config->flat_index)[flat_place(function)];
  if (address == 0)
    return config->flat; /* no hook calls a function that has no nodes */
  if (!is_made(address)) {
    init_slots(address, slots_of(function));
    embed_publish_node(address, function, config->flat);
  }
  return address;
}

/* The first flat node at or after a place, or 0. */
static uint32_t flat_from(uint32_t place) {
  const uint32_t *index = embed_word_at(embed_configuration()->flat_index);
  for (uint32_t count = flat_place_count(); place < count; place++)
    if (index[place] != 0 && is_made(index[place]))
      return index[place];
  return 0;
}

static bool is_flat(uint32_t address) {
  const embed_config *config = embed_configuration();
  return address >= config->flat && address < config->blocks;
}

/* ---- The node of a call --------------------------------------------------- */

static bool folds_recursion(const embed_config *config) {
  return config->recursion == WASM_PERF_RECURSION_FOLD ||
         (config->recursion == WASM_PERF_RECURSION_AUTO &&
          node_count >= WASM_PERF_FULL_NODE_LIMIT(config->node_limit));
}

uint32_t embed_find_outwards(uint32_t from, uint32_t function) {
  uint32_t root = embed_configuration()->root;
  bool is_bounded = !bounds_recursion(function);
  for (uint32_t steps = 0; from != root && steps < MAX_OUTWARD_STEPS; steps++) {
    uint32_t above = embed_node_at(from)->function;
    if (above == function)
      return from;
    if (is_bounded && bounds_recursion(above))
      return 0;
    from = embed_parent_of(from);
  }
  return 0;
}

bool embed_is_below(uint32_t address, uint32_t ancestor) {
  if (is_flat(address) && is_flat(ancestor))
    return address != ancestor; /* unknown, so assumed: an exception seldom unwinds an allocator */
  uint32_t root = embed_configuration()->root;
  for (uint32_t steps = 0; address != root && steps < MAX_OUTWARD_STEPS; steps++) {
    address = embed_parent_of(address);
    if (address == ancestor)
      return true;
  }
  return false;
}

/* Maximum number of records in the file for a node of the function, with its leaves. */
static uint32_t record_count(uint32_t function) {
  uint32_t count = 1;
  for (uint32_t i = embed_leaf_count(function); i-- > 0;)
    for (const embed_leaf *leaf = embed_leaves_of(function) + i; leaf;
         leaf = embed_leaf_behind(leaf))
      count++;
  return count;
}

static uint32_t add_node(uint32_t parent, uint32_t function) {
  uint32_t shadow_size = embed_configuration()->shadow_size;
  if (node_count + 1 >= embed_configuration()->node_limit)
    return 0;
  uint32_t address =
      embed_allocate(shadow_size + node_size(function), record_count(function) * EMBED_RECORD_ROOM);
  if (address == 0)
    return 0;
  address += shadow_size;
  if (shadow_size != 0)
    embed_init_shadow(address);
  init_node(address, function);
  embed_publish_node(address, function, parent);
  if (shadow_size != 0)
    embed_publish_shadow(address, parent);
  node_count++;
  return address;
}

static uint32_t existing_node(uint32_t parent, uint32_t function) {
  if (is_flat(parent))
    return flat_node(function);
  return folds_recursion(embed_configuration()) ? embed_find_outwards(parent, function) : 0;
}

__attribute__((noinline, flatten)) static uint32_t make_answer(uint32_t parent, uint32_t function) {
  uint32_t address = existing_node(parent, function);
  if (address == 0) {
    address = add_node(parent, function);
    if (address != 0)
      return address;
    address = flat_node(function);
  }
  shared_slots++;
  return address;
}

uint32_t embed_child(uint32_t parent, uint32_t function) {
  const embed_slots *slots = slots_of(embed_node_at(parent)->function);
  if (embed_answers_are_in_slots(parent, slots))
    embed_move_answers(parent, slots);
  uint32_t address = embed_answer_in_table(parent, function);
  if (address != 0)
    return address;
  embed_answer *place = embed_answer_place(parent, function);
  address = make_answer(parent, function);
  if (place)
    embed_keep_answer(place, (embed_answer){parent, function, address});
  return address;
}

/* ---- Slots ---------------------------------------------------------------- */

/*
 * Replaces another slot while its frame starts a task, and belongs to the root from then on: the
 * task's function may return when that frame is gone. It leads to no node.
 */
static uint32_t task_pair[2];

uint32_t embed_resumed[2], embed_continued;

static bool is_second_word(uint32_t word) {
  return (word & EMBED_TAG_MASK) >= EMBED_OWNER;
}

uint32_t embed_root_slot(void) {
  const embed_config *config = embed_configuration();
  return config->root + config->slots_offset;
}

uint32_t embed_caller_by(uint32_t slot) {
  uint32_t word = *embed_word_at(slot), next = *embed_word_at(slot + (uint32_t)sizeof word);
  if (word & EMBED_EMPTY)
    return embed_owner_in(word);
  return is_second_word(next) ? embed_owner_in(next) : embed_parent_of(word);
}

/* The node that owns the slot if a shared function may be entered through it; otherwise 0. */
static uint32_t live_owner(uint32_t slot) {
  uint32_t word = *embed_word_at(slot), next = *embed_word_at(slot + (uint32_t)sizeof word);
  if (word & EMBED_EMPTY)
    return word & 1 ? embed_owner_in(word) : 0;
  return is_second_word(next) ? embed_owner_in(next) : 0;
}

/* Whether the address is in memory for nodes. */
static bool is_in_use(uint32_t address) {
  return is_flat(address) ||
         (address >= embed_configuration()->arena && address < embed_arena_end());
}

/* Whether `slot`, which may be any number, is the address of a pair. */
static bool is_pair(uint32_t slot) {
  if (slot == embed_root_slot() || slot == (uint32_t)task_pair)
    return true;
  uint32_t next = slot + (uint32_t)sizeof(uint32_t);
  if (slot % sizeof(uint32_t) != 0 || !is_in_use(slot) || !is_in_use(next))
    return false;
  uint32_t word = *embed_word_at(slot), owner = embed_owner_in(*embed_word_at(next));
  if (!is_second_word(*embed_word_at(next)) || !is_in_use(owner) || !is_in_use(word))
    return false;
  const embed_slots *slots = slots_of(embed_node_at(owner)->function);
  uint32_t pairs = owner + embed_configuration()->slots_offset + 4 * embed_first_pair(slots);
  return slot >= pairs && slot - pairs < 8u * slots->pairs && (slot - pairs) % 8 == 0;
}

void embed_place_slot(uint32_t slot, bool for_task) {
  if (!is_pair(slot))
    slot = embed_root_slot();
  if (slot != embed_root_slot() && slot != (uint32_t)task_pair) {
    embed_init_pair(task_pair, for_task ? live_owner(slot) : embed_configuration()->root);
    slot = for_task ? (uint32_t)task_pair : slot;
  }
  embed_set_callee_slot(slot);
}

/* As embed_child, for a call through a slot of `parent`, or of the runtime in its place. */
static inline uint32_t child_through(uint32_t slot, uint32_t parent, uint32_t function) {
  const embed_slots *slots = slots_of(embed_node_at(parent)->function);
  uint32_t offset = slot - parent - embed_configuration()->slots_offset;
  bool fills = (*embed_word_at(slot) & EMBED_EMPTY) && offset < 4 * words_of(slots);
  if (!fills || !embed_answers_are_in_slots(parent, slots))
    return embed_child(parent, function);
  uint32_t known = embed_answer_in_slots(parent, slots, function);
  return known != 0 ? known : make_answer(parent, function);
}

/* The hook counts the node as soon as it has it, so no exception comes before that. */
static uint32_t continue_frame(uint32_t function) {
  uint32_t node = embed_continued;
  if (node == 0 || embed_node_at(node)->function != function)
    return 0;
  embed_continued = 0;
  embed_resumed[0] = node;
  embed_node_at(node)->calls--;
  return node;
}

/*
 * The node for a call of `function` through the current slot, which does not lead to it yet, and
 * does from now on. `is_shared`: the function takes slots and may be called from one parent through
 * several; otherwise it is called through its own slot, which is always right.
 *
 * This function is larger than engines inline (500 bytes in V8). Otherwise hooks that have missed a
 * few times would inline it, and evict the program's own functions that were inlined there.
 */
EMBED_EXPORT(enter)
uint32_t embed_enter(uint32_t function, uint32_t is_shared) {
  uint32_t slot = embed_callee_slot();
  uint32_t owner = is_shared ? live_owner(slot) : embed_owner_in(*embed_word_at(slot));
  if (owner == 0) {
    slot = embed_root_slot();
    owner = embed_configuration()->root;
    embed_set_callee_slot(slot);
  }
  uint32_t node = slot == (uint32_t)embed_resumed ? continue_frame(function) : 0;
  if (node != 0)
    return node;
  node = is_shared ? child_through(slot, owner, function) : make_answer(owner, function);
  if (slot != (uint32_t)task_pair)
    *embed_word_at(slot) = node;
  return node;
}

uint32_t embed_type_node(uint32_t slot, uint32_t function) {
  uint32_t *word = embed_word_at(slot);
  if (*word & EMBED_EMPTY)
    *word = embed_child(embed_owner_in(*word), function);
  return *word;
}

/*
 * A call of an import that has its own node, in `slot`. Functions that it calls back are placed
 * below.
 */
EMBED_EXPORT(enter_host) void embed_enter_host(uint32_t function, uint32_t slot) {
  uint32_t address = embed_type_node(slot, function);
  embed_node_at(address)->calls++;
  embed_set_callee_slot(address + embed_configuration()->slots_offset);
}

/* ---- All nodes ------------------------------------------------------------ */

/* Size of the gap at an address in the arena; 0 if there is none. */
static uint32_t gap_at(uint32_t address) {
  const embed_node *gap = embed_node_at(address);
  bool is_gap = gap->function == EMBED_FUNCTION_GAP && gap->parent >= sizeof *gap &&
                gap->parent <= embed_arena_end() - address;
  return is_gap ? gap->parent : 0;
}

/* The first node at or after an address in the arena, else the first flat one; 0 if none is left. */
static uint32_t node_from(uint32_t address) {
  while (address < embed_arena_end()) {
    uint32_t gap = gap_at(address);
    if (gap == 0)
      return address;
    address += gap;
  }
  return embed_first_flat();
}

uint32_t embed_next_node(uint32_t address) {
  const embed_config *config = embed_configuration();
  uint32_t function = embed_node_at(address)->function;
  if (address == config->root)
    return node_from(config->arena);
  if (is_flat(address))
    return flat_from(address == config->flat ? 0 : flat_place(function) + 1);
  return node_from(address + node_size(function));
}

bool embed_is_whole(uint32_t address) {
  const embed_config *config = embed_configuration();
  const embed_node *node = embed_node_at(address);
  uint32_t parent = embed_parent_of(address);
  if (address == config->root || address == config->flat)
    return parent == config->root;
  if ((!embed_has_nodes(node->function) && !stand_ins_of(node->function)) ||
      !(node->parent & EMBED_PARENT_BIT))
    return false;
  if (is_flat(address))
    return parent == config->flat;
  return node_size(node->function) <= embed_arena_end() - address &&
         (parent == config->root || (parent >= config->arena && parent < address));
}

const embed_leaf *embed_leaf_behind(const embed_leaf *leaf) {
  return embed_leaf_count(leaf->function) > 0 ? embed_leaves_of(leaf->function) : NULL;
}

/*
 * Moves calls of a leaf beyond the limit to its flat node, and counts there the calls of the leaf
 * that it calls. Returns whether that one has calls to be moved now.
 */
static bool move_flat_calls(const embed_leaf *leaf, uint64_t *calls) {
  uint32_t node = flat_node(leaf->function);
  uint64_t *behind = embed_leaf_count(leaf->function) > 0 ? embed_leaf_calls(node) : NULL;
  bool has_self = embed_configuration()->value_count > 1;
  uint64_t count = *calls;
  *calls = 0;
  embed_node_at(node)->calls += count;
  if (has_self)
    *embed_self_of(node) += count * leaf->cost;
  if (behind)
    *behind += count;
  return behind != NULL;
}

void embed_move_flat_leaves(void) {
  for (bool is_left = true; is_left;) {
    is_left = false;
    for (uint32_t at = embed_first_flat(); at != 0; at = embed_next_node(at)) {
      uint32_t function = embed_node_at(at)->function;
      uint64_t *calls = embed_leaf_calls(at);
      for (uint32_t i = embed_leaf_count(function); i-- > 0;)
        if (calls[i] != 0)
          is_left |= move_flat_calls(embed_leaves_of(function) + i, calls + i);
    }
  }
}

uint32_t embed_shared_slot_count(void) {
  return shared_slots;
}
