/* What a profile says of each function, over all of its stacks. */
#ifndef WI_REPORT_MODEL_FUNCTION_STATS_H_
#define WI_REPORT_MODEL_FUNCTION_STATS_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/tree.h"

/* A function, or several of the same name. Sums are in the tree's unit. */
typedef struct wi_function_stats {
  uint32_t label;
  uint64_t self;
  uint64_t total; /* of the outermost frame on each stack: recursion is not counted twice */
  uint64_t call_count;
  bool is_uncounted;   /* that is not all calls, and not known */
  bool is_shared;      /* calls are those of other stacks, too */
  bool is_inlined;     /* its time is its caller's, see sampling.h; set by those who show it */
  uint64_t cumulative; /* self of it and of those before it in a table; see function_table.h */
} wi_function_stats;

/*
 * One for each of tree->labels, the largest self first, equal ones in order of their names. The
 * tree must be without elided frames. NULL: out of memory. The caller frees it.
 */
wi_function_stats *wi_function_stats_new(const wi_tree *tree);

#endif /* WI_REPORT_MODEL_FUNCTION_STATS_H_ */
