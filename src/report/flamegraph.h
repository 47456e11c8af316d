/* Drawing trees as flame graphs: of one profile, or of the difference between two. */
#ifndef WASM_PERF_REPORT_FLAMEGRAPH_H_
#define WASM_PERF_REPORT_FLAMEGRAPH_H_

#include <stdio.h>

#include "report/summary.h"
#include "report/tree.h"

/* What a flame graph says of its frames besides their names and widths. */
typedef struct wasm_perf_flamegraph_style {
  /* As 0xRRGGBB; not asked of the root. */
  uint32_t (*color)(const wasm_perf_tree *tree, uint32_t node, const void *user);
  /* Writes what follows a frame's name in its title, without markup characters. */
  void (*write_values)(const wasm_perf_tree *tree, uint32_t node, const void *user, FILE *stream);
  const void *user;
} wasm_perf_flamegraph_style;

/*
 * Draws a tree that was cut at WASM_PERF_DEPTH_LIMIT, as an SVG. The summary stands above it and
 * gains what the picture leaves out. False: write or memory error.
 */
bool wasm_perf_flamegraph_draw(const wasm_perf_tree *tree, wasm_perf_summary *summary,
                               const wasm_perf_flamegraph_style *style, FILE *stream);

#endif /* WASM_PERF_REPORT_FLAMEGRAPH_H_ */
