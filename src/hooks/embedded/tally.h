/*
 * Counting the instructions of a function with few additions, after Ball and Larus, "Optimally
 * profiling and tracing programs" (TOPLAS 1994), for structured control flow.
 *
 * What a function has executed and not yet handed over is a constant where all ways to a place have
 * executed as much, which no code counts. Elsewhere it is a local plus a constant, and all branches
 * to a label agree on the constant: one that brings another adds the difference to the local, or
 * sets the local where all before was a constant.
 */
#ifndef WI_HOOKS_EMBEDDED_TALLY_H_
#define WI_HOOKS_EMBEDDED_TALLY_H_

#include "code/scan.h"

/* What is to be done at a site, before its instruction. */
typedef enum wi_tally_step {
  WI_TALLY_NONE,
  WI_TALLY_SET,             /* local = constant */
  WI_TALLY_ADD,             /* local += constant */
  WI_TALLY_FLUSH,           /* hand over the constant; what is in the local does not count */
  WI_TALLY_FLUSH_WITH_LOCAL /* hand over the sum of both */
} wi_tally_step;

typedef struct wi_tally {
  int64_t constant;
  uint8_t step; /* wi_tally_step */
} wi_tally;

/* What is pending at a place. */
typedef struct wi_pending {
  int64_t constant;
  bool reached; /* false: the place is not */
  bool has_local;
} wi_pending;

/* One open structured instruction. */
typedef struct wi_tally_label {
  wi_pending entry;
  wi_pending pending; /* at its label, as far as it is known */
  uint32_t traits;    /* wi_label_trait */
  uint32_t edges;     /* the first of the branches that wait for has_local, if any */
} wi_tally_label;

/* A branch that brings a constant. */
typedef struct wi_tally_edge {
  int64_t constant;
  uint32_t site;
  uint32_t next; /* to the same label */
} wi_tally_edge;

/* Zero it before, clear it after; each use replaces what the one before it found. */
typedef struct wi_tallies {
  WI_ARRAY(wi_tally, items); /* of each site; of the end of the function's label; of the exit */
  bool uses_local;
  bool zeroes_local; /* at each flush that does not leave: an exception must find it so */
  WI_ARRAY(wi_tally_label, labels); /* working memory */
  WI_ARRAY(wi_tally_edge, edges);
  wi_pending now;
} wi_tallies;

/*
 * Finds what is to be done at each site of a scan that recorded basic blocks, calls and flow.
 * `wrapped`: the body becomes a block, to whose end go branches to the function's label. False when
 * memory ran out.
 */
bool wi_tallies_find(wi_tallies *tallies, const wi_scan *scan, bool wrapped);

void wi_tallies_clear(wi_tallies *tallies);

#endif /* WI_HOOKS_EMBEDDED_TALLY_H_ */
