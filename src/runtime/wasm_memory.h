/* The memory of wasm_perf.wasm. */
#ifndef WI_RUNTIME_WASM_MEMORY_H_
#define WI_RUNTIME_WASM_MEMORY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WASM_MAX_PAGE_COUNT 65536u
#define WASM_PAGE_SIZE      65536u

static inline uint64_t wasm_memory_size(void) {
  return (uint64_t)__builtin_wasm_memory_size(0) * WASM_PAGE_SIZE;
}

static inline bool wasm_memory_grow(uint32_t page_count) {
  return __builtin_wasm_memory_grow(0, page_count) != SIZE_MAX;
}

/* Grows the memory to at least `end` bytes. Returns false if it cannot. */
static inline bool wasm_memory_reserve(uint64_t end) {
  uint64_t size = wasm_memory_size();
  if (end <= size)
    return true;
  uint64_t page_count = (end - size + WASM_PAGE_SIZE - 1) / WASM_PAGE_SIZE;
  return page_count <= WASM_MAX_PAGE_COUNT && wasm_memory_grow((uint32_t)page_count);
}

#endif /* WI_RUNTIME_WASM_MEMORY_H_ */
