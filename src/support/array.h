/* Growable arrays as members of a structure, which is zeroed first and frees `name` at the end. */
#ifndef WI_SUPPORT_ARRAY_H_
#define WI_SUPPORT_ARRAY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WI_ARRAY(type, name)                                                                       \
  type *name;                                                                                      \
  uint32_t name##_count;                                                                           \
  uint32_t name##_capacity

/*
 * Makes room for `more` items after the `count` items of *items. Returns false, with nothing
 * changed, if out of memory or if the count would overflow.
 */
bool wi_array_reserve(void **items, uint32_t *capacity, uint32_t count, uint32_t more,
                      size_t item_size);

/* Makes room for `more` items; false if out of memory. */
#define WI_ARRAY_RESERVE(owner, name, more)                                                        \
  wi_array_reserve((void **)&(owner)->name, &(owner)->name##_capacity, (owner)->name##_count,      \
                   (more), sizeof *(owner)->name)

/* Appends an uninitialised item; NULL if out of memory. */
#define WI_ARRAY_PUSH(owner, name)                                                                 \
  ((owner)->name##_count < (owner)->name##_capacity || WI_ARRAY_RESERVE(owner, name, 1)            \
       ? &(owner)->name[(owner)->name##_count++]                                                   \
       : NULL)

#ifdef __cplusplus
}
#endif

#endif /* WI_SUPPORT_ARRAY_H_ */
