#include "debug/unit_root.h"

uint64_t wi_dwarf_address(uint64_t value, uint16_t form, const wi_dwarf_unit *unit,
                          const wi_dwarf_root *root, const wi_dwarf_sections *sections) {
  if (!wi_dwarf_form_is_address_index(form))
    return value;
  wi_dwarf_bytes in = sections->section[WI_DWARF_ADDR];
  uint64_t room = root->address_base < in.size ? in.size - root->address_base : 0;
  if (value >= room / unit->address_size)
    return 0;
  return wi_dwarf_get(in.data + root->address_base + value * unit->address_size,
                      unit->address_size);
}

static void read_attribute(wi_dwarf_root *root, uint16_t name, uint64_t value) {
  switch (name) {
  case DW_AT_stmt_list: root->lines = value; break;
  case DW_AT_addr_base:
  case DW_AT_GNU_addr_base: root->address_base = value; break;
  case DW_AT_str_offsets_base: root->text_base = value; break;
  case DW_AT_rnglists_base: root->ranges_base = value; break;
  case DW_AT_low_pc: root->low = value; break;
  default: break;
  }
}

void wi_dwarf_root_read(wi_dwarf_root *root, wi_cursor in, const wi_dwarf_unit *unit,
                        const wi_dwarf_abbreviations *abbreviations,
                        const wi_dwarf_sections *sections) {
  uint64_t head = unit->version < 5 ? 0 : unit->offset_size == 8 ? 16 : 8;
  uint64_t lists = unit->version < 5 ? 0 : unit->offset_size == 8 ? 20 : 12;
  *root = (wi_dwarf_root){
      .address_base = head, .ranges_base = lists, .text_base = head, .lines = WI_DWARF_NO_LINES};
  uint64_t code = wi_dwarf_uleb(&in);
  const wi_dwarf_abbreviation *abbreviation =
      code == 0 || in.failed ? NULL : wi_dwarf_abbreviation_find(abbreviations, code);
  root->attribute_count = abbreviation ? abbreviation->count : 0;
  uint16_t folder_form = 0, low_form = 0;
  wi_cursor folder = in;
  for (uint32_t i = 0; abbreviation && i < abbreviation->count && !in.failed; i++) {
    wi_dwarf_spec spec = abbreviations->specs[abbreviation->first + i];
    uint16_t form = wi_dwarf_form(&in, spec.form);
    if (spec.name == DW_AT_comp_dir) {
      folder = in;
      folder_form = form;
    }
    if (spec.name == DW_AT_low_pc)
      low_form = form;
    read_attribute(root, spec.name, wi_dwarf_form_read(&in, form, unit));
  }
  root->low = wi_dwarf_address(root->low, low_form, unit, root, sections);
  if (in.failed)
    root->lines = WI_DWARF_NO_LINES;
  else if (folder_form)
    root->folder = wi_dwarf_text_read(&folder, folder_form, unit, sections, root->text_base);
}
