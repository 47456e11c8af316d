/*
 * A call tree as a screen shows it: all of a profile, or what a page has chosen of it. Arrays, so
 * that a report and a page can both describe theirs.
 */
#ifndef WI_REPORT_MODEL_SHOWN_H_
#define WI_REPORT_MODEL_SHOWN_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/parts.h"
#include "report/model/units.h"

#define WI_SHOWN_UNCOUNTED UINT64_MAX /* in place of a number of calls that is not known */

/* What is known of one function, summed over its frames. */
typedef struct wi_shown_function {
  uint64_t self;
  uint64_t total;  /* recursion counted once */
  uint64_t calls;  /* or WI_SHOWN_UNCOUNTED */
  uint32_t stacks; /* frames without a frame of the function above them */
} wi_shown_function;

/* All arrays are owned, texts are borrowed. */
typedef struct wi_shown {
  uint32_t node_count; /* node 0 is the root, which stands for the host */
  uint32_t label_count;
  uint32_t *parents;           /* per node, each less than the node */
  uint32_t *labels;            /* per node except the root */
  uint64_t *selves;            /* per node, in `unit` */
  uint64_t *calls;             /* per node, or WI_SHOWN_UNCOUNTED */
  wi_part_function *functions; /* per label */
  uint8_t *notes;              /* per label a wi_time_note */
  uint64_t *short_lived;       /* per label: blocks freed before the next allocation, */
  uint64_t *allocated;         /* and all blocks */
  wi_unit unit;
  uint64_t sample_period; /* nanoseconds; 0: not sampled */
  bool is_memory;         /* a value of memory, not of time */
  bool is_rough;          /* times that are too rough for findings */
  bool has_all_calls;     /* `calls` are the program's, by its callers */

  /* From wi_shown_sum: */
  uint64_t *totals;      /* per node */
  uint32_t *next;        /* per node: two numbers, its first child and its next sibling */
  wi_shown_function *of; /* per label */
} wi_shown;

/* Makes arrays of zeros, for at least one node. Returns false, with nothing to clear, if memory ran out. */
bool wi_shown_init(wi_shown *shown, uint32_t node_count, uint32_t label_count);
void wi_shown_clear(wi_shown *shown);

/* Computes the sums of what was filled in. Returns false if memory ran out. */
bool wi_shown_sum(wi_shown *shown);

/* A node's first child and next sibling; 0: none. */
static inline uint32_t wi_shown_first(const wi_shown *shown, uint32_t node) {
  return shown->next[2 * (size_t)node];
}
static inline uint32_t wi_shown_next(const wi_shown *shown, uint32_t node) {
  return shown->next[2 * (size_t)node + 1];
}

/*
 * Visits the nodes except the root in preorder: the node after `node`; 0: there is none. Calls
 * `leave`, unless it is NULL, for each node that it leaves.
 */
typedef void wi_shown_leave(void *user, uint32_t node);
uint32_t wi_shown_walk(const wi_shown *shown, uint32_t node, wi_shown_leave *leave, void *user);

#endif /* WI_REPORT_MODEL_SHOWN_H_ */
