#include "report/model/summary.h"

#include <stdio.h>
#include <string.h>

#include "names/shorten.h"
#include "profile/kinds.h"
#include "report/model/color.h"
#include "report/model/summary_budget.h"
#include "report/model/summary_slowdown.h"
#include "report/model/summary_threads.h"
#include "report/model/summary_times.h"
#include "report/model/units.h"
#include "support/arithmetic.h"
#include "support/clean.h"

#define ADVICE "Profile fewer functions, or use record --clock sampled or instructions."

#define MOSTLY 0.5 /* of the time that hooks of another module may take, which makes it rough */

static uint32_t real_function_count(const wi_labels *labels) {
  uint32_t count = labels->functions.count;
  while (count > 0 && labels->functions.items[count - 1] >= WASM_PERF_FUNCTION_UNHOOKED)
    count--;
  return count;
}

static const char *clock_label(uint32_t clock) {
  switch (clock) {
#define CLOCK_LABEL(id, name, number, forms, measurer, help, label)                                \
  case number: return sizeof label > 1 ? " (" label ")" : "";
    WASM_PERF_CLOCKS(CLOCK_LABEL)
#undef CLOCK_LABEL
  default: return "";
  }
}

/* What the values are, in words. */
static wi_short_text value_words(const wi_view *view) {
  wi_short_text words;
  wasm_perf_measure measure;
  if (wi_view_has_measure(view, &measure))
    snprintf(words.text, sizeof words.text, " (%s)", wi_measure_words(measure));
  else
    snprintf(words.text, sizeof words.text, "%s", clock_label(view->clock));
  return words;
}

typedef struct share_text {
  char text[2 * sizeof(wi_short_text) + 16];
} share_text;

/* The share of the whole, if it is less than all of it as written: ", 25 % of 2.08 s". */
static share_text share_words(const wasm_perf_profile *profile, const wi_tree *tree) {
  share_text words = {""};
  uint64_t shown = tree->nodes[0].total, whole = wi_whole_time(tree);
  wi_short_text percentage = wi_format_percentage(shown, whole, 0);
  if (profile->kind_count > 0 && wi_view_has_time(&tree->view) &&
      strcmp(percentage.text, wi_format_percentage(whole, whole, 0).text) != 0)
    snprintf(words.text, sizeof words.text, ", %s %% of %s", percentage.text,
             wi_format_value(WI_UNIT_NANOSECONDS, whole).text);
  return words;
}

static void add_total_numbers(wi_summary *summary, const wi_tree *tree, uint32_t stack_count) {
  wi_unit unit = tree->view.unit;
  if (unit != WI_UNIT_CALLS)
    wi_summary_measure(summary, "total", unit, tree->nodes[0].total);
  wi_summary_count(summary, "calls", tree->call_count);
  wi_summary_count(summary, "functions", real_function_count(&tree->labels));
  wi_summary_count(summary, "call_stacks", stack_count);
}

static void add_totals(wi_summary *summary, const wasm_perf_profile *profile, const wi_tree *tree) {
  const wasm_perf_header *header = &profile->header;
  wi_unit unit = tree->view.unit;
  wi_short_text value = wi_format_value(unit, tree->nodes[0].total);
  wi_short_text calls = wi_format_quantity(tree->call_count, "call");
  wi_short_text functions = wi_format_quantity(real_function_count(&tree->labels), "function");
  uint32_t stack_count = header->node_count > 0 ? header->node_count - 1 : 0;
  wi_short_text stacks = wi_format_quantity(stack_count, "call stack");
  add_total_numbers(summary, tree, stack_count);
  if (unit == WI_UNIT_CALLS) {
    wi_summary_add(summary, "%s, %s, %s%s", calls.text, functions.text, stacks.text,
                   wi_view_name(&tree->view) ? "" : "; time was not measured");
  } else {
    wi_summary_add(summary, "%s%s%s, %s, %s, %s", value.text, value_words(&tree->view).text,
                   share_words(profile, tree).text, calls.text, functions.text, stacks.text);
  }
}

/* The measured cost of hooks per call: the cost of many calls, divided. */
static wi_short_text per_call(const wasm_perf_header *header, uint64_t cost) {
  return wi_format_quotient(wi_value(header, cost), WASM_PERF_COST_CALL_COUNT, 1);
}

static void add_hook_time(wi_summary *summary, const wi_view *view) {
  const wasm_perf_header *header = &view->profile->header;
  uint64_t removed = wi_view_hook_time(view);
  if (removed == 0)
    return;
  wi_summary_add(summary,
                 "Hooks took at least %s, which is not in the times: %s ns per call and %s ns in "
                 "its caller, measured in this run",
                 wi_format_value(view->unit, removed).text,
                 per_call(header, header->inner_hook_cost).text,
                 per_call(header, header->outer_hook_cost).text);
}

/* Names the functions that are not to be believed. */
static void add_mostly_hooks(wi_summary *summary, const wi_tree *tree, const wi_time_notes *notes) {
  char functions[WI_FUNCTIONS_SIZE];
  if (notes->hook_count == 0)
    return;
  wi_summary_functions(functions, tree, notes->most_hooks, notes->hook_count);
  wi_summary_add(summary,
                 "The time of %s may be mostly that of hooks. Profile them with record --clock "
                 "sampled or instructions.",
                 functions);
}

/* The wall clock is for few functions. */
static void add_all_hooked(wi_summary *summary, const wi_tree *tree, const wi_time_notes *notes) {
  const wasm_perf_header *header = &tree->view.profile->header;
  if (notes->hook_count > 0 && header->function_count > 1 &&
      header->hooked_function_count == header->function_count)
    wi_summary_warn(summary, WI_SUMMARY_ALL_HOOKED, wi_format_count(header->function_count).text);
}

/* If most of the time may be that of hooks, all of it is rough. This matters most, so it comes first. */
static void add_roughness(wi_summary *summary, const wi_tree *tree, const wi_time_notes *notes) {
  uint64_t whole = tree->nodes[0].total;
  if (wi_view_hook_time(&tree->view) > whole)
    wi_summary_warn(summary, "Times are rough: the hooks took longer than the program. " ADVICE);
  else if (notes->hook_time > (double)whole / 2)
    wi_summary_warn(
        summary,
        "Times are rough: functions with %s %% of the time may have spent it in hooks. " ADVICE,
        wi_format_percentage((uint64_t)notes->hook_time, whole, 0).text);
  else if (tree->view.profile->facts.linked_time > 0 && notes->hook_part > MOSTLY)
    wi_summary_warn(summary, "Times are rough: hooks may take %.0f %% of them. " WI_CHEAPER_HOOKS,
                    100 * notes->hook_part);
  else
    return;
  summary->is_rough = true;
}

static void add_host(wi_summary *summary, const wi_view *view, const char *name, const char *what,
                     uint64_t value, uint64_t call_count) {
  wi_short_text calls = wi_format_quantity(call_count, "call");
  if (call_count == 0)
    return;
  bool has_kinds = view->profile->kind_count > 0; /* which say more of the time, see add_kinds */
  wi_summary_count(summary, name, call_count);
  if (view->unit == WI_UNIT_CALLS || has_kinds)
    wi_summary_add(summary, "%s: %s", what, calls.text);
  else
    wi_summary_add(summary, "%s: %s in %s", what, wi_format_value(view->unit, value).text,
                   calls.text);
}

static void add_host_parts(wi_summary *summary, const wi_tree *tree) {
  uint64_t self = 0, call_count = 0;
  for (uint32_t i = 0; i < tree->labels.count; i++) {
    if (wi_tree_kind(tree, i) != WASM_PERF_KIND_IMPORT)
      continue;
    self = wi_saturating_add(self, tree->sums[i].self);
    call_count = wi_saturating_add(call_count, tree->sums[i].call_count);
  }
  add_host(summary, &tree->view, "host_calls", "Host functions", self, call_count);
  add_host(summary, &tree->view, "excluded_host_calls", "Host functions, excluded",
           wi_view_hidden(&tree->view, WASM_PERF_KIND_IMPORT),
           tree->view.profile->hidden_call_count);
}

/* Whether it is a WebAssembly function without hooks. */
static bool is_uncounted(const wi_tree *tree, uint32_t label) {
  return !wi_tree_is_counted(tree, label) && wi_tree_kind(tree, label) == WASM_PERF_KIND_WASM;
}

/* Whether functions without hooks have separate rows rather than one for all. */
static bool has_uncounted(const wi_tree *tree) {
  uint32_t together;
  if (!wi_labels_search(&tree->labels, WASM_PERF_FUNCTION_UNHOOKED, &together))
    together = UINT32_MAX;
  for (uint32_t i = 0; i < tree->labels.count; i++)
    if (i != together && is_uncounted(tree, i))
      return true;
  return false;
}

/* Reports that several JavaScript stacks lead to one of WebAssembly. */
static void add_shared(wi_summary *summary, const wasm_perf_profile *profile) {
  if (profile->shared_count > 0)
    wi_summary_add(summary,
                   "Calls of %s are known only as a sum over several JavaScript stacks: "
                   "\xE2\x89\xA4 in the tree",
                   wi_format_quantity(profile->shared_count, "stack").text);
}

/* Inlined functions look free, and their callers slow. */
static void add_inlined(wi_summary *summary, const wi_tree *tree, const wi_time_notes *notes) {
  uint32_t count = 0, most = 0;
  for (uint32_t i = 0; i < tree->labels.count; i++) {
    if (notes->of[i] != WI_TIME_IN_CALLER)
      continue;
    if (count++ == 0 || tree->sums[i].call_count > tree->sums[most].call_count)
      most = i;
  }
  if (count == 0)
    return;
  char functions[WI_FUNCTIONS_SIZE];
  wi_summary_functions(functions, tree, most, count);
  wi_summary_add(summary,
                 count == 1 ? "%s looks free: the engine inlined it. wasm-perf record "
                              "--no-inlining shows its own time"
                            : "%s look free: the engine inlined them. wasm-perf record "
                              "--no-inlining shows their own time",
                 functions);
}

/* "find has 52.5 ± 1.6 %": how exact the samples are, by the function that has most of them. */
static void format_exactness(const wi_tree *tree, char *text, size_t size) {
  char name[WI_SHORTENED_SIZE];
  uint64_t whole = tree->nodes[0].total;
  uint32_t most = 0;
  for (uint32_t i = 1; i < tree->labels.count; i++)
    if (tree->sums[i].self > tree->sums[most].self)
      most = i;
  *text = '\0';
  if (whole == 0 || tree->labels.count == 0)
    return;
  uint64_t self = tree->sums[most].self, error = wi_sample_share_error(tree, self);
  wi_shorten(name, wi_tree_text(tree, most), WI_SENTENCE_WIDTH);
  snprintf(text, size, ": %s has %s \u00b1 %s %%", name, wi_format_percentage(self, whole, 1).text,
           wi_format_percentage(error, whole, 1).text);
}

static void add_samples(wi_summary *summary, const wasm_perf_profile *profile, const wi_tree *tree,
                        const wi_time_notes *notes) {
  const wasm_perf_header *header = &profile->header;
  uint32_t kind_count = has_uncounted(tree) ? 0 : profile->kind_count;
  wi_short_text samples = wi_format_quantity(header->clock_read_count, "sample");
  char exactness[WI_SHORTENED_SIZE + 2 * sizeof(wi_short_text) + 16];
  format_exactness(tree, exactness, sizeof exactness);
  wi_summary_count(summary, "samples", header->clock_read_count);
  wi_summary_add(summary, "Times are from %s%s; calls %s", samples.text, exactness,
                 tree->call_count == 0 ? "were not counted"
                 : kind_count > 0      ? "of WebAssembly are exact"
                 : has_uncounted(tree) ? "are exact if counted"
                                       : "are exact");
  if (!profile->facts.uninlined) {
    wi_summary_add(summary, "If the engine inlined a function, its time is charged to its caller");
    add_inlined(summary, tree, notes);
  }
}

/* The self value of [truncated], which stands for stacks beyond the node limit. */
static uint64_t truncated_total(const wi_tree *tree) {
  uint32_t label;
  return wi_labels_search(&tree->labels, WASM_PERF_FUNCTION_TRUNCATED, &label)
             ? tree->sums[label].self
             : 0;
}

/* Warns only if more than one percent of the calls or of the time is affected. */
static void add_truncated(wi_summary *summary, const wasm_perf_header *header,
                          const wi_tree *tree) {
  uint64_t cut = truncated_total(tree), whole = tree->nodes[0].total;
  bool matters = header->truncated_call_count > tree->call_count / 100 || cut > whole / 100;
  (matters ? wi_summary_warn : wi_summary_add)(
      summary,
      "Out of nodes (%s): %s counted in an outer frame of their function or in [truncated], which "
      "has %s, %s %%. See record --node-limit.",
      wi_format_count(header->node_limit).text,
      wi_format_quantity(header->truncated_call_count, "call").text,
      wi_format_value(tree->view.unit, cut).text, wi_format_percentage(cut, whole, 1).text);
}

/* If most functions have no name, or some with a quarter of the cost. */
static void add_unnamed(wi_summary *summary, const wi_tree *tree) {
  uint32_t count = 0;
  uint64_t self = 0;
  for (uint32_t i = 0; i < tree->labels.count; i++) {
    if (wi_tree_is_host(tree, i) || !wi_label_is_number(wi_tree_text(tree, i), NULL))
      continue;
    count++;
    self = wi_saturating_add(self, tree->sums[i].self);
  }
  if (count > tree->labels.count / 2 || self > tree->nodes[0].total / 4)
    wi_summary_add(summary, WI_SUMMARY_UNNAMED "give --symbols FILE that has them",
                   wi_format_quantity(count, "function").text);
}

/* Applies if several profiles are matched by name. */
static void add_namesakes(wi_summary *summary, const wi_labels *labels) {
  if (wi_labels_namesake_count(labels) > 0)
    wi_summary_warn(summary, "Merged with a function of the same name: %s",
                    wi_format_quantity(wi_labels_namesake_count(labels), "function").text);
}

/*
 * Divides the whole time, shown or not, by kind: "1.05 s = WebAssembly 544 ms + JavaScript 260 ms".
 */
static void add_kinds(wi_summary *summary, const wasm_perf_profile *profile, const wi_tree *tree) {
#define KIND(id, name, number, plural) number,
  static const uint8_t order[] = {WASM_PERF_KINDS(KIND)};
#undef KIND
  uint64_t times[WASM_PERF_KIND_COUNT] = {0};
  char text[300] = "";
  size_t size = 0;
  if (profile->kind_count == 0 || !wi_view_has_time(&tree->view))
    return;
  for (uint32_t i = 0; i < tree->labels.count; i++)
    times[wi_tree_kind(tree, i)] += tree->sums[i].self;
  for (unsigned i = 0; i < WASM_PERF_KIND_COUNT && size < sizeof text; i++) {
    unsigned kind = order[i];
    times[kind] += wi_view_hidden(&tree->view, (wasm_perf_kind)kind);
    wi_summary_measure(summary, wi_kind_name((wasm_perf_kind)kind), WI_UNIT_NANOSECONDS,
                       times[kind]);
    if (times[kind] > 0)
      size += (size_t)snprintf(text + size, sizeof text - size, "%s%s %s", size > 0 ? " + " : "",
                               wi_kind_plural((wasm_perf_kind)kind),
                               wi_format_value(WI_UNIT_NANOSECONDS, times[kind]).text);
  }
  wi_summary_add(summary, "%s = %s", wi_format_value(WI_UNIT_NANOSECONDS, wi_whole_time(tree)).text,
                 text);
}

static void add_run_numbers(wi_summary *summary, const wasm_perf_facts *facts) {
  if (facts->run_time > 0)
    wi_summary_measure(summary, "ran_for", WI_UNIT_NANOSECONDS, facts->run_time);
  if (facts->run_time > 0 && facts->plain_run_time > 0)
    wi_summary_measure(summary, "ran_without_profiler_for", WI_UNIT_NANOSECONDS,
                       facts->plain_run_time);
  if (facts->instance_count > 0)
    wi_summary_count(summary, "instances", facts->instance_count);
}

/* How much slower the run was, and the time outside the module's functions. */
static void add_run(wi_summary *summary, const wi_view *view) {
  const wasm_perf_profile *profile = view->profile;
  const wasm_perf_facts *facts = &profile->facts;
  char text[WI_BUDGET_TEXT_SIZE];
  add_run_numbers(summary, facts);
  if (facts->budget > 0) {
    wi_summary_budget(facts, text);
    wi_summary_add(summary, "%s%s", text,
                   view->clock == WASM_PERF_CLOCK_SAMPLED ? "; times are of a run without hooks"
                                                          : "");
  }
  if (facts->run_time > 0 && facts->plain_run_time > 0) {
    wi_summary_slowdown(facts, text);
    wi_summary_add(summary, "%s", text);
  } else if (facts->run_time > 0)
    wi_summary_add(summary, "Ran for %s",
                   wi_format_value(WI_UNIT_NANOSECONDS, facts->run_time).text);
  if (facts->unmatched_time > 0 && wi_view_has_time(view))
    wi_summary_add(
        summary, "Samples outside of the module: %s",
        wi_format_value(view->unit, wi_value(&profile->header, facts->unmatched_time)).text);
  if (facts->instance_count > 1)
    wi_summary_add(summary, "Sum of %s",
                   wi_format_quantity(facts->instance_count, "instance").text);
}

/* The share of functions with exact calls, if the others have values of their own. */
static void add_exact_share(wi_summary *summary, const wi_tree *tree, const char *values) {
  uint64_t time = 0, exact_time = 0;
  for (uint32_t i = 0; i < tree->labels.count; i++) {
    if (wi_tree_kind(tree, i) != WASM_PERF_KIND_WASM)
      continue;
    time = wi_saturating_add(time, tree->sums[i].self);
    if (!is_uncounted(tree, i))
      exact_time = wi_saturating_add(exact_time, tree->sums[i].self);
  }
  wi_summary_add(summary,
                 "Calls were counted in functions with %s %% of the %s; totals of other functions "
                 "exclude the functions they call",
                 wi_format_percentage(exact_time, time, 1).text, values);
}

/* Which functions were chosen, and how the rest is reported. */
static void add_selection(wi_summary *summary, const wasm_perf_header *header,
                          const wi_tree *tree) {
  bool is_counted = wasm_perf_clock_is_counted(tree->view.clock);
  bool is_none = header->hooked_function_count == 0; /* nothing was counted */
  if (is_none || header->hooked_function_count >= header->function_count)
    return;
  wi_summary_add(summary, "%s of %s profiled; the others %s",
                 wi_format_count(header->hooked_function_count).text,
                 wi_format_quantity(header->function_count, "function").text,
                 !has_uncounted(tree) ? "are charged to their callers"
                 : is_counted         ? "have instructions from another run, but no calls"
                                      : "have sampled times, but no calls");
  if (has_uncounted(tree))
    add_exact_share(summary, tree, is_counted ? "instructions" : "time");
}

/* Functions whose hooks would have exceeded an engine's limit. */
static void add_unhookable(wi_summary *summary, const wi_view *view) {
  static const char *const counts[] = {
      [WASM_PERF_MEASURER_NOBODY] = "their calls are not counted",
      [WASM_PERF_MEASURER_HOST] =
          "their calls are not counted, and their time is charged to their callers",
      [WASM_PERF_MEASURER_MODULE] = "neither their calls nor their instructions are counted",
      [WASM_PERF_MEASURER_ENGINE] = "their calls are not counted, but their time is"};
  char names[160];
  const char *told = view->profile->facts.unhookable;
  if (!told)
    return;
  wi_text_clean(told, strlen(told), names, sizeof names);
  wi_summary_warn(summary, "Not hooked, as hooks would exceed an engine limit: %s; %s", names,
                  counts[wasm_perf_clock_measurer(view->clock)]);
}

static void add_recursion(wi_summary *summary, const wasm_perf_profile *profile) {
  const wasm_perf_header *header = &profile->header;
  if (header->recursion == WASM_PERF_RECURSION_FOLD)
    wi_summary_add(summary,
                   "Recursion folded: a recursive call is counted in its function's first frame");
  else if (profile->facts.shared_slot_count > 0)
    wi_summary_add(
        summary,
        "Recursion folded beyond %s: a recursive call is counted in its function's first frame. "
        "See record --recursion.",
        wi_format_quantity(WASM_PERF_FULL_NODE_LIMIT(header->node_limit), "call stack").text);
}

static void add_cautions(wi_summary *summary, const wasm_perf_profile *profile,
                         const wi_tree *tree) {
  const wasm_perf_header *header = &profile->header;
  add_selection(summary, header, tree);
  add_unhookable(summary, &tree->view);
  add_recursion(summary, profile);
  if (profile->facts.start_only)
    wi_summary_add(summary, "Of _start only: calls of other exports after it are not included");
  if (header->truncated_call_count > 0)
    add_truncated(summary, header, tree);
  if (header->open_frame_count > 0)
    wi_summary_add(summary, "Still running at the end: %s",
                   wi_format_quantity(header->open_frame_count, "frame").text);
  if (header->unbalanced_count > 0)
    wi_summary_warn(summary, "Ignored: %s from functions that were never entered",
                    wi_format_quantity(header->unbalanced_count, "return").text);
}

void wi_summary_add_elided(wi_summary *summary, const wi_tree *tree) {
  if (tree->elided_count == 0)
    return;
  wi_summary_add(summary,
                 "Deeper than %u frames: %s; of those " WI_ELIDED_TEXT
                 " shows the innermost functions only",
                 WI_DEPTH_LIMIT, wi_format_quantity(tree->elided_count, "stack").text);
}

/* Explains why there is nothing to see. */
static void add_empty(wi_summary *summary, const wi_tree *tree) {
  wasm_perf_measure measure;
  uint64_t total = tree->nodes[0].total;
  if (tree->node_count == 1 || (total == 0 && tree->call_count == 0))
    wi_summary_warn(summary, "No instrumented function was called.");
  else if (total == 0 && wi_view_has_measure(&tree->view, &measure))
    wi_summary_add(summary, "Nothing was counted: %s.", wi_measure_words(measure));
  else if (total == 0 && tree->view.clock != WASM_PERF_CLOCK_SAMPLED)
    wi_summary_warn(summary, "The clock never advanced: there are calls, but no time.");
}

void wi_summary_init(wi_summary *summary, const wasm_perf_profile *profile, const wi_tree *tree,
                     const wi_time_notes *notes) {
  char threads[WI_THREADS_TEXT_SIZE];
  summary->line_count = summary->number_count = 0;
  summary->is_rough = false;
  add_roughness(summary, tree, notes);
  add_all_hooked(summary, tree, notes);
  add_totals(summary, profile, tree);
  add_kinds(summary, profile, tree);
  if (wi_view_has_time(&tree->view) && wi_summary_threads(profile, threads))
    wi_summary_add(summary, "%s", threads);
  add_run(summary, &tree->view);
  add_hook_time(summary, &tree->view);
  add_mostly_hooks(summary, tree, notes);
  add_host_parts(summary, tree);
  if (tree->view.clock == WASM_PERF_CLOCK_SAMPLED)
    add_samples(summary, profile, tree, notes);
  add_shared(summary, profile);
  if (wi_view_has_time(&tree->view))
    wi_summary_add_times(summary, &profile->facts, tree, notes);
  add_cautions(summary, profile, tree);
  add_unnamed(summary, tree);
  add_namesakes(summary, &tree->labels);
  add_empty(summary, tree);
  wi_summary_add_elided(summary, tree);
}
