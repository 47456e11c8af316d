/*
 * Memory profiles of the embedded form: which stacks allocated what, who holds it and who held it
 * when the most was held. In modules without, nothing is there.
 *
 * Instrumented allocators call enter (or release) first, which says whether they are the outermost
 * layer; where they are, one of the others before they return, of which leave does nothing more.
 */
#ifndef WI_RUNTIME_EMBEDDED_MEMORY_H_
#define WI_RUNTIME_EMBEDDED_MEMORY_H_

#include <stdint.h>

#ifdef EMBED_FOLLOWS_MEMORY

/* Facts and sections of the file. */
void embed_memory_put_facts(void);
void embed_memory_put_sections(void);
uint32_t embed_memory_facts_size(void);
uint64_t embed_memory_sections_size(void);

/*
 * While nodes' `calls` are indices of their records: learns those of the nodes with accounts; marks
 * in `used` those that have something to tell; takes new indices.
 */
void embed_memory_find_records(void);
void embed_memory_mark_used(uint32_t *used);
void embed_memory_move_records(const uint32_t *indices);

/* Forgets what was counted; what is live stays live. */
void embed_memory_reset(void);

#else

static inline void embed_memory_put_facts(void) {}
static inline void embed_memory_put_sections(void) {}
static inline uint32_t embed_memory_facts_size(void) {
  return 0;
}
static inline uint64_t embed_memory_sections_size(void) {
  return 0;
}
static inline void embed_memory_find_records(void) {}
static inline void embed_memory_mark_used(uint32_t *used) {
  (void)used;
}
static inline void embed_memory_move_records(const uint32_t *indices) {
  (void)indices;
}
static inline void embed_memory_reset(void) {}

#endif

#endif /* WI_RUNTIME_EMBEDDED_MEMORY_H_ */
