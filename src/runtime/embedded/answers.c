/* Keeps the answers of nodes in their slots or in a table. */
#include "runtime/embedded/answers.h"

#include "runtime/embedded/table.h"

/* An answer, see answers.h. */
typedef struct answer {
  uint32_t parent; /* 0: a free entry */
  uint32_t function;
  uint32_t node;
} answer;

static uint32_t hash_of(uint32_t parent, uint32_t function) {
  uint32_t mixed = (parent * UINT32_C(0x9E3779B1)) ^ (function * UINT32_C(0x85EBCA77));
  return mixed ^ mixed >> 15;
}

/* Reads no node: enlarging the table would then read all of them. */
static uint32_t answer_hash(const void *entry) {
  const answer *of = entry;
  return hash_of(of->parent, of->function);
}

static bool is_answer(const void *entry, const void *key) {
  const answer *of = entry, *wanted = key;
  return of->parent == wanted->parent && of->function == wanted->function;
}

static const embed_table_kind answer_kind = {.entry_size = sizeof(answer),
                                             .first_capacity = 1024,
                                             .max_capacity = 1u << 24,
                                             .hash = answer_hash,
                                             .is = is_answer};
static embed_table answers;

uint32_t embed_answer_in_table(uint32_t parent, uint32_t function) {
  const answer key = {.parent = parent, .function = function};
  const answer *known = embed_table_find(&answers, &answer_kind, answer_hash(&key), &key);
  return known ? known->node : 0;
}

void embed_keep_answer(uint32_t parent, uint32_t function, uint32_t node) {
  const answer made = {parent, function, node};
  if (!embed_table_reserve(&answers, &answer_kind))
    return;
  *(answer *)embed_table_place(&answers, &answer_kind, answer_hash(&made), &made) = made;
  answers.count++;
}

void embed_move_answers(uint32_t parent, embed_slots slots) {
  for (uint32_t i = embed_answer_slot_count(slots); i-- > 0;) {
    uint32_t node = *embed_answer_slot(parent, slots, i);
    if (!(node & EMBED_EMPTY) && !embed_answer_in_table(parent, embed_node_at(node)->function))
      embed_keep_answer(parent, embed_node_at(node)->function, node);
  }
  embed_node_at(parent)->parent |= EMBED_PARENT_TABLE;
}
