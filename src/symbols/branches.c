#include "symbols/branches.h"

#include <stdlib.h>
#include <string.h>

#include "code/opcodes.h"
#include "support/arithmetic.h"
#include "symbols/counters.h"

enum { BR_ON_CAST = 0x18, BR_ON_CAST_FAIL = 0x19 }; /* after the prefix */

/* ---- Ways ------------------------------------------------------------------ */

static bool add_way(wi_branches *b, const wi_way *branch, uint32_t target, uint64_t count) {
  wi_way *way = WI_ARRAY_PUSH(b, ways);
  if (!way)
    return false;
  *way = *branch;
  way->target = target;
  way->branch.count = count;
  return true;
}

/* The branch in `item`, without its ways. */
static wi_way branch_at(wi_branches *b, uint32_t item) {
  uint32_t offset = b->flow.items[item].offset;
  const wi_line_row *row = wi_line_table_find(b->lines, b->module, offset);
  wi_way branch = {.frame = wi_inline_table_find(b->inlined, offset - b->code),
                   .number = b->number++};
  if (row && row->line > 0) {
    branch.path = wi_line_table_path(b->lines, row);
    branch.branch.line = row->line;
    branch.branch.column = row->column;
  }
  return branch;
}

/* The label of a conditional branch. */
static uint32_t label_at(const wi_branches *b, uint32_t offset) {
  wi_error ignored;
  wi_error_reset(&ignored);
  wi_span rest = {offset + 1, b->module->size - offset - 1};
  wi_cursor cursor = wi_cursor_at(b->module->bytes, rest, &ignored);
  if (b->module->bytes[offset] == PREFIX_FB) {
    wi_cursor_u32(&cursor);
    wi_cursor_u8(&cursor); /* flags */
  }
  return wi_cursor_u32(&cursor);
}

/*
 * Adds a branch that was executed `sum` times and continued `next` times with the next instruction.
 * A trap there, which is not counted, can make that too few.
 */
static bool add_conditional(wi_branches *b, uint32_t item, uint64_t sum, uint64_t next) {
  uint32_t offset = b->flow.items[item].offset;
  bool is_if = b->module->bytes[offset] == IF;
  wi_way branch = branch_at(b, item);
  uint32_t target = is_if ? wi_straight_code_otherwise(&b->flow, item)
                          : wi_straight_code_target(&b->flow, item, label_at(b, offset));
  return add_way(b, &branch, item + 1, next) &&
         add_way(b, &branch, target, sum > next ? sum - next : 0);
}

/* The way to the label, or the next one after all others. NULL: out of memory. */
static uint32_t *way_of_label(wi_branches *b, uint32_t label) {
  if (label >= b->way_of_label_count) {
    uint32_t more = label + 1 - b->way_of_label_count;
    if (!WI_ARRAY_RESERVE(b, way_of_label, more))
      return NULL;
    memset(b->way_of_label + b->way_of_label_count, 0, more * sizeof *b->way_of_label);
    b->way_of_label_count += more;
  }
  return &b->way_of_label[label];
}

/* Adds a br_table: a way for each label, with the sum of its entries. */
static bool add_table(wi_branches *b, uint32_t item, const uint64_t *counts, uint32_t count) {
  wi_error ignored;
  wi_error_reset(&ignored);
  uint32_t offset = b->flow.items[item].offset, first = b->ways_count;
  wi_span rest = {offset + 1, b->module->size - offset - 1};
  wi_cursor cursor = wi_cursor_at(b->module->bytes, rest, &ignored);
  wi_way branch = branch_at(b, item);
  wi_cursor_u32(&cursor);
  b->way_of_label_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t label = wi_cursor_u32(&cursor), *way = way_of_label(b, label);
    if (!way)
      return false;
    if (*way == 0) {
      if (!add_way(b, &branch, wi_straight_code_target(&b->flow, item, label), 0))
        return false;
      *way = b->ways_count - first;
    }
    uint64_t *sum = &b->ways[first + *way - 1].branch.count;
    *sum = wi_saturating_add(*sum, counts[i]);
  }
  if (b->ways_count == first + 1) /* it always goes on at the same place */
    b->ways_count = first;
  return true;
}

static bool is_conditional(const uint8_t *code) {
  return code[0] == IF || code[0] == BR_IF || code[0] == BR_ON_NULL || code[0] == BR_ON_NON_NULL ||
         (code[0] == PREFIX_FB && (code[1] == BR_ON_CAST || code[1] == BR_ON_CAST_FAIL));
}

static bool collect(wi_branches *b, const wi_scan *scan, const wasm_perf_blocks *blocks) {
  uint32_t counter = 0, item_count = 0;
  bool done = true;
  for (uint32_t i = 0; done && i < scan->sites_count; i++) {
    const wi_site *site = &scan->sites[i];
    const uint64_t *counts = blocks->counts + counter;
    uint32_t item = item_count - 1;
    item_count += site->kind == WI_SITE_INSTRUCTION;
    counter += wi_counters_at(site);
    if (site->kind == WI_SITE_TABLE_EDGES)
      done = add_table(b, item, counts, site->value);
    else if (site->kind == WI_SITE_BASIC_BLOCK && site->value > 0 && counter < blocks->count &&
             b->flow.items[item].offset == site->offset &&
             is_conditional(b->module->bytes + site->offset))
      done = add_conditional(b, item, counts[0], counts[1]);
  }
  return done;
}

/* ---- Branches ---------------------------------------------------------------- */

static int compare_places(const wi_way *a, const wi_way *b) {
  int order = a->path == b->path ? 0 : !a->path ? -1 : !b->path ? 1 : strcmp(a->path, b->path);
  if (order == 0)
    order = (a->branch.line > b->branch.line) - (a->branch.line < b->branch.line);
  if (order == 0)
    order = (a->branch.column > b->branch.column) - (a->branch.column < b->branch.column);
  return order ? order : (a->frame > b->frame) - (a->frame < b->frame);
}

static int compare_ways(const void *left, const void *right) {
  const wi_way *a = left, *b = right;
  int order = compare_places(a, b);
  if (order == 0)
    order = (a->number > b->number) - (a->number < b->number);
  return order ? order : (a->branch.way > b->branch.way) - (a->branch.way < b->branch.way);
}

/* A branch is the compiler's if any of its ways only reports a failure. */
static void mark_generated(wi_branches *b) {
  for (uint32_t i = 0, next; i < b->ways_count; i = next) {
    bool is_generated = false;
    for (next = i; next < b->ways_count && b->ways[next].number == b->ways[i].number; next++)
      is_generated |= b->ways[next].target != WI_NO_ITEM &&
                      wi_straight_code_fails(&b->flow, b->ways[next].target, b->names);
    for (uint32_t n = i; n < next; n++) {
      b->ways[n].branch.is_generated = is_generated;
      b->ways[n].branch.way = n - i;
    }
  }
}

static bool put_ways(wi_branches *b, uint32_t function) {
  uint32_t ordinal = 0;
  for (uint32_t i = 0; i < b->ways_count; i++) {
    wi_way *way = &b->ways[i], *last = i > 0 ? way - 1 : NULL;
    if (!last || compare_places(last, way) != 0)
      ordinal = 0;
    else
      ordinal += last->number != way->number;
    way->branch.function = function;
    way->branch.ordinal = ordinal;
    if (way->path && !wasm_perf_profile_add_branch(b->profile, way->path, &way->branch))
      return false;
  }
  return true;
}

bool wi_branches_add(wi_branches *b, const wi_scan *scan, const wasm_perf_blocks *blocks) {
  b->ways_count = b->number = 0;
  if (!wi_straight_code_read(&b->flow, b->module, scan) || !collect(b, scan, blocks))
    return false;
  mark_generated(b);
  if (b->ways_count > 0)
    qsort(b->ways, b->ways_count, sizeof *b->ways, compare_ways);
  return put_ways(b, blocks->function);
}

void wi_branches_clear(wi_branches *b) {
  free(b->ways);
  free(b->way_of_label);
  wi_straight_code_clear(&b->flow);
}
