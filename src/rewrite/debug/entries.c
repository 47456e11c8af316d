/* Walks debugging entries: attributes with addresses, and references. */
#include "rewrite/debug/entries.h"

#include "rewrite/debug/line.h"
/*
 * The entries of .debug_info and .debug_types are patched in place. Code addresses, the lengths
 * that depend on them, and offsets of line tables are patched immediately. References to lists are
 * recorded and patched once the lists are written.
 */

/* A length relative to the entry's low_pc, which may come after it. */
typedef struct length_field {
  uint32_t offset;
  uint16_t form; /* 0: none */
  uint64_t value;
} length_field;

typedef struct walk {
  wi_debug *debug;
  wi_cursor in;
  uint8_t *out; /* the copy to patch */
  wi_dwarf_section section;
  wi_dwarf_unit header;
  wi_debug_unit *unit; /* the last item of debug->units */
  wi_dwarf_abbreviations abbreviations;

  /* of the current entry */
  uint64_t low;
  bool has_low;
  length_field high, entry;
} walk;

/* ---- Values ------------------------------------------------------------- */

/*
 * Records a reference of the current unit. It is removed again if the unit turns out to be
 * malformed.
 */
static void note(walk *w, wi_debug_references *references, uint64_t target, uint32_t field,
                 unsigned size) {
  wi_debug_reference *reference = WI_ARRAY_PUSH(references, items);
  if (!reference) {
    w->debug->failed = true;
    return;
  }
  *reference = (wi_debug_reference){
      .target = target < UINT32_MAX ? (uint32_t)target : UINT32_MAX,
      .field = field,
      .unit = w->debug->units_count - 1,
      .size = (uint8_t)size,
      .types = w->section == WI_DWARF_TYPES,
  };
}

/* Replaces the address at the cursor with the new one. Returns the old one. */
static uint64_t move_address(walk *w, uint16_t form) {
  uint32_t at = w->in.offset;
  uint64_t value = wi_dwarf_form_read(&w->in, form, &w->header);
  if (w->in.failed)
    return 0;
  if (wi_dwarf_form_is_address_index(form))
    return wi_debug_indexed(w->debug, w->unit, value);
  wi_dwarf_set(w->out + at, w->header.address_size, wi_debug_address(w->debug, value));
  return value;
}

static length_field read_length(walk *w, uint16_t form) {
  length_field field = {.offset = w->in.offset, .form = form};
  field.value = wi_dwarf_form_read(&w->in, form, &w->header);
  return field;
}

/*
 * Overwrites a LEB128, padding the new value to the old length. Returns false if it does not fit.
 */
static bool set_leb(uint8_t *bytes, uint64_t value, bool is_signed) {
  unsigned size = 1;
  while (bytes[size - 1] & 0x80)
    size++;
  unsigned bits = 7 * size - is_signed;
  if (bits < 64 && value >> bits != 0)
    return false;
  for (unsigned i = 0; i < size; i++, value >>= 7)
    bytes[i] = (uint8_t)((value & 0x7f) | (i + 1 < size ? 0x80 : 0));
  return true;
}

static void move_length(walk *w, const length_field *field) {
  if (field->form == 0 || !w->has_low || w->in.failed)
    return;
  unsigned size = 0;
  uint64_t value = wi_debug_size(w->debug, w->low, field->value);
  if (value == field->value)
    return;
  bool fits = wi_dwarf_form_size(field->form, &w->header, &size);
  if (fits && size > 0) {
    fits = value <= wi_debug_mask(size);
    if (fits)
      wi_dwarf_set(w->out + field->offset, size, value);
  } else if (fits) {
    fits = set_leb(w->out + field->offset, value, field->form == DW_FORM_sdata);
  }
  if (!fits)
    wi_cursor_fail(&w->in, WI_ERROR_UNSUPPORTED, field->offset,
                   "a length that has no room to grow");
}

/* ---- Attributes --------------------------------------------------------- */

static bool is_offset(const walk *w, uint16_t form) {
  return form == DW_FORM_sec_offset ||
         (w->header.version < 4 && (form == DW_FORM_data4 || form == DW_FORM_data8));
}

static void move_line_table(walk *w, uint16_t form) {
  uint32_t at = w->in.offset;
  unsigned size = 0;
  uint64_t offset = wi_dwarf_form_read(&w->in, form, &w->header);
  if (w->in.failed || !wi_dwarf_form_size(form, &w->header, &size) || size < 4)
    return;
  const wi_debug_move *move = wi_debug_move_find(&w->debug->lines, offset);
  wi_dwarf_set(w->out + at, size, move ? move->to : wi_debug_empty_line_table(w->debug));
}

/* Records the list that an index refers to, through the table of offsets at the unit's base. */
static void note_indexed_list(walk *w, wi_dwarf_section section, uint64_t index) {
  uint64_t base = w->unit->list_bases[section == WI_DWARF_LOCLISTS];
  wi_dwarf_bytes in = w->debug->in.section[section];
  uint64_t room = base < in.size ? in.size - base : 0;
  unsigned size = w->header.offset_size;
  if (index < room / size)
    note(w, &w->debug->references[section],
         base + wi_dwarf_get(in.data + base + index * size, size), WI_DEBUG_NO_FIELD, 0);
}

static void move_list(walk *w, uint16_t form, wi_dwarf_section old, wi_dwarf_section new) {
  wi_dwarf_section section = w->header.version >= 5 ? new : old;
  uint32_t at = w->in.offset;
  unsigned size = 0;
  uint64_t value = wi_dwarf_form_read(&w->in, form, &w->header);
  if (w->in.failed)
    return;
  if (form == DW_FORM_rnglistx || form == DW_FORM_loclistx)
    note_indexed_list(w, section, value);
  else if (is_offset(w, form) && wi_dwarf_form_size(form, &w->header, &size))
    note(w, &w->debug->references[section], value, at, size);
}

static void move_list_base(walk *w, uint16_t form, wi_dwarf_section section) {
  uint32_t at = w->in.offset;
  unsigned size = 0;
  uint64_t value = wi_dwarf_form_read(&w->in, form, &w->header);
  if (!w->in.failed && wi_dwarf_form_size(form, &w->header, &size) && size >= 4)
    note(w, &w->debug->bases[section], value, at, size);
}

/*
 * Whether a value of that form refers to a list; some attributes have either a list or another
 * value.
 */
static bool is_list(const walk *w, uint16_t form) {
  return form == DW_FORM_rnglistx || form == DW_FORM_loclistx || is_offset(w, form);
}

/*
 * Cuts off the other part of a split unit, whose file has the old addresses, by changing the id
 * that names it.
 */
static void cut_off_split_unit(walk *w, uint32_t id_offset) {
  w->debug->split_units++;
  for (unsigned i = 0; i < 8; i++)
    w->out[id_offset + i] = (uint8_t)~w->out[id_offset + i];
}

static void move_attribute(walk *w, uint16_t name, uint16_t form) {
  switch (name) {
  case DW_AT_high_pc: w->high = read_length(w, form); return;
  case DW_AT_entry_pc: w->entry = read_length(w, form); return;
  case DW_AT_stmt_list: move_line_table(w, form); return;
  case DW_AT_ranges:
  case DW_AT_start_scope:
    if (is_list(w, form)) {
      move_list(w, form, WI_DWARF_RANGES, WI_DWARF_RNGLISTS);
      return;
    }
    break;
  case DW_AT_location:
  case DW_AT_string_length:
  case DW_AT_return_addr:
  case DW_AT_data_member_location:
  case DW_AT_frame_base:
  case DW_AT_segment:
  case DW_AT_static_link:
  case DW_AT_use_location:
  case DW_AT_vtable_elem_location:
    if (is_list(w, form)) {
      move_list(w, form, WI_DWARF_LOC, WI_DWARF_LOCLISTS);
      return;
    }
    break;
  case DW_AT_rnglists_base: move_list_base(w, form, WI_DWARF_RNGLISTS); return;
  case DW_AT_loclists_base: move_list_base(w, form, WI_DWARF_LOCLISTS); return;
  case DW_AT_GNU_dwo_id:
    if (form == DW_FORM_data8 && wi_cursor_left(&w->in) >= 8)
      cut_off_split_unit(w, w->in.offset);
    break;
  default: break;
  }
  wi_dwarf_form_skip(&w->in, form, &w->header);
}

static bool is_address(uint16_t form) {
  return form == DW_FORM_addr || wi_dwarf_form_is_address_index(form);
}

static void move_entry(walk *w, const wi_dwarf_abbreviation *abbreviation) {
  w->has_low = false;
  w->high.form = w->entry.form = 0;
  for (uint32_t i = 0; i < abbreviation->count && !w->in.failed; i++) {
    wi_dwarf_spec spec = w->abbreviations.specs[abbreviation->first + i];
    uint16_t form = wi_dwarf_form(&w->in, spec.form);
    if (is_address(form)) {
      uint64_t address = move_address(w, form);
      if (spec.name == DW_AT_low_pc) {
        w->low = address;
        w->has_low = true;
      }
    } else {
      move_attribute(w, spec.name, form);
    }
  }
  move_length(w, &w->high);
  move_length(w, &w->entry);
}

/* ---- Units -------------------------------------------------------------- */

static const wi_dwarf_abbreviation *next_entry(walk *w) {
  uint64_t code = wi_dwarf_uleb(&w->in);
  if (code == 0 || w->in.failed)
    return NULL;
  const wi_dwarf_abbreviation *found = wi_dwarf_abbreviation_find(&w->abbreviations, code);
  if (!found)
    wi_cursor_fail(&w->in, WI_ERROR_MALFORMED, w->in.offset, "an entry without abbreviation");
  return found;
}

/*
 * Reads attributes of the unit's first entry that apply to all others. *indexed is set to low_pc if
 * that is an index.
 */
static void read_unit_attribute(walk *w, uint16_t name, uint16_t form, uint64_t *indexed) {
  wi_debug_unit *unit = w->unit;
  uint64_t value = wi_dwarf_form_read(&w->in, form, &w->header);
  if (name == DW_AT_low_pc && form == DW_FORM_addr)
    unit->base = value;
  else if (name == DW_AT_low_pc)
    *indexed = value;
  else if (name == DW_AT_addr_base || name == DW_AT_GNU_addr_base)
    unit->address_base = value;
  else if (name == DW_AT_rnglists_base)
    unit->list_bases[0] = value;
  else if (name == DW_AT_loclists_base)
    unit->list_bases[1] = value;
}

static void read_unit(walk *w) {
  uint32_t start = w->in.offset;
  uint64_t indexed = UINT64_MAX;
  const wi_dwarf_abbreviation *first = next_entry(w);
  for (uint32_t i = 0; first && i < first->count && !w->in.failed; i++) {
    wi_dwarf_spec spec = w->abbreviations.specs[first->first + i];
    read_unit_attribute(w, spec.name, wi_dwarf_form(&w->in, spec.form), &indexed);
  }
  if (indexed != UINT64_MAX)
    w->unit->base = wi_debug_indexed(w->debug, w->unit, indexed);
  if (!w->in.failed)
    w->in.offset = start;
}

static bool add_unit(walk *w) {
  w->unit = WI_ARRAY_PUSH(w->debug, units);
  if (!w->unit)
    return wi_cursor_fail_memory(&w->in);
  uint64_t head = w->header.offset_size == 8 ? 16 : 8; /* size of the headers of the tables that the
                                                          bases point into */
  *w->unit = (wi_debug_unit){.version = (uint8_t)w->header.version,
                             .address_size = w->header.address_size,
                             .offset_size = w->header.offset_size,
                             .address_base = w->header.version >= 5 ? head : 0};
  return true;
}

/* Array sizes before a unit, to restore if the unit is malformed. */
typedef struct mark {
  uint32_t references[WI_DWARF_SECTION_COUNT], bases[WI_DWARF_SECTION_COUNT], slots;
} mark;

static mark take_mark(const wi_debug *d) {
  mark m = {.slots = d->slots_count};
  for (unsigned i = 0; i < WI_DWARF_SECTION_COUNT; i++) {
    m.references[i] = d->references[i].items_count;
    m.bases[i] = d->bases[i].items_count;
  }
  return m;
}

static void go_back(wi_debug *d, const mark *m) {
  d->slots_count = m->slots;
  for (unsigned i = 0; i < WI_DWARF_SECTION_COUNT; i++) {
    d->references[i].items_count = m->references[i];
    d->bases[i].items_count = m->bases[i];
  }
}

static void rewrite_unit(walk *w) {
  mark before = take_mark(w->debug);
  if (!add_unit(w))
    return;
  if (w->header.type == DW_UT_skeleton)
    cut_off_split_unit(w, w->header.dies - 8);
  if (wi_dwarf_abbreviations_load(&w->abbreviations, w->debug->in.section[WI_DWARF_ABBREV],
                                  w->header.abbreviations, w->in.error))
    read_unit(w);
  else
    w->in.failed = true;
  while (w->in.offset < w->in.end && !w->in.failed) {
    const wi_dwarf_abbreviation *abbreviation = next_entry(w);
    if (abbreviation)
      move_entry(w, abbreviation);
  }
  if (w->in.failed) { /* leave only null entries */
    go_back(w->debug, &before);
    memset(w->out + w->header.dies, 0, w->header.end - w->header.dies);
    wi_debug_lose(w->debug, w->section, w->in.error);
  }
}

void wi_debug_entries(wi_debug *d, bool types) {
  wi_dwarf_section section = types ? WI_DWARF_TYPES : WI_DWARF_INFO;
  wi_dwarf_bytes in = d->in.section[section];
  if (!in.data || !wi_debug_copy(d, section))
    return;
  walk w = {.debug = d, .section = section, .out = d->out[section].data};
  for (uint32_t start = 0; start < in.size && !d->failed; start = w.header.end) {
    wi_error error;
    wi_error_reset(&error);
    w.in = wi_dwarf_cursor(in, start, &error);
    if (!wi_dwarf_unit_read(&w.in, types, &w.header)) { /* the start of the next unit is unknown */
      if (start == 0)
        wi_debug_drop(d, section, &error);
      else
        wi_debug_lose(d, section, &error);
      d->out[section].size = start;
      break;
    }
    rewrite_unit(&w);
  }
  wi_dwarf_abbreviations_clear(&w.abbreviations);
}
