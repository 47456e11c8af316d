#include "report/formats.h"

#include <string.h>

const wasm_perf_exporter wasm_perf_exporters[] = {
    {"callgrind", "callgrind", "functions and calls, for KCachegrind and callgrind_annotate",
     wi_callgrind_write},
    {"chrome", "trace.json", "trace events, for Perfetto and Chrome", wi_chrome_write},
    {"cpuprofile", "cpuprofile", "V8's CPU profile, for Chrome and VS Code", wi_cpuprofile_write},
    {"firefox", "firefox.json", "for the Firefox Profiler", wi_firefox_write},
    {"flamegraph", "svg", "flame graph as one interactive SVG file", wi_flamegraph_write},
    {"folded", "folded", "one line per stack, for speedscope, inferno, flamegraph.pl",
     wi_folded_write},
    {"html", "html", "flame graph and table of functions as one interactive page", wi_html_write},
    {"json", "json", "call tree and functions, for programs", wi_json_write},
    {"pprof", "pb.gz", "samples of whole stacks, for go tool pprof", wi_pprof_write},
    {"speedscope", "speedscope.json", "for speedscope, with calls as well", wi_speedscope_write},
    {"top", NULL, "table of functions by time of their own", wi_top_write},
    {"tree", NULL, "call tree as text", wi_tree_text_write},
    {NULL, NULL, NULL, NULL},
};

const wasm_perf_exporter *wasm_perf_exporter_find(const char *name) {
  for (const wasm_perf_exporter *exporter = wasm_perf_exporters; exporter->name; exporter++)
    if (strcmp(exporter->name, name) == 0)
      return exporter;
  return NULL;
}
