/* Keeps the answers of nodes in their slots or in a table. */
#include "runtime/embedded/answers.h"

EMBED_TABLE_INLINE uint32_t hash_of(uint32_t parent, uint32_t function) {
  uint32_t mixed = (parent * UINT32_C(0x9E3779B1)) ^ (function * UINT32_C(0x85EBCA77));
  return mixed ^ mixed >> 15;
}

/* Reads no node: enlarging the table would then read all of them. */
EMBED_TABLE_INLINE uint32_t answer_hash(const void *entry) {
  const embed_answer *of = entry;
  return hash_of(of->parent, of->function);
}

EMBED_TABLE_INLINE bool is_answer(const void *entry, const void *key) {
  const embed_answer *of = entry, *wanted = key;
  return of->parent == wanted->parent && of->function == wanted->function;
}

static const embed_table_kind answer_kind = {.entry_size = sizeof(embed_answer),
                                             .first_capacity = 1024,
                                             .max_capacity = 1u << 24,
                                             .hash = answer_hash,
                                             .is = is_answer};
embed_table embed_answers;

uint32_t embed_answer_in_table(uint32_t parent, uint32_t function) {
  const embed_answer key = {.parent = parent, .function = function};
  const embed_answer *known =
      embed_table_find(&embed_answers, &answer_kind, answer_hash(&key), &key);
  return known ? known->node : 0;
}

embed_answer *embed_answer_place(uint32_t parent, uint32_t function) {
  const embed_answer key = {.parent = parent, .function = function};
  if (!embed_table_reserve(&embed_answers, &answer_kind))
    return NULL;
  return embed_table_place(&embed_answers, &answer_kind, answer_hash(&key), &key);
}

static void move_answer(uint32_t parent, uint32_t node) {
  uint32_t function = embed_node_at(node)->function;
  if (embed_answer_in_table(parent, function))
    return;
  embed_answer *place = embed_answer_place(parent, function);
  if (place)
    embed_keep_answer(place, (embed_answer){parent, function, node});
}

void embed_move_answers(uint32_t parent, const embed_slots *slots) {
  for (uint32_t i = embed_answer_slot_count(slots); i-- > 0;) {
    uint32_t node = *embed_answer_slot(parent, slots, i);
    if (!(node & EMBED_EMPTY))
      move_answer(parent, node);
  }
  embed_node_at(parent)->parent |= EMBED_PARENT_TABLE;
}
