/* The added memory: what the rewriter has put there, and the arena of nodes behind it. */
#ifndef WI_RUNTIME_EMBEDDED_ARENA_H_
#define WI_RUNTIME_EMBEDDED_ARENA_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/embedded/embed.h"

extern unsigned char __heap_base; /* the linker's: where free memory begins */

/* Shares its layout with the instrumented functions. */
typedef struct embed_node {
  uint32_t function;
  uint32_t parent;
  uint64_t calls;
} embed_node;

static inline uint32_t *embed_word_at(uint32_t address) {
  return (uint32_t *)address;
}

static inline embed_node *embed_node_at(uint32_t address) {
  return (embed_node *)address;
}

static inline uint32_t embed_aligned(uint32_t size) {
  return (size + EMBED_ALIGNMENT - 1) / EMBED_ALIGNMENT * EMBED_ALIGNMENT;
}

#ifdef __wasm__
static inline const embed_config *embed_configuration(void) {
  return (const embed_config *)embed_aligned((uint32_t)&__heap_base);
}
#else /* where a test compiles it, which brings it */
const embed_config *embed_configuration(void);
#endif

/* What the rewriter tells that follower: its address, or 0. */
static inline uint32_t embed_described(uint32_t follower) {
  return embed_configuration()->described[follower];
}

/* Makes the added memory reach up to the address `end`. */
bool embed_reserve(uint64_t end);

/*
 * `size` bytes at the end of the arena, or 0. `in_file`: how many bytes the profile needs to tell of them,
 * for which there is room from now on.
 */
uint32_t embed_allocate(uint32_t size, uint32_t in_file);

/*
 * Memory in the arena that is no node, in multiples of EMBED_ALIGNMENT; 0: memory is short. The
 * profile will need `in_file` bytes more to tell of it.
 */
uint32_t embed_allocate_gap(uint32_t size, uint32_t in_file);

/* Where the arena ends; 0: it is not yet used. */
uint32_t embed_arena_end(void);

/* Where memory begins that nobody uses until the next new node. */
uint32_t embed_scratch(void);

#endif /* WI_RUNTIME_EMBEDDED_ARENA_H_ */
