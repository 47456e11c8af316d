/*
 * Answers: the node that a call of a function from a node leads to, if several slots may ask for it,
 * or one slot for several functions. It is a child, or the node that replaces it at a limit or in
 * recursion.
 *
 * While no slot of a node has lost its answer to another one, the slots themselves hold all of the
 * node's answers, and a few slots are read faster than a table. Afterwards, or if there are many,
 * the table holds them all, and EMBED_PARENT_TABLE is set.
 */
#ifndef WI_RUNTIME_EMBEDDED_ANSWERS_H_
#define WI_RUNTIME_EMBEDDED_ANSWERS_H_

#include <stdbool.h>
#include <stdint.h>

#include "runtime/embedded/arena.h"
#include "runtime/embedded/table.h"

typedef struct embed_answer {
  uint32_t parent; /* 0: a free entry of the table */
  uint32_t function;
  uint32_t node;
} embed_answer;

extern embed_table embed_answers;

/* Index of a node's first pair, in words. */
static inline uint32_t embed_first_pair(const embed_slots *slots) {
  return (uint32_t)slots->shared + slots->own;
}

/* The slots that may hold answers. Own slots lead to functions that have no other caller. */
static inline uint32_t embed_answer_slot_count(const embed_slots *slots) {
  return (uint32_t)slots->shared + slots->pairs;
}

static inline uint32_t *embed_answer_slot(uint32_t parent, const embed_slots *slots,
                                          uint32_t index) {
  uint32_t word =
      index < slots->shared ? index : embed_first_pair(slots) + 2 * (index - slots->shared);
  return embed_word_at(parent + embed_configuration()->slots_offset) + word;
}

/* The answer in a slot, or 0. */
static inline uint32_t embed_answer_in_slots(uint32_t parent, const embed_slots *slots,
                                             uint32_t function) {
  for (uint32_t i = embed_answer_slot_count(slots); i-- > 0;) {
    uint32_t node = *embed_answer_slot(parent, slots, i);
    if (!(node & EMBED_EMPTY) && embed_node_at(node)->function == function)
      return node;
  }
  return 0;
}

/* The answer in the table, or 0. */
uint32_t embed_answer_in_table(uint32_t parent, uint32_t function);

/*
 * A place in the table for an answer that it does not have. NULL if there is no room: then the
 * search is repeated each time, which is slow, but correct.
 */
embed_answer *embed_answer_place(uint32_t parent, uint32_t function);

static inline void embed_keep_answer(embed_answer *place, embed_answer answer) {
  *place = answer;
  embed_answers.count++;
}

/* Moves the answers in the slots of `parent` to the table, for good. */
void embed_move_answers(uint32_t parent, const embed_slots *slots);

/* Whether the slots of `parent` hold its answers; moves them if there are too many to read. */
static inline bool embed_answers_are_in_slots(uint32_t parent, const embed_slots *slots) {
  enum { MAX_COUNT = 48 };
  if (embed_node_at(parent)->parent & EMBED_PARENT_TABLE)
    return false;
  if (embed_answer_slot_count(slots) - 1 < MAX_COUNT)
    return true;
  embed_move_answers(parent, slots);
  return false;
}

#endif /* WI_RUNTIME_EMBEDDED_ANSWERS_H_ */
