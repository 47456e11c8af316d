#include "support/child_table.h"

#include <stdbool.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define FIRST_SIZE 64u

typedef struct child {
  uint32_t parent;
  uint32_t function;
  uint32_t node; /* 0: the place is free, or the caller has not set it */
} child;

/*
 * Open addressing, at most half full. uthash takes more than twice the time and memory for items as
 * small as these.
 */
struct wi_child_table {
  child *items;
  uint64_t size; /* a power of two */
  uint64_t count;
};

static child *allocate(uint64_t size) {
  bool fits = size <= SIZE_MAX / sizeof(child);
  return fits ? calloc((size_t)size, sizeof(child)) : NULL;
}

wi_child_table *wi_child_table_new(uint32_t capacity) {
  wi_child_table *table = calloc(1, sizeof *table);
  if (!table)
    return NULL;
  table->size = FIRST_SIZE;
  while (table->size / 2 < capacity)
    table->size *= 2;
  table->items = allocate(table->size);
  if (table->items)
    return table;
  free(table);
  return NULL;
}

void wi_child_table_free(wi_child_table *table) {
  if (table)
    free(table->items);
  free(table);
}

/* Returns the place of a key, which may be free. */
static child *search(const wi_child_table *table, uint32_t parent, uint32_t function) {
  const uint32_t key[] = {parent, function};
  uint64_t at = XXH3_64bits_withSeed(key, sizeof key, (uintptr_t)table);
  child *item = &table->items[at & (table->size - 1)];
  while (item->node != 0 && (item->parent != parent || item->function != function))
    item = &table->items[++at & (table->size - 1)];
  return item;
}

uint32_t wi_child_table_find(const wi_child_table *table, uint32_t parent, uint32_t function) {
  return search(table, parent, function)->node;
}

static bool grow(wi_child_table *table) {
  child *items = allocate(table->size * 2);
  if (!items)
    return false;
  child *old = table->items;
  const child *end = old + table->size;
  table->items = items;
  table->size *= 2;
  for (const child *item = old; item < end; item++)
    if (item->node != 0)
      *search(table, item->parent, item->function) = *item;
  free(old);
  return true;
}

uint32_t *wi_child_table_at(wi_child_table *table, uint32_t parent, uint32_t function) {
  child *item = search(table, parent, function);
  if (item->node != 0)
    return &item->node;
  if (table->count >= table->size / 2) {
    if (!grow(table))
      return NULL;
    item = search(table, parent, function);
  }
  table->count++;
  *item = (child){parent, function, 0};
  return &item->node;
}
