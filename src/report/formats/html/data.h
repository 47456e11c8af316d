/*
 * The data of the HTML report: one call tree for all of its runs, with a column of numbers for each
 * run and value. Packed, it is base64 of gzip of the following. "Each node" means each node but the
 * root, in preorder, with children in the order of their first calls.
 *
 *   u32     size of the JSON, little endian
 *   JSON    see pack.c: names, colours, runs, values
 *   LEB128  for each node: how many levels above the previous node its parent is (0: the previous
 *           node is the parent)
 *   LEB128  for each node: its function, an index in the JSON's names
 *   LEB128  for each run, for each value, for each node: the number
 *   LEB128  for each run: the number of its shared calls (model/tree.h), then for each of them the
 *           node, by its position in preorder, twice the group plus 1 if that is open, the calls
 *   LEB128  for each thread of a single run: for each of its spans of time the microseconds, then
 *           for each of them the node, by its position in preorder (0: none)
 */
#ifndef WI_REPORT_FORMATS_HTML_DATA_H_
#define WI_REPORT_FORMATS_HTML_DATA_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/model/report.h"

#define WI_HTML_MAX_VALUES (2u + WASM_PERF_MEASURE_COUNT)

/* A value that the page can show. The first one is shown at first. */
typedef struct wi_html_value {
  const char *key;
  const char *name; /* in words */
  wi_unit unit;
  bool is_measure; /* a memory value */
  wasm_perf_measure measure;
} wi_html_value;

typedef struct wi_html_run {
  const wi_report *report;               /* of whole stacks; its title names the run */
  uint32_t *labels;                      /* per label of the tree: index in names; owned */
  uint64_t *columns[WI_HTML_MAX_VALUES]; /* per node of the data; owned */
} wi_html_run;

typedef struct wi_html_data {
  wi_html_run *runs; /* owned */
  uint32_t run_count;
  wi_html_value values[WI_HTML_MAX_VALUES];
  unsigned value_count;
  bool is_difference; /* between the first run and the second */
  const char **names; /* distinct, by decreasing number of nodes; the array is owned */
  uint8_t *kinds;     /* per name: wasm_perf_kind of the function; owned */
  uint32_t name_count;
  uint32_t *parents;   /* per node; owned */
  uint32_t *functions; /* per node except the root: index in names; owned */
  uint64_t *orders;    /* per node: sorts siblings in the order of their first calls; owned */
  uint32_t node_count;
  uint32_t *places; /* per node of all runs' trees in turn: node of the data; owned */
} wi_html_data;

/*
 * Merges `count` reports with the same unit and whole stacks into one tree, matching stacks by
 * names. The reports must outlive the data. Returns false if out of memory; then there is nothing
 * to clear.
 */
bool wi_html_data_init(wi_html_data *data, const wi_report *reports, uint32_t count);
void wi_html_data_clear(wi_html_data *data);

#endif /* WI_REPORT_FORMATS_HTML_DATA_H_ */
