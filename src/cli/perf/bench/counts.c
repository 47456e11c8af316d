#include "cli/perf/bench/counts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/perf/bench/codes.h"
#include "cli/perf/input/profiles.h"
#include "profile/modules.h"
#include "report/model/edges.h"
#include "report/model/function_stats.h"
#include "report/model/line_costs.h"
#include "report/model/report.h"

/* ---- Metrics ---------------------------------------------------------------- */

static const struct {
  const char *name, *label;
  bool is_gated;
} metrics[] = {
#define CLI_METRIC(id, name, label, is_gated) {name, label, is_gated},
#include "cli/perf/bench/metrics.def"
#undef CLI_METRIC
};

const char *cli_metric_name(cli_metric metric) {
  return metrics[metric].name;
}

const char *cli_metric_label(cli_metric metric) {
  return metrics[metric].label;
}

bool cli_metric_is_gated(cli_metric metric) {
  return metrics[metric].is_gated;
}

/* ---- From a profile --------------------------------------------------------- */

void cli_counts_set(cli_counts *counts, cli_metric metric, uint64_t value) {
  counts->values[metric] = value;
  counts->has[metric] = true;
}

static void take_measure(cli_counts *counts, cli_metric metric, const wasm_perf_profile *profile,
                         wasm_perf_measure measure) {
  cli_counts_set(counts, metric, wasm_perf_measure_total(profile, measure));
}

/* The mix is known if the blocks of all functions that ran were counted. */
static void take_mix(cli_counts *counts, const uint64_t *mix) {
  uint64_t sum = 0;
  for (int i = 0; i < WASM_PERF_MIX_COUNT; i++)
    sum += mix[i];
  if (sum != counts->values[CLI_METRIC_INSTRUCTIONS])
    return;
  cli_counts_set(counts, CLI_METRIC_VECTOR, mix[WASM_PERF_MIX_VECTOR]);
  cli_counts_set(counts, CLI_METRIC_MEMORY, mix[WASM_PERF_MIX_MEMORY]);
  cli_counts_set(counts, CLI_METRIC_CALL, mix[WASM_PERF_MIX_CALL]);
  cli_counts_set(counts, CLI_METRIC_FLOAT, mix[WASM_PERF_MIX_FLOAT]);
}

static void take_values(cli_counts *counts, const wi_report *report) {
  const wasm_perf_profile *profile = report->profile;
  cli_counts_set(counts, CLI_METRIC_INSTRUCTIONS, report->tree->nodes[0].total);
  cli_counts_set(counts, CLI_METRIC_CALLS, report->tree->call_count);
  take_measure(counts, CLI_METRIC_ALLOCATED_BYTES, profile, WASM_PERF_MEASURE_ALLOCATED_BYTES);
  take_measure(counts, CLI_METRIC_ALLOCATED_BLOCKS, profile, WASM_PERF_MEASURE_ALLOCATED_OBJECTS);
  take_measure(counts, CLI_METRIC_PEAK_BYTES, profile, WASM_PERF_MEASURE_PEAK_BYTES);
  take_measure(counts, CLI_METRIC_LIVE_BYTES, profile, WASM_PERF_MEASURE_LIVE_BYTES);
  take_measure(counts, CLI_METRIC_LIVE_BLOCKS, profile, WASM_PERF_MEASURE_LIVE_OBJECTS);
  take_measure(counts, CLI_METRIC_GROWN_PAGES, profile, WASM_PERF_MEASURE_GROWN_PAGES);
  take_measure(counts, CLI_METRIC_BULK_BYTES, profile, WASM_PERF_MEASURE_BULK_BYTES);
  take_measure(counts, CLI_METRIC_BULK_ELEMENTS, profile, WASM_PERF_MEASURE_BULK_ELEMENTS);
  take_mix(counts, profile->lines.mix);
}

/*
 * The name that identifies a function in all runs and builds. Which other functions have its name
 * depends on the run, so functions of several modules always have their module's.
 */
static char *name_of(const wi_report *report, uint32_t label) {
  const wi_labels *labels = &report->tree->labels;
  uint32_t module = labels->modules[label], size = labels->name_sizes[label];
  if (report->profile->joined_count == 0 || module == WI_NO_MODULE || size == 0)
    return cli_text("%s", labels->texts[label]);
  return cli_text("%.*s" WI_IN_MODULE "%s)", (int)size, labels->texts[label],
                  wi_module_name(report->profile, module));
}

static int compare_functions(const void *left, const void *right) {
  return strcmp(((const cli_function *)left)->name, ((const cli_function *)right)->name);
}

/* Adds a function for each label. */
static bool take_functions(cli_counts *counts, const wi_report *report) {
  const wi_tree *tree = report->tree;
  if (!WI_ARRAY_RESERVE(counts, functions, tree->labels.count + 1))
    return false;
  for (uint32_t i = 0; i < tree->labels.count; i++)
    counts->functions[counts->functions_count++] =
        (cli_function){.name = name_of(report, i), .first = UINT32_MAX};
  for (uint32_t i = 1; i < tree->node_count; i++) {
    const wi_tree_node *node = &tree->nodes[i];
    cli_function *function = &counts->functions[node->label];
    if (node->source < function->first)
      function->first = node->source;
    function->self += node->self;
    function->calls += node->call_count;
  }
  return true;
}

/* Fills a new element and takes ownership of `name`. False if `share` is NULL: out of memory. */
static bool set_share(cli_share *share, char *name, uint64_t value) {
  if (share)
    *share = (cli_share){name, value};
  else
    free(name);
  return share != NULL;
}

static bool take_callers(cli_counts *counts, const wi_report *report) {
  const wi_tree *tree = report->tree;
  uint32_t count;
  wi_edge *edges = wi_edges_new(tree, &count);
  bool done = edges != NULL;
  for (uint32_t i = 0; i < count && done; i++) {
    const char *caller =
        edges[i].caller == WI_EDGE_HOST ? "[host]" : counts->functions[edges[i].caller].name;
    cli_function *callee = &counts->functions[edges[i].callee];
    if (edges[i].call_count > 0) /* else JavaScript that holds memory below */
      done = set_share(WI_ARRAY_PUSH(callee, callers), cli_text("%s", caller), edges[i].call_count);
  }
  free(edges);
  return done;
}

/* Adds up a line that occurs in several inlined functions. */
static bool add_line(cli_function *function, char *name, uint64_t instructions) {
  for (uint32_t i = 0; i < function->lines_count; i++)
    if (strcmp(function->lines[i].name, name) == 0) {
      function->lines[i].value += instructions;
      free(name);
      return true;
    }
  return set_share(WI_ARRAY_PUSH(function, lines), name, instructions);
}

static bool take_lines(cli_counts *counts, const wi_report *report) {
  wi_line_costs costs;
  const wasm_perf_lines *lines = &report->profile->lines;
  if (lines->count == 0)
    return true;
  if (!wi_line_costs_init(&costs, report->tree, report->profile, false))
    return false;
  bool done = true;
  for (uint32_t i = 0; i < costs.count && done; i++) {
    const wasm_perf_line *line = &costs.items[i].line;
    if (line->file == WASM_PERF_NO_FILE || line->instruction_count == 0)
      continue;
    const char *path = strrchr(lines->files[line->file], '/'); /* folders differ between machines */
    char *name = cli_text("%s:%" PRIu32, path ? path + 1 : lines->files[line->file], line->line);
    done = add_line(&counts->functions[costs.items[i].label], name, line->instruction_count);
  }
  wi_line_costs_clear(&costs);
  return done;
}

/* Functions that share a label have the sum of their hashes. */
static bool take_codes(cli_counts *counts, const wasm_perf_profile *profile,
                       const wi_labels *labels, const char *path) {
  uint64_t *codes = calloc(labels->functions.count + (size_t)1, sizeof *codes);
  bool done = codes && cli_codes_read(codes, profile, &labels->functions, path);
  for (uint32_t i = 0; i < labels->functions.count && done; i++)
    counts->functions[labels->indices[i]].code += codes[i];
  free(codes);
  return done;
}

static void clear_shares(cli_share *shares, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    free(shares[i].name);
  free(shares);
}

static void clear_function(cli_function *function) {
  free(function->name);
  clear_shares(function->callers, function->callers_count);
  clear_shares(function->lines, function->lines_count);
}

/* JavaScript that holds memory has no counts. */
static void drop_uncalled(cli_counts *counts) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < counts->functions_count; i++) {
    cli_function *function = &counts->functions[i];
    if (function->calls > 0 || function->self > 0)
      counts->functions[kept++] = *function;
    else
      clear_function(function);
  }
  counts->functions_count = kept;
}

bool cli_counts_take(cli_counts *counts, wasm_perf_profile *profile, const char *path,
                     cli_failure *failure) {
  wi_report report;
  if (!cli_profile_demangle(profile, failure) ||
      !wi_reports_init(&report, (const wasm_perf_profile *[]){profile}, (const char *[]){NULL}, 1,
                       NULL))
    return cli_fail_memory(failure);
  const char *identity = profile->facts.identity;
  counts->module = identity ? cli_text("%s", identity) : NULL;
  take_values(counts, &report);
  bool done = take_functions(counts, &report) && take_callers(counts, &report) &&
              take_lines(counts, &report) &&
              (!path || take_codes(counts, profile, &report.tree->labels, path));
  drop_uncalled(counts);
  qsort(counts->functions, counts->functions_count, sizeof *counts->functions, compare_functions);
  wi_report_clear(&report);
  return done || cli_fail_memory(failure);
}

void cli_counts_clear(cli_counts *counts) {
  for (uint32_t i = 0; i < counts->functions_count; i++)
    clear_function(&counts->functions[i]);
  free(counts->functions);
  free(counts->module);
  *counts = (cli_counts){0};
}

/* ---- Looking things up -------------------------------------------------------- */

static int compare_name(const void *name, const void *function) {
  return strcmp(name, ((const cli_function *)function)->name);
}

const cli_function *cli_counts_find(const cli_counts *counts, const char *name) {
  if (counts->functions_count == 0)
    return NULL;
  return bsearch(name, counts->functions, counts->functions_count, sizeof *counts->functions,
                 compare_name);
}

uint64_t cli_share_find(const cli_share *shares, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(shares[i].name, name) == 0)
      return shares[i].value;
  return 0;
}

/* ---- Two runs ------------------------------------------------------------------- */

/*
 * The end of a name without what tells it apart from others (report/model/identities.h), which
 * depends on what ran.
 */
static const char *bare_end(const char *name, const char *end) {
  if (end == name || end[-1] != ')')
    return end;
  const char *at = end - 1; /* behind the bracket that opens, if it is not nested */
  while (at > name && at[-1] != '(' && at[-1] != ')')
    at--;
  bool is_mark = at > name + 2 && at[-1] == '(' && at[-2] == ' ';
  return is_mark ? at - 2 : end;
}

uint32_t cli_function_name_size(const char *name) {
  const char *end = name + strlen(name);
  for (const char *at = strstr(name, WI_IN_MODULE); at; at = strstr(at + 1, WI_IN_MODULE))
    end = at;
  return (uint32_t)(bare_end(name, end) - name);
}

static bool is_same(const cli_function *a, const cli_function *b) {
  return a && b && a->self == b->self && a->calls == b->calls;
}

/* The sums of the functions with a name of that size, whatever their marks. */
static cli_function sum_of(const cli_counts *counts, const char *name, uint32_t size) {
  cli_function sum = {0};
  for (uint32_t i = 0; i < counts->functions_count; i++) {
    const cli_function *function = &counts->functions[i];
    if (strncmp(function->name, name, size) != 0 || cli_function_name_size(function->name) != size)
      continue;
    sum.self += function->self;
    sum.calls += function->calls;
  }
  return sum;
}

/* Whether the function has namesakes, and all of them together are the same in `others`. */
static bool is_same_together(const cli_counts *counts, const cli_counts *others, const char *name) {
  uint32_t size = cli_function_name_size(name);
  if (name[size] == '\0')
    return false;
  cli_function sum = sum_of(counts, name, size), other = sum_of(others, name, size);
  return is_same(&sum, &other);
}

/* Sets *found to the first function of `counts`, by first calls, that differs in `others`. */
static void find_first(const cli_counts *counts, const cli_counts *others,
                       const cli_function **found) {
  for (uint32_t i = 0; i < counts->functions_count; i++) {
    const cli_function *function = &counts->functions[i];
    if ((!*found || function->first < (*found)->first) &&
        !is_same(function, cli_counts_find(others, function->name)) &&
        !is_same_together(counts, others, function->name))
      *found = function;
  }
}

char *cli_counts_difference(const cli_counts *first, const cli_counts *second) {
  static const cli_function none = {0};
  const cli_function *found = NULL;
  find_first(first, second, &found);
  if (!found)
    find_first(second, first, &found);
  if (found) {
    const cli_function *a = cli_counts_find(first, found->name);
    const cli_function *b = cli_counts_find(second, found->name);
    a = a ? a : &none;
    b = b ? b : &none;
    return cli_text("two runs differ first in %s: %" PRIu64 " and %" PRIu64
                    " instructions, %" PRIu64 " and %" PRIu64 " calls",
                    found->name, a->self, b->self, a->calls, b->calls);
  }
  for (cli_metric i = 0; i < CLI_METRIC_COUNT; i++)
    if (first->has[i] && first->values[i] != second->values[i])
      return cli_text("two runs differ: %" PRIu64 " and %" PRIu64 " %s", first->values[i],
                      second->values[i], cli_metric_label(i));
  return NULL;
}

void cli_counts_complete(cli_counts *counts, cli_counts *other) {
  for (cli_metric i = 0; i < CLI_METRIC_COUNT; i++)
    if (other->has[i])
      cli_counts_set(counts, i, other->values[i]);
  for (uint32_t i = 0; i < other->functions_count; i++) {
    cli_function *from = &other->functions[i];
    cli_function *to = (cli_function *)cli_counts_find(counts, from->name);
    if (!to || to->lines)
      continue;
    to->lines = from->lines;
    to->lines_count = from->lines_count;
    to->lines_capacity = from->lines_capacity;
    from->lines = NULL;
    from->lines_count = from->lines_capacity = 0;
  }
}
