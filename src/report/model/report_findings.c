#include "report/model/report_findings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "names/shorten.h"
#include "profile/kinds.h"
#include "profile/threads.h"
#include "report/model/holdings.h"
#include "report/model/inlined_costs.h"
#include "report/model/line_totals.h"
#include "report/model/measured.h"
#include "report/model/shown_findings.h"
#include "report/model/time_line.h"
#include "support/arithmetic.h"
#include "support/path.h"

#define MAJOR      10u  /* % of the whole from which a part is worth a sentence */
#define SLOW_CALLS 100u /* kept calls that are looked at, the slowest ones */

static bool is_major(uint64_t part, uint64_t whole) {
  return wi_scale(part, whole, 100) >= MAJOR;
}

/* ---- Lines ------------------------------------------------------------------ */

/* What lines cost: instructions, or the time of their functions, divided by instructions. */
typedef struct line_work {
  const wi_line_costs *costs;
  const wi_label_sum *sums; /* per label, with its time; NULL: costs are instructions */
  uint64_t *own;            /* per label: instructions of its lines; owned */
  uint64_t whole;           /* in the same unit */
} line_work;

static bool line_work_init(line_work *work, const wi_line_costs *costs, const wi_tree *tree) {
  bool has_time = wi_view_has_time(&tree->view);
  *work = (line_work){.costs = costs,
                      .sums = has_time ? tree->sums : NULL,
                      .own = calloc(tree->labels.count + (size_t)1, sizeof *work->own)};
  for (uint32_t i = 0; work->own && i < costs->count; i++) {
    uint64_t *own = &work->own[costs->items[i].label];
    *own = wi_saturating_add(*own, costs->items[i].line.instruction_count);
    work->whole = wi_saturating_add(work->whole, costs->items[i].line.instruction_count);
  }
  if (has_time)
    work->whole = tree->nodes[0].total;
  return work->own != NULL;
}

/* What instructions of that label's own cost. */
static uint64_t cost_of(const line_work *work, uint32_t label, uint64_t instructions) {
  return work->sums ? wi_scale(instructions, work->own[label], work->sums[label].self)
                    : instructions;
}

/* "31.0 % of the instructions", "about 31.0 % of the time" */
static wi_short_text share_of(const line_work *work, uint64_t cost) {
  wi_short_text text;
  snprintf(text.text, sizeof text.text, "%s%.20s %% of the %s", work->sums ? "about " : "",
           wi_format_percentage(cost, work->whole, 1).text, work->sums ? "time" : "instructions");
  return text;
}

/* "slow.c:12", or an empty text */
static wi_short_text place_of(const wasm_perf_lines *lines, uint32_t file, uint32_t line) {
  char path[WI_LABEL_MAX_SIZE + 1], name[WI_SHORTENED_SIZE];
  wi_short_text result = {""};
  if (file == WASM_PERF_NO_FILE)
    return result;
  wi_label_clean(path, wi_path_name(lines->files[file]), 0);
  wi_shorten(name, path, WI_FINDING_NAME_WIDTH);
  snprintf(result.text, sizeof result.text, "%.40s:%" PRIu32, name, line);
  return result;
}

/*
 * "find_slow, inlined into " main "(slow.c:8): about 12 % of the time, by its 99 % of the function's
 * instructions"
 */
static bool find_inlined(wi_findings *findings, const wi_report *report, const line_work *work) {
  wi_inlined_costs costs;
  const wasm_perf_lines *names = &report->profile->lines;
  if (!wi_inlined_costs_init(&costs, report->tree, report->profile))
    return false;
  const wi_inlined_cost *best = NULL;
  uint64_t most = 0;
  for (uint32_t i = 0; i < costs.count; i++) {
    uint64_t cost = cost_of(work, costs.items[i].label, costs.items[i].instruction_count);
    if (cost > most) {
      best = &costs.items[i];
      most = cost;
    }
  }
  if (best && is_major(most, work->whole)) {
    const wasm_perf_inlined *inlined = &names->inlined[best->inlined];
    wi_finding *finding = wi_findings_add(findings, best->label, 0);
    char clean[WI_LABEL_MAX_SIZE + 1], name[WI_SHORTENED_SIZE];
    wi_label_clean(clean, inlined->name, 0);
    wi_shorten(name, clean, WI_FINDING_NAME_WIDTH);
    wi_short_text place = place_of(names, inlined->file, inlined->line);
    snprintf(finding->before, sizeof finding->before, "%.80s, inlined into ", name);
    snprintf(finding->after, sizeof finding->after, "%s%s%s: %s, %s%s %% of the function's %s",
             *place.text ? "(" : "", place.text, *place.text ? ")" : "", share_of(work, most).text,
             work->sums ? "by its " : "",
             wi_format_percentage(best->instruction_count, work->own[best->label], 0).text,
             work->sums ? "instructions" : "own");
  }
  wi_inlined_costs_clear(&costs);
  return true;
}

/* A line that is worth a sentence. */
typedef struct hot_line {
  const wi_line_cost *cost; /* NULL: none */
  uint64_t value;           /* in the unit of line_work */
  bool has_callees;         /* includes the callees' instructions */
} hot_line;

static bool is_program(const wi_tree *tree, uint32_t label) {
  uint32_t line;
  const char *file = wi_tree_file(tree, label, &line);
  return wi_color_kind_of(wi_tree_text(tree, label), file, wi_tree_kind(tree, label)) ==
         WI_COLOR_PROGRAM;
}

/* The line of the program's own code that costs most by itself. */
static hot_line hottest_line(const wi_report *report, const line_work *work) {
  hot_line best = {.cost = NULL};
  for (uint32_t i = 0; i < work->costs->count; i++) {
    const wi_line_cost *item = &work->costs->items[i];
    uint64_t cost = cost_of(work, item->label, item->line.instruction_count);
    if (item->line.line > 0 && item->line.file != WASM_PERF_NO_FILE && cost > best.value &&
        is_program(report->tree, item->label))
      best = (hot_line){item, cost, false};
  }
  return best;
}

/* The innermost function of the program, with lines, that half of the work passes through. */
static uint32_t innermost_program(const wi_tree *tree, const wi_line_costs *costs) {
  uint32_t found = WI_FINDING_NO_LABEL, node = 0;
  for (;;) {
    const wi_tree_node *of = &tree->nodes[node];
    uint32_t next = 0, count;
    for (uint32_t i = of->first_child; i < of->first_child + of->child_count; i++)
      if (tree->nodes[i].total > tree->nodes[0].total / 2)
        next = i;
    if (next == 0)
      return found;
    node = next;
    uint32_t label = tree->nodes[node].label;
    if (is_program(tree, label) && wi_line_costs_find(costs, label, &count))
      found = label;
  }
}

/* The line of that function that executes most, including its callees. */
static bool find_calling_line(const wi_report *report, const wi_line_costs *costs, hot_line *best) {
  uint32_t label = innermost_program(report->tree, costs), count;
  wi_call_lines calls;
  wi_line_totals totals;
  if (label == WI_FINDING_NO_LABEL || report->unit != WI_UNIT_INSTRUCTIONS)
    return true;
  const wi_line_cost *lines = wi_line_costs_find(costs, label, &count);
  if (!wi_call_lines_init(&calls, report->tree, report->profile, costs))
    return false;
  bool done = wi_line_totals_init(&totals, report, costs, &calls, lines, count);
  for (uint32_t i = 0; done && totals.items && i < count; i++)
    if (lines[i].line.line > 0 && totals.items[i] > best->value)
      *best = (hot_line){&lines[i], totals.items[i], true};
  if (done)
    wi_line_totals_clear(&totals);
  wi_call_lines_clear(&calls);
  return done;
}

/* "The hottest line is slow.c:9 in " main ": 46.7 % of the instructions, executed 9,000 times" */
static void add_line(wi_findings *findings, const wi_report *report, const hot_line *hot,
                     const line_work *work) {
  if (!hot->cost || !is_major(hot->value, work->whole))
    return;
  const wasm_perf_line *line = &hot->cost->line;
  wi_finding *finding = wi_findings_add(findings, hot->cost->label, 0);
  snprintf(finding->before, sizeof finding->before, "The hottest line is %s in ",
           place_of(&report->profile->lines, line->file, line->line).text);
  snprintf(finding->after, sizeof finding->after, ": %s%s%s, executed %s",
           share_of(work, hot->value).text, hot->has_callees ? " with its callees" : "",
           work->sums ? ", by its function's instructions" : "",
           wi_format_quantity(line->execution_count, "time").text);
}

static bool find_lines(wi_findings *findings, const wi_report *report) {
  wi_line_costs costs;
  line_work work;
  if (report->profile->lines.count == 0 || wi_view_has_measure(&report->tree->view, NULL))
    return true;
  if (!wi_line_costs_init(&costs, report->tree, report->profile, false))
    return false;
  bool done = line_work_init(&work, &costs, report->tree);
  if (done) {
    hot_line hot = hottest_line(report, &work);
    done = find_calling_line(report, &costs, &hot) && find_inlined(findings, report, &work);
    if (done)
      add_line(findings, report, &hot, &work);
  }
  free(work.own);
  wi_line_costs_clear(&costs);
  return done;
}

/* ---- Phases ------------------------------------------------------------------ */

static bool works(const wasm_perf_profile *profile, uint32_t node) {
  wasm_perf_kind kind = wasm_perf_profile_kind(profile, profile->nodes[node].function);
  return node != 0 && kind != WASM_PERF_KIND_IDLE && kind != WASM_PERF_KIND_WAIT;
}

/*
 * Adds the work of a thread before its first function of a module, by node of the tree, to
 * `totals`. Returns when that began; 0: never.
 */
static uint64_t sum_start(const wi_report *report, const wasm_perf_thread *thread,
                          uint64_t *totals) {
  const wasm_perf_profile *profile = report->profile;
  const wi_tree *tree = report->tree;
  uint64_t at = thread->start - wi_threads_start(profile);
  for (uint32_t i = 0; i < thread->stretch_count; i++) {
    const wasm_perf_stretch *stretch = &thread->stretches[i];
    uint32_t node = tree->nodes_of[stretch->node];
    bool is_work = node != 0 && works(profile, stretch->node);
    if (is_work && wi_tree_kind(tree, tree->nodes[node].label) == WASM_PERF_KIND_WASM)
      return at;
    if (is_work)
      totals[node] += stretch->microseconds;
    at += stretch->microseconds;
  }
  return 0;
}

/* The time in which threads work, in microseconds. */
static uint64_t sum_work(const wi_report *report) {
  const wasm_perf_profile *profile = report->profile;
  uint64_t sum = 0;
  for (uint32_t t = 0; t < profile->thread_count; t++) {
    const wasm_perf_thread *thread = &profile->threads[t];
    for (uint32_t i = 0; i < thread->stretch_count; i++)
      if (report->tree->nodes_of[thread->stretches[i].node] != 0 &&
          works(profile, thread->stretches[i].node))
        sum += thread->stretches[i].microseconds;
  }
  return sum;
}

/* The child with the largest total, if that is at least half of `whole`; 0: none. */
static uint32_t main_child(const wi_tree *tree, uint32_t node, const uint64_t *totals,
                           uint64_t whole) {
  const wi_tree_node *of = &tree->nodes[node];
  uint32_t best = 0;
  for (uint32_t i = of->first_child; i < of->first_child + of->child_count; i++)
    if (totals[i] >= whole - totals[i] && (best == 0 || totals[i] > totals[best]))
      best = i;
  return best;
}

/* The innermost function with half of start-up, and the one that has half of that, if there are. */
static void add_start(wi_findings *findings, const wi_tree *tree, const uint64_t *totals,
                      uint64_t whole, uint64_t end) {
  uint32_t outer = 0, next;
  char outer_name[WI_SHORTENED_SIZE] = "";
  while ((next = main_child(tree, outer, totals, totals[0])) != 0)
    outer = next;
  uint32_t inner = outer != 0 ? main_child(tree, outer, totals, totals[outer]) : 0;
  uint32_t node = inner != 0 ? inner : outer;
  wi_finding *finding =
      wi_findings_add(findings, node != 0 ? tree->nodes[node].label : WI_FINDING_NO_LABEL, node);
  if (!finding)
    return;
  finding->end = end;
  if (inner != 0)
    wi_shorten(outer_name, wi_tree_text(tree, tree->nodes[outer].label), WI_FINDING_NAME_WIDTH);
  snprintf(node != 0 ? finding->before : finding->after, sizeof finding->before,
           "%s %% of the time is start-up, before WebAssembly runs%s%s%s",
           wi_format_percentage(totals[0], whole, 1).text, node != 0 ? ", most in " : "",
           outer_name, inner != 0 ? " \u2192 " : "");
}

/* "42.0 % of the time is start-up, before WebAssembly runs, most in receiveInstance → " relocate */
static bool find_start(wi_findings *findings, const wi_report *report) {
  const wi_tree *tree = report->tree;
  if (!wi_time_line_is_there(report))
    return true;
  uint64_t *totals = calloc(tree->node_count, sizeof *totals);
  uint64_t end = totals ? sum_start(report, &report->profile->threads[0], totals) : 0;
  for (uint32_t i = tree->node_count; totals && i-- > 1;)
    totals[tree->nodes[i].parent] += totals[i];
  uint64_t whole = sum_work(report);
  if (end > 0 && is_major(totals[0], whole))
    add_start(findings, tree, totals, whole, end);
  free(totals);
  return totals != NULL;
}

/*
 * "9.40 s idle: 60.3 % of 15.6 s", if the report leaves that out. Waiting depends on what else the
 * machine does.
 */
static void find_idle(wi_findings *findings, const wi_report *report) {
  const wi_view *view = &report->tree->view;
  uint64_t whole = wi_whole_time(report->tree);
  uint64_t idle = wi_view_hidden(view, WASM_PERF_KIND_IDLE);
  wi_finding *finding = wi_view_has_time(view) && is_major(idle, whole)
                            ? wi_findings_add(findings, WI_FINDING_NO_LABEL, 0)
                            : NULL;
  if (finding)
    snprintf(finding->after, sizeof finding->after, "%s idle: %s %% of %s",
             wi_format_value(WI_UNIT_NANOSECONDS, idle).text,
             wi_format_percentage(idle, whole, 1).text,
             wi_format_value(WI_UNIT_NANOSECONDS, whole).text);
}

/* ---- Single calls ------------------------------------------------------------ */

/* The slow call that is the largest multiple of its function's median; NULL: none is remarkable. */
static const wasm_perf_call *find_slow(const wi_measured_calls *calls) {
  const wasm_perf_call *found = NULL;
  uint64_t most = WI_SLOW_MULTIPLE - 1;
  for (uint32_t i = 0; i < wi_calls_slow_count(calls->profile) && i < SLOW_CALLS; i++) {
    const wasm_perf_call *call = &calls->profile->calls.kept[i];
    const wi_measured *row = wi_measured_row(calls, call);
    uint64_t multiple = row && row->p50 > 0 ? call->values[calls->measure] / row->p50 : 0;
    if (multiple > most) {
      most = multiple;
      found = call;
    }
  }
  return found;
}

/* Says which command shows why the call was slow. */
static wi_short_text slow_command(const wasm_perf_profile *profile, const wasm_perf_call *call) {
  wi_short_text text = {"lists it"};
  const wasm_perf_call *typical = wi_typical_call(profile, call);
  char number[16] = "worst";
  if (call != profile->calls.kept)
    snprintf(number, sizeof number, "%u", (unsigned)(call - profile->calls.kept) + 1);
  if (call->row_count > 0 && typical && typical->row_count > 0)
    snprintf(text.text, sizeof text.text, "--call %s --against median says why", number);
  return text;
}

/*
 * "The slowest of 1,203 calls of " render "took 212 ms, 111 times the median: wasm-perf calls FILE
 * --call worst --against median says why"
 */
static bool find_slow_call(wi_findings *findings, const wi_report *report) {
  wi_measured_calls calls;
  if (report->profile->calls.measures == 0)
    return true;
  if (!wi_measured_calls_init(&calls, report, wi_calls_rank(report->profile)))
    return false;
  const wasm_perf_call *slow = find_slow(&calls);
  const wi_measured *row = slow ? wi_measured_row(&calls, slow) : NULL;
  wi_finding *finding = row ? wi_findings_add(findings, row->label, 0) : NULL;
  if (finding) {
    uint64_t value = slow->values[calls.measure];
    snprintf(finding->before, sizeof finding->before, "The slowest of %s of ",
             wi_format_quantity(row->count, "call").text);
    snprintf(finding->after, sizeof finding->after,
             "%s %.40s, %.40s times the median: wasm-perf calls FILE %.60s",
             calls.measure == WASM_PERF_CALL_MEASURE_TIME ? "took" : "executed",
             wi_format_value(calls.unit, value).text, wi_format_multiple(value, row->p50).text,
             slow_command(report->profile, slow).text);
  }
  wi_measured_calls_clear(&calls);
  return true;
}

/* ---- Memory ------------------------------------------------------------------ */

/* "main.mjs:19 → parse holds 12.0 MB at the end (300 blocks): called in " load: what comes first. */
static bool find_holder(wi_findings *findings, const wi_report *report) {
  wi_holdings holdings;
  wi_findings all = {.count = 0};
  if (!wi_view_has_measure(&report->tree->view, NULL))
    return true;
  if (!wi_holdings_init(&holdings, report))
    return false;
  if (holdings.items_count > 0) {
    const wi_holding *most = &holdings.items[0];
    wi_finding *finding = wi_findings_add(&all, most->label, 0);
    snprintf(finding->before, sizeof finding->before, "%s", wi_holding_describe(most).text);
    wi_findings_put(&all, findings);
    *findings = all;
  }
  wi_holdings_clear(&holdings);
  return true;
}

/* ---- Public functions -------------------------------------------------------- */

bool wi_report_find(wi_findings *findings, const wi_shown *shown, const wi_report *report) {
  wi_findings more = {.count = 0};
  if (!wi_shown_find(findings, shown))
    return false;
  if (shown->is_rough)
    return true;
  bool done =
      find_slow_call(&more, report) && find_lines(&more, report) && find_start(&more, report);
  find_idle(&more, report);
  wi_findings_put(findings, &more);
  return done && find_holder(findings, report);
}
