#include "report/formats/pprof/lines.h"

#include <string.h>

enum { MAX_SAMPLES = 2000000 };

/* Whether readers can handle the number of samples by line. */
static bool is_readable(const wi_line_split *split) {
  uint64_t samples = 0;
  for (uint32_t i = 1; i < split->report->tree->node_count && samples <= MAX_SAMPLES; i++)
    samples += wi_line_split_count(split, i);
  return samples <= MAX_SAMPLES;
}

bool wi_pprof_lines_init(wi_pprof_lines *lines, const wi_report *report) {
  *lines = (wi_pprof_lines){.report = report};
  if (!wi_line_split_init(&lines->split, report))
    return false;
  if (!is_readable(&lines->split))
    lines->split.costs.count = 0;
  if (lines->split.costs.count == 0 ||
      wi_inlined_functions_init(&lines->functions, report->profile))
    return true;
  wi_pprof_lines_clear(lines);
  return false;
}

void wi_pprof_lines_clear(wi_pprof_lines *lines) {
  wi_line_split_clear(&lines->split);
  wi_inlined_functions_clear(&lines->functions);
}

/* ---- Frames --------------------------------------------------------------- */

/* The line if `file` is the file of the label's function; otherwise 0. */
static uint32_t own_line(const wi_pprof_lines *lines, uint32_t label, uint32_t file,
                         uint32_t line) {
  char path[WI_LABEL_MAX_SIZE + 1];
  uint32_t ignored;
  const char *own = wi_tree_file(lines->report->tree, label, &ignored);
  if (!own || file == WASM_PERF_NO_FILE)
    return 0;
  wi_label_clean(path, lines->report->profile->lines.files[file], 0);
  return strcmp(own, path) == 0 ? line : 0;
}

uint32_t wi_pprof_lines_frames(const wi_pprof_lines *lines, const wi_line_cost *item,
                               wi_pprof_frame frames[WI_PPROF_MAX_FRAMES]) {
  const wasm_perf_inlined *all = lines->report->profile->lines.inlined;
  uint32_t file = item->line.file, line = item->line.line, count = 0;
  for (uint32_t i = item->line.inlined; i != 0; i = all[i - 1].outer) {
    const wasm_perf_inlined *inlined = &all[i - 1];
    if (count + 1 < WI_PPROF_MAX_FRAMES)
      frames[count++] =
          (wi_pprof_frame){lines->functions.of[i - 1], inlined->file == file ? line : 0};
    file = inlined->call_file;
    line = inlined->call_line;
  }
  frames[count++] =
      (wi_pprof_frame){WI_PPROF_OWN_FUNCTION, own_line(lines, item->label, file, line)};
  return count;
}
