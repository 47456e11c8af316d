#include "component/container.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t header[WI_COMPONENT_HEADER_SIZE] = {0x00, 'a', 's', 'm', 0x0d, 0, 1, 0};

enum { SECTION_CUSTOM, SECTION_CORE_MODULE, SECTION_COMPONENT = 4, SECTION_COUNT = 13 };

/* The layer makes it a component; wi_component_read checks the version. */
bool wi_component_is(const uint8_t *bytes, size_t size) {
  enum { LAYER_OFFSET = 6 };
  return size >= sizeof header && memcmp(bytes, header, 4) == 0 &&
         memcmp(bytes + LAYER_OFFSET, header + LAYER_OFFSET, 2) == 0;
}

/* ---- Names --------------------------------------------------------------------- */

static bool is_named(const wi_component *component, wi_span span, const char *name) {
  return span.size == strlen(name) && memcmp(component->bytes + span.offset, name, span.size) == 0;
}

/*
 * Reads a map from indices of one sort to names; the format requires increasing indices. Returns
 * whether the sort is core modules.
 */
static bool read_sort_names(wi_component *component, uint32_t parent, wi_cursor cursor) {
  enum { SORT_CORE = 0x00, CORE_SORT_MODULE = 0x11 };
  if (wi_cursor_u8(&cursor) != SORT_CORE || wi_cursor_u8(&cursor) != CORE_SORT_MODULE)
    return false;
  uint32_t at = parent == WI_NO_PART ? 0 : parent + 1; /* all names are assigned in a single pass
                                                          over the parts */
  for (uint32_t n = wi_cursor_count(&cursor, 2, "names"); n > 0; n--) {
    uint32_t index = wi_cursor_u32(&cursor);
    wi_span name = wi_cursor_name(&cursor);
    for (; at < component->parts_count && !cursor.failed; at++) {
      wi_component_part *part = &component->parts[at];
      if (!part->is_module || part->parent != parent || part->index < index)
        continue;
      if (part->index == index)
        part->name = name;
      break;
    }
    if (cursor.failed)
      break;
  }
  return true;
}

/*
 * Reads names from a custom section. Returns whether it is component-name; if it is malformed,
 * names are missing.
 */
static bool read_names(wi_component *component, uint32_t parent, wi_span payload) {
  enum { SUBSECTION_SORT = 1 };
  wi_error ignored;
  wi_error_reset(&ignored);
  wi_cursor cursor = wi_cursor_at(component->bytes, payload, &ignored);
  if (!is_named(component, wi_cursor_name(&cursor), "component-name"))
    return false;
  for (bool done = false; !done && wi_cursor_left(&cursor) > 0;) {
    uint8_t id = wi_cursor_u8(&cursor);
    wi_span contents = wi_cursor_sized(&cursor);
    if (id == SUBSECTION_SORT && !cursor.failed)
      done = read_sort_names(component, parent, wi_cursor_at(component->bytes, contents, &ignored));
  }
  return true;
}

/* The module's own name, from subsection 0 of its name section. */
static wi_span own_name(const wi_component *component, wi_span module) {
  wi_error ignored;
  wi_error_reset(&ignored);
  wi_cursor cursor = wi_cursor_at(component->bytes, module, &ignored);
  wi_cursor_skip(&cursor, WI_MODULE_HEADER_SIZE);
  while (wi_cursor_left(&cursor) > 0) {
    uint8_t id = wi_cursor_u8(&cursor);
    wi_cursor section = wi_cursor_at(component->bytes, wi_cursor_sized(&cursor), &ignored);
    if (cursor.failed || id != WI_SECTION_CUSTOM ||
        !is_named(component, wi_cursor_name(&section), "name") || wi_cursor_u8(&section) != 0)
      continue;
    section = wi_cursor_at(component->bytes, wi_cursor_sized(&section), &ignored);
    wi_span name = wi_cursor_name(&section);
    if (!section.failed)
      return name;
  }
  return (wi_span){0};
}

void wi_component_module_name(const wi_component *component, const wi_component_part *module,
                              char text[WI_COMPONENT_NAME_SIZE]) {
  if (module->name.size > 0)
    snprintf(text, WI_COMPONENT_NAME_SIZE, "%.*s", (int)module->name.size,
             (const char *)component->bytes + module->name.offset);
  else
    snprintf(text, WI_COMPONENT_NAME_SIZE, "module%" PRIu32, module->index);
}

/* ---- Sections ---------------------------------------------------------------------- */

static bool read_sections(wi_component *component, wi_span contents, uint32_t parent,
                          unsigned depth, wi_error *error);

static bool add_part(wi_component *component, wi_component_part part, unsigned depth,
                     wi_error *error) {
  uint32_t position = component->parts_count;
  wi_component_part *added = WI_ARRAY_PUSH(component, parts);
  if (!added)
    return wi_error_memory(error);
  *added = part;
  if (part.is_module && ++component->module_count > WI_COMPONENT_MAX_MODULES)
    return wi_error_set(error, WI_ERROR_LIMIT, part.section_offset, WI_NO_FUNCTION,
                        "a component of more than %d core modules", WI_COMPONENT_MAX_MODULES);
  if (part.is_module) {
    added->name = own_name(component, part.bytes);
    return true;
  }
  if (!wi_component_is(component->bytes + part.bytes.offset, part.bytes.size) ||
      memcmp(component->bytes + part.bytes.offset, header, sizeof header) != 0)
    return wi_error_set(error, WI_ERROR_MALFORMED, part.bytes.offset, WI_NO_FUNCTION,
                        "malformed header of a nested module or component");
  if (depth >= WI_COMPONENT_MAX_DEPTH)
    return wi_error_set(error, WI_ERROR_LIMIT, part.section_offset, WI_NO_FUNCTION,
                        "components nested more than %d deep", WI_COMPONENT_MAX_DEPTH);
  return read_sections(component, part.bytes, position, depth + 1, error);
}

/* Reads the sections of a component; `whole` includes its header. */
static bool read_sections(wi_component *component, wi_span whole, uint32_t parent, unsigned depth,
                          wi_error *error) {
  wi_cursor cursor = wi_cursor_at(component->bytes, whole, error);
  uint32_t module_count = 0;
  bool has_names = false;
  wi_cursor_skip(&cursor, WI_COMPONENT_HEADER_SIZE);
  while (wi_cursor_left(&cursor) > 0) {
    wi_component_part part = {.section_offset = cursor.offset, .parent = parent};
    uint8_t id = wi_cursor_u8(&cursor);
    if (id >= SECTION_COUNT)
      return wi_cursor_fail(&cursor, WI_ERROR_MALFORMED, part.section_offset,
                            "malformed section id %u of a component", id);
    part.bytes = wi_cursor_sized(&cursor);
    part.is_module = id == SECTION_CORE_MODULE;
    part.index = part.is_module ? module_count++ : 0;
    if (cursor.failed)
      return false;
    if (id == SECTION_CUSTOM && !has_names)
      has_names = read_names(component, parent, part.bytes);
    if ((part.is_module || id == SECTION_COMPONENT) && !add_part(component, part, depth, error))
      return false;
  }
  return true;
}

bool wi_component_read(wi_component *component, const uint8_t *bytes, size_t size,
                       wi_error *error) {
  *component = (wi_component){0};
  if (size > UINT32_MAX)
    return wi_error_set(error, WI_ERROR_LIMIT, WI_NO_OFFSET, WI_NO_FUNCTION,
                        "components of 4 GiB and more are not supported");
  if (!wi_component_is(bytes, size) || memcmp(bytes, header, sizeof header) != 0)
    return wi_error_set(error, WI_ERROR_NOT_WASM, 4, WI_NO_FUNCTION,
                        "a component of an unknown version");
  component->bytes = bytes;
  component->size = (uint32_t)size;
  wi_span whole = {0, component->size};
  if (read_sections(component, whole, WI_NO_PART, 0, error))
    return true;
  wi_component_clear(component);
  return false;
}

void wi_component_clear(wi_component *component) {
  free(component->parts);
  *component = (wi_component){0};
}
