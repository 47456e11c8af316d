/* Flame graphs of a profile, or of the difference between two, for the formats that show one. */
#ifndef WASM_PERF_REPORT_FLAMEGRAPH_H_
#define WASM_PERF_REPORT_FLAMEGRAPH_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/summary.h"
#include "report/tree.h"
#include "wasm_perf/profile.h"

typedef struct wasm_perf_flamegraph wasm_perf_flamegraph;

/* What a flame graph says of its frames besides their names and widths. */
typedef struct wasm_perf_flamegraph_style {
  /* As 0xRRGGBB; not asked of the root. */
  uint32_t (*color)(const wasm_perf_tree *tree, uint32_t node, const void *user);
  /* Writes what follows a frame's name in its title, without markup characters. */
  void (*write_values)(const wasm_perf_tree *tree, uint32_t node, const void *user, FILE *stream);
  const void *user; /* must outlive the graph */
} wasm_perf_flamegraph_style;

/* Lays out a profile, which must outlive the graph. NULL: out of memory. */
wasm_perf_flamegraph *wasm_perf_flamegraph_new(const wasm_perf_profile *profile);

/*
 * The same for a tree that was cut at WASM_PERF_DEPTH_LIMIT and must outlive the graph. The summary
 * is copied and gains what the picture leaves out.
 */
wasm_perf_flamegraph *wasm_perf_flamegraph_of_tree(const wasm_perf_tree *tree,
                                                   const wasm_perf_summary *summary,
                                                   wasm_perf_flamegraph_style style);

void wasm_perf_flamegraph_free(wasm_perf_flamegraph *graph); /* NULL is allowed */

/* That of the profile or tree, and what the graph does not show. */
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

/* The graph below its summary as an SVG of its own. False: write error. */
bool wasm_perf_flamegraph_write_image(const wasm_perf_flamegraph *graph, FILE *stream);

/* flamegraph.js and flamegraph.css, see embed.cmake. */
extern const char wasm_perf_flamegraph_js[];
extern const char wasm_perf_flamegraph_css[];

#endif /* WASM_PERF_REPORT_FLAMEGRAPH_H_ */
