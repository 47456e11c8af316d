#include "report/model/summary.h"

#include <stdarg.h>
#include <stdio.h>

#include "profile/units.h"
#include "support/arithmetic.h"

void wi_summary_add(wi_summary *summary, const char *format, ...) {
  if (summary->line_count == WI_SUMMARY_MAX_LINES)
    return;
  char *line = summary->lines[summary->line_count++];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof summary->lines[0], format, arguments);
  va_end(arguments);
}

static uint32_t real_function_count(const wi_labels *labels) {
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

static void add_totals(wi_summary *summary, const wasm_perf_profile *profile, const wi_tree *tree) {
  const wasm_perf_header *header = &profile->header;
  wi_unit unit = wi_unit_of(header);
  wi_short_text value = wi_format_value(unit, tree->nodes[0].total);
  wi_short_text calls = wi_format_quantity(tree->call_count, "call");
  wi_short_text functions = wi_format_quantity(real_function_count(&tree->labels), "function");
  uint32_t stack_count = header->node_count > 0 ? header->node_count - 1 : 0;
  wi_short_text stacks = wi_format_quantity(stack_count, "call stack");
  if (unit == WI_UNIT_CALLS) {
    wi_summary_add(summary, "%s (no clock), %s, %s", calls.text, functions.text, stacks.text);
  } else {
    wi_summary_add(summary, "%s%s, %s, %s, %s", value.text, clock_words(header->clock), calls.text,
                   functions.text, stacks.text);
  }
}

/* The hooks of one call, as measured: the cost of many, divided. */
static wi_short_text per_call(const wasm_perf_header *header, uint64_t cost) {
  return wi_format_quotient(wi_value(header, cost), WASM_PERF_COST_CALL_COUNT, 1);
}

static void add_hook_time(wi_summary *summary, const wasm_perf_profile *profile) {
  const wasm_perf_header *header = &profile->header;
  wi_unit unit = wi_unit_of(header);
  wi_summary_add(
      summary,
      "Taken out: %s of the hooks, %s ns in each call and %s ns in its caller, \xC2\xB1 %s ns.",
      wi_format_value(unit, wi_value(header, profile->hook_time)).text,
      per_call(header, header->inner_hook_cost).text,
      per_call(header, header->outer_hook_cost).text,
      per_call(header, header->hook_cost_error).text);
}

static void add_host(wi_summary *summary, const wasm_perf_profile *profile, const char *verb,
                     uint64_t value, uint64_t call_count) {
  wi_unit unit = wi_unit_of(&profile->header);
  wi_short_text calls = wi_format_quantity(call_count, "call");
  if (call_count == 0)
    return;
  if (unit == WI_UNIT_CALLS)
    wi_summary_add(summary, "%s: %s of the host.", verb, calls.text);
  else
    wi_summary_add(summary, "%s: %s in %s of the host.", verb, wi_format_value(unit, value).text,
                   calls.text);
}

static void add_host_parts(wi_summary *summary, const wasm_perf_profile *profile,
                           const wi_tree *tree) {
  uint64_t self = 0, call_count = 0;
  for (uint32_t i = 1; i < tree->node_count; i++) {
    const wi_tree_node *node = &tree->nodes[i];
    if (!wi_tree_is_host(tree, node->label))
      continue;
    self = wi_saturating_add(self, node->self);
    call_count = wi_saturating_add(call_count, node->call_count);
  }
  add_host(summary, profile, "Of it", self, call_count);
  add_host(summary, profile, "Left out", wi_value(&profile->header, profile->hidden_self),
           profile->hidden_call_count);
}

/* How far the sums that the clock measured are from what instructions would have predicted. */
static void add_hybrid_error(wi_summary *summary, const wasm_perf_header *header) {
  wi_summary_add(summary,
                 "The clock was read %s; instructions divide the time in between, and their speed "
                 "differed by %s%s %% from one reading to the next.",
                 wi_format_quantity(header->clock_read_count, "time").text,
                 header->deviation > header->measured_time ? "more than " : "",
                 wi_format_percentage(header->deviation, header->measured_time, 1).text);
}

static void add_samples(wi_summary *summary, const wasm_perf_header *header, const wi_tree *tree) {
  wi_summary_add(summary, "Times are of %s; calls %s.",
                 wi_format_quantity(header->clock_read_count, "sample").text,
                 tree->call_count > 0 ? "are all counted" : "were not counted");
}

static void add_cautions(wi_summary *summary, const wasm_perf_header *header) {
  if (header->hooked_function_count < header->function_count)
    wi_summary_add(
        summary, "Of the module's %s, %s have hooks; what the others do counts for their callers.",
        wi_format_quantity(header->function_count, "function").text,
        wi_format_count(header->hooked_function_count).text);
  if (header->recursion == WASM_PERF_RECURSION_FOLD)
    wi_summary_add(summary, "Recursive calls are counted in the outer frame of their function.");
  if (header->folded_call_count > 0) {
    wi_summary_add(summary,
                   "Counted in an outer frame of the same function or in [truncated], past "
                   "the limit of %s: %s.",
                   wi_format_quantity(header->node_limit, "node").text,
                   wi_format_quantity(header->folded_call_count, "call").text);
  }
  if (header->open_frame_count > 0) {
    wi_summary_add(summary, "Still open when the profile was taken: %s.",
                   wi_format_quantity(header->open_frame_count, "frame").text);
  }
  if (header->unbalanced_count > 0) {
    wi_summary_add(summary, "Ignored, because no frame was open: %s.",
                   wi_format_quantity(header->unbalanced_count, "exit").text);
  }
}

void wi_summary_init(wi_summary *summary, const wasm_perf_profile *profile, const wi_tree *tree) {
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
    wi_summary_add(summary, "No instrumented function was called.");
}

void wi_summary_add_elided(wi_summary *summary, const wi_tree *tree) {
  if (tree->elided_count == 0)
    return;
  wi_summary_add(summary,
                 "Deeper than %u frames: %s. On " WI_ELIDED_TEXT
                 " stand their innermost functions, without the frames between.",
                 WI_DEPTH_LIMIT, wi_format_quantity(tree->elided_count, "stack").text);
}
