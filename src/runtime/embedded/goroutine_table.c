/* A hash table of goroutines by address. */
#include "runtime/embedded/goroutine_table.h"

#include "runtime/embedded/table.h"

EMBED_TABLE_INLINE uint32_t hash_of(const void *entry) {
  uint32_t mixed = ((const embed_goroutine *)entry)->address * UINT32_C(0x9E3779B1);
  return mixed ^ mixed >> 16;
}

EMBED_TABLE_INLINE bool is(const void *entry, const void *key) {
  return ((const embed_goroutine *)entry)->address == ((const embed_goroutine *)key)->address;
}

static const embed_table_kind kind = {.entry_size = sizeof(embed_goroutine),
                                      .first_capacity = 64,
                                      .max_capacity = 1u << 22,
                                      .hash = hash_of,
                                      .is = is};
static embed_table goroutines;

embed_goroutine *embed_find_goroutine(uint32_t address) {
  const embed_goroutine key = {.address = address};
  return embed_table_find(&goroutines, &kind, hash_of(&key), &key);
}

void embed_keep_goroutine(uint32_t address, uint32_t node, uint32_t state) {
  const embed_goroutine made = {.address = address, .node = node, .state = state};
  embed_goroutine *place = embed_find_goroutine(address);
  if (!place) {
    if (address == 0 || !embed_table_reserve(&goroutines, &kind))
      return;
    place = embed_table_place(&goroutines, &kind, hash_of(&made), &made);
    goroutines.count++;
  }
  *place = made;
}
