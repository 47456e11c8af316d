/* A hash table of goroutines, in the arena. */
#include "runtime/embedded/goroutine_table.h"

#include "runtime/embedded/tree.h"

#define FIRST_CAPACITY 64u /* powers of two */
#define MAX_CAPACITY   (1u << 22)

static uint32_t goroutines; /* address of the table, 0: none yet */
static uint32_t goroutine_capacity, goroutine_count;

/* Open addressing, linear probing. */

/* The goroutine's place in the table, or the free one where it belongs. */
static embed_goroutine *find_place(uint32_t address) {
  uint32_t mixed = address * UINT32_C(0x9E3779B1);
  for (uint32_t i = mixed ^ mixed >> 16;; i++) {
    embed_goroutine *place = (embed_goroutine *)goroutines + (i & (goroutine_capacity - 1));
    if (place->address == address || place->address == 0)
      return place;
  }
}

/* The old table stays as a gap in the arena: all of them together are no larger than the last. */
static bool grow_goroutines(void) {
  uint32_t capacity = goroutine_capacity == 0 ? FIRST_CAPACITY : 2 * goroutine_capacity;
  uint32_t size = capacity * (uint32_t)sizeof(embed_goroutine);
  uint32_t table = capacity <= MAX_CAPACITY ? embed_allocate_gap(size, 0) : 0;
  if (table == 0)
    return false;
  const embed_goroutine *old = (const embed_goroutine *)goroutines;
  uint32_t old_capacity = goroutine_capacity;
  goroutines = table;
  goroutine_capacity = capacity;
  for (uint32_t i = 0; i < capacity; i++)
    ((embed_goroutine *)goroutines)[i].address = 0;
  for (uint32_t i = 0; i < old_capacity; i++)
    if (old[i].address != 0)
      *find_place(old[i].address) = old[i];
  return true;
}

embed_goroutine *embed_find_goroutine(uint32_t address) {
  embed_goroutine *place = goroutine_capacity != 0 ? find_place(address) : NULL;
  return place && place->address != 0 ? place : NULL;
}

void embed_keep_goroutine(uint32_t address, uint32_t node, uint32_t state) {
  embed_goroutine *place = embed_find_goroutine(address);
  if (!place) {
    if (address == 0 || (4 * goroutine_count >= 3 * goroutine_capacity && !grow_goroutines()))
      return;
    place = find_place(address);
    goroutine_count++;
  }
  *place = (embed_goroutine){.address = address, .node = node, .state = state};
}
