#include "profile/children.h"

#include <stdlib.h>

#include "support/large.h"

#define FEW_KEYS 16u /* insertion sort is faster up to here; few nodes have more children */

bool wi_children_init(wi_children *children, uint32_t count) {
  *children = (wi_children){.items = wi_large_alloc(count * sizeof *children->items),
                            .keys = malloc(count * sizeof *children->keys)};
  if (!children->items || !children->keys) {
    wi_children_clear(children);
    return false;
  }
  children->items[0] = (wi_child){0};
  return true;
}

void wi_children_clear(wi_children *children) {
  free(children->items);
  free(children->keys);
  *children = (wi_children){0};
}

static uint64_t key_of(const wi_children *children, uint32_t node) {
  return (uint64_t)children->items[node].kind << 32 | node;
}

static uint32_t kind_of(uint64_t key) {
  return (uint32_t)(key >> 32);
}

/* Returns the number of children. */
static uint32_t list_keys(wi_children *children, uint32_t node) {
  const wi_child *items = children->items;
  uint32_t count = 0;
  do {
    for (uint32_t child = items[node].last; child != 0; child = items[child].next)
      children->keys[count++] = key_of(children, child);
    node = items[node].next;
  } while (node != 0);
  return count;
}

static int compare_keys(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

static void sort_keys(uint64_t *keys, uint32_t count) {
  if (count > FEW_KEYS) {
    qsort(keys, count, sizeof *keys, compare_keys);
    return;
  }
  for (uint32_t i = 1; i < count; i++) {
    uint64_t key = keys[i];
    uint32_t at = i;
    for (; at > 0 && keys[at - 1] > key; at--)
      keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

uint32_t wi_children_group(wi_children *children, uint32_t node) {
  uint64_t *keys = children->keys;
  uint32_t count = list_keys(children, node), group_count = 0, before = 0;
  sort_keys(keys, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t child = (uint32_t)keys[i];
    children->items[child].next = 0;
    if (group_count > 0 && kind_of(keys[group_count - 1]) == kind_of(keys[i]))
      children->items[before].next = child;
    else
      keys[group_count++] = keys[i];
    before = child;
  }
  return group_count;
}
