#include "debug/inline_table.h"

#include <stdlib.h>

#include "debug/ranges.h"
#include "support/search.h"

/* A code range of one frame; nested frames have higher indices. */
typedef struct span {
  uint32_t start, end;
  uint32_t frame;
} span;

/* A pending look-up of an entry that describes a function. */
typedef struct question {
  uint32_t origin; /* offset of the entry in .debug_info */
  uint32_t function;
} question;

typedef struct collector {
  wi_inline_table *table;
  wi_unit_reader reader;
  wi_path_table paths;
  wi_code_ranges ranges; /* of the current entry */
  uint32_t code_size;
  uint32_t open_unit;          /* offset of the unit that was last reopened */
  WI_ARRAY(uint32_t, units);   /* offsets of all units read */
  WI_ARRAY(uint32_t, parents); /* frames of the enclosing entries */
  WI_ARRAY(question, questions);
  WI_ARRAY(span, spans);
  WI_ARRAY(span, open); /* while making rows: the spans around the current address */
  bool failed;          /* out of memory */
} collector;

/* Appends to an array of the collector or its table; sets c->failed if out of memory. */
#define PUSH(c, owner, items, ...)                                                                 \
  do {                                                                                             \
    void *room = WI_ARRAY_PUSH(owner, items);                                                      \
    if (room)                                                                                      \
      (owner)->items[(owner)->items##_count - 1] = __VA_ARGS__;                                    \
    else                                                                                           \
      (c)->failed = true;                                                                          \
  } while (0)

/* ---- Frames ------------------------------------------------------------- */

static uint32_t narrow(uint64_t value) {
  return value < UINT32_MAX ? (uint32_t)value : 0;
}

/* Adds the frame of an inlined entry. Its name and place come from its origin. */
static uint32_t add_frame(collector *c, const wi_dwarf_entry *entry, uint32_t parent) {
  wi_inline_table *table = c->table;
  uint32_t path = wi_path_table_find(&c->paths, &c->reader.files, entry->call_file,
                                     c->reader.root.folder, &table->texts);
  uint32_t origin = narrow(entry->origin), frame = table->frames_count;
  PUSH(c, table, frames,
       (wi_inline_frame){parent, origin, path, narrow(entry->call_line),
                         narrow(entry->call_column)});
  if (!wi_code_ranges_read(&c->ranges, &c->reader, entry, c->code_size))
    c->failed = true;
  for (uint32_t i = 0; i < c->ranges.items_count && !c->failed; i++)
    PUSH(c, c, spans, (span){c->ranges.items[i].start, c->ranges.items[i].end, frame});
  return frame;
}

/* Visits the entries of a unit, keeping track of the frame around each. */
static void collect_unit(collector *c) {
  wi_dwarf_entry entry;
  uint32_t around = WI_NO_FRAME;
  c->parents_count = 0;
  wi_path_table_reset(&c->paths);
  while (!c->failed && wi_unit_reader_entry(&c->reader, &entry)) {
    if (entry.tag == 0) {
      around = c->parents_count > 0 ? c->parents[--c->parents_count] : WI_NO_FRAME;
      continue;
    }
    uint32_t frame = around;
    if (entry.tag == DW_TAG_inlined_subroutine && entry.origin != 0)
      frame = add_frame(c, &entry, around);
    else if (entry.tag == DW_TAG_subprogram)
      frame = WI_NO_FRAME;
    if (entry.has_children) {
      PUSH(c, c, parents, around);
      around = frame;
    }
  }
}

static void collect(collector *c) {
  while (!c->failed && wi_unit_reader_next(&c->reader)) {
    PUSH(c, c, units, c->reader.unit.offset);
    collect_unit(c);
  }
}

/* ---- Functions ---------------------------------------------------------- */

static int compare_origins(const void *a, const void *b) {
  const wi_inline_function *x = a, *y = b;
  return (x->origin > y->origin) - (x->origin < y->origin);
}

/* Makes one function per origin; until then, frames contain origins instead of functions. */
static void list_functions(collector *c) {
  wi_inline_table *table = c->table;
  for (uint32_t i = 0; i < table->frames_count && !c->failed; i++)
    PUSH(c, table, functions,
         (wi_inline_function){table->frames[i].function, WI_NO_PATH, WI_NO_PATH, 0});
  if (c->failed || table->functions_count == 0)
    return;
  qsort(table->functions, table->functions_count, sizeof *table->functions, compare_origins);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < table->functions_count; i++)
    if (kept == 0 || table->functions[kept - 1].origin != table->functions[i].origin)
      table->functions[kept++] = table->functions[i];
  table->functions_count = kept;
  for (uint32_t i = 0; i < table->frames_count; i++)
    table->frames[i].function = WI_LOWER_BOUND(wi_inline_function, table->functions, kept, origin,
                                               table->frames[i].function);
}

/* Opens the unit that contains the entry at `offset`. */
static bool open_unit_of(collector *c, uint32_t offset) {
  uint32_t end = wi_lower_bound(&(wi_member_key){offset + UINT64_C(1), 0}, c->units, c->units_count,
                                sizeof *c->units, wi_member_compare);
  if (end == 0 || c->units[end - 1] == c->open_unit)
    return end > 0;
  c->open_unit = c->units[end - 1];
  wi_path_table_reset(&c->paths);
  return wi_unit_reader_open(&c->reader, c->open_unit);
}

/*
 * Reads what the entry says about the function. If it lacks something, its own origin is queried
 * later.
 */
static void describe(collector *c, question asked) {
  wi_inline_function *function = &c->table->functions[asked.function];
  wi_dwarf_entry entry;
  if (!open_unit_of(c, asked.origin) || !wi_unit_reader_entry_at(&c->reader, asked.origin, &entry))
    return;
  wi_unit_reader_complete(&c->reader, &entry);
  wi_dwarf_text name = entry.linkage_name.data ? entry.linkage_name : entry.name;
  if (name.data && (function->name == WI_NO_PATH || entry.linkage_name.data))
    function->name = wi_path_table_add(&c->table->texts, name.data, name.size);
  if (entry.has_file && function->path == WI_NO_PATH)
    function->path = wi_path_table_find(&c->paths, &c->reader.files, entry.file,
                                        c->reader.root.folder, &c->table->texts);
  if (function->line == 0)
    function->line = narrow(entry.line);
  if (!entry.linkage_name.data && entry.origin != 0)
    PUSH(c, c, questions, (question){narrow(entry.origin), asked.function});
}

static int compare_questions(const void *a, const void *b) {
  const question *x = a, *y = b;
  if (x->origin != y->origin)
    return x->origin < y->origin ? -1 : 1;
  return (x->function > y->function) - (x->function < y->function);
}

/* Works in rounds, each sorted by entry, so that a round opens each unit about once. */
static void describe_all(collector *c) {
  enum { ROUNDS = 4 };
  for (uint32_t i = 0; i < c->table->functions_count; i++)
    PUSH(c, c, questions, (question){c->table->functions[i].origin, i});
  uint32_t next = 0;
  for (int round = 0; round < ROUNDS && !c->failed; round++) {
    uint32_t end = c->questions_count;
    if (next < end)
      qsort(c->questions + next, end - next, sizeof *c->questions, compare_questions);
    for (; next < end && !c->failed; next++)
      describe(c, c->questions[next]);
  }
}

/* ---- Rows --------------------------------------------------------------- */

static int compare_spans(const void *a, const void *b) {
  const span *x = a, *y = b;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return (x->frame > y->frame) - (x->frame < y->frame);
}

static void add_row(collector *c, uint32_t address, uint32_t frame) {
  wi_inline_table *table = c->table;
  if (table->rows_count > 0 && table->rows[table->rows_count - 1].address == address)
    table->rows_count--;
  PUSH(c, table, rows, (wi_inline_row){address, frame});
}

/* Closes the spans that end at or before `address`, innermost first. */
static void close_spans(collector *c, uint32_t address) {
  while (c->open_count > 0 && c->open[c->open_count - 1].end <= address) {
    uint32_t end = c->open[c->open_count - 1].end;
    while (c->open_count > 0 && c->open[c->open_count - 1].end <= end)
      c->open_count--;
    add_row(c, end, c->open_count > 0 ? c->open[c->open_count - 1].frame : WI_NO_FRAME);
  }
}

static void make_rows(collector *c) {
  if (c->spans_count > 0)
    qsort(c->spans, c->spans_count, sizeof *c->spans, compare_spans);
  for (uint32_t i = 0; i < c->spans_count && !c->failed; i++) {
    close_spans(c, c->spans[i].start);
    PUSH(c, c, open, c->spans[i]);
    add_row(c, c->spans[i].start, c->spans[i].frame);
  }
  close_spans(c, UINT32_MAX);
}

/* ---- All of it ---------------------------------------------------------- */

static uint32_t code_size_of(const wi_module *module) {
  for (uint32_t i = 0; i < module->sections_count; i++)
    if (module->sections[i].id == WI_SECTION_CODE)
      return module->sections[i].payload.size;
  return 0;
}

static void read_all(collector *c) {
  collect(c);
  list_functions(c);
  describe_all(c);
  if (!c->failed)
    make_rows(c);
}

wi_inline_table *wi_inline_table_of_module(const wi_module *module) {
  wi_inline_table *table = calloc(1, sizeof *table);
  collector c = {.table = table, .code_size = code_size_of(module), .open_unit = UINT32_MAX};
  if (!table)
    return NULL;
  wi_unit_reader_init(&c.reader, module);
  read_all(&c);
  wi_unit_reader_clear(&c.reader);
  wi_path_table_clear(&c.paths);
  wi_code_ranges_clear(&c.ranges);
  free(c.units);
  free(c.parents);
  free(c.questions);
  free(c.spans);
  free(c.open);
  if (c.failed || table->texts.failed) {
    wi_inline_table_free(table);
    return NULL;
  }
  return table;
}

void wi_inline_table_free(wi_inline_table *table) {
  if (!table)
    return;
  free(table->functions);
  free(table->frames);
  free(table->rows);
  wi_buffer_clear(&table->texts);
  free(table);
}

uint32_t wi_inline_table_find(const wi_inline_table *table, uint32_t address) {
  uint32_t end =
      WI_LOWER_BOUND(wi_inline_row, table->rows, table->rows_count, address, address + UINT64_C(1));
  return end > 0 ? table->rows[end - 1].frame : WI_NO_FRAME;
}

const char *wi_inline_table_text(const wi_inline_table *table, uint32_t text) {
  return text == WI_NO_PATH ? NULL : (const char *)table->texts.data + text;
}
