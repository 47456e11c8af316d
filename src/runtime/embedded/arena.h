/* The added memory: the rewriter's data, followed by the arena of nodes. */
#ifndef WI_RUNTIME_EMBEDDED_ARENA_H_
#define WI_RUNTIME_EMBEDDED_ARENA_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/embedded/embed.h"

extern unsigned char __heap_base; /* defined by the linker: where free memory begins */

/* The instrumented functions use this layout, too. */
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

/* Makes a node of memory where all else is initialised, with one store: see embed.h. */
static inline void embed_publish_node(uint32_t address, uint32_t function, uint32_t parent) {
  __asm__ volatile("" ::: "memory"); /* no earlier store is moved behind this one */
  *(uint64_t *)address = (uint64_t)(parent | EMBED_PARENT_BIT) << 32 | function;
}

static inline uint32_t embed_aligned(uint32_t size) {
  return (size + EMBED_ALIGNMENT - 1) / EMBED_ALIGNMENT * EMBED_ALIGNMENT;
}

#ifdef __wasm__
static inline const embed_config *embed_configuration(void) {
  return (const embed_config *)embed_aligned((uint32_t)&__heap_base);
}
#else /* a test that compiles this file defines it */
const embed_config *embed_configuration(void);
#endif

/* Address of the rewriter's data for this follower, or 0. */
static inline uint32_t embed_described(uint32_t follower) {
  return embed_configuration()->described[follower];
}

/* Grows the added memory to at least `end` bytes. Returns false if it cannot. */
bool embed_reserve(uint64_t end);

/*
 * Allocates `size` bytes for a node at the end of the arena; returns 0 if memory is short. Also
 * reserves `in_file` bytes, which the profile will need to describe them. Until the node is
 * published, this is a gap. Its `calls` are 0.
 */
uint32_t embed_allocate(uint32_t size, uint32_t in_file);

/* As embed_allocate, for memory that is not a node, in multiples of EMBED_ALIGNMENT. */
uint32_t embed_allocate_gap(uint32_t size, uint32_t in_file);

/* The end of the arena, or 0 if it is not yet used. */
uint32_t embed_arena_end(void);

/* Address from which memory is unused until the next new node. */
uint32_t embed_scratch(void);

#endif /* WI_RUNTIME_EMBEDDED_ARENA_H_ */
