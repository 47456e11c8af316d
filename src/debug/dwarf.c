#include "debug/dwarf.h"

#include <stdlib.h>
#include <string.h>

static const char *const section_names[] = {
#define SECTION_NAME(id, name) name,
    WI_DWARF_SECTIONS(SECTION_NAME)
#undef SECTION_NAME
};

const char *wi_dwarf_section_name(wi_dwarf_section section) {
  return section_names[section];
}

wi_dwarf_section wi_dwarf_section_find(const uint8_t *name, size_t size) {
  static const char prefix[] = ".debug_";
  const size_t skip = sizeof prefix - 1;
  if (size < skip || memcmp(name, prefix, skip) != 0)
    return WI_DWARF_SECTION_COUNT;
  unsigned id = 0;
  while (id < WI_DWARF_SECTION_COUNT && (strlen(section_names[id]) != size - skip ||
                                         memcmp(section_names[id], name + skip, size - skip) != 0))
    id++;
  return (wi_dwarf_section)id;
}

void wi_dwarf_sections_of(const wi_module *module, wi_dwarf_sections *sections) {
  *sections = (wi_dwarf_sections){0};
  for (uint32_t i = 0; i < module->sections_count; i++) {
    const wi_section *section = &module->sections[i];
    if (section->id != WI_SECTION_CUSTOM)
      continue;
    wi_dwarf_section id =
        wi_dwarf_section_find(module->bytes + section->name.offset, section->name.size);
    wi_span contents = wi_section_contents(section);
    if (id < WI_DWARF_SECTION_COUNT && !sections->section[id].data)
      sections->section[id] = (wi_dwarf_bytes){module->bytes + contents.offset, contents.size};
  }
}

wi_cursor wi_dwarf_cursor(wi_dwarf_bytes bytes, uint64_t offset, wi_error *error) {
  wi_cursor cursor = wi_cursor_at(bytes.data, (wi_span){0, bytes.size}, error);
  if (offset > bytes.size)
    wi_cursor_fail(&cursor, WI_ERROR_MALFORMED, bytes.size, "offset past the end of a section");
  else
    cursor.offset = (uint32_t)offset;
  return cursor;
}

/* ---- Numbers ------------------------------------------------------------ */

void wi_dwarf_skip_leb(wi_cursor *cursor) {
  while (wi_cursor_u8(cursor) & 0x80) {
  }
}

void wi_dwarf_skip_text(wi_cursor *cursor) {
  while (wi_cursor_u8(cursor) != 0) {
  }
}

uint32_t wi_dwarf_length(wi_cursor *cursor, uint8_t *offset_size) {
  uint64_t length = wi_dwarf_fixed(cursor, 4);
  *offset_size = 4;
  if (length == 0xffffffff) {
    *offset_size = 8;
    length = wi_dwarf_fixed(cursor, 8);
  }
  if (length > wi_cursor_left(cursor))
    wi_cursor_fail(cursor, WI_ERROR_TRUNCATED, cursor->offset, "truncated unit");
  else
    cursor->end = cursor->offset + (uint32_t)length;
  return cursor->end;
}

/* ---- Units -------------------------------------------------------------- */

static void read_version_5(wi_cursor *cursor, wi_dwarf_unit *unit) {
  unit->type = wi_cursor_u8(cursor);
  unit->address_size = wi_cursor_u8(cursor);
  unit->abbreviations = wi_dwarf_fixed(cursor, unit->offset_size);
  if (unit->type == DW_UT_skeleton || unit->type == DW_UT_split_compile)
    wi_cursor_skip(cursor, 8);
  else if (unit->type == DW_UT_type || unit->type == DW_UT_split_type)
    wi_cursor_skip(cursor, 8u + unit->offset_size);
  else if (unit->type != DW_UT_compile && unit->type != DW_UT_partial)
    wi_cursor_fail(cursor, WI_ERROR_UNSUPPORTED, cursor->offset, "unknown type of unit");
}

bool wi_dwarf_unit_read(wi_cursor *cursor, bool types, wi_dwarf_unit *unit) {
  *unit = (wi_dwarf_unit){.offset = cursor->offset};
  uint32_t end = wi_dwarf_length(cursor, &unit->offset_size);
  if (cursor->failed)
    return false;
  unit->end = end;
  unit->version = (uint16_t)wi_dwarf_fixed(cursor, 2);
  if (unit->version == 5) {
    read_version_5(cursor, unit);
  } else if (unit->version >= 2 && unit->version <= 4) {
    unit->type = types ? DW_UT_type : DW_UT_compile;
    unit->abbreviations = wi_dwarf_fixed(cursor, unit->offset_size);
    unit->address_size = wi_cursor_u8(cursor);
    if (types)
      wi_cursor_skip(cursor, 8u + unit->offset_size);
  } else {
    wi_cursor_fail(cursor, WI_ERROR_UNSUPPORTED, unit->offset, "unknown version of DWARF");
  }
  if (!cursor->failed && unit->address_size != 4 && unit->address_size != 8)
    wi_cursor_fail(cursor, WI_ERROR_UNSUPPORTED, unit->offset, "addresses of an unknown size");
  unit->dies = cursor->offset;
  return !cursor->failed;
}

/* ---- Abbreviations ------------------------------------------------------ */

void wi_dwarf_abbreviations_clear(wi_dwarf_abbreviations *table) {
  free(table->items);
  free(table->specs);
  *table = (wi_dwarf_abbreviations){0};
}

static uint16_t narrow(uint64_t value) {
  return value < UINT16_MAX ? (uint16_t)value : UINT16_MAX;
}

/* An entry's attributes may have no bytes, so their number needs a limit. */
static bool read_specs(wi_dwarf_abbreviations *table, wi_cursor *cursor,
                       wi_dwarf_abbreviation *item) {
  enum { MAX_ATTRIBUTES = 256 };
  for (;;) {
    uint16_t name = narrow(wi_dwarf_uleb(cursor));
    uint16_t form = narrow(wi_dwarf_uleb(cursor));
    int64_t constant = form == DW_FORM_implicit_const ? wi_cursor_signed(cursor, 64) : 0;
    if (cursor->failed || (name == 0 && form == 0))
      return !cursor->failed;
    if (item->count == MAX_ATTRIBUTES)
      return wi_cursor_fail(cursor, WI_ERROR_MALFORMED, cursor->offset, "too many attributes");
    wi_dwarf_spec *spec = WI_ARRAY_PUSH(table, specs);
    if (!spec)
      return wi_cursor_fail_memory(cursor);
    *spec = (wi_dwarf_spec){name, form, constant};
    item->count++;
  }
}

static int compare_codes(const void *a, const void *b) {
  uint64_t x = ((const wi_dwarf_abbreviation *)a)->code;
  uint64_t y = ((const wi_dwarf_abbreviation *)b)->code;
  return (x > y) - (x < y);
}

static bool read_table(wi_dwarf_abbreviations *table, wi_cursor *cursor) {
  bool sorted = true;
  for (uint64_t code, last = 0; (code = wi_dwarf_uleb(cursor)) != 0; last = code) {
    wi_dwarf_abbreviation item = {.code = code, .first = table->specs_count};
    item.tag = narrow(wi_dwarf_uleb(cursor));
    item.children = wi_cursor_u8(cursor) != 0;
    if (!read_specs(table, cursor, &item))
      return false;
    wi_dwarf_abbreviation *added = WI_ARRAY_PUSH(table, items);
    if (!added)
      return wi_cursor_fail_memory(cursor);
    *added = item;
    sorted &= code > last;
  }
  if (!sorted)
    qsort(table->items, table->items_count, sizeof *table->items, compare_codes);
  return !cursor->failed;
}

bool wi_dwarf_abbreviations_load(wi_dwarf_abbreviations *table, wi_dwarf_bytes section,
                                 uint64_t offset, wi_error *error) {
  enum { MOST_TIMES = 16, MOST_BYTES = 1 << 20 };
  if (table->loaded && table->offset == offset)
    return true;
  wi_cursor cursor = wi_dwarf_cursor(section, offset, error);
  table->items_count = table->specs_count = 0;
  table->offset = offset;
  if (table->read > MOST_TIMES * (uint64_t)section.size + MOST_BYTES)
    wi_cursor_fail(&cursor, WI_ERROR_MALFORMED, cursor.offset, "abbreviations are read too often");
  uint32_t start = cursor.offset;
  table->loaded = !cursor.failed && read_table(table, &cursor);
  table->read += cursor.offset - start;
  return table->loaded;
}

const wi_dwarf_abbreviation *wi_dwarf_abbreviation_find(const wi_dwarf_abbreviations *table,
                                                        uint64_t code) {
  if (code - 1 < table->items_count && table->items[code - 1].code == code)
    return &table->items[code - 1];
  wi_dwarf_abbreviation key = {.code = code};
  return table->items_count == 0
             ? NULL
             : bsearch(&key, table->items, table->items_count, sizeof key, compare_codes);
}

/* ---- Forms -------------------------------------------------------------- */

uint16_t wi_dwarf_form(wi_cursor *cursor, uint16_t form) {
  if (form != DW_FORM_indirect)
    return form;
  form = narrow(wi_dwarf_uleb(cursor));
  if (form == DW_FORM_indirect || form == DW_FORM_implicit_const)
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, cursor->offset, "indirect form of an indirect form");
  return form;
}

enum {
  FORM_SIZE_LEB128 = 0,
  FORM_SIZE_1 = 1,
  FORM_SIZE_2 = 2,
  FORM_SIZE_3 = 3,
  FORM_SIZE_4 = 4,
  FORM_SIZE_8 = 8,
  FORM_SIZE_ADDRESS,
  FORM_SIZE_REF_ADDR,
  FORM_SIZE_OFFSET,
  FORM_SIZE_OTHER
};

static unsigned listed_size(uint16_t form) {
  switch (form) {
#define FORM_SIZE(name, number, size)                                                              \
  case number: return FORM_SIZE_##size;
    WI_DWARF_FORMS(FORM_SIZE)
#undef FORM_SIZE
  default: return FORM_SIZE_OTHER;
  }
}

bool wi_dwarf_form_size(uint16_t form, const wi_dwarf_unit *unit, unsigned *size) {
  unsigned listed = listed_size(form);
  switch (listed) {
  case FORM_SIZE_ADDRESS: *size = unit->address_size; break;
  case FORM_SIZE_REF_ADDR:
    *size = unit->version == 2 ? unit->address_size : unit->offset_size;
    break;
  case FORM_SIZE_OFFSET: *size = unit->offset_size; break;
  default: *size = listed; break;
  }
  return listed != FORM_SIZE_OTHER;
}

static void skip_block(wi_cursor *cursor, uint64_t size) {
  wi_cursor_skip(cursor, size < UINT32_MAX ? (uint32_t)size : UINT32_MAX);
}

void wi_dwarf_form_skip(wi_cursor *cursor, uint16_t form, const wi_dwarf_unit *unit) {
  unsigned size;
  if (wi_dwarf_form_size(form, unit, &size)) {
    if (size > 0)
      wi_cursor_skip(cursor, size);
    else
      wi_dwarf_skip_leb(cursor);
    return;
  }
  switch (form) {
  case DW_FORM_string: wi_dwarf_skip_text(cursor); break;
  case DW_FORM_block1: skip_block(cursor, wi_cursor_u8(cursor)); break;
  case DW_FORM_block2: skip_block(cursor, wi_dwarf_fixed(cursor, 2)); break;
  case DW_FORM_block4: skip_block(cursor, wi_dwarf_fixed(cursor, 4)); break;
  case DW_FORM_block:
  case DW_FORM_exprloc: skip_block(cursor, wi_dwarf_uleb(cursor)); break;
  case DW_FORM_data16: wi_cursor_skip(cursor, 16); break;
  case DW_FORM_flag_present:
  case DW_FORM_implicit_const: break;
  default: wi_cursor_fail(cursor, WI_ERROR_UNSUPPORTED, cursor->offset, "unknown form 0x%x", form);
  }
}

uint64_t wi_dwarf_form_read(wi_cursor *cursor, uint16_t form, const wi_dwarf_unit *unit) {
  unsigned size = 0;
  if (!wi_dwarf_form_size(form, unit, &size)) {
    wi_dwarf_form_skip(cursor, form, unit);
    return 0;
  }
  if (size > 0)
    return wi_dwarf_fixed(cursor, size);
  return form == DW_FORM_sdata ? (uint64_t)wi_cursor_signed(cursor, 64) : wi_dwarf_uleb(cursor);
}

bool wi_dwarf_form_is_address_index(uint16_t form) {
  return form == DW_FORM_addrx || form == DW_FORM_GNU_addr_index ||
         (form >= DW_FORM_addrx1 && form <= DW_FORM_addrx4);
}
