/* Flame graphs of a profile, or of the difference between two, for the formats that show one. */
#ifndef WI_REPORT_FORMATS_FLAMEGRAPH_H_
#define WI_REPORT_FORMATS_FLAMEGRAPH_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/model/summary.h"
#include "report/model/tree.h"

typedef struct wi_flamegraph wi_flamegraph;

/* What a flame graph is called, and says of its frames besides their names and widths. */
typedef struct wi_flamegraph_style {
  const char *title; /* a label; must outlive the graph */
  /* As 0xRRGGBB; not asked of the root. */
  uint32_t (*color)(const wi_tree *tree, uint32_t node, const void *user);
  /* Writes what follows a frame's name in its title, without markup characters. */
  void (*write_values)(const wi_tree *tree, uint32_t node, const void *user, FILE *stream);
  const void *user; /* must outlive the graph */
} wi_flamegraph_style;

/*
 * Lays out a tree that was cut at WI_DEPTH_LIMIT and must outlive the graph. The summary is copied
 * and gains what the picture leaves out. NULL: out of memory.
 */
wi_flamegraph *wi_flamegraph_new(const wi_tree *tree, const wi_summary *summary,
                                 wi_flamegraph_style style);

void wi_flamegraph_free(wi_flamegraph *graph); /* NULL is allowed */

/* The graph below its summary as an SVG of its own. False: write error. */
bool wi_flamegraph_write_image(const wi_flamegraph *graph, FILE *stream);

/* flamegraph.js and flamegraph.css, see embed.cmake. */
extern const char wi_flamegraph_js[];
extern const char wi_flamegraph_css[];

#endif /* WI_REPORT_FORMATS_FLAMEGRAPH_H_ */
