/* The section CALLERS of .wperf files: JavaScript that called into the module. */
#ifndef WI_PROFILE_WPERF_CALLERS_H_
#define WI_PROFILE_WPERF_CALLERS_H_

#include "profile/wperf.h"
#include "support/array.h"
#include "support/child_table.h"

#define WI_CALLER_ANONYMOUS "(anonymous)" /* the name of a function without one */

typedef struct wi_callers {
  wasm_perf_profile *profile;
  const uint8_t *items;    /* the callers in the file */
  uint32_t first_function; /* of the first frame */
  uint32_t node_capacity;  /* of the profile's nodes */
  uint32_t old_count;      /* number of nodes in the file */
  wi_child_table *placed; /* by caller and node of the file: the added node; by caller and the root:
                              the node of the caller's frame */
  WI_ARRAY(uint32_t, open); /* working memory */
} wi_callers;

/* Checks the section, of which offset 0 means that it is missing. *count: the number of callers. */
bool wi_wperf_check_callers(const wi_wperf_input *in, wi_wperf_span section, uint32_t *count);

/*
 * Makes functions of the frames in the section, which was checked. The nodes and names were read.
 * Returns false, with nothing to clear, if out of memory.
 */
bool wi_callers_init(wi_callers *callers, wasm_perf_profile *profile, const wi_wperf_input *in,
                     wi_wperf_span section);
void wi_callers_clear(wi_callers *callers);

/*
 * Returns the node with the frames of `caller`, not 0, then the stack of `node`; it is added if
 * needed, without calls. Past four million added nodes, returns `node`. Returns 0 if out of memory.
 */
uint32_t wi_callers_node(wi_callers *callers, uint32_t caller, uint32_t node);

#endif /* WI_PROFILE_WPERF_CALLERS_H_ */
