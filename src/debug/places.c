#include "debug/places.h"

#include <stdlib.h>
#include <string.h>

#include "debug/unit_root.h"
#include "module/read.h"
#include "support/search.h"
#include "support/utf8.h"
#include "wasm_instrument/wasm_instrument.h"

enum { MAX_PATH_SIZE = 4096, MAX_TEXTS_SIZE = 1 << 26, MAX_HOPS = 4 };

/* What is asked of an entry. */
typedef struct entry {
  uint64_t low, file, line;
  uint64_t origin; /* offset of the entry that says more of it, 0: none */
  bool has_low, has_file, has_line;
} entry;

typedef struct reader {
  struct wi_places *places;
  const wi_module *module;
  wi_dwarf_sections sections;
  uint32_t code; /* offset of the code section's payload in the module */
  wi_dwarf_abbreviations abbreviations;
  wi_dwarf_files files;
  wi_dwarf_unit unit;
  wi_dwarf_root root;
  uint64_t last_file; /* whose path is the last in the texts */
  uint32_t last_path;
} reader;

static const wi_dwarf_abbreviation *next_entry(reader *r, wi_cursor *in) {
  uint64_t code = wi_dwarf_uleb(in);
  return code == 0 || in->failed ? NULL : wi_dwarf_abbreviation_find(&r->abbreviations, code);
}

/* ---- Units -------------------------------------------------------------- */

static void read_unit(reader *r, wi_cursor in) {
  r->last_file = UINT64_MAX;
  r->files.items_count = 0;
  wi_dwarf_root_read(&r->root, in, &r->unit, &r->abbreviations, &r->sections);
  if (r->root.lines != WI_DWARF_NO_LINES)
    wi_dwarf_files_load(&r->files, &r->sections, r->root.lines);
}

/* ---- Entries ------------------------------------------------------------ */

static uint64_t indexed_address(const reader *r, uint64_t index) {
  wi_dwarf_bytes in = r->sections.section[WI_DWARF_ADDR];
  uint64_t room = r->root.address_base < in.size ? in.size - r->root.address_base : 0;
  if (index >= room / r->unit.address_size)
    return 0;
  return wi_dwarf_get(in.data + r->root.address_base + index * r->unit.address_size,
                      r->unit.address_size);
}

static void read_attribute(const reader *r, uint16_t name, uint16_t form, uint64_t value,
                           entry *result) {
  bool local = form == DW_FORM_ref1 || form == DW_FORM_ref2 || form == DW_FORM_ref4 ||
               form == DW_FORM_ref8 || form == DW_FORM_ref_udata;
  switch (name) {
  case DW_AT_low_pc:
    result->low = wi_dwarf_form_is_address_index(form) ? indexed_address(r, value) : value;
    result->has_low = true;
    break;
  case DW_AT_decl_file:
    result->file = value;
    result->has_file = true;
    break;
  case DW_AT_decl_line:
    result->line = value;
    result->has_line = true;
    break;
  case DW_AT_specification:
  case DW_AT_abstract_origin:
    if (local)
      result->origin = r->unit.offset + value;
    break;
  default: break;
  }
}

static entry read_entry(const reader *r, wi_cursor *in, const wi_dwarf_abbreviation *abbreviation) {
  entry result = {0};
  for (uint32_t i = 0; i < abbreviation->count && !in->failed; ++i) {
    wi_dwarf_spec spec = r->abbreviations.specs[abbreviation->first + i];
    uint16_t form = wi_dwarf_form(in, spec.form);
    uint64_t value = form == DW_FORM_implicit_const ? (uint64_t)spec.constant
                                                    : wi_dwarf_form_read(in, form, &r->unit);
    read_attribute(r, spec.name, form, value, &result);
  }
  return result;
}

/* What the entry itself does not say, the one that it is made from does. */
static void complete(reader *r, wi_cursor in, entry *found) {
  wi_error error;
  wi_error_reset(&error);
  in.error = &error;
  for (int hops = 0; hops < MAX_HOPS && found->origin >= r->unit.dies &&
                     found->origin < r->unit.end && !(found->has_file && found->has_line);
       ++hops) {
    in.offset = (uint32_t)found->origin;
    const wi_dwarf_abbreviation *abbreviation = next_entry(r, &in);
    if (!abbreviation)
      return;
    entry origin = read_entry(r, &in, abbreviation);
    if (in.failed)
      return;
    if (!found->has_file)
      found->file = origin.file;
    if (!found->has_line)
      found->line = origin.line;
    found->has_file |= origin.has_file;
    found->has_line |= origin.has_line;
    found->origin = origin.origin;
  }
}

/* ---- Functions ---------------------------------------------------------- */

/* The function whose body begins at that address, or WI_NO_FUNCTION. */
static uint32_t function_at(const reader *r, uint64_t address) {
  const wi_module *module = r->module;
  uint64_t offset = address + r->code;
  uint32_t index = WI_LOWER_BOUND(wi_span, module->bodies, module->bodies_count, offset, offset);
  bool found = index < module->bodies_count && module->bodies[index].offset == offset;
  return found ? module->imports_count + index : WI_NO_FUNCTION;
}

/* The offset of the file's path in the texts; UINT32_MAX for none. */
static uint32_t path_of(reader *r, uint64_t file) {
  char path[MAX_PATH_SIZE];
  wi_buffer *texts = &r->places->texts;
  if (r->last_file == file)
    return r->last_path;
  if (texts->size > MAX_TEXTS_SIZE ||
      !wi_dwarf_files_path(&r->files, file, r->root.folder, path, sizeof path) ||
      !wi_utf8_is_valid((const uint8_t *)path, strlen(path)))
    return UINT32_MAX;
  r->last_file = file;
  r->last_path = (uint32_t)texts->size;
  wi_buffer_append(texts, path, strlen(path) + 1);
  return texts->failed ? UINT32_MAX : r->last_path;
}

static void add_function(reader *r, const wi_cursor *in, entry found) {
  uint32_t function = found.has_low ? function_at(r, found.low) : WI_NO_FUNCTION;
  if (function == WI_NO_FUNCTION)
    return;
  complete(r, *in, &found);
  uint32_t path = found.has_file && found.has_line ? path_of(r, found.file) : UINT32_MAX;
  wi_place_item *item = path != UINT32_MAX ? WI_ARRAY_PUSH(r->places, items) : NULL;
  if (item)
    *item = (wi_place_item){function, (uint32_t)found.line, path};
}

static void collect_unit(reader *r, wi_cursor in) {
  if (!wi_dwarf_abbreviations_load(&r->abbreviations, r->sections.section[WI_DWARF_ABBREV],
                                   r->unit.abbreviations, in.error))
    return;
  read_unit(r, in);
  while (in.offset < in.end && !in.failed) {
    uint64_t code = wi_dwarf_uleb(&in);
    if (code == 0)
      continue;
    const wi_dwarf_abbreviation *abbreviation = wi_dwarf_abbreviation_find(&r->abbreviations, code);
    if (!abbreviation)
      return;
    entry found = read_entry(r, &in, abbreviation);
    if (abbreviation->tag == DW_TAG_subprogram && !in.failed)
      add_function(r, &in, found);
  }
}

static int compare_items(const void *a, const void *b) {
  const wi_place_item *x = a, *y = b;
  return (x->function > y->function) - (x->function < y->function);
}

static void collect(wi_places *places, const wi_module *module) {
  reader r = {.places = places, .module = module};
  wi_dwarf_sections_of(module, &r.sections);
  for (uint32_t i = 0; i < module->sections_count; ++i)
    if (module->sections[i].id == WI_SECTION_CODE)
      r.code = module->sections[i].payload.offset;
  wi_dwarf_bytes info = r.sections.section[WI_DWARF_INFO];
  for (uint32_t start = 0; start < info.size; start = r.unit.end) {
    wi_error error;
    wi_error_reset(&error);
    wi_cursor in = wi_dwarf_cursor(info, start, &error);
    if (!wi_dwarf_unit_read(&in, false, &r.unit))
      break;
    collect_unit(&r, in);
  }
  if (places->items_count > 0)
    qsort(places->items, places->items_count, sizeof *places->items, compare_items);
  wi_dwarf_abbreviations_clear(&r.abbreviations);
  wi_dwarf_files_clear(&r.files);
}

wi_places *wi_places_of_module(const wi_module *module) {
  wi_places *places = calloc(1, sizeof *places);
  if (places)
    collect(places, module);
  return places;
}

/* ---- The library's entry points ----------------------------------------- */

wi_places *wi_places_read(const uint8_t *input, size_t size, wi_error *error) {
  wi_module module;
  wi_error_reset(error);
  if (!wi_module_read(&module, input, size, error))
    return NULL;
  wi_places *places = wi_places_of_module(&module);
  if (!places)
    wi_error_memory(error);
  wi_module_clear(&module);
  return places;
}

void wi_places_free(wi_places *places) {
  if (!places)
    return;
  free(places->items);
  wi_buffer_clear(&places->texts);
  free(places);
}

const char *wi_places_find(const wi_places *places, uint32_t function, uint32_t *line) {
  wi_place_item key = {.function = function};
  const wi_place_item *item =
      places->items_count == 0
          ? NULL
          : bsearch(&key, places->items, places->items_count, sizeof key, compare_items);
  if (!item)
    return NULL;
  *line = item->line;
  return (const char *)places->texts.data + item->file;
}
