#include "symbols/module_lines.h"

#include <stdlib.h>
#include <string.h>

#include "debug/inline_table.h"
#include "debug/line_table.h"
#include "support/arithmetic.h"
#include "symbols/branches.h"
#include "symbols/callee.h"
#include "symbols/counters.h"
#include "symbols/mix.h"

/* The cost of a stretch of code with one line and one inlined frame. */
typedef struct line_use {
  const char *path; /* "" if there is no line */
  uint32_t frame;
  wasm_perf_line sums;
} line_use;

/* Calls of one function in such a stretch. */
typedef struct call_use {
  line_use at;     /* its sums only have the line */
  uint32_t callee; /* function of the profile, or WASM_PERF_ANY_CALLEE */
  uint64_t count;
} call_use;

typedef struct collector {
  wasm_perf_profile *profile;
  const wi_module *module;
  uint32_t code; /* offset of the code section's payload */
  const wi_line_table *table;
  wi_line_table *own_table; /* NULL if the caller passed a table */
  wi_inline_table *inlined;
  uint32_t *added;           /* per frame: 0, or 1 + index of the inlined function in the profile */
  WI_ARRAY(uint32_t, chain); /* frames to add, innermost first */
  wi_scan scan;
  wi_branches branches;
  WI_ARRAY(line_use, uses); /* of the current function, as are calls */
  WI_ARRAY(call_use, calls);
  uint32_t function_offset; /* what the profile's indices exceed the module's by */
} collector;

static void add_sums(wasm_perf_line *sums, const wasm_perf_line *more) {
  if (sums->execution_count < more->execution_count)
    sums->execution_count = more->execution_count;
  sums->instruction_count = wi_saturating_add(sums->instruction_count, more->instruction_count);
  sums->call_count = wi_saturating_add(sums->call_count, more->call_count);
}

static bool is_call(const collector *c, uint32_t offset) {
  return wi_mix_of(c->module->bytes + offset) == WASM_PERF_MIX_CALL;
}

static bool add_call(collector *c, uint32_t offset, const line_use *at) {
  uint32_t callee = wi_callee_of(c->module->bytes + offset);
  call_use *call = WI_ARRAY_PUSH(c, calls);
  if (call)
    *call = (call_use){.at = *at,
                       .callee = callee == WI_NO_FUNCTION ? WASM_PERF_ANY_CALLEE
                                                          : callee + c->function_offset,
                       .count = at->sums.execution_count};
  return call != NULL;
}

/*
 * Adds an instruction that was executed `count` times. Adjacent instructions of a line are merged.
 */
static bool add_instruction(collector *c, uint32_t offset, uint64_t count) {
  const wi_line_row *row = wi_line_table_find(c->table, c->module, offset);
  uint32_t number = row ? row->line : 0;
  const char *path = number > 0 ? wi_line_table_path(c->table, row) : "";
  uint32_t frame = wi_inline_table_find(c->inlined, offset - c->code);
  line_use *last = c->uses_count ? &c->uses[c->uses_count - 1] : NULL;
  wasm_perf_line sums = {.line = number,
                         .execution_count = count,
                         .instruction_count = count,
                         .call_count = is_call(c, offset) ? count : 0};
  const line_use added = {path, frame, sums};
  if (sums.call_count > 0 && !add_call(c, offset, &added))
    return false;
  if (last && last->path == path && last->frame == frame && last->sums.line == number) {
    add_sums(&last->sums, &sums);
    return true;
  }
  line_use *use = WI_ARRAY_PUSH(c, uses);
  if (use)
    *use = added;
  return use != NULL;
}

static void count_kind(collector *c, uint32_t offset, uint64_t count) {
  uint64_t *sum = &c->profile->lines.mix[wi_mix_of(c->module->bytes + offset)];
  *sum = wi_saturating_add(*sum, count);
}

/* A block's instructions are those since the previous block's end. */
static bool add_instructions(collector *c, const wasm_perf_blocks *blocks) {
  uint32_t block = 0, first = 0;
  for (uint32_t i = 0; i < c->scan.sites_count; i++) {
    uint32_t count = wi_counters_at(&c->scan.sites[i]);
    for (; count > 0 && first < i; first++) {
      const wi_site *site = &c->scan.sites[first];
      bool is_counted = site->kind == WI_SITE_INSTRUCTION && site->value;
      if (is_counted)
        count_kind(c, site->offset, blocks->counts[block]);
      if (is_counted && !add_instruction(c, site->offset, blocks->counts[block]))
        return false;
    }
    block += count;
  }
  return true;
}

static int compare_uses(const void *left, const void *right) {
  const line_use *a = left, *b = right;
  int order = a->path == b->path ? 0 : strcmp(a->path, b->path);
  if (order == 0)
    order = (a->sums.line > b->sums.line) - (a->sums.line < b->sums.line);
  return order ? order : (a->frame > b->frame) - (a->frame < b->frame);
}

static int compare_calls(const void *left, const void *right) {
  const call_use *a = left, *b = right;
  int order = compare_uses(&a->at, &b->at);
  return order ? order : (a->callee > b->callee) - (a->callee < b->callee);
}

/* Adds the calls of the line that was added last; *next is the first of those not yet added. */
static bool put_calls(collector *c, const line_use *line, uint32_t *next) {
  while (*next < c->calls_count && compare_uses(&c->calls[*next].at, line) == 0) {
    const call_use *first = &c->calls[*next];
    wasm_perf_line_call call = {.line = c->profile->lines.count - 1, .callee = first->callee};
    for (; *next < c->calls_count && compare_calls(first, &c->calls[*next]) == 0; ++*next)
      call.call_count = wi_saturating_add(call.call_count, c->calls[*next].count);
    if (!wasm_perf_profile_add_line_call(c->profile, &call))
      return false;
  }
  return true;
}

/* Adds a frame and its missing callers, outermost first. */
static bool add_frame(collector *c, uint32_t frame) {
  const wi_inline_table *table = c->inlined;
  for (c->chain_count = 0; frame != WI_NO_FRAME && c->added[frame] == 0;
       frame = table->frames[frame].parent) {
    uint32_t *item = WI_ARRAY_PUSH(c, chain);
    if (!item)
      return false;
    *item = frame;
  }
  while (c->chain_count > 0) {
    frame = c->chain[--c->chain_count];
    const wi_inline_frame *from = &table->frames[frame];
    const wi_inline_function *function = &table->functions[from->function];
    const char *name = wi_inline_table_text(table, function->name);
    wasm_perf_inlined inlined = {.outer = from->parent == WI_NO_FRAME ? 0 : c->added[from->parent],
                                 .line = function->line,
                                 .call_line = from->call_line,
                                 .name = (char *)(name ? name : "?")};
    if (!wasm_perf_profile_add_inlined(c->profile, &inlined,
                                       wi_inline_table_text(table, function->path),
                                       wi_inline_table_text(table, from->call_path)))
      return false;
    c->added[frame] = c->profile->lines.inlined_count;
  }
  return true;
}

/* Adds no lines to a function without any line: it is shown as WebAssembly text. */
static bool put_lines(collector *c, uint32_t function) {
  if (c->uses_count > 0)
    qsort(c->uses, c->uses_count, sizeof *c->uses, compare_uses);
  if (c->uses_count == 0 || c->uses[c->uses_count - 1].sums.line == 0) /* "" is sorted first */
    return true;
  if (c->calls_count > 0)
    qsort(c->calls, c->calls_count, sizeof *c->calls, compare_calls);
  uint32_t next_call = 0;
  for (uint32_t i = 0, next; i < c->uses_count; i = next) {
    wasm_perf_line sums = c->uses[i].sums;
    for (next = i + 1; next < c->uses_count && compare_uses(&c->uses[i], &c->uses[next]) == 0;
         next++)
      add_sums(&sums, &c->uses[next].sums);
    uint32_t frame = c->uses[i].frame;
    const char *path = c->uses[i].path;
    sums.function = function;
    if (!add_frame(c, frame))
      return false;
    sums.inlined = frame == WI_NO_FRAME ? 0 : c->added[frame];
    if (!wasm_perf_profile_add_line(c->profile, *path ? path : NULL, &sums) ||
        !put_calls(c, &c->uses[i], &next_call))
      return false;
  }
  return true;
}

/* Adds the lines of one function of the profile, whose body is at `index`. */
static bool add_function(collector *c, const wasm_perf_blocks *blocks, uint32_t index,
                         const char **reason) {
  c->uses_count = c->calls_count = 0;
  c->function_offset = blocks->function - (index + c->module->imports_count);
  if (index >= c->module->bodies_count ||
      !wi_counters_scan(&c->scan, c->module, index, c->profile, blocks)) {
    *reason = "its functions have different blocks from those in the profile";
    return false;
  }
  return add_instructions(c, blocks) && put_lines(c, blocks->function) &&
         (!c->profile->facts.counts_edges || wi_branches_add(&c->branches, &c->scan, blocks));
}

static bool read_tables(collector *c) {
  for (uint32_t i = 0; i < c->module->sections_count; i++)
    if (c->module->sections[i].id == WI_SECTION_CODE)
      c->code = c->module->sections[i].payload.offset;
  if (!c->table)
    c->table = c->own_table = wi_line_table_of_module(c->module);
  c->inlined = wi_inline_table_of_module(c->module);
  if (c->inlined)
    c->added = calloc(c->inlined->frames_count + (size_t)1, sizeof *c->added);
  bool has_branches = c->profile->facts.counts_edges != 0;
  c->branches = (wi_branches){.profile = c->profile,
                              .module = c->module,
                              .names = has_branches ? wi_names_of_module(c->module) : NULL,
                              .code = c->code,
                              .lines = c->table,
                              .inlined = c->inlined};
  return c->table && c->added && (!has_branches || c->branches.names);
}

/* Adds the sources that came with the table. */
static bool add_sources(const collector *c) {
  const char *paths = (const char *)c->table->texts.data;
  const char *contents = (const char *)c->table->contents.data;
  for (uint32_t i = 0; i < c->table->sources_count; i++)
    if (!wasm_perf_profile_set_source(c->profile, paths + c->table->sources[i].path,
                                      contents + c->table->sources[i].content))
      return false;
  return true;
}

bool wi_module_lines_add(wasm_perf_profile *profile, const wi_module *module,
                         const wi_line_table *table, wi_function_map *original, const void *context,
                         const char **reason) {
  collector c = {.profile = profile, .module = module, .table = table};
  bool done = read_tables(&c);
  memset(profile->lines.mix, 0, sizeof profile->lines.mix);
  *reason = NULL;
  for (uint32_t i = 0; i < profile->block_function_count && done; i++) {
    uint32_t function = original(context, profile->blocks[i].function);
    if (function != WI_NO_FUNCTION && function >= module->imports_count)
      done = add_function(&c, &profile->blocks[i], function - module->imports_count, reason);
  }
  done = done && add_sources(&c);
  free(c.uses);
  free(c.calls);
  wi_scan_clear(&c.scan);
  wi_names_free(c.branches.names);
  wi_branches_clear(&c.branches);
  free(c.added);
  free(c.chain);
  wi_line_table_free(c.own_table);
  wi_inline_table_free(c.inlined);
  return done;
}
