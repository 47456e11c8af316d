/* What a report shows of a profile, which stays as it is. */
#ifndef WI_PROFILE_VIEW_H_
#define WI_PROFILE_VIEW_H_

#include "profile/mismatch.h"
#include "profile/values.h"

typedef struct wi_view {
  const wasm_perf_profile *profile; /* borrowed */
  wasm_perf_value value;
  wi_unit unit;   /* of all values except calls */
  uint32_t clock; /* the header's, if what it measured is shown; otherwise none */
} wi_view;

wi_view wi_view_of(const wasm_perf_profile *profile, wasm_perf_value value);

/* Whether memory is shown; then *measure is set. `measure` may be NULL. */
bool wi_view_has_measure(const wi_view *view, wasm_perf_measure *measure);

/* The name of that measure, or "calls" if they are shown instead of the clock; NULL otherwise. */
const char *wi_view_name(const wi_view *view);

/* What is shown, for messages: the clock, or what is counted: "bytes". */
wi_clock_text wi_view_words(const wi_view *view);

/* Whether times are shown. */
bool wi_view_has_time(const wi_view *view);

/*
 * Computes each node's own value in the view's unit: values[header.node_count]. Times are whole
 * nanoseconds as in wi_node_times. Allocations are charged to the allocator's caller, unless that is
 * the host.
 */
void wi_view_values(const wi_view *view, uint64_t *values);

/* What was subtracted as the hooks' time, and the self value of nodes that were hidden. */
uint64_t wi_view_hook_time(const wi_view *view);
uint64_t wi_view_hidden(const wi_view *view, wasm_perf_kind kind);

/*
 * Whether two profiles have the value in the same unit. If not, *mismatch says how profile `index`,
 * the second one, differs.
 */
bool wi_views_match(const wi_view *before, const wi_view *view, size_t index,
                    wasm_perf_mismatch *mismatch);

#endif /* WI_PROFILE_VIEW_H_ */
