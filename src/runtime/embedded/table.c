/* Enlarges hash tables. */
#include "runtime/embedded/table.h"

#include "runtime/embedded/arena.h"

bool embed_table_enlarge(embed_table *table, uint32_t entry_size, uint32_t first_capacity,
                         uint32_t max_capacity) {
  uint32_t capacity = table->capacity == 0 ? first_capacity : 2 * table->capacity;
  uint32_t size = capacity * entry_size;
  uint32_t entries = capacity <= max_capacity ? embed_allocate_gap(size, 0) : 0;
  if (entries == 0)
    return false;
  for (uint32_t at = entries; at < entries + size; at += entry_size)
    *embed_word_at(at) = 0;
  table->entries = entries;
  table->capacity = capacity;
  return true;
}
