#define _GNU_SOURCE /* memmem */
#include "module/go_table.h"

#include <stdlib.h>
#include <string.h>

#include "support/search.h"

/*
 * pcHeader starts with the magic number, two zeros, the address unit (1) and the pointer size (8).
 */
static const uint8_t MAGIC[] = {0xF1, 0xFF, 0xFF, 0xFF, 0, 0, 1, 8};

/* The 8-byte words that follow: counts, and offsets from the header's start. */
enum { FUNCTION_COUNT, FILE_COUNT, TEXT_START, NAMES, UNITS, FILES, VALUES, FUNCTIONS, WORD_COUNT };

enum {
  OPCODE_I32_CONST = 0x41,
  OPCODE_END = 0x0B,
  BLOCK_BITS = 16 /* until Go 1.24, low bits of a code address: the position in the function */
};

/* ---- The data ---------------------------------------------------------------- */

/* Go's linker omits runs of eight or more zeros, so the data has many segments. */
static bool read_part(wi_go_table *table, wi_cursor *cursor) {
  bool is_plain = wi_cursor_u32(cursor) == 0 && wi_cursor_u8(cursor) == OPCODE_I32_CONST;
  uint32_t address = (uint32_t)wi_cursor_signed(cursor, 32);
  is_plain = is_plain && wi_cursor_u8(cursor) == OPCODE_END;
  wi_span bytes = wi_cursor_sized(cursor);
  if (!is_plain || cursor->failed)
    return false;
  wi_go_part *part = bytes.size > 0 ? WI_ARRAY_PUSH(table, parts) : NULL;
  if (part)
    *part = (wi_go_part){address, bytes};
  return part || bytes.size == 0;
}

static int compare(const void *left, const void *right) {
  const wi_go_part *a = left, *b = right;
  return (a->address > b->address) - (a->address < b->address);
}

/* Sorts by address; false if parts overlap. */
static bool sort_parts(wi_go_table *table) {
  if (table->parts_count > 0)
    qsort(table->parts, table->parts_count, sizeof *table->parts, compare);
  for (uint32_t i = 1; i < table->parts_count; i++) {
    const wi_go_part *before = &table->parts[i - 1];
    if (table->parts[i].address - before->address < before->bytes.size)
      return false;
  }
  return table->parts_count > 0;
}

/* At the section's contents; false if there is no such section. `ignored` takes errors. */
static bool find_section(const wi_module *module, uint8_t id, wi_cursor *cursor,
                         wi_error *ignored) {
  wi_error_reset(ignored);
  for (uint32_t i = 0; i < module->sections_count; i++)
    if (module->sections[i].id == id) {
      *cursor = wi_cursor_at(module->bytes, module->sections[i].payload, ignored);
      return true;
    }
  return false;
}

static bool read_parts(wi_go_table *table) {
  wi_error ignored;
  wi_cursor cursor;
  if (!find_section(table->module, WI_SECTION_DATA, &cursor, &ignored))
    return false;
  for (uint32_t left = wi_cursor_count(&cursor, 2, "data segments"); left > 0; left--)
    if (!read_part(table, &cursor))
      return false;
  return sort_parts(table);
}

/* Appends the segment's functions if it continues what is there. */
static bool read_slots_of(wi_go_table *table, wi_cursor *cursor) {
  bool is_plain = wi_cursor_u32(cursor) == 0 && wi_cursor_u8(cursor) == OPCODE_I32_CONST;
  int64_t next = (int64_t)WI_GO_TABLE_OFFSET + table->slots_count;
  bool is_next = wi_cursor_signed(cursor, 32) == next;
  if (!is_plain || wi_cursor_u8(cursor) != OPCODE_END)
    return false;
  for (uint32_t left = wi_cursor_count(cursor, 1, "elements"); left > 0; left--) {
    uint32_t function = wi_cursor_u32(cursor);
    uint32_t *slot = is_next ? WI_ARRAY_PUSH(table, slots) : NULL;
    if (function >= wi_module_function_count(table->module) || (is_next && !slot))
      return false;
    if (slot)
      *slot = function;
  }
  return !cursor->failed;
}

/*
 * A code address of Go is an index in the table of functions that are called indirectly. Go's linker
 * puts all functions there in order, and an optimiser that moves functions changes the table alone.
 */
static bool read_slots(wi_go_table *table) {
  wi_error ignored;
  wi_cursor cursor;
  if (!find_section(table->module, WI_SECTION_ELEMENT, &cursor, &ignored))
    return false;
  for (uint32_t left = wi_cursor_count(&cursor, 4, "element segments"); left > 0; left--)
    if (!read_slots_of(table, &cursor))
      return false;
  return table->slots_count > 0;
}

/* Finds the first part that ends after the address. */
static uint32_t find_part(const wi_go_table *table, uint64_t address) {
  uint32_t next =
      WI_LOWER_BOUND(wi_go_part, table->parts, table->parts_count, address, address + 1);
  const wi_go_part *before = next > 0 ? &table->parts[next - 1] : NULL;
  return before && address - before->address < before->bytes.size ? next - 1 : next;
}

/* Reads initial memory contents, at most eight bytes; zeros outside of the parts. */
static uint64_t read_number(const wi_go_table *table, uint64_t address, unsigned size) {
  uint64_t value = 0;
  uint32_t i = find_part(table, address);
  for (unsigned at = 0; at < size && i < table->parts_count; at++) {
    const wi_go_part *part = &table->parts[i];
    if (address + at < part->address)
      continue;
    uint64_t offset = address + at - part->address;
    value |= (uint64_t)table->module->bytes[part->bytes.offset + offset] << (8 * at);
    i += offset + 1 == part->bytes.size;
  }
  return value;
}

static uint32_t read_u32(const wi_go_table *table, uint64_t address) {
  return (uint32_t)read_number(table, address, 4);
}

/* ---- The table ----------------------------------------------------------------- */

/* Reads the header at the address. It counts only if its table starts with the first function. */
static bool read_header(wi_go_table *table, uint64_t address) {
  uint64_t words[WORD_COUNT];
  for (unsigned i = 0; i < WORD_COUNT; i++)
    words[i] = read_number(table, address + sizeof MAGIC + 8 * i, 8);
  bool fits = words[FUNCTION_COUNT] > 0 && words[FUNCTION_COUNT] <= table->slots_count &&
              words[NAMES] < words[UNITS] && words[UNITS] < words[FUNCTIONS] &&
              words[FILES] <= words[VALUES] && words[VALUES] <= words[FUNCTIONS] &&
              words[FUNCTIONS] <= UINT32_MAX - address;
  if (!fits)
    return false;
  table->count = (uint32_t)words[FUNCTION_COUNT];
  table->names = (uint32_t)(address + words[NAMES]);
  table->names_end = (uint32_t)(address + words[UNITS]);
  table->units = table->names_end;
  table->files = (uint32_t)(address + words[FILES]);
  table->values = (uint32_t)(address + words[VALUES]);
  table->functions = (uint32_t)(address + words[FUNCTIONS]);
  uint32_t first = read_u32(table, table->functions);
  table->shift = first == WI_GO_TABLE_OFFSET ? 0 : BLOCK_BITS;
  return first == WI_GO_TABLE_OFFSET << table->shift;
}

static bool find_header(wi_go_table *table) {
  for (uint32_t i = 0; i < table->parts_count; i++) {
    const wi_go_part *part = &table->parts[i];
    const uint8_t *start = table->module->bytes + part->bytes.offset, *at = start;
    const uint8_t *end = start + part->bytes.size;
    for (; (at = memmem(at, (size_t)(end - at), MAGIC, sizeof MAGIC)); at++)
      if (read_header(table, (uint64_t)part->address + (size_t)(at - start)))
        return true;
  }
  return false;
}

/* A text ends at a zero byte, which may be the first of the zeros that the linker omitted. */
static bool read_text(wi_go_table *table, uint64_t address, wi_span *text) {
  uint32_t i = find_part(table, address);
  const wi_go_part *part = &table->parts[i];
  if (i == table->parts_count || part->address > address)
    return false;
  uint32_t skipped = (uint32_t)address - part->address, size = part->bytes.size - skipped;
  const uint8_t *start = table->module->bytes + part->bytes.offset + skipped;
  size_t limit = size < table->text_limit ? size : table->text_limit;
  const uint8_t *zero = memchr(start, 0, limit);
  bool is_cut = i + 1 < table->parts_count && part[1].address == part->address + part->bytes.size;
  if (!zero && (limit < size || is_cut))
    return false;
  *text = (wi_span){part->bytes.offset + skipped, zero ? (uint32_t)(zero - start) : size};
  table->text_limit -= text->size;
  return text->size > 0;
}

/* ---- One function ---------------------------------------------------------------- */

/* Indices of the 4-byte words in a function's record. */
enum { ENTRY, NAME, PC_FILE = 5, UNIT = 8, LINE };

static uint32_t read_word(const wi_go_table *table, uint64_t record, unsigned word) {
  return read_u32(table, record + 4 * (uint64_t)word);
}

/* File number within the unit, at the function's first instruction. */
static uint32_t first_file(const wi_go_table *table, uint32_t offset) {
  uint64_t address = (uint64_t)table->values + offset, number = 0;
  for (unsigned shift = 0; shift < 35; shift += 7) {
    uint64_t byte = read_number(table, address++, 1);
    number |= (byte & 0x7F) << shift;
    if (byte < 0x80)
      break;
  }
  bool is_negative = number & 1; /* as a delta from -1 */
  return is_negative || number == 0 ? WI_GO_NO_FILE : (uint32_t)(number / 2 - 1);
}

static uint32_t read_file(const wi_go_table *table, uint64_t record) {
  uint32_t number = first_file(table, read_word(table, record, PC_FILE));
  if (number == WI_GO_NO_FILE)
    return number;
  uint64_t index = (uint64_t)read_word(table, record, UNIT) + number;
  return read_u32(table, table->units + 4 * index);
}

bool wi_go_table_function(wi_go_table *table, uint32_t place, wi_go_function *function) {
  uint64_t entry = table->functions + (uint64_t)8 * place;
  uint32_t address = read_u32(table, entry);
  uint64_t record = table->functions + (uint64_t)read_u32(table, entry + 4);
  uint32_t name = read_word(table, record, NAME);
  uint32_t slot = (address >> table->shift) - WI_GO_TABLE_OFFSET;
  if (read_word(table, record, ENTRY) != address || slot >= table->slots_count ||
      name >= table->names_end - table->names)
    return false;
  *function = (wi_go_function){.slot = slot,
                               .index = table->slots[slot],
                               .file = read_file(table, record),
                               .line = read_word(table, record, LINE)};
  return read_text(table, (uint64_t)table->names + name, &function->name);
}

bool wi_go_table_path(wi_go_table *table, uint32_t file, wi_span *path) {
  return file < table->values - table->files &&
         read_text(table, (uint64_t)table->files + file, path);
}

bool wi_go_table_init(wi_go_table *table, const wi_module *module) {
  *table = (wi_go_table){.module = module, .text_limit = module->size};
  if (read_parts(table) && read_slots(table) && find_header(table))
    return true;
  wi_go_table_clear(table);
  return false;
}

void wi_go_table_clear(wi_go_table *table) {
  free(table->parts);
  free(table->slots);
  *table = (wi_go_table){0};
}
