#include "report/model/coverage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/model/own_files.h"
#include "support/arithmetic.h"

/* ---- Functions ------------------------------------------------------------ */

static int compare_numbers(uint32_t left, uint32_t right) {
  return (left > right) - (left < right);
}

static int compare_functions(const void *left, const void *right) {
  const wi_covered_function *a = left, *b = right;
  int order = strcmp(a->path, b->path);
  if (order == 0)
    order = compare_numbers(a->line, b->line);
  if (order == 0 && a->name && b->name)
    order = strcmp(a->name, b->name);
  return order ? order : compare_numbers(a->function, b->function);
}

/* The calls of each function that has a place, in the order of places; the caller frees them. */
static uint64_t *count_calls(const wasm_perf_profile *profile) {
  uint64_t *calls = calloc(profile->place_count + (size_t)1, sizeof *calls);
  for (uint32_t i = 1; calls && i < profile->header.node_count; i++) {
    const wasm_perf_node *node = &profile->nodes[i];
    const wasm_perf_place *place = wasm_perf_profile_place(profile, node->function);
    uint64_t *sum = place ? &calls[place - profile->places] : NULL;
    if (sum)
      *sum = wi_saturating_add(*sum, node->call_count);
  }
  return calls;
}

/* Whether both are one function, such as a test's and the program's. */
static bool is_same_function(const wi_covered_function *a, const wi_covered_function *b) {
  return strcmp(a->path, b->path) == 0 && a->line == b->line && a->name && b->name &&
         strcmp(a->name, b->name) == 0;
}

static void merge_functions(wi_coverage *c) {
  size_t count = 0;
  for (size_t i = 0; i < c->function_count; i++) {
    wi_covered_function *last = count > 0 ? &c->functions[count - 1] : NULL;
    if (last && is_same_function(last, &c->functions[i]))
      last->count = wi_saturating_add(last->count, c->functions[i].count);
    else
      c->functions[count++] = c->functions[i];
  }
  c->function_count = count;
}

static bool collect_functions(wi_coverage *c, const wasm_perf_profile *profile,
                              const wasm_perf_report_options *options) {
  uint64_t *calls = count_calls(profile);
  c->functions = calloc(profile->place_count + (size_t)1, sizeof *c->functions);
  bool done = calls && c->functions;
  for (uint32_t i = 0; done && i < profile->place_count; i++) {
    const wasm_perf_place *place = &profile->places[i];
    if (wasm_perf_profile_is_counted(profile, place->function) &&
        wi_file_is_own(options, place->file))
      c->functions[c->function_count++] =
          (wi_covered_function){.path = place->file,
                                .name = wasm_perf_profile_name(profile, place->function),
                                .line = place->line,
                                .function = place->function,
                                .count = calls[i]};
  }
  free(calls);
  if (done && c->function_count > 0)
    qsort(c->functions, c->function_count, sizeof *c->functions, compare_functions);
  if (done)
    merge_functions(c);
  return done;
}

/* ---- Lines ---------------------------------------------------------------- */

static int compare_lines(const void *left, const void *right) {
  const wi_covered_line *a = left, *b = right;
  int order = strcmp(a->path, b->path);
  return order ? order : compare_numbers(a->line, b->line);
}

static void merge_lines(wi_coverage *c) {
  size_t count = 0;
  for (size_t i = 0; i < c->line_count; i++) {
    wi_covered_line *last = count > 0 ? &c->lines[count - 1] : NULL;
    if (last && compare_lines(last, &c->lines[i]) == 0)
      last->count = wi_saturating_add(last->count, c->lines[i].count);
    else
      c->lines[count++] = c->lines[i];
  }
  c->line_count = count;
}

static bool collect_lines(wi_coverage *c, const wasm_perf_lines *lines, const bool *is_own) {
  c->lines = calloc(lines->count + (size_t)1, sizeof *c->lines);
  for (uint32_t i = 0; c->lines && i < lines->count; i++) {
    const wasm_perf_line *line = &lines->items[i];
    if (line->file != WASM_PERF_NO_FILE && is_own[line->file])
      c->lines[c->line_count++] =
          (wi_covered_line){lines->files[line->file], line->line, line->execution_count};
  }
  if (c->line_count > 0)
    qsort(c->lines, c->line_count, sizeof *c->lines, compare_lines);
  if (c->lines)
    merge_lines(c);
  return c->lines != NULL;
}

/* ---- Branches ------------------------------------------------------------- */

static int compare_branches(const wi_covered_way *a, const wi_covered_way *b) {
  int order = strcmp(a->path, b->path);
  if (order == 0)
    order = compare_numbers(a->branch.line, b->branch.line);
  if (order == 0)
    order = compare_numbers(a->branch.column, b->branch.column);
  return order ? order : compare_numbers(a->branch.ordinal, b->branch.ordinal);
}

static int compare_ways(const void *left, const void *right) {
  const wi_covered_way *a = left, *b = right;
  int order = compare_branches(a, b);
  return order ? order : compare_numbers(a->branch.way, b->branch.way);
}

/* Adds up copies of ways. A branch is the compiler's if all of its copies are. */
static void merge_ways(wi_coverage *c) {
  size_t count = 0;
  for (size_t i = 0; i < c->way_count; i++) {
    wi_covered_way *last = count > 0 ? &c->ways[count - 1] : NULL;
    wasm_perf_branch *sum = last ? &last->branch : NULL;
    const wasm_perf_branch *branch = &c->ways[i].branch;
    if (last && compare_ways(last, &c->ways[i]) == 0) {
      sum->count = wi_saturating_add(sum->count, branch->count);
      sum->is_generated &= branch->is_generated;
    } else {
      c->ways[count++] = c->ways[i];
    }
  }
  c->way_count = count;
}

/* The end of the branch that begins at `first`. */
static size_t end_of_branch(const wi_coverage *c, size_t first) {
  size_t end = first;
  while (end < c->way_count && compare_branches(&c->ways[end], &c->ways[first]) == 0)
    end++;
  return end;
}

/* Numbers the branches of each line, and drops the compiler's branches. */
static void number_branches(wi_coverage *c) {
  size_t count = 0;
  for (size_t i = 0, next; i < c->way_count; i = next) {
    next = end_of_branch(c, i);
    bool is_executed = false;
    for (size_t n = i; n < next; n++)
      is_executed |= c->ways[n].branch.count > 0;
    c->generated_count += c->ways[i].branch.is_generated;
    if (c->ways[i].branch.is_generated)
      continue;
    const wi_covered_way *last = count > 0 ? &c->ways[count - 1] : NULL;
    bool is_on_line =
        last && last->path == c->ways[i].path && last->branch.line == c->ways[i].branch.line;
    uint32_t number = is_on_line ? last->number + 1 : 0;
    for (size_t n = i; n < next; n++, count++) {
      c->ways[count] = c->ways[n];
      c->ways[count].number = number;
      c->ways[count].is_executed = is_executed;
    }
  }
  c->way_count = count;
}

static bool collect_ways(wi_coverage *c, const wasm_perf_lines *lines, const bool *is_own) {
  c->ways = calloc(lines->branch_count + (size_t)1, sizeof *c->ways);
  for (uint32_t i = 0; c->ways && i < lines->branch_count; i++) {
    const wasm_perf_branch *branch = &lines->branches[i];
    if (is_own[branch->file])
      c->ways[c->way_count++] =
          (wi_covered_way){.path = lines->files[branch->file], .branch = *branch};
  }
  if (c->way_count > 0)
    qsort(c->ways, c->way_count, sizeof *c->ways, compare_ways);
  if (c->ways) {
    merge_ways(c);
    number_branches(c);
  }
  return c->ways != NULL;
}

const wi_covered_way *wi_coverage_ways(const wi_covered_file *file, uint32_t line, size_t *count) {
  size_t low = 0, high = (size_t)file->sums.branches.count, first;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (file->ways[middle].branch.line < line)
      low = middle + 1;
    else
      high = middle;
  }
  for (first = low; low < file->sums.branches.count && file->ways[low].branch.line == line;)
    low++;
  *count = low - first;
  return file->ways + first;
}

/* ---- Files ---------------------------------------------------------------- */

static void add_share(wi_covered_share *share, bool is_hit) {
  share->count++;
  share->hit_count += is_hit;
}

static const char *first_of(const char *a, const char *b) {
  return !a || (b && strcmp(b, a) < 0) ? b : a;
}

/* Takes the items of the file with the smallest path. */
static void take_file(wi_coverage *c, size_t *function, size_t *line, size_t *way) {
  const char *path = *function < c->function_count ? c->functions[*function].path : NULL;
  path = first_of(path, *line < c->line_count ? c->lines[*line].path : NULL);
  path = first_of(path, *way < c->way_count ? c->ways[*way].path : NULL);
  wi_covered_file *file = &c->files[c->file_count++];
  *file = (wi_covered_file){.path = path,
                            .functions = c->functions + *function,
                            .lines = c->lines + *line,
                            .ways = c->ways + *way};
  for (; *function < c->function_count && strcmp(c->functions[*function].path, path) == 0;
       ++*function)
    add_share(&file->sums.functions, c->functions[*function].count > 0);
  for (; *line < c->line_count && strcmp(c->lines[*line].path, path) == 0; ++*line)
    add_share(&file->sums.lines, c->lines[*line].count > 0);
  for (; *way < c->way_count && strcmp(c->ways[*way].path, path) == 0; ++*way)
    add_share(&file->sums.branches, c->ways[*way].branch.count > 0);
}

static void add_up(wi_covered_share *sum, const wi_covered_share *more) {
  sum->count += more->count;
  sum->hit_count += more->hit_count;
}

void wi_covered_sums_add(wi_covered_sums *sums, const wi_covered_sums *more) {
  add_up(&sums->functions, &more->functions);
  add_up(&sums->lines, &more->lines);
  add_up(&sums->branches, &more->branches);
}

wi_covered_text wi_covered_percent(const wi_covered_share *share) {
  wi_covered_text result = {"-"};
  uint64_t tenths = share->count > 0 ? wi_scale(share->hit_count, share->count, 1000) : 0;
  if (share->count == 0)
    return result;
  if (share->hit_count == share->count || share->hit_count == 0) {
    snprintf(result.text, sizeof result.text, "%s %%", share->hit_count > 0 ? "100" : "0");
    return result;
  }
  tenths = tenths == 0 ? 1 : tenths > 999 ? 999 : tenths;
  snprintf(result.text, sizeof result.text, "%" PRIu64 ".%" PRIu64 " %%", tenths / 10, tenths % 10);
  return result;
}

static bool find_files(wi_coverage *c) {
  size_t function = 0, line = 0, way = 0;
  c->files = calloc(c->function_count + c->line_count + c->way_count + 1, sizeof *c->files);
  while (c->files && (function < c->function_count || line < c->line_count || way < c->way_count)) {
    take_file(c, &function, &line, &way);
    wi_covered_sums_add(&c->sums, &c->files[c->file_count - 1].sums);
  }
  return c->files != NULL;
}

/* Whether each file of the lines is the program's own; the caller frees the result. */
static bool *find_own(const wasm_perf_lines *lines, const wasm_perf_report_options *options) {
  bool *is_own = calloc(lines->file_count + (size_t)1, sizeof *is_own);
  for (uint32_t i = 0; is_own && i < lines->file_count; i++)
    is_own[i] = wi_file_is_own(options, lines->files[i]);
  return is_own;
}

bool wi_coverage_init(wi_coverage *coverage, const wasm_perf_profile *profile,
                      const wasm_perf_report_options *options) {
  *coverage = (wi_coverage){.has_branches = profile->facts.counts_edges != 0};
  bool *is_own = find_own(&profile->lines, options);
  bool done = is_own && collect_functions(coverage, profile, options) &&
              collect_lines(coverage, &profile->lines, is_own) &&
              collect_ways(coverage, &profile->lines, is_own) && find_files(coverage);
  free(is_own);
  if (!done)
    wi_coverage_clear(coverage);
  return done;
}

void wi_coverage_clear(wi_coverage *coverage) {
  free(coverage->functions);
  free(coverage->lines);
  free(coverage->ways);
  free(coverage->files);
  *coverage = (wi_coverage){0};
}
