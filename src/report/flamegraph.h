/* The drawing of a flame graph, for the formats that show one. */
#ifndef WASM_PERF_REPORT_FLAMEGRAPH_H_
#define WASM_PERF_REPORT_FLAMEGRAPH_H_

#include <stdint.h>
#include <stdio.h>

#include "report/summary.h"
#include "wasm_perf/profile.h"

typedef struct wasm_perf_flamegraph wasm_perf_flamegraph;

/* Lays a profile out; the graph does not refer to it afterwards. NULL: out of memory. */
wasm_perf_flamegraph *wasm_perf_flamegraph_new(const wasm_perf_profile *profile);
void wasm_perf_flamegraph_free(wasm_perf_flamegraph *graph); /* NULL is allowed */

/* That of the profile, and what the graph does not show. */
const wasm_perf_summary *wasm_perf_flamegraph_summary(const wasm_perf_flamegraph *graph);

/* Pixels from the top of the deepest level to the bottom of the root's. */
uint32_t wasm_perf_flamegraph_height(const wasm_perf_flamegraph *graph);

/*
 * Writes an <svg id="frames">, of these attributes beside its own, with an <svg> for each frame,
 * the root first. The deepest level stands `top` pixels from its top. The stream's error indicator
 * tells of failures.
 */
void wasm_perf_flamegraph_write_frames(const wasm_perf_flamegraph *graph, const char *attributes,
                                       uint32_t top, FILE *stream);

/* flamegraph.js and flamegraph.css, see embed.cmake. */
extern const char wasm_perf_flamegraph_js[];
extern const char wasm_perf_flamegraph_css[];

#endif /* WASM_PERF_REPORT_FLAMEGRAPH_H_ */
