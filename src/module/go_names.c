#include "module/go_names.h"

#include <stdlib.h>

#include "module/go_table.h"
#include "module/read.h"

enum { SUBSECTION_FUNCTIONS = 1 };

/* ---- Names that are there ---------------------------------------------------------- */

/*
 * Iterator over the function names of a name section; ends at the first malformed or unordered
 * entry.
 */
typedef struct old_names {
  wi_cursor cursor;
  uint32_t left;
  uint32_t function; /* of the current name, or WI_NO_FUNCTION */
  wi_span name;
} old_names;

static void next_old(old_names *old) {
  uint32_t before = old->function;
  old->function = WI_NO_FUNCTION;
  if (old->left == 0)
    return;
  old->left--;
  uint32_t function = wi_cursor_u32(&old->cursor);
  old->name = wi_cursor_sized(&old->cursor);
  if (!old->cursor.failed && (before == WI_NO_FUNCTION || function > before))
    old->function = function;
  else
    old->left = 0;
}

/* Positions the iterator at the first name; `section` may be NULL. */
static old_names old_names_of(const wi_module *module, const wi_section *section,
                              wi_error *ignored) {
  old_names old = {.function = WI_NO_FUNCTION};
  if (!section)
    return old;
  wi_cursor cursor = wi_cursor_at(module->bytes, wi_section_contents(section), ignored);
  while (wi_cursor_left(&cursor) > 0) {
    uint8_t id = wi_cursor_u8(&cursor);
    wi_span contents = wi_cursor_sized(&cursor);
    if (cursor.failed || id != SUBSECTION_FUNCTIONS)
      continue;
    old.cursor = wi_cursor_at(module->bytes, contents, ignored);
    old.left = wi_cursor_count(&old.cursor, 2, "names");
    next_old(&old);
    break;
  }
  return old;
}

/* ---- Names of the table ---------------------------------------------------------- */

typedef struct new_name {
  uint32_t function, slot;
  wi_span text;
} new_name;

typedef struct new_names {
  WI_ARRAY(new_name, items);
} new_names;

static int compare_names(const void *left, const void *right) {
  const new_name *a = left, *b = right;
  if (a->function != b->function)
    return a->function < b->function ? -1 : 1;
  return (a->slot > b->slot) - (a->slot < b->slot);
}

/* ---- The section ----------------------------------------------------------------- */

static void put_name(const wi_module *module, uint32_t function, wi_span name, wi_buffer *out) {
  wi_buffer_u32(out, function);
  wi_buffer_u32(out, name.size);
  wi_buffer_append(out, module->bytes + name.offset, name.size);
}

/*
 * Reads the table's names, in order of function indices. There is room for all. False if the table
 * is damaged: none of its names can then be used.
 */
static bool list_names(wi_go_table *table, new_names *names) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < table->count; i++) {
    wi_go_function function;
    if (!wi_go_table_function(table, i, &function) || function.slot < next)
      return false;
    next = function.slot + 1;
    names->items[names->items_count++] = (new_name){function.index, function.slot, function.name};
  }
  qsort(names->items, names->items_count, sizeof *names->items, compare_names);
  return true;
}

/*
 * Writes the new names, and the old names of all other functions. If an optimiser merged functions,
 * the first name is theirs. Returns the number of names.
 */
static uint32_t put_names(const wi_module *module, const new_names *names, old_names old,
                          wi_buffer *out) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < names->items_count; i++) {
    const new_name *name = &names->items[i];
    if (i > 0 && name->function == name[-1].function)
      continue;
    for (; old.function < name->function; next_old(&old), count++)
      put_name(module, old.function, old.name, out);
    if (old.function == name->function)
      next_old(&old);
    put_name(module, name->function, name->text, out);
    count++;
  }
  for (; old.function != WI_NO_FUNCTION; next_old(&old), count++)
    put_name(module, old.function, old.name, out);
  return count;
}

static void put_section(const wi_buffer *names, uint32_t count, wi_buffer *out) {
  size_t expected = names->size;
  wi_buffer_u8(out, WI_SECTION_CUSTOM);
  size_t section = wi_buffer_sized_begin(out, expected);
  wi_buffer_name(out, "name");
  wi_buffer_u8(out, SUBSECTION_FUNCTIONS);
  size_t list = wi_buffer_sized_begin(out, expected);
  wi_buffer_u32(out, count);
  wi_buffer_append(out, names->data, names->size);
  wi_buffer_sized_end(out, list, expected);
  wi_buffer_sized_end(out, section, expected);
}

/* Offset of a section including its id and size, which is the end of the section before. */
static uint32_t start_of(const wi_module *module, const wi_section *section) {
  enum { HEADER_SIZE = 8 };
  const wi_section *before = section > module->sections ? section - 1 : NULL;
  return before ? before->payload.offset + before->payload.size : HEADER_SIZE;
}

/* Writes the module with a new name section at the end, in place of the old one. */
static bool put_module(wi_go_table *table, const wi_section *section, wi_buffer *out) {
  const wi_module *module = table->module;
  wi_buffer names = {0};
  new_names list = {0};
  wi_error ignored;
  wi_error_reset(&ignored);
  out->failed |= !WI_ARRAY_RESERVE(&list, items, table->count);
  bool done = !out->failed && list_names(table, &list);
  if (done) {
    uint32_t count = put_names(module, &list, old_names_of(module, section, &ignored), &names);
    uint32_t start = section ? start_of(module, section) : module->size;
    uint32_t end = section ? section->payload.offset + section->payload.size : module->size;
    wi_buffer_append(out, module->bytes, start);
    wi_buffer_append(out, module->bytes + end, module->size - end);
    put_section(&names, count, out);
  }
  out->failed |= names.failed;
  wi_buffer_clear(&names);
  free(list.items);
  return done;
}

/* Whether to search for the table. Go's linker writes a build id whenever it writes names. */
static bool may_be_go(const wi_module *module, const wi_section *names) {
  return !names || wi_module_custom_section(module, "go:buildid") ||
         wi_module_custom_section(module, "go.buildid");
}

bool wi_go_names_complete(wi_module *module, wi_buffer *named, wi_error *error) {
  *named = (wi_buffer){0};
  const wi_section *section = wi_module_custom_section(module, "name");
  wi_go_table table;
  if (!may_be_go(module, section) || !wi_go_table_init(&table, module))
    return true;
  bool done = put_module(&table, section, named);
  wi_go_table_clear(&table);
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
