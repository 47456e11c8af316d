/*
 * Finds the nodes of a tree by the node above and a function, or a label. Keys that an input chooses
 * do not collide.
 */
#ifndef WI_SUPPORT_CHILD_TABLE_H_
#define WI_SUPPORT_CHILD_TABLE_H_

#include <stdint.h>

typedef struct wi_child_table wi_child_table;

/* Has room for `capacity` nodes, and grows. NULL: out of memory. */
wi_child_table *wi_child_table_new(uint32_t capacity);
void wi_child_table_free(wi_child_table *table); /* NULL is allowed */

/* Returns the node with that key; 0: none. */
uint32_t wi_child_table_find(const wi_child_table *table, uint32_t parent, uint32_t function);

/*
 * Returns where the node with that key is kept. For a new key that is 0, and the caller sets it
 * before the next call. NULL: out of memory, which does not happen within the capacity.
 */
uint32_t *wi_child_table_at(wi_child_table *table, uint32_t parent, uint32_t function);

#endif /* WI_SUPPORT_CHILD_TABLE_H_ */
