#include "report/exporters.h"

#include <string.h>

const wasm_perf_exporter wasm_perf_exporters[] = {
    {"callgrind", "callgrind", "functions and calls, for KCachegrind and callgrind_annotate",
     wasm_perf_callgrind_write},
    {"flamegraph", "svg", "flame graph as one interactive SVG file", wasm_perf_flamegraph_write},
    {"folded", "folded", "one line per stack, for speedscope, inferno, flamegraph.pl",
     wasm_perf_folded_write},
    {"html", "html", "flame graph and table of functions as one interactive page",
     wasm_perf_html_write},
    {"pprof", "pb.gz", "samples of whole stacks, for go tool pprof", wasm_perf_pprof_write},
    {"top", NULL, "table of functions by time of their own", wasm_perf_top_write},
    {"tree", NULL, "call tree as text", wasm_perf_tree_text_write},
    {NULL, NULL, NULL, NULL},
};

const wasm_perf_exporter *wasm_perf_exporter_find(const char *name) {
  for (const wasm_perf_exporter *exporter = wasm_perf_exporters; exporter->name; exporter++)
    if (strcmp(exporter->name, name) == 0)
      return exporter;
  return NULL;
}
