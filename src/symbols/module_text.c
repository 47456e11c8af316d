#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "symbols/module_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "code/instruction_text.h"
#include "symbols/callee.h"
#include "symbols/counters.h"
#include "symbols/mix.h"

enum { INDENTATION = 2, MAX_LEVELS = 24 };

typedef struct text_writer {
  wasm_perf_profile *profile;
  const wi_module *module;
  wi_names *names;
  const wasm_perf_blocks *blocks;
  char path[48]; /* pseudo-path of the text */
  wi_scan scan;
  uint32_t function_offset; /* what the profile's indices exceed the module's by */
  uint32_t level;           /* nesting of blocks */
  uint32_t line;
  FILE *stream;
} text_writer;

/* Each line starts with the byte offset that engines print in traps. */
static void write_instruction(text_writer *w, uint32_t offset) {
  wi_nesting nesting = wi_instruction_nesting(w->module->bytes[offset]);
  w->level -= nesting.closes && w->level > 0;
  uint32_t levels = w->level < MAX_LEVELS ? w->level : MAX_LEVELS;
  fprintf(w->stream, "0x%06" PRIx32 "  %*s", offset, (int)(INDENTATION * levels), "");
  wi_instruction_write(w->module, offset, w->names, w->stream);
  fputc('\n', w->stream);
  w->level += nesting.opens;
  w->line++;
}

static bool add_counts(text_writer *w, const wi_site *site, uint64_t count) {
  bool calls = wi_mix_of(w->module->bytes + site->offset) == WASM_PERF_MIX_CALL;
  wasm_perf_line line = {.function = w->blocks->function,
                         .line = w->line,
                         .execution_count = count,
                         .instruction_count = count,
                         .call_count = calls ? count : 0};
  if (!wasm_perf_profile_add_line(w->profile, w->path, &line))
    return false;
  uint32_t callee = wi_callee_of(w->module->bytes + site->offset);
  wasm_perf_line_call call = {.line = w->profile->lines.count - 1,
                              .callee = callee == WI_NO_FUNCTION ? WASM_PERF_ANY_CALLEE
                                                                 : callee + w->function_offset,
                              .call_count = count};
  return line.call_count == 0 || wasm_perf_profile_add_line_call(w->profile, &call);
}

/* Instructions after the last block, such as `end`, have no count. */
static bool write_body(text_writer *w) {
  uint32_t block = 0, first = 0;
  const wi_site *sites = w->scan.sites;
  for (uint32_t i = 0; i <= w->scan.sites_count; i++) {
    bool is_last = i == w->scan.sites_count;
    uint32_t count = is_last ? 1 : wi_counters_at(&sites[i]);
    for (; count > 0 && first < i; first++) {
      if (sites[first].kind != WI_SITE_INSTRUCTION)
        continue;
      write_instruction(w, sites[first].offset);
      if (sites[first].value && !is_last && !add_counts(w, &sites[first], w->blocks->counts[block]))
        return false;
    }
    block += count;
  }
  return true;
}

static bool scan(text_writer *w, uint32_t original) {
  return original >= w->module->imports_count &&
         original - w->module->imports_count < w->module->bodies_count &&
         wi_counters_scan(&w->scan, w->module, original - w->module->imports_count, w->profile,
                          w->blocks);
}

bool wi_module_text_add(wasm_perf_profile *profile, const wi_module *module, wi_names *names,
                        uint32_t function, uint32_t original) {
  text_writer w = {
      .profile = profile, .module = module, .names = names, .function_offset = function - original};
  char *text = NULL;
  size_t size = 0;
  w.blocks = wasm_perf_profile_blocks(profile, function);
  snprintf(w.path, sizeof w.path, WASM_PERF_TEXT_PREFIX "func[%" PRIu32 "]", original);
  bool done = w.blocks && scan(&w, original) && (w.stream = open_memstream(&text, &size)) != NULL;
  if (done) {
    done = write_body(&w);
    done = fclose(w.stream) == 0 && done && wasm_perf_profile_set_source(profile, w.path, text);
  }
  free(text);
  wi_scan_clear(&w.scan);
  return done;
}
