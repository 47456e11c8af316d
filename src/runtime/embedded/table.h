/*
 * Hash tables in the arena: open addressing, linear probing. A larger table replaces a full one,
 * which remains as a gap: all old ones together are at most as large as the new one.
 *
 * Entries are structs of the user. Their first word is 0 only in a free entry. The functions below
 * are inlined, and so are the kind's functions, so nothing is called through a pointer.
 */
#ifndef WI_RUNTIME_EMBEDDED_TABLE_H_
#define WI_RUNTIME_EMBEDDED_TABLE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EMBED_TABLE_INLINE static inline __attribute__((always_inline))

typedef struct embed_table {
  uint32_t entries;  /* address of the first entry; 0: none yet */
  uint32_t capacity; /* in entries; a power of two, or 0 */
  uint32_t count;    /* entries in use */
} embed_table;

typedef struct embed_table_kind {
  uint32_t entry_size;                   /* in bytes, a multiple of 4 */
  uint32_t first_capacity, max_capacity; /* powers of two */
  uint32_t (*hash)(const void *entry);
  bool (*is)(const void *entry, const void *key); /* whether the entry has this key */
} embed_table_kind;

/* Memory for that many free entries; 0 if there is no room. */
uint32_t embed_table_allocate(uint32_t capacity, uint32_t entry_size);

EMBED_TABLE_INLINE void *embed_table_at(uint32_t entries, const embed_table_kind *kind,
                                        uint32_t index) {
  return (void *)(entries + index * kind->entry_size);
}

EMBED_TABLE_INLINE bool embed_table_is_free(const void *entry) {
  return *(const uint32_t *)entry == 0;
}

/* The entry with that key, or the free one to put it into. The table must have a free entry. */
EMBED_TABLE_INLINE void *embed_table_place(const embed_table *table, const embed_table_kind *kind,
                                           uint32_t hash, const void *key) {
  for (uint32_t i = hash;; i++) {
    void *entry = embed_table_at(table->entries, kind, i & (table->capacity - 1));
    if (embed_table_is_free(entry) || kind->is(entry, key))
      return entry;
  }
}

/* The entry with that key, or NULL. */
EMBED_TABLE_INLINE void *embed_table_find(const embed_table *table, const embed_table_kind *kind,
                                          uint32_t hash, const void *key) {
  void *place = table->capacity != 0 ? embed_table_place(table, kind, hash, key) : NULL;
  return place && !embed_table_is_free(place) ? place : NULL;
}

/* Makes room for one more entry, which may move all entries. Returns false if there is none. */
EMBED_TABLE_INLINE bool embed_table_reserve(embed_table *table, const embed_table_kind *kind) {
  if (4 * table->count < 3 * table->capacity)
    return true;
  embed_table larger = {.capacity =
                            table->capacity == 0 ? kind->first_capacity : 2 * table->capacity,
                        .count = table->count};
  if (larger.capacity <= kind->max_capacity)
    larger.entries = embed_table_allocate(larger.capacity, kind->entry_size);
  if (larger.entries == 0)
    return false;
  for (uint32_t i = 0; i < table->capacity; i++) {
    const void *entry = embed_table_at(table->entries, kind, i);
    if (embed_table_is_free(entry))
      continue;
    uint32_t to = kind->hash(entry) & (larger.capacity - 1);
    while (!embed_table_is_free(embed_table_at(larger.entries, kind, to)))
      to = (to + 1) & (larger.capacity - 1);
    __builtin_memcpy(embed_table_at(larger.entries, kind, to), entry, kind->entry_size);
  }
  *table = larger;
  return true;
}

/* Frees an entry. Entries behind it that it had displaced move up. */
EMBED_TABLE_INLINE void embed_table_remove(embed_table *table, const embed_table_kind *kind,
                                           const void *entry) {
  uint32_t mask = table->capacity - 1;
  uint32_t hole = ((uint32_t)entry - table->entries) / kind->entry_size;
  for (uint32_t i = (hole + 1) & mask;; i = (i + 1) & mask) {
    const void *behind = embed_table_at(table->entries, kind, i);
    if (embed_table_is_free(behind))
      break;
    if (((i - kind->hash(behind)) & mask) < ((i - hole) & mask))
      continue;
    __builtin_memcpy(embed_table_at(table->entries, kind, hole), behind, kind->entry_size);
    hole = i;
  }
  *(uint32_t *)embed_table_at(table->entries, kind, hole) = 0;
  table->count--;
}

#endif /* WI_RUNTIME_EMBEDDED_TABLE_H_ */
