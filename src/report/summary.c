#include "report/summary.h"

#include <stdarg.h>
#include <stdio.h>

#include "report/numbers.h"

void wasm_perf_summary_add(wasm_perf_summary *summary, const char *format, ...) {
  if (summary->line_count == WASM_PERF_SUMMARY_MAX_LINES)
    return;
  char *line = summary->lines[summary->line_count++];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof summary->lines[0], format, arguments);
  va_end(arguments);
}

static uint32_t real_function_count(const wasm_perf_labels *labels) {
  uint32_t count = labels->function_count;
  bool has_truncated = count > 0 && labels->functions[count - 1] == WASM_PERF_FUNCTION_TRUNCATED;
  return count - has_truncated;
}

static const char *clock_words(uint32_t clock) {
  if (clock == WASM_PERF_CLOCK_WALL)
    return " by the wall clock";
  if (clock == WASM_PERF_CLOCK_HYBRID)
    return " by instruction counts scaled to the wall clock";
  if (clock == WASM_PERF_CLOCK_SAMPLED)
    return " by samples";
  return "";
}

static void add_totals(wasm_perf_summary *summary, const wasm_perf_profile *profile,
                       const wasm_perf_tree *tree) {
  const wasm_perf_header *header = &profile->header;
  wasm_perf_unit unit = wasm_perf_unit_of(header);
  wasm_perf_short_text value = wasm_perf_format_value(unit, tree->nodes[0].total);
  wasm_perf_short_text calls = wasm_perf_format_quantity(tree->call_count, "call");
  wasm_perf_short_text functions =
      wasm_perf_format_quantity(real_function_count(&tree->labels), "function");
  uint32_t stack_count = header->node_count > 0 ? header->node_count - 1 : 0;
  wasm_perf_short_text stacks = wasm_perf_format_quantity(stack_count, "call stack");
  if (unit == WASM_PERF_UNIT_CALLS) {
    wasm_perf_summary_add(summary, "%s (no clock), %s, %s", calls.text, functions.text,
                          stacks.text);
  } else {
    wasm_perf_summary_add(summary, "%s%s, %s, %s, %s", value.text, clock_words(header->clock),
                          calls.text, functions.text, stacks.text);
  }
}

/* The hooks of one call, as measured: the cost of many, divided. */
static wasm_perf_short_text per_call(const wasm_perf_header *header, uint64_t cost) {
  return wasm_perf_format_quotient(wasm_perf_value(header, cost), WASM_PERF_COST_CALL_COUNT, 1);
}

static void add_hook_time(wasm_perf_summary *summary, const wasm_perf_profile *profile) {
  const wasm_perf_header *header = &profile->header;
  wasm_perf_unit unit = wasm_perf_unit_of(header);
  wasm_perf_summary_add(
      summary,
      "Taken out: %s of the hooks, %s ns in each call and %s ns in its caller, \xC2\xB1 %s ns.",
      wasm_perf_format_value(unit, wasm_perf_value(header, profile->hook_time)).text,
      per_call(header, header->inner_hook_cost).text,
      per_call(header, header->outer_hook_cost).text,
      per_call(header, header->hook_cost_error).text);
}

static void add_host(wasm_perf_summary *summary, const wasm_perf_profile *profile, const char *verb,
                     uint64_t value, uint64_t call_count) {
  wasm_perf_unit unit = wasm_perf_unit_of(&profile->header);
  wasm_perf_short_text calls = wasm_perf_format_quantity(call_count, "call");
  if (call_count == 0)
    return;
  if (unit == WASM_PERF_UNIT_CALLS)
    wasm_perf_summary_add(summary, "%s: %s of the host.", verb, calls.text);
  else
    wasm_perf_summary_add(summary, "%s: %s in %s of the host.", verb,
                          wasm_perf_format_value(unit, value).text, calls.text);
}

static void add_host_parts(wasm_perf_summary *summary, const wasm_perf_profile *profile,
                           const wasm_perf_tree *tree) {
  uint64_t self = 0, call_count = 0;
  for (uint32_t i = 1; i < tree->node_count; i++) {
    const wasm_perf_tree_node *node = &tree->nodes[i];
    if (!wasm_perf_tree_is_host(tree, node->label))
      continue;
    self = wasm_perf_add(self, node->self);
    call_count = wasm_perf_add(call_count, node->call_count);
  }
  add_host(summary, profile, "Of it", self, call_count);
  add_host(summary, profile, "Left out", wasm_perf_value(&profile->header, profile->hidden_self),
           profile->hidden_call_count);
}

/* How far the sums that the clock measured are from what instructions would have predicted. */
static void add_hybrid_error(wasm_perf_summary *summary, const wasm_perf_header *header) {
  wasm_perf_summary_add(
      summary,
      "The clock was read %s; instructions divide the time in between, and their speed "
      "differed by %s%s %% from one reading to the next.",
      wasm_perf_format_quantity(header->clock_read_count, "time").text,
      header->deviation > header->measured_time ? "more than " : "",
      wasm_perf_format_percentage(header->deviation, header->measured_time, 1).text);
}

static void add_samples(wasm_perf_summary *summary, const wasm_perf_header *header,
                        const wasm_perf_tree *tree) {
  wasm_perf_summary_add(summary, "Times are of %s; calls %s.",
                        wasm_perf_format_quantity(header->clock_read_count, "sample").text,
                        tree->call_count > 0 ? "are all counted" : "were not counted");
}

static void add_cautions(wasm_perf_summary *summary, const wasm_perf_header *header) {
  if (header->hooked_function_count < header->function_count)
    wasm_perf_summary_add(
        summary, "Of the module's %s, %s have hooks; what the others do counts for their callers.",
        wasm_perf_format_quantity(header->function_count, "function").text,
        wasm_perf_format_count(header->hooked_function_count).text);
  if (header->recursion == WASM_PERF_RECURSION_FOLD)
    wasm_perf_summary_add(summary,
                          "Recursive calls are counted in the outer frame of their function.");
  if (header->folded_call_count > 0) {
    wasm_perf_summary_add(summary,
                          "Counted in an outer frame of the same function or in [truncated], past "
                          "the limit of %s: %s.",
                          wasm_perf_format_quantity(header->node_limit, "node").text,
                          wasm_perf_format_quantity(header->folded_call_count, "call").text);
  }
  if (header->open_frame_count > 0) {
    wasm_perf_summary_add(summary, "Still open when the profile was taken: %s.",
                          wasm_perf_format_quantity(header->open_frame_count, "frame").text);
  }
  if (header->unbalanced_count > 0) {
    wasm_perf_summary_add(summary, "Ignored, because no frame was open: %s.",
                          wasm_perf_format_quantity(header->unbalanced_count, "exit").text);
  }
}

void wasm_perf_summary_init(wasm_perf_summary *summary, const wasm_perf_profile *profile,
                            const wasm_perf_tree *tree) {
  summary->line_count = 0;
  add_totals(summary, profile, tree);
  if (profile->hook_time > 0)
    add_hook_time(summary, profile);
  add_host_parts(summary, profile, tree);
  if (profile->header.clock == WASM_PERF_CLOCK_HYBRID)
    add_hybrid_error(summary, &profile->header);
  if (profile->header.clock == WASM_PERF_CLOCK_SAMPLED)
    add_samples(summary, &profile->header, tree);
  add_cautions(summary, &profile->header);
  if (tree->node_count == 1)
    wasm_perf_summary_add(summary, "No instrumented function was called.");
}

void wasm_perf_summary_add_elided(wasm_perf_summary *summary, const wasm_perf_tree *tree) {
  if (tree->elided_count == 0)
    return;
  wasm_perf_summary_add(summary,
                        "Deeper than %u frames: %s. On " WASM_PERF_ELIDED_TEXT
                        " stand their innermost functions, without the frames between.",
                        WASM_PERF_DEPTH_LIMIT,
                        wasm_perf_format_quantity(tree->elided_count, "stack").text);
}
