/* Parameters and results of allocator functions, by kind. */
#include "hooks/follow/allocator_kinds.h"

#include <string.h>

const wi_allocator wi_allocators[WI_ALLOCATOR_KIND_COUNT] = {
#define WI_ALLOCATOR_ROW(id, name, action, pointer, count, size, offset, help)                     \
  {name, WI_ALLOCATOR_##action, pointer, count, size, offset, help},
    WI_ALLOCATOR_KINDS(WI_ALLOCATOR_ROW)
#undef WI_ALLOCATOR_ROW
};

bool wi_allocator_kind_find(const char *name, wi_allocator_kind *kind) {
  for (wi_allocator_kind i = 0; i < WI_ALLOCATOR_KIND_COUNT; i++)
    if (strcmp(wi_allocators[i].name, name) == 0) {
      *kind = i;
      return true;
    }
  return false;
}
