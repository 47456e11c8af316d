#include "debug/places.h"

#include <stdlib.h>

#include "debug/path_table.h"
#include "debug/unit_reader.h"
#include "module/go_table.h"
#include "module/read.h"
#include "module/value_types.h"
#include "support/search.h"
#include "wasm_instrument/wasm_instrument.h"

typedef struct collector {
  struct wi_places *places;
  const wi_module *module; /* the module with the code */
  uint32_t code;           /* offset of the code section's payload in the module */
  wi_unit_reader reader;
  wi_path_table paths;
} collector;

/* ---- Functions ---------------------------------------------------------- */

/* The offset of the body's first instruction, behind its locals; 0 if these are malformed. */
static uint32_t first_instruction(const wi_module *module, wi_span body) {
  wi_error ignored;
  wi_error_reset(&ignored);
  wi_cursor in = wi_cursor_at(module->bytes, body, &ignored);
  for (uint32_t groups = wi_cursor_u32(&in); groups > 0 && !in.failed; groups--) {
    wi_cursor_u32(&in);
    wi_skip_value_type(&in);
  }
  return in.failed ? 0 : in.offset;
}

/*
 * Returns the function that starts at that address, or WI_NO_FUNCTION. It is the body's in most
 * compilers' output, and its first instruction's in Kotlin's. No other address within a body counts:
 * debug information that a tool left as it was names places anywhere.
 */
static uint32_t function_at(const collector *c, uint64_t address) {
  const wi_module *module = c->module;
  uint64_t offset = address + c->code;
  uint32_t index = WI_LOWER_BOUND(wi_span, module->bodies, module->bodies_count, offset, offset);
  if (index < module->bodies_count && module->bodies[index].offset == offset)
    return module->imports_count + index;
  if (index > 0 && first_instruction(module, module->bodies[index - 1]) == offset)
    return module->imports_count + index - 1;
  return WI_NO_FUNCTION;
}

static void add_function(collector *c, wi_dwarf_entry *found) {
  uint32_t function = found->has_low ? function_at(c, found->low) : WI_NO_FUNCTION;
  if (function == WI_NO_FUNCTION)
    return;
  wi_unit_reader_complete(&c->reader, found);
  uint32_t path = WI_NO_PATH;
  if (found->has_file && found->has_line)
    path = wi_path_table_find(&c->paths, &c->reader.files, found->file, c->reader.root.folder,
                              &c->places->texts);
  wi_place_item *item = path != WI_NO_PATH ? WI_ARRAY_PUSH(c->places, items) : NULL;
  if (item)
    *item = (wi_place_item){function, (uint32_t)found->line, path};
}

static int compare_items(const void *a, const void *b) {
  const wi_place_item *x = a, *y = b;
  return (x->function > y->function) - (x->function < y->function);
}

/* ---- Go programs, which have no DWARF -------------------------------------- */

static int compare_files(const void *left, const void *right) {
  const wi_place_item *a = left, *b = right;
  return (a->file > b->file) - (a->file < b->file);
}

/* Adds functions; their files are still numbers of the table. */
static void list_functions(wi_places *places, wi_go_table *table) {
  wi_go_function function;
  for (uint32_t i = 0; i < table->count && wi_go_table_function(table, i, &function); i++) {
    bool is_known = function.file != WI_GO_NO_FILE && function.line <= INT32_MAX;
    wi_place_item *item = is_known ? WI_ARRAY_PUSH(places, items) : NULL;
    if (item)
      *item = (wi_place_item){function.index, function.line, function.file};
  }
}

/* Appends a file's path to the texts and sets *offset. Returns false if the file has none. */
static bool put_path(wi_places *places, wi_go_table *table, uint32_t file, uint32_t *offset) {
  wi_span path;
  if (!wi_go_table_path(table, file, &path))
    return false;
  *offset = (uint32_t)places->texts.size;
  wi_buffer_append(&places->texts, table->module->bytes + path.offset, path.size);
  wi_buffer_u8(&places->texts, 0);
  return !places->texts.failed;
}

/* Appends each path once, and drops functions whose file has none. */
static void name_files(wi_places *places, wi_go_table *table) {
  uint32_t kept = 0, file = WI_GO_NO_FILE, offset = 0;
  bool has_path = false;
  if (places->items_count > 0)
    qsort(places->items, places->items_count, sizeof *places->items, compare_files);
  for (uint32_t i = 0; i < places->items_count; i++) {
    wi_place_item item = places->items[i];
    if (item.file != file)
      has_path = put_path(places, table, item.file, &offset);
    file = item.file;
    item.file = offset;
    if (has_path)
      places->items[kept++] = item;
  }
  places->items_count = kept;
}

static void collect_go(wi_places *places, const wi_module *module) {
  wi_go_table table;
  if (!wi_go_table_init(&table, module))
    return;
  list_functions(places, &table);
  name_files(places, &table);
  wi_go_table_clear(&table);
}

/* ---- The whole ------------------------------------------------------------ */

static void collect(wi_places *places, const wi_module *debug, const wi_module *module) {
  collector c = {.places = places, .module = module};
  wi_dwarf_entry entry;
  wi_unit_reader_init(&c.reader, debug);
  for (uint32_t i = 0; i < module->sections_count; i++)
    if (module->sections[i].id == WI_SECTION_CODE)
      c.code = module->sections[i].payload.offset;
  while (wi_unit_reader_next(&c.reader)) {
    wi_path_table_reset(&c.paths);
    while (wi_unit_reader_entry(&c.reader, &entry))
      if (entry.tag == DW_TAG_subprogram)
        add_function(&c, &entry);
  }
  if (places->items_count == 0)
    collect_go(places, module);
  if (places->items_count > 0)
    qsort(places->items, places->items_count, sizeof *places->items, compare_items);
  wi_path_table_clear(&c.paths);
  wi_unit_reader_clear(&c.reader);
}

wi_places *wi_places_of_module(const wi_module *debug, const wi_module *module) {
  wi_places *places = calloc(1, sizeof *places);
  if (places)
    collect(places, debug, module);
  return places;
}

/* ---- The library's entry points ----------------------------------------- */

wi_places *wi_places_read(const uint8_t *input, size_t size, wi_error *error) {
  wi_module module;
  wi_error_reset(error);
  if (!wi_module_read(&module, input, size, error))
    return NULL;
  wi_places *places = wi_places_of_module(&module, &module);
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
