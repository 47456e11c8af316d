/*
 * What the HTML report carries: one call tree for all of its runs, with a column of numbers for
 * each run and value. Packed it is base64 of gzip of
 *
 *   u32    size of the JSON, little endian
 *   JSON   see data.c: names, colours, runs, values
 *   LEB128 for each node but the root, in preorder, children in the order of their first calls: how
 * many levels above the node before it its parent is (0: that node is its parent) LEB128 for each
 * of these nodes: its function, an index of the JSON's names LEB128 for each run, for each value,
 * for each of these nodes: the number
 *   LEB128 for each thread of a single run, for each of its stretches of time: the microseconds, then
 * for each of them the node, by its place in the preorder (0: none)
 */
#ifndef WI_REPORT_FORMATS_HTML_DATA_H_
#define WI_REPORT_FORMATS_HTML_DATA_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/report.h"

#define WI_HTML_MAX_VALUES (2u + WASM_PERF_MEASURE_COUNT)

/* Something that the page can show; the first of a page is what it opens with. */
typedef struct wi_html_value {
  const char *key;
  char name[32];
  wi_unit unit;
  bool is_measure; /* of memory */
  wasm_perf_measure measure;
} wi_html_value;

typedef struct wi_html_run {
  const wi_report *report;               /* of whole stacks; its title names the run */
  uint32_t *labels;                      /* per label of the tree: that of the data; owned */
  uint64_t *columns[WI_HTML_MAX_VALUES]; /* per node of the data; owned */
} wi_html_run;

typedef struct wi_html_data {
  wi_html_run *runs; /* owned */
  uint32_t run_count;
  wi_html_value values[WI_HTML_MAX_VALUES];
  unsigned value_count;
  bool is_difference; /* of the first run and the second */
  const char **names; /* distinct, those of most nodes first; the array is owned */
  uint8_t *kinds;     /* per name: the kind of a function */
  uint32_t name_count;
  uint32_t *parents;   /* per node; owned */
  uint32_t *functions; /* per node, the root aside: an index of the names; owned */
  uint64_t
      *orders; /* per node: by this its siblings are in the order of their first calls; owned */
  uint32_t node_count;
  uint32_t *places; /* per node of the first run's tree: that of the data; owned */
} wi_html_data;

/*
 * Puts `count` reports of one unit and whole stacks into one tree, their stacks matched by names.
 * They must outlive the data. False, with nothing to clear: out of memory.
 */
bool wi_html_data_init(wi_html_data *data, const wi_report *reports, uint32_t count);
void wi_html_data_clear(wi_html_data *data);

#endif /* WI_REPORT_FORMATS_HTML_DATA_H_ */
