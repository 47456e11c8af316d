/* The branches of functions whose edges were counted. */
#ifndef WI_SYMBOLS_BRANCHES_H_
#define WI_SYMBOLS_BRANCHES_H_

#include "debug/inline_table.h"
#include "debug/line_table.h"
#include "module/names.h"
#include "symbols/straight_code.h"
#include "wasm_perf/profile.h"

/* One way that a branch of the current function can take. */
typedef struct wi_way {
  wasm_perf_branch branch;
  const char *path;
  uint32_t frame;  /* inlined frame of the branch */
  uint32_t number; /* of the branch in the function */
  uint32_t target; /* instruction that it leads to */
} wi_way;

/* Collects branches. Set the first six fields, with all others zero, and clear it afterwards. */
typedef struct wi_branches {
  wasm_perf_profile *profile;
  const wi_module *module;
  wi_names *names;
  uint32_t code; /* offset of the code section's payload */
  const wi_line_table *lines;
  const wi_inline_table *inlined;
  wi_straight_code flow; /* of the current function, as the next three */
  WI_ARRAY(wi_way, ways);
  WI_ARRAY(uint32_t, way_of_label); /* of a br_table: 1 + its way, 0: none */
  uint32_t number;                  /* branches so far */
} wi_branches;

/*
 * Adds the branches of a function to the profile's lines. `scan` is from wi_counters_scan, with the
 * function's counts in `blocks`. Branches without a line are omitted. False: out of memory.
 */
bool wi_branches_add(wi_branches *branches, const wi_scan *scan, const wasm_perf_blocks *blocks);

void wi_branches_clear(wi_branches *branches);

#endif /* WI_SYMBOLS_BRANCHES_H_ */
