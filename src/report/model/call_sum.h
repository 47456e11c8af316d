/*
 * Sums calls over nodes of a tree. Where calls are only known for several nodes together, the sum
 * is exact if it has all of them; otherwise it has all calls of the group, and says so.
 */
#ifndef WI_REPORT_MODEL_CALL_SUM_H_
#define WI_REPORT_MODEL_CALL_SUM_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/tree.h"

typedef struct wi_call_sum {
  uint64_t call_count;
  bool is_at_most; /* some may be calls of other nodes */
  bool is_open;    /* some may be calls on stacks that are not in the tree, by the same caller */
} wi_call_sum;

/* Makes sums, one after the other. */
typedef struct wi_call_summer {
  const wi_tree *tree;
  wi_call_group *seen; /* per group of the tree: what the sum has of it */
  uint32_t *groups;    /* those that it has something of */
  uint32_t group_count;
  uint64_t call_count;
} wi_call_summer;

/* Returns false if memory ran out. Call wi_call_summer_clear in any case. */
bool wi_call_summer_init(wi_call_summer *summer, const wi_tree *tree);
void wi_call_summer_clear(wi_call_summer *summer);

/* Adds a node, at most once in a sum. */
void wi_call_summer_add(wi_call_summer *summer, uint32_t node);

/* Returns the sum and begins the next one. */
wi_call_sum wi_call_summer_end(wi_call_summer *summer);

#endif /* WI_REPORT_MODEL_CALL_SUM_H_ */
