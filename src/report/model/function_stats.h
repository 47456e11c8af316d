/* The sums of a profile for each function, over all stacks. */
#ifndef WI_REPORT_MODEL_FUNCTION_STATS_H_
#define WI_REPORT_MODEL_FUNCTION_STATS_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/sampling.h"
#include "report/model/tree.h"

/* A function, or several with the same name. Sums are in the tree's unit. */
typedef struct wi_function_stats {
  uint32_t label;
  uint64_t self;
  uint64_t total; /* of the outermost frame on each stack: recursion is not counted twice */
  uint64_t call_count;
  bool is_uncounted;   /* call_count is incomplete */
  bool is_shared;      /* call_count includes calls on other stacks */
  wi_time_note note;   /* see sampling.h; set by views */
  uint64_t cumulative; /* self of this row and of those above it in a table; see function_table.h */
} wi_function_stats;

/*
 * One per label of the tree, largest self first, equal ones sorted by name. The tree must not have
 * elided frames. The caller frees the result; NULL if memory ran out.
 */
wi_function_stats *wi_function_stats_new(const wi_tree *tree);

#endif /* WI_REPORT_MODEL_FUNCTION_STATS_H_ */
