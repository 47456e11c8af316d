/*
 * Allocates memory for the call tree at the end of the added memory, which only the runtime uses.
 */
#include "runtime/embedded/arena.h"

#define PAGE_SIZE         65536u
#define GROWTH_PAGE_COUNT 16u

static uint32_t top;       /* first free address of the arena; 0: not yet used */
static uint64_t file_room; /* bytes to keep free behind the arena for the profile; see embed.h */

/* Keeps all addresses below EMBED_PARENT_BIT. */
bool embed_reserve(uint64_t end) {
  uint64_t size = (uint64_t)__builtin_wasm_memory_size(0) * PAGE_SIZE;
  if (end <= size)
    return true;
  if (end > EMBED_PARENT_BIT)
    return false;
  uint32_t pages = (uint32_t)((end - size + PAGE_SIZE - 1) / PAGE_SIZE);
  uint32_t more = pages < GROWTH_PAGE_COUNT ? GROWTH_PAGE_COUNT : pages;
  return __builtin_wasm_memory_grow(0, more) != SIZE_MAX ||
         __builtin_wasm_memory_grow(0, pages) != SIZE_MAX;
}

uint32_t embed_allocate(uint32_t size, uint32_t in_file) {
  if (top == 0) {
    file_room = embed_configuration()->file_room;
    top = embed_configuration()->arena;
  }
  if (!embed_reserve((uint64_t)top + size + file_room + in_file))
    return 0;
  uint32_t address = top;
  *embed_node_at(address) = (embed_node){.function = EMBED_FUNCTION_GAP, .parent = size};
  top += size;
  file_room += in_file;
  return address;
}

uint32_t embed_allocate_gap(uint32_t size, uint32_t in_file) {
  uint32_t whole = embed_aligned((uint32_t)sizeof(embed_node) + size);
  uint32_t gap = embed_allocate(whole, in_file);
  return gap != 0 ? gap + (uint32_t)sizeof(embed_node) : 0;
}

uint32_t embed_arena_end(void) {
  return top;
}

uint32_t embed_scratch(void) {
  return top != 0 ? top : embed_configuration()->arena;
}
