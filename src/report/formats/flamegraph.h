/* Flame graphs of a profile, or of the difference between two. */
#ifndef WI_REPORT_FORMATS_FLAMEGRAPH_H_
#define WI_REPORT_FORMATS_FLAMEGRAPH_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/model/summary.h"
#include "report/model/tree.h"

typedef struct wi_flamegraph wi_flamegraph;

/* A flame graph's title, and the appearance of its frames. */
typedef struct wi_flamegraph_style {
  const char *title; /* a label; must outlive the graph */
  /* Returns a colour as 0xRRGGBB; not called for the root. */
  uint32_t (*color)(const wi_tree *tree, uint32_t node, const void *user);
  /* Writes the text after a frame's name in its title, without markup characters. */
  void (*write_values)(const wi_tree *tree, uint32_t node, const void *user, FILE *stream);
  const void *user; /* must outlive the graph */
} wi_flamegraph_style;

/*
 * Lays out a tree built with WI_DEPTH_LIMIT, which must outlive the graph. The summary is copied; a
 * line about frames that are not drawn is added to the copy. Returns NULL if memory ran out.
 */
wi_flamegraph *wi_flamegraph_new(const wi_tree *tree, const wi_summary *summary,
                                 wi_flamegraph_style style);

void wi_flamegraph_free(wi_flamegraph *graph); /* may be NULL */

/* Writes the summary and the graph as an SVG file. Returns false on a write error. */
bool wi_flamegraph_write_image(const wi_flamegraph *graph, FILE *stream);

/* flamegraph.js and flamegraph.css, see embed.cmake. */
extern const char wi_flamegraph_js[];
extern const char wi_flamegraph_css[];

#endif /* WI_REPORT_FORMATS_FLAMEGRAPH_H_ */
