#include "hooks/follow/bulk.h"

#include "code/opcodes.h"
#include "code/scan_body.h"
#include "code/scan_items.h"
#include "module/value_types.h"

/* What an instruction works on. */
typedef enum space { ARRAYS, MEMORIES, TABLES } space;

/*
 * The immediates of `sized_count` of them are indices of memories or tables: the length is an i64
 * if all of these have 64-bit addresses, and always an i32 if there are none.
 */
static const struct instruction {
  uint32_t opcode;
  space space;
  uint32_t sized_count;
} instructions[] = {
    {WI_PREFIXED(PREFIX_FC, MEMORY_INIT), MEMORIES, 0},
    {WI_PREFIXED(PREFIX_FC, MEMORY_COPY), MEMORIES, 2},
    {WI_PREFIXED(PREFIX_FC, MEMORY_FILL), MEMORIES, 1},
    {WI_PREFIXED(PREFIX_FC, TABLE_INIT), TABLES, 0},
    {WI_PREFIXED(PREFIX_FC, TABLE_COPY), TABLES, 2},
    {WI_PREFIXED(PREFIX_FC, TABLE_FILL), TABLES, 1},
    {WI_PREFIXED(PREFIX_FB, ARRAY_FILL), ARRAYS, 0},
    {WI_PREFIXED(PREFIX_FB, ARRAY_COPY), ARRAYS, 0},
    {WI_PREFIXED(PREFIX_FB, ARRAY_INIT_DATA), ARRAYS, 0},
    {WI_PREFIXED(PREFIX_FB, ARRAY_INIT_ELEM), ARRAYS, 0},
};
enum { INSTRUCTION_COUNT = sizeof instructions / sizeof *instructions };

void wi_bulk_want(wi_scan_wants *wants) {
  for (size_t i = 0; i < INSTRUCTION_COUNT; i++)
    wi_scan_want_opcode(wants, instructions[i].opcode);
}

static const struct instruction *find(uint32_t opcode) {
  for (size_t i = 0; i < INSTRUCTION_COUNT; i++)
    if (instructions[i].opcode == opcode)
      return &instructions[i];
  return NULL;
}

bool wi_bulk_is(const wi_site *site) {
  return find(site->value) != NULL;
}

bool wi_bulk_is_of_elements(const wi_site *site) {
  return find(site->value)->space != MEMORIES;
}

/* Whether a table that the module defines has 64-bit indices. */
static bool is_defined_table_64(const wi_module *module, uint32_t index) {
  enum { INITIALISED = 0x40, INITIALISED_SIZE = 2 }; /* in front of the type */
  wi_error ignored;
  wi_scan scan = {0};
  bool is_64 = false;
  wi_error_reset(&ignored);
  for (uint32_t i = 0; i < module->sections_count; i++) {
    if (module->sections[i].id != WI_SECTION_TABLE)
      continue;
    wi_cursor cursor = wi_cursor_at(module->bytes, module->sections[i].payload, &ignored);
    uint32_t count = wi_cursor_u32(&cursor);
    for (uint32_t k = 0; k < index && k < count; k++)
      wi_scan_item(&scan, module, WI_SECTION_TABLE, &cursor);
    if (wi_cursor_peek(&cursor) == INITIALISED)
      cursor.offset += INITIALISED_SIZE;
    wi_skip_reference_type(&cursor);
    is_64 = !cursor.failed && (wi_cursor_peek(&cursor) & WI_LIMITS_64_BITS) != 0;
  }
  wi_scan_clear(&scan);
  return is_64;
}

static bool is_table_64(const wi_module *module, uint32_t index) {
  return index < module->imported_tables_count
             ? (module->imported_tables[index] & WI_LIMITS_64_BITS) != 0
             : is_defined_table_64(module, index - module->imported_tables_count);
}

bool wi_bulk_is_64(const wi_module *module, const wi_site *site) {
  wi_error ignored;
  const struct instruction *of = find(site->value);
  wi_cursor cursor = wi_site_operands(module, site, &ignored);
  bool is_64 = of->sized_count > 0;
  for (uint32_t i = 0; i < of->sized_count; i++) {
    uint32_t index = wi_cursor_u32(&cursor);
    is_64 = is_64 && (of->space == MEMORIES ? wi_module_memory_is_64(module, index)
                                            : is_table_64(module, index));
  }
  return is_64;
}
