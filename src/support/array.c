#include "support/array.h"

#include <stdlib.h>

#define LEAST_CAPACITY 16u

bool wi_array_reserve(void **items, uint32_t *capacity, uint32_t count, uint32_t more,
                      size_t item_size) {
  uint64_t wanted = (uint64_t)count + more;
  if (wanted <= *capacity)
    return true;
  uint64_t larger = (uint64_t)*capacity + *capacity / 2;
  larger = larger < wanted ? wanted : larger;
  larger = larger < LEAST_CAPACITY ? LEAST_CAPACITY : larger;
  if (larger > UINT32_MAX || larger > SIZE_MAX / item_size)
    return false;
  void *grown = realloc(*items, (size_t)larger * item_size);
  if (!grown)
    return false;
  *items = grown;
  *capacity = (uint32_t)larger;
  return true;
}
