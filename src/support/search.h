/* Searches in sorted arrays. */
#ifndef WI_SUPPORT_SEARCH_H_
#define WI_SUPPORT_SEARCH_H_

#include <stddef.h>
#include <stdint.h>

/*
 * Returns the index of the first item that is not less than the key according to `compare`, or
 * `count`. `compare` is as for bsearch. `items` may be NULL if `count` is 0. O(log n) time; O(1) if
 * the key belongs at the end, as when items are added in order.
 */
static inline uint32_t wi_lower_bound(const void *key, const void *items, uint32_t count,
                                      size_t item_size,
                                      int (*compare)(const void *key, const void *item)) {
  const char *bytes = items;
  uint32_t low = 0, high = count;
  if (count > 0 && compare(key, bytes + (count - (size_t)1) * item_size) > 0)
    return count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (compare(key, bytes + middle * item_size) > 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Comparison functions for qsort, bsearch and wi_lower_bound. */
static inline int wi_compare_u32(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static inline int wi_compare_u64(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* A key for items sorted by one uint32_t member. */
typedef struct wi_member_key {
  uint64_t value; /* may be 1 more than an item's value: past the end */
  size_t offset;  /* offset of the member in an item */
} wi_member_key;

static inline int wi_member_compare(const void *key, const void *item) {
  const wi_member_key *wanted = key;
  uint32_t value = *(const uint32_t *)((const char *)item + wanted->offset);
  return (wanted->value > value) - (wanted->value < value);
}

/* wi_lower_bound for `items`, an array of `type` sorted by `member`. */
#define WI_LOWER_BOUND(type, items, count, member, key)                                            \
  wi_lower_bound(&(wi_member_key){(key), offsetof(type, member)}, (items), (count), sizeof(type),  \
                 wi_member_compare)

/*
 * Returns the first of the adjacent items whose `member` equals `key`, or NULL, and sets *count to
 * their number.
 */
#define WI_EQUAL_RANGE(type, items, count_of_items, member, key, count)                            \
  ((const type *)wi_equal_range(&(wi_member_key){(key), offsetof(type, member)}, (items),          \
                                (count_of_items), sizeof(type), (count)))

static inline const void *wi_equal_range(const wi_member_key *key, const void *items,
                                         uint32_t item_count, size_t item_size, uint32_t *count) {
  const wi_member_key after = {key->value + 1, key->offset};
  uint32_t first = wi_lower_bound(key, items, item_count, item_size, wi_member_compare);
  *count = wi_lower_bound(&after, items, item_count, item_size, wi_member_compare) - first;
  return *count != 0 ? (const char *)items + first * item_size : NULL;
}

#endif /* WI_SUPPORT_SEARCH_H_ */
