#define _DEFAULT_SOURCE /* madvise */

#include "support/large.h"

#include <stdint.h>
#include <stdlib.h>

#ifdef __linux__

#include <sys/mman.h>

#define PAGE_SIZE ((size_t)2 << 20) /* on most machines; elsewhere a multiple of the page size */

void *wi_large_alloc(size_t size) {
  if (size < 2 * PAGE_SIZE || size > SIZE_MAX - PAGE_SIZE)
    return malloc(size);
  size_t whole = (size + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE;
  void *memory = aligned_alloc(PAGE_SIZE, whole);
  if (memory)
    madvise(memory, whole, MADV_HUGEPAGE); /* if this fails, the memory is still usable */
  return memory;
}

#else

void *wi_large_alloc(size_t size) {
  return malloc(size);
}

#endif
