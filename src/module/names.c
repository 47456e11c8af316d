#include "module/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "module/go_names.h"
#include "module/read.h"
#include "support/buffer.h"

struct wi_names {
  wi_module own;           /* module read only for these names, or empty */
  wi_buffer named;         /* copy of that module with a completed name section, or empty */
  const wi_module *module; /* borrowed, or &own */
  wi_span *raw;            /* per function; size 0: no name in the name section */
  wi_span *types;          /* per type; size 0: no name */
  wi_span *exported;       /* per function; size 0: no export */
  wi_marker marker;        /* import_count is 0 if there is no marker */
  wi_buffer text;          /* the last result of wi_names_get */
};

enum { NAME_SUBSECTION_FUNCTIONS = 1, NAME_SUBSECTION_TYPES = 4 };

/* Reads a name map into an array indexed by the map's index space. */
static void read_name_map(wi_span *names, uint32_t name_count, wi_cursor *cursor) {
  for (uint32_t n = wi_cursor_count(cursor, 2, "names"); n > 0 && !cursor->failed; n--) {
    uint32_t index = wi_cursor_u32(cursor);
    wi_span name = wi_cursor_sized(cursor); /* may be invalid UTF-8; readers clean it */
    if (!cursor->failed && index < name_count && names[index].size == 0)
      names[index] = name;
  }
}

static void read_name_section(wi_names *names, const wi_section *section) {
  wi_error ignored; /* a malformed name section only loses names */
  wi_error_reset(&ignored);
  wi_cursor cursor = wi_cursor_at(names->module->bytes, wi_section_contents(section), &ignored);
  while (wi_cursor_left(&cursor) > 0) {
    uint8_t id = wi_cursor_u8(&cursor);
    wi_span contents = wi_cursor_sized(&cursor);
    if (cursor.failed)
      continue;
    wi_cursor subsection = wi_cursor_at(names->module->bytes, contents, &ignored);
    if (id == NAME_SUBSECTION_FUNCTIONS)
      read_name_map(names->raw, wi_module_function_count(names->module), &subsection);
    if (id == NAME_SUBSECTION_TYPES)
      read_name_map(names->types, names->module->types_count, &subsection);
  }
}

static void read_export_names(wi_names *names) {
  const wi_module *module = names->module;
  uint32_t function_count = wi_module_function_count(module);
  for (uint32_t i = 0; i < module->exports_count; i++) {
    const wi_export *item = &module->exports[i];
    if (item->function < function_count && names->exported[item->function].size == 0)
      names->exported[item->function] = item->name;
  }
}

static bool fill(wi_names *names, const wi_module *module) {
  size_t count = wi_module_function_count(module);
  names->module = module;
  names->raw = calloc(count + 1, sizeof *names->raw);
  names->exported = calloc(count + 1, sizeof *names->exported);
  names->types = calloc(module->types_count + (size_t)1, sizeof *names->types);
  if (!names->raw || !names->exported || !names->types)
    return false;
  const wi_section *section = wi_module_custom_section(module, "name");
  if (section)
    read_name_section(names, section);
  read_export_names(names);
  wi_marker_of_module(module, &names->marker);
  return true;
}

wi_names *wi_names_of_module(const wi_module *module) {
  wi_names *names = calloc(1, sizeof *names);
  if (names && fill(names, module))
    return names;
  wi_names_free(names);
  return NULL;
}

wi_names *wi_names_read(const uint8_t *input, size_t size, wi_error *error) {
  wi_error_reset(error);
  wi_names *names = calloc(1, sizeof *names);
  if (!names) {
    wi_error_memory(error);
    return NULL;
  }
  if (wi_module_read(&names->own, input, size, error) &&
      wi_go_names_complete(&names->own, &names->named, error) &&
      (fill(names, &names->own) || wi_error_memory(error)))
    return names;
  wi_names_free(names);
  return NULL;
}

void wi_names_free(wi_names *names) {
  if (!names)
    return;
  wi_module_clear(&names->own);
  wi_buffer_clear(&names->named);
  free(names->raw);
  free(names->exported);
  free(names->types);
  wi_buffer_clear(&names->text);
  free(names);
}

uint32_t wi_names_count(const wi_names *names) {
  return wi_module_function_count(names->module);
}

uint32_t wi_names_import_count(const wi_names *names) {
  return names->module->imports_count;
}

bool wi_names_raw(const wi_names *names, uint32_t index, wi_span *name) {
  if (index >= wi_names_count(names) || names->raw[index].size == 0)
    return false;
  *name = names->raw[index];
  return true;
}

bool wi_names_raw_type(const wi_names *names, uint32_t index, wi_span *name) {
  *name = index < names->module->types_count ? names->types[index] : (wi_span){0};
  return name->size > 0;
}

/* Index of the function before instrumentation. */
static uint32_t index_in_input(const wi_marker *marker, uint32_t index) {
  bool shifted =
      index >= marker->first_import && index - marker->first_import >= marker->import_count;
  return shifted ? index - marker->import_count : index;
}

/* Appends at most `most` bytes. A NUL would end the text early, so it becomes U+FFFD. */
static void put_span(wi_names *names, wi_span span, uint32_t most) {
  span.size = span.size < most ? span.size : most;
  const uint8_t *bytes = names->module->bytes + span.offset;
  for (size_t size; span.size > 0; bytes += size, span.size -= (uint32_t)size) {
    const uint8_t *nul = memchr(bytes, 0, span.size);
    size = nul ? (size_t)(nul - bytes) : span.size;
    wi_buffer_append(&names->text, bytes, size);
    if (nul)
      wi_buffer_append(&names->text, "\xEF\xBF\xBD", 3);
    size += nul != NULL;
  }
}

static void put_number(wi_names *names, uint32_t index) {
  char text[32];
  snprintf(text, sizeof text, "func[%" PRIu32 "]", index_in_input(&names->marker, index));
  wi_buffer_append(&names->text, text, strlen(text));
}

const char *wi_names_get_start(wi_names *names, uint32_t index, uint32_t size) {
  const wi_module *module = names->module;
  names->text.size = 0;
  if (index >= wi_names_count(names)) {
    put_number(names, index);
  } else if (index < module->imports_count) {
    put_span(names, module->imports[index].module, size);
    wi_buffer_u8(&names->text, '.');
    put_span(names, module->imports[index].field, size);
  } else if (names->raw[index].size > 0) {
    put_span(names, names->raw[index], size);
  } else if (names->exported[index].size > 0) {
    put_span(names, names->exported[index], size);
  } else {
    put_number(names, index);
  }
  wi_buffer_u8(&names->text, '\0');
  return names->text.failed ? "" : (const char *)names->text.data;
}

const char *wi_names_get(wi_names *names, uint32_t index) {
  return wi_names_get_start(names, index, UINT32_MAX);
}

/* ---- The marker --------------------------------------------------------- */

static void copy_text(const wi_cursor *cursor, wi_span span, char *text, size_t size) {
  size_t length = span.size < size - 1 ? span.size : size - 1;
  memcpy(text, cursor->bytes + span.offset, length);
  text[length] = '\0';
}

/* Whether a text of words separated by blanks contains `word`. */
static bool has_word(const wi_cursor *cursor, wi_span text, const char *word) {
  const char *at = (const char *)cursor->bytes + text.offset, *end = at + text.size;
  size_t size = strlen(word);
  while (at < end) {
    const char *blank = memchr(at, ' ', (size_t)(end - at));
    size_t length = (size_t)((blank ? blank : end) - at);
    if (length == size && memcmp(at, word, size) == 0)
      return true;
    at += length + 1;
  }
  return false;
}

bool wi_marker_of_module(const wi_module *module, wi_marker *marker) {
  enum { FORMAT_VERSION = 1 };
  *marker = (wi_marker){0};
  const wi_section *section = wi_module_custom_section(module, "wasm_instrument");
  if (!section)
    return false;
  wi_error ignored; /* a module with an unreadable marker still counts as instrumented */
  wi_error_reset(&ignored);
  wi_cursor cursor = wi_cursor_at(module->bytes, wi_section_contents(section), &ignored);
  if (wi_cursor_u8(&cursor) != FORMAT_VERSION)
    return true;
  copy_text(&cursor, wi_cursor_name(&cursor), marker->version, sizeof marker->version);
  copy_text(&cursor, wi_cursor_name(&cursor), marker->clock, sizeof marker->clock);
  copy_text(&cursor, wi_cursor_name(&cursor), marker->import_module, sizeof marker->import_module);
  uint32_t first = wi_cursor_u32(&cursor);
  uint32_t count = wi_cursor_u32(&cursor);
  uint32_t function_count = wi_cursor_u32(&cursor);
  uint32_t instrumented_count = wi_cursor_u32(&cursor);
  wi_span options = wi_cursor_name(&cursor);
  if (!cursor.failed && first <= module->imports_count && count <= module->imports_count - first) {
    marker->first_import = first;
    marker->import_count = count;
    marker->function_count = function_count;
    marker->instrumented_count = instrumented_count;
    marker->is_embedded = has_word(&cursor, options, "embed");
  }
  return true;
}

bool wi_marker_read(const uint8_t *input, size_t size, wi_marker *marker) {
  wi_module module;
  wi_error ignored;
  wi_error_reset(&ignored);
  if (!wi_module_read(&module, input, size, &ignored))
    return false;
  bool found = wi_marker_of_module(&module, marker);
  wi_module_clear(&module);
  return found;
}
