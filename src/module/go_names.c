#define _GNU_SOURCE /* memmem */
#include "module/go_names.h"

#include <stdlib.h>

#include "module/read.h"
#include "support/search.h"

/* pcHeader: the magic number, two zeros, one byte as unit of addresses, eight to a pointer. */
static const uint8_t MAGIC[] = {0xF1, 0xFF, 0xFF, 0xFF, 0, 0, 1, 8};

/* Its words of eight bytes that follow: counts, and offsets from its start. */
enum { FUNCTION_COUNT, FILE_COUNT, TEXT_START, NAMES, UNITS, FILES, VALUES, FUNCTIONS, WORD_COUNT };

enum {
  SUBSECTION_FUNCTIONS = 1,
  OPCODE_I32_CONST = 0x41,
  OPCODE_END = 0x0B,
  BLOCK_BITS = 16 /* of an address in the code, for the place in a function, until Go 1.24 */
};

/* What a segment of the data puts into memory. */
typedef struct data_part {
  uint32_t address;
  wi_span bytes;
} data_part;

typedef struct go_table {
  const wi_module *module;
  WI_ARRAY(data_part, parts); /* in order of their addresses; none is empty */
  uint32_t count;             /* of functions */
  uint32_t names, names_end;  /* addresses */
  uint32_t functions;
  unsigned shift;      /* of the functions' places in the table */
  uint32_t name_limit; /* how much all names together may still take */
} go_table;

/* ---- The data ---------------------------------------------------------------- */

/* Go's linker leaves out eight zeros and more. */
static bool read_part(go_table *table, wi_cursor *cursor) {
  bool is_plain = wi_cursor_u32(cursor) == 0 && wi_cursor_u8(cursor) == OPCODE_I32_CONST;
  uint32_t address = (uint32_t)wi_cursor_signed(cursor, 32);
  is_plain = is_plain && wi_cursor_u8(cursor) == OPCODE_END;
  wi_span bytes = wi_cursor_sized(cursor);
  if (!is_plain || cursor->failed)
    return false;
  data_part *part = bytes.size > 0 ? WI_ARRAY_PUSH(table, parts) : NULL;
  if (part)
    *part = (data_part){address, bytes};
  return part || bytes.size == 0;
}

static int compare(const void *left, const void *right) {
  const data_part *a = left, *b = right;
  return (a->address > b->address) - (a->address < b->address);
}

/* In order of addresses; false where they overlap. */
static bool sort_parts(go_table *table) {
  if (table->parts_count > 0)
    qsort(table->parts, table->parts_count, sizeof *table->parts, compare);
  for (uint32_t i = 1; i < table->parts_count; ++i) {
    const data_part *before = &table->parts[i - 1];
    if (table->parts[i].address - before->address < before->bytes.size)
      return false;
  }
  return table->parts_count > 0;
}

static bool read_parts(go_table *table) {
  const wi_module *module = table->module;
  const wi_section *section = NULL;
  for (uint32_t i = 0; i < module->sections_count; ++i)
    if (module->sections[i].id == WI_SECTION_DATA)
      section = &module->sections[i];
  if (!section)
    return false;
  wi_error ignored;
  wi_error_reset(&ignored);
  wi_cursor cursor = wi_cursor_at(module->bytes, section->payload, &ignored);
  for (uint32_t left = wi_cursor_count(&cursor, 2, "data segments"); left > 0; --left)
    if (!read_part(table, &cursor))
      return false;
  return sort_parts(table);
}

/* The first part that ends behind the address. */
static uint32_t find_part(const go_table *table, uint64_t address) {
  uint32_t next = WI_LOWER_BOUND(data_part, table->parts, table->parts_count, address, address + 1);
  const data_part *before = next > 0 ? &table->parts[next - 1] : NULL;
  return before && address - before->address < before->bytes.size ? next - 1 : next;
}

/* What stands in memory before the program runs: zeros where no part is. At most eight bytes. */
static uint64_t read_number(const go_table *table, uint64_t address, unsigned size) {
  uint64_t value = 0;
  uint32_t i = find_part(table, address);
  for (unsigned at = 0; at < size && i < table->parts_count; ++at) {
    const data_part *part = &table->parts[i];
    if (address + at < part->address)
      continue;
    uint64_t offset = address + at - part->address;
    value |= (uint64_t)table->module->bytes[part->bytes.offset + offset] << (8 * at);
    i += offset + 1 == part->bytes.size;
  }
  return value;
}

static uint32_t read_u32(const go_table *table, uint64_t address) {
  return (uint32_t)read_number(table, address, 4);
}

/* ---- The table ----------------------------------------------------------------- */

/* Whether a header stands there whose table begins with the module's first function. */
static bool read_header(go_table *table, uint64_t address) {
  uint64_t words[WORD_COUNT];
  for (unsigned i = 0; i < WORD_COUNT; ++i)
    words[i] = read_number(table, address + sizeof MAGIC + 8 * i, 8);
  bool fits = words[FUNCTION_COUNT] > 0 && words[FUNCTION_COUNT] <= table->module->bodies_count &&
              words[NAMES] < words[UNITS] && words[UNITS] < words[FUNCTIONS] &&
              words[FUNCTIONS] <= UINT32_MAX - address;
  if (!fits)
    return false;
  table->count = (uint32_t)words[FUNCTION_COUNT];
  table->names = (uint32_t)(address + words[NAMES]);
  table->names_end = (uint32_t)(address + words[UNITS]);
  table->functions = (uint32_t)(address + words[FUNCTIONS]);
  uint32_t first = read_u32(table, table->functions);
  table->shift = first == WI_GO_TABLE_OFFSET ? 0 : BLOCK_BITS;
  return first == WI_GO_TABLE_OFFSET << table->shift;
}

static bool find_header(go_table *table) {
  for (uint32_t i = 0; i < table->parts_count; ++i) {
    const data_part *part = &table->parts[i];
    const uint8_t *start = table->module->bytes + part->bytes.offset, *at = start;
    const uint8_t *end = start + part->bytes.size;
    for (; (at = memmem(at, (size_t)(end - at), MAGIC, sizeof MAGIC)); ++at)
      if (read_header(table, (uint64_t)part->address + (size_t)(at - start)))
        return true;
  }
  return false;
}

/* The place among bodies of the function at that place of the table; false: it is damaged. */
static bool read_function(const go_table *table, uint32_t place, uint32_t *body, uint32_t *name) {
  uint64_t entry = table->functions + (uint64_t)8 * place;
  uint32_t address = read_u32(table, entry);
  uint64_t record = table->functions + (uint64_t)read_u32(table, entry + 4);
  *name = read_u32(table, record + 4);
  *body = (address >> table->shift) - WI_GO_TABLE_OFFSET;
  return read_u32(table, record) == address && *body < table->module->bodies_count &&
         *name < table->names_end - table->names;
}

/* A name ends with a zero, which may be the first of those that are left out. */
static bool read_name(go_table *table, uint32_t offset, wi_span *name) {
  uint32_t address = table->names + offset, i = find_part(table, address);
  const data_part *part = &table->parts[i];
  if (i == table->parts_count || part->address > address)
    return false;
  uint32_t skipped = address - part->address, size = part->bytes.size - skipped;
  const uint8_t *start = table->module->bytes + part->bytes.offset + skipped;
  size_t limit = size < table->name_limit ? size : table->name_limit;
  const uint8_t *zero = memchr(start, 0, limit);
  bool is_cut = i + 1 < table->parts_count && part[1].address == part->address + part->bytes.size;
  if (!zero && (limit < size || is_cut))
    return false;
  *name = (wi_span){part->bytes.offset + skipped, zero ? (uint32_t)(zero - start) : size};
  table->name_limit -= name->size;
  return name->size > 0;
}

/* ---- The section --------------------------------------------------------------- */

/* As in the linker's section: what is neither letter nor digit, '_' nor '.', becomes '_'. */
static void put_name(wi_buffer *out, const uint8_t *name, uint32_t size) {
  size_t start = wi_buffer_sized_begin(out, size);
  for (uint32_t i = 0; i < size; ++i) {
    uint8_t byte = name[i], letter = byte | 0x20;
    bool is_kept = (letter >= 'a' && letter <= 'z') || (byte >= '0' && byte <= '9') || byte == '.';
    bool goes_on = (byte & 0xC0) == 0x80; /* in UTF-8 */
    if (!goes_on)
      wi_buffer_u8(out, is_kept ? byte : '_');
  }
  wi_buffer_sized_end(out, start, size);
}

/* False: the table is damaged, so none of its names counts. */
static bool put_names(go_table *table, wi_buffer *out) {
  uint32_t next = 0;
  wi_buffer_u32(out, table->count);
  for (uint32_t i = 0; i < table->count; ++i) {
    uint32_t body, offset;
    wi_span name;
    if (!read_function(table, i, &body, &offset) || body < next || !read_name(table, offset, &name))
      return false;
    next = body + 1;
    wi_buffer_u32(out, table->module->imports_count + body);
    put_name(out, table->module->bytes + name.offset, name.size);
  }
  return true;
}

static bool put_section(go_table *table, wi_buffer *out) {
  const wi_module *module = table->module;
  uint32_t expected = table->names_end - table->names;
  wi_buffer_append(out, module->bytes, module->size);
  wi_buffer_u8(out, WI_SECTION_CUSTOM);
  size_t section = wi_buffer_sized_begin(out, expected);
  wi_buffer_name(out, "name");
  wi_buffer_u8(out, SUBSECTION_FUNCTIONS);
  size_t names = wi_buffer_sized_begin(out, expected);
  bool done = put_names(table, out);
  wi_buffer_sized_end(out, names, expected);
  wi_buffer_sized_end(out, section, expected);
  return done;
}

bool wi_go_names_complete(wi_module *module, wi_buffer *named, wi_error *error) {
  *named = (wi_buffer){0};
  if (wi_module_custom_section(module, "name"))
    return true;
  go_table table = {.module = module, .name_limit = module->size};
  bool done = read_parts(&table) && find_header(&table) && put_section(&table, named);
  free(table.parts);
  if (named->failed) {
    wi_module_clear(module);
    wi_buffer_clear(named);
    return wi_error_memory(error);
  }
  if (!done) {
    wi_buffer_clear(named);
    return true;
  }
  wi_module_clear(module);
  if (wi_module_read(module, named->data, named->size, error))
    return true;
  wi_buffer_clear(named);
  return false;
}
