#include "debug/unit_reader.h"

enum { MOST_TIMES = 64, MOST_STEPS = 1 << 20, MAX_HOPS = 4, TEXT_BYTES_PER_STEP = 64 };

void wi_unit_reader_init(wi_unit_reader *reader, const wi_module *module) {
  *reader = (wi_unit_reader){.files_lines = WI_DWARF_NO_LINES};
  wi_dwarf_sections_of(module, &reader->sections);
  uint64_t size = (uint64_t)reader->sections.section[WI_DWARF_INFO].size +
                  reader->sections.section[WI_DWARF_LINE].size;
  reader->most_work = MOST_TIMES * size + MOST_STEPS;
}

void wi_unit_reader_clear(wi_unit_reader *reader) {
  wi_dwarf_abbreviations_clear(&reader->abbreviations);
  wi_dwarf_files_clear(&reader->files);
}

static bool takes_steps(wi_unit_reader *r, uint64_t count) {
  r->work += count;
  return r->work <= r->most_work;
}

/* ---- Units -------------------------------------------------------------- */

static void load_files(wi_unit_reader *r) {
  if (r->root.lines == r->files_lines)
    return;
  r->files_lines = r->root.lines;
  r->files.items_count = r->files.folders_count = 0;
  if (r->root.lines == WI_DWARF_NO_LINES || !takes_steps(r, 1))
    return;
  wi_dwarf_files_load(&r->files, &r->sections, r->root.lines);
  r->work += r->files.read_count; /* counts even if the table is not readable to its end */
}

/* Counts the search for the text's end, which fails if there is no text. */
static wi_dwarf_text count_text(wi_unit_reader *r, wi_dwarf_text text) {
  r->work += (text.data ? text.size : WI_DWARF_MAX_TEXT_SIZE) / TEXT_BYTES_PER_STEP;
  return text;
}

/* If this fails with unit.end 0, not even the unit's length is readable. */
bool wi_unit_reader_open(wi_unit_reader *r, uint32_t offset) {
  wi_error_reset(&r->error);
  r->in = wi_dwarf_cursor(r->sections.section[WI_DWARF_INFO], offset, &r->error);
  if (!wi_dwarf_unit_read(&r->in, false, &r->unit) ||
      !wi_dwarf_abbreviations_load(&r->abbreviations, r->sections.section[WI_DWARF_ABBREV],
                                   r->unit.abbreviations, &r->error))
    return false;
  wi_dwarf_root_read(&r->root, r->in, &r->unit, &r->abbreviations, &r->sections);
  wi_error_reset(&r->error);
  if (r->root.folder.data)
    count_text(r, r->root.folder);
  if (!takes_steps(r, UINT64_C(1) + r->root.attribute_count))
    return false;
  load_files(r);
  return true;
}

bool wi_unit_reader_next(wi_unit_reader *r) {
  uint32_t size = r->sections.section[WI_DWARF_INFO].size;
  while (r->unit.end < size && takes_steps(r, 1)) {
    if (wi_unit_reader_open(r, r->unit.end))
      return true;
    if (r->unit.end == 0)
      return false;
  }
  return false;
}

/* ---- Entries ------------------------------------------------------------ */

static bool is_local_reference(uint16_t form) {
  return form == DW_FORM_ref1 || form == DW_FORM_ref2 || form == DW_FORM_ref4 ||
         form == DW_FORM_ref8 || form == DW_FORM_ref_udata;
}

static uint64_t reference(const wi_unit_reader *r, uint16_t form, uint64_t value) {
  if (is_local_reference(form))
    return r->unit.offset + value;
  return form == DW_FORM_ref_addr ? value : 0;
}

static void read_number(const wi_unit_reader *r, uint16_t name, uint16_t form, uint64_t value,
                        wi_dwarf_entry *entry) {
  switch (name) {
  case DW_AT_low_pc:
    entry->low = wi_dwarf_address(value, form, &r->unit, &r->root, &r->sections);
    entry->has_low = true;
    break;
  case DW_AT_high_pc:
    entry->high_is_size = form != DW_FORM_addr && !wi_dwarf_form_is_address_index(form);
    entry->high = wi_dwarf_address(value, form, &r->unit, &r->root, &r->sections);
    break;
  case DW_AT_ranges:
    entry->ranges = value;
    entry->ranges_form = form;
    break;
  case DW_AT_decl_file:
    entry->file = value;
    entry->has_file = true;
    break;
  case DW_AT_decl_line:
    entry->line = value;
    entry->has_line = true;
    break;
  case DW_AT_call_file: entry->call_file = value; break;
  case DW_AT_call_line: entry->call_line = value; break;
  case DW_AT_call_column: entry->call_column = value; break;
  case DW_AT_specification:
  case DW_AT_abstract_origin: entry->origin = reference(r, form, value); break;
  default: break;
  }
}

static void read_attribute(wi_unit_reader *r, wi_cursor *in, wi_dwarf_spec spec,
                           wi_dwarf_entry *entry) {
  uint16_t form = wi_dwarf_form(in, spec.form);
  bool is_linkage = spec.name == DW_AT_linkage_name || spec.name == DW_AT_MIPS_linkage_name;
  if (is_linkage || spec.name == DW_AT_name) {
    wi_dwarf_text text = wi_dwarf_text_read(in, form, &r->unit, &r->sections, r->root.text_base);
    *(is_linkage ? &entry->linkage_name : &entry->name) = count_text(r, text);
    return;
  }
  uint64_t value = form == DW_FORM_implicit_const ? (uint64_t)spec.constant
                                                  : wi_dwarf_form_read(in, form, &r->unit);
  read_number(r, spec.name, form, value, entry);
}

static bool read_entry(wi_unit_reader *r, wi_cursor *in, wi_dwarf_entry *entry) {
  *entry = (wi_dwarf_entry){.offset = in->offset};
  if (in->offset >= in->end || in->failed)
    return false;
  uint64_t code = wi_dwarf_uleb(in);
  if (code == 0)
    return !in->failed;
  const wi_dwarf_abbreviation *abbreviation = wi_dwarf_abbreviation_find(&r->abbreviations, code);
  if (!abbreviation || in->failed || !takes_steps(r, UINT64_C(1) + abbreviation->count))
    return false;
  entry->tag = abbreviation->tag;
  entry->has_children = abbreviation->children;
  for (uint32_t i = 0; i < abbreviation->count && !in->failed; i++)
    read_attribute(r, in, r->abbreviations.specs[abbreviation->first + i], entry);
  return !in->failed;
}

bool wi_unit_reader_entry(wi_unit_reader *reader, wi_dwarf_entry *entry) {
  return read_entry(reader, &reader->in, entry);
}

bool wi_unit_reader_entry_at(wi_unit_reader *reader, uint64_t offset, wi_dwarf_entry *entry) {
  wi_error ignored;
  wi_error_reset(&ignored);
  if (offset < reader->unit.dies || offset >= reader->unit.end)
    return false;
  wi_cursor in = wi_dwarf_cursor(reader->sections.section[WI_DWARF_INFO], offset, &ignored);
  in.end = reader->unit.end;
  return read_entry(reader, &in, entry);
}

/*
 * As DWARF defines it, each attribute comes from the first entry in the chain that has it; file and
 * line may come from different entries.
 */
static void add_missing(wi_dwarf_entry *found, const wi_dwarf_entry *origin) {
  if (!found->has_file)
    found->file = origin->file;
  if (!found->has_line)
    found->line = origin->line;
  if (!found->name.data)
    found->name = origin->name;
  if (!found->linkage_name.data)
    found->linkage_name = origin->linkage_name;
  found->has_file |= origin->has_file;
  found->has_line |= origin->has_line;
  found->origin = origin->origin;
}

void wi_unit_reader_complete(wi_unit_reader *reader, wi_dwarf_entry *found) {
  wi_dwarf_entry origin;
  for (int hops = 0; hops < MAX_HOPS && found->origin != 0 &&
                     wi_unit_reader_entry_at(reader, found->origin, &origin);
       hops++)
    add_missing(found, &origin);
}
