#include "debug/line_table.h"

#include <stdlib.h>

#include "debug/line_header.h"
#include "debug/unit_root.h"
#include "support/search.h"

/* Limit for rereading shared sections, in bytes over all units. */
enum { MAX_TIMES = 4, MAX_BYTES = 1 << 20 };

/* The registers of a line program. */
typedef struct registers {
  uint64_t address;
  uint64_t file;
  uint64_t line;
  uint64_t column;
} registers;

typedef struct reader {
  wi_line_table *table;
  wi_dwarf_sections sections;
  uint32_t code_size; /* payload of the code section */
  wi_dwarf_abbreviations abbreviations;
  wi_dwarf_files files;
  wi_dwarf_unit unit;
  wi_dwarf_root root;
  wi_path_table paths;
  uint64_t read_size;  /* of all tables so far */
  uint64_t last_lines; /* offset of the previous table */
  wi_line_header header;
  uint32_t sequence; /* index of its first row */
  bool is_whole;     /* no row is outside of the code or goes backwards */
  bool failed;       /* out of memory */
} reader;

/* ---- Rows --------------------------------------------------------------- */

static uint32_t path_of(reader *r, uint64_t file) {
  return wi_path_table_find(&r->paths, &r->files, file, r->root.folder, &r->table->texts);
}

static uint32_t narrow(uint64_t value) {
  return value < UINT32_MAX ? (uint32_t)value : 0;
}

/*
 * The last of several rows with the same address wins. Code that the linker removed has address 0
 * or an address past the end; such sequences are dropped as a whole.
 */
static void add_row(reader *r, const registers *at, bool ends) {
  wi_line_table *table = r->table;
  bool is_first = table->rows_count == r->sequence;
  const wi_line_row *last = is_first ? NULL : &table->rows[table->rows_count - 1];
  if (at->address == 0 || at->address > r->code_size || (last && at->address < last->address))
    r->is_whole = false;
  if (!r->is_whole)
    return;
  if (last && at->address == last->address)
    table->rows_count--;
  wi_line_row *row = WI_ARRAY_PUSH(table, rows);
  if (!row) {
    r->failed = true;
    return;
  }
  uint32_t path = ends ? WI_NO_PATH : path_of(r, at->file);
  *row = (wi_line_row){(uint32_t)at->address, path, narrow(at->line), narrow(at->column)};
}

static void begin_sequence(reader *r, registers *at) {
  *at = (registers){.file = 1, .line = 1};
  r->sequence = r->table->rows_count;
  r->is_whole = true;
}

static void end_sequence(reader *r, registers *at) {
  add_row(r, at, true);
  if (!r->is_whole)
    r->table->rows_count = r->sequence;
  begin_sequence(r, at);
}

/* ---- Programs ----------------------------------------------------------- */

static void run_extended(reader *r, wi_cursor *in, registers *at) {
  uint64_t size = wi_dwarf_uleb(in);
  uint32_t from = in->offset;
  if (size == 0 || size > wi_cursor_left(in)) {
    wi_cursor_truncated(in, "extended opcode");
    return;
  }
  uint8_t opcode = wi_cursor_u8(in);
  if (opcode == DW_LNE_end_sequence)
    end_sequence(r, at);
  else if (opcode == DW_LNE_set_address && size > 1 && size <= 9)
    at->address = wi_dwarf_fixed(in, (unsigned)size - 1);
  in->offset = from + (uint32_t)size;
}

static void run_standard(reader *r, wi_cursor *in, registers *at, uint8_t opcode) {
  unsigned unit = r->header.instruction_size;
  switch (opcode) {
  case DW_LNS_extended: run_extended(r, in, at); break;
  case DW_LNS_copy: add_row(r, at, false); break;
  case DW_LNS_advance_pc: at->address += wi_dwarf_uleb(in) * unit; break;
  case DW_LNS_advance_line: at->line += (uint64_t)wi_cursor_signed(in, 64); break;
  case DW_LNS_set_file: at->file = wi_dwarf_uleb(in); break;
  case DW_LNS_set_column: at->column = wi_dwarf_uleb(in); break;
  case DW_LNS_const_add_pc: at->address += wi_line_last_advance(&r->header) * unit; break;
  case DW_LNS_fixed_advance_pc: at->address += wi_dwarf_fixed(in, 2); break;
  default:
    for (unsigned i = r->header.argument_counts[opcode - 1]; i > 0; i--)
      wi_dwarf_skip_leb(in);
  }
}

static void run_special(reader *r, registers *at, uint8_t opcode) {
  unsigned adjusted = opcode - r->header.opcode_base;
  at->address += adjusted / r->header.line_range * r->header.instruction_size;
  at->line += (uint64_t)(int64_t)(r->header.line_base + (int)(adjusted % r->header.line_range));
  add_row(r, at, false);
}

static void run_program(reader *r, wi_cursor *in) {
  registers at;
  begin_sequence(r, &at);
  while (in->offset < in->end && !in->failed && !r->failed) {
    uint8_t opcode = wi_cursor_u8(in);
    if (opcode >= r->header.opcode_base)
      run_special(r, &at, opcode);
    else
      run_standard(r, in, &at, opcode);
  }
  r->table->rows_count = r->sequence; /* drop an unfinished sequence */
}

/* ---- Units -------------------------------------------------------------- */

static void read_table(reader *r) {
  wi_error error;
  wi_error_reset(&error);
  wi_dwarf_bytes section = r->sections.section[WI_DWARF_LINE];
  uint8_t offset_size;
  wi_cursor in = wi_dwarf_cursor(section, r->root.lines, &error);
  wi_dwarf_length(&in, &offset_size);
  r->read_size += wi_cursor_left(&in);
  wi_path_table_reset(&r->paths);
  if (!in.failed && r->read_size <= MAX_TIMES * (uint64_t)section.size + MAX_BYTES &&
      wi_dwarf_files_load(&r->files, &r->sections, r->root.lines) &&
      wi_line_header_read(&in, offset_size, &r->header) && wi_line_header_is_standard(&r->header))
    run_program(r, &in);
}

static void read_unit(reader *r, wi_cursor in) {
  if (!wi_dwarf_abbreviations_load(&r->abbreviations, r->sections.section[WI_DWARF_ABBREV],
                                   r->unit.abbreviations, in.error))
    return;
  wi_dwarf_root_read(&r->root, in, &r->unit, &r->abbreviations, &r->sections);
  if (r->root.lines == WI_DWARF_NO_LINES || r->root.lines == r->last_lines)
    return;
  r->last_lines = r->root.lines;
  read_table(r);
}

/* ---- All of them -------------------------------------------------------- */

/* If one sequence ends where the next one starts, the start wins. */
static int compare_rows(const void *a, const void *b) {
  const wi_line_row *x = a, *y = b;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  return (x->path == WI_NO_PATH) - (y->path == WI_NO_PATH);
}

void wi_line_table_sort(wi_line_table *table) {
  uint32_t kept = 0;
  if (table->rows_count > 0)
    qsort(table->rows, table->rows_count, sizeof *table->rows, compare_rows);
  for (uint32_t i = 0; i < table->rows_count; i++)
    if (kept == 0 || table->rows[kept - 1].address != table->rows[i].address)
      table->rows[kept++] = table->rows[i];
  table->rows_count = kept;
}

static const wi_section *code_of(const wi_module *module) {
  for (uint32_t i = 0; i < module->sections_count; i++)
    if (module->sections[i].id == WI_SECTION_CODE)
      return &module->sections[i];
  return NULL;
}

static void read_units(reader *r) {
  wi_dwarf_bytes info = r->sections.section[WI_DWARF_INFO];
  for (uint32_t start = 0; start < info.size && !r->failed; start = r->unit.end) {
    wi_error error;
    wi_error_reset(&error);
    wi_cursor in = wi_dwarf_cursor(info, start, &error);
    if (!wi_dwarf_unit_read(&in, false, &r->unit))
      break;
    read_unit(r, in);
  }
  wi_dwarf_abbreviations_clear(&r->abbreviations);
  wi_dwarf_files_clear(&r->files);
  wi_path_table_clear(&r->paths);
}

wi_line_table *wi_line_table_of_module(const wi_module *module) {
  wi_line_table *table = calloc(1, sizeof *table);
  const wi_section *code = code_of(module);
  if (!table || !code)
    return table;
  reader r = {.table = table, .code_size = code->payload.size, .last_lines = WI_DWARF_NO_LINES};
  wi_dwarf_sections_of(module, &r.sections);
  read_units(&r);
  if (r.failed || table->texts.failed) {
    wi_line_table_free(table);
    return NULL;
  }
  wi_line_table_sort(table);
  return table;
}

void wi_line_table_free(wi_line_table *table) {
  if (!table)
    return;
  free(table->rows);
  free(table->sources);
  wi_buffer_clear(&table->texts);
  wi_buffer_clear(&table->contents);
  free(table);
}

const wi_line_row *wi_line_table_find(const wi_line_table *table, const wi_module *module,
                                      uint32_t offset) {
  const wi_section *code = code_of(module);
  uint32_t address = code ? offset - code->payload.offset : 0;
  uint32_t end =
      WI_LOWER_BOUND(wi_line_row, table->rows, table->rows_count, address, address + UINT64_C(1));
  bool is_known = end > 0 && table->rows[end - 1].path != WI_NO_PATH;
  return is_known ? &table->rows[end - 1] : NULL;
}

const wi_line_row *wi_line_table_first(const wi_line_table *table, const wi_module *module,
                                       wi_span body) {
  const wi_section *code = code_of(module);
  uint32_t start = code ? body.offset - code->payload.offset : 0;
  uint32_t i = WI_LOWER_BOUND(wi_line_row, table->rows, table->rows_count, address, start);
  for (; i < table->rows_count && table->rows[i].address < start + body.size; i++)
    if (table->rows[i].path != WI_NO_PATH && table->rows[i].line != 0)
      return &table->rows[i];
  return NULL;
}

const char *wi_line_table_path(const wi_line_table *table, const wi_line_row *row) {
  return (const char *)table->texts.data + row->path;
}
