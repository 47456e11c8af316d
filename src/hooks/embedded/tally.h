/*
 * Counts the instructions of a function with few additions, after Ball and Larus, "Optimally
 * profiling and tracing programs" (TOPLAS 1994), for structured control flow.
 *
 * The pending count is the number of instructions executed but not yet flushed. At a place that all
 * paths reach with the same count it is a constant, which needs no code. Elsewhere it is a local
 * plus a constant, and all branches to a label agree on the constant: a branch with another
 * constant adds the difference to the local, or sets the local if its own count was a constant.
 */
#ifndef WI_HOOKS_EMBEDDED_TALLY_H_
#define WI_HOOKS_EMBEDDED_TALLY_H_

#include "code/scan.h"

/* What to do at a site, before its instruction. */
typedef enum wi_tally_step {
  WI_TALLY_NONE,
  WI_TALLY_SET,             /* local = constant */
  WI_TALLY_ADD,             /* local += constant */
  WI_TALLY_FLUSH,           /* add the constant to the node; the local is unused */
  WI_TALLY_FLUSH_WITH_LOCAL /* add the sum of both to the node */
} wi_tally_step;

typedef struct wi_tally {
  int64_t constant;
  uint8_t step; /* wi_tally_step */
} wi_tally;

/* The pending count at a place. */
typedef struct wi_pending {
  int64_t constant;
  bool reached; /* false: unreachable */
  bool has_local;
} wi_pending;

/* One open structured instruction. */
typedef struct wi_tally_label {
  wi_pending entry;
  wi_pending pending; /* at its label, as far as known */
  uint32_t traits;    /* wi_label_trait */
  uint32_t edges;     /* first of the branches that wait for has_local, if any */
} wi_tally_label;

/* A branch with a constant pending count. */
typedef struct wi_tally_edge {
  int64_t constant;
  uint32_t site;
  uint32_t next; /* next branch to the same label */
} wi_tally_edge;

/* Zero before use, clear after it. Each use replaces the previous result. */
typedef struct wi_tallies {
  WI_ARRAY(wi_tally, items); /* per site, then the end of the function's label, then the exit */
  bool uses_local;
  bool zeroes_local; /* zero the local at flushes that may be followed by an exception
                        caught here */
  WI_ARRAY(wi_tally_label, labels); /* working memory */
  WI_ARRAY(wi_tally_edge, edges);
  wi_pending now;
} wi_tallies;

/*
 * Decides what to do at each site of a scan that recorded basic blocks, calls and flow. `wrapped`:
 * the body becomes a block, and branches to the function's label go to its end. Returns false if
 * memory ran out.
 */
bool wi_tallies_find(wi_tallies *tallies, const wi_scan *scan, bool wrapped);

void wi_tallies_clear(wi_tallies *tallies);

#endif /* WI_HOOKS_EMBEDDED_TALLY_H_ */
