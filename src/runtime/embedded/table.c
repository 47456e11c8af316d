/* Allocates hash tables. */
#include "runtime/embedded/table.h"

#include "runtime/embedded/arena.h"

uint32_t embed_table_allocate(uint32_t capacity, uint32_t entry_size) {
  uint32_t size = capacity * entry_size;
  uint32_t entries = embed_allocate_gap(size, 0);
  for (uint32_t at = entries; entries != 0 && at < entries + size; at += entry_size)
    *embed_word_at(at) = 0;
  return entries;
}
