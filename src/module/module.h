/*
 * A module as read by the section readers: the positions of its parts in the input.
 *
 * Nothing is copied: spans refer to the input's bytes, which must outlive the module. Function
 * bodies and constant expressions are left to the scanner (code/scan.h).
 */
#ifndef WI_MODULE_MODULE_H_
#define WI_MODULE_MODULE_H_

#include "module/value_types.h"
#include "support/array.h"
#include "support/cursor.h"

#define WI_NO_GLOBAL UINT32_MAX /* as WI_NO_FUNCTION, of a global index */

#ifdef __cplusplus
extern "C" {
#endif

/* Section ids (core specification, 5.5.2). */
typedef enum wi_section_id {
  WI_SECTION_CUSTOM = 0,
  WI_SECTION_TYPE = 1,
  WI_SECTION_IMPORT = 2,
  WI_SECTION_FUNCTION = 3,
  WI_SECTION_TABLE = 4,
  WI_SECTION_MEMORY = 5,
  WI_SECTION_GLOBAL = 6,
  WI_SECTION_EXPORT = 7,
  WI_SECTION_START = 8,
  WI_SECTION_ELEMENT = 9,
  WI_SECTION_CODE = 10,
  WI_SECTION_DATA = 11,
  WI_SECTION_DATA_COUNT = 12,
  WI_SECTION_TAG = 13,
  WI_SECTION_ID_COUNT
} wi_section_id;

/* Kinds of imports and exports. */
typedef enum wi_extern_kind {
  WI_EXTERN_FUNCTION = 0,
  WI_EXTERN_TABLE = 1,
  WI_EXTERN_MEMORY = 2,
  WI_EXTERN_GLOBAL = 3,
  WI_EXTERN_TAG = 4,
  WI_EXTERN_KIND_COUNT
} wi_extern_kind;

/* Rank of a non-custom section in the required order, from 1. */
unsigned wi_section_order(unsigned id);

#define WI_MODULE_HEADER_SIZE 8 /* magic and version */

/*
 * Limits that all engines share (WebAssembly JavaScript interface, "Implementation-defined
 * limits").
 */
#define WI_LIMIT_BODY_SIZE     7654321u
#define WI_LIMIT_LOCAL_COUNT   50000u
#define WI_LIMIT_ELEMENT_COUNT 10000000u

typedef struct wi_section {
  uint8_t id;      /* wi_section_id */
  wi_span payload; /* after id and size */
  wi_span name;    /* custom sections only; the contents follow the name */
} wi_section;

/* A defined type. Only function types are parsed in detail. */
typedef struct wi_type {
  bool is_function;
  uint32_t param_count;
  uint32_t result_count;
  wi_span params;  /* the encoded value types, without their count */
  wi_span results; /* likewise */
  wi_span fields;  /* encoded field types of a struct, without their count, or the field type of an
                      array */
  bool is_array;
} wi_type;

/* A function import; imports of other kinds are only counted. */
typedef struct wi_import {
  wi_span module;
  wi_span field;
  uint32_t type_index;
} wi_import;

/* A function export. */
typedef struct wi_export {
  wi_span name;
  uint32_t function; /* function index */
} wi_export;

typedef struct wi_module {
  const uint8_t *bytes; /* borrowed */
  uint32_t size;
  WI_ARRAY(wi_section, sections);
  WI_ARRAY(wi_type, types);
  WI_ARRAY(wi_import, imports);       /* functions 0 .. imports_count - 1 */
  WI_ARRAY(uint32_t, function_types); /* type index of each function with a body */
  WI_ARRAY(wi_span, bodies);          /* locals and code, excluding the size field */
  WI_ARRAY(wi_export, exports);
  WI_ARRAY(uint8_t, imported_memories); /* flags of their limits */
  WI_ARRAY(uint8_t, imported_tables);   /* likewise */
  uint32_t import_counts[WI_EXTERN_KIND_COUNT];
  const char *reader; /* static name of the reader that filled this in */
} wi_module;

/* Frees what the module owns; not its bytes. */
void wi_module_clear(wi_module *module);

/* Number of functions, including imports. */
static inline uint32_t wi_module_function_count(const wi_module *module) {
  return module->imports_count + module->function_types_count;
}

/*
 * Size of an index space: imports of the kind, and the items of section `id`. An unreadable section
 * is counted as empty here; rewriting it reports the error.
 */
uint32_t wi_module_index_count(const wi_module *module, wi_extern_kind kind, wi_section_id id);

/* Reads the limits of memory `number` of those that the module defines. False if there is none. */
bool wi_module_own_memory(const wi_module *module, uint32_t number, wi_limits *limits);

/* Whether the memory at `index` has 64-bit addresses; false if there is no such memory. */
bool wi_module_memory_is_64(const wi_module *module, uint32_t index);

/* The type index of function `index`, which must exist; it may be invalid. */
uint32_t wi_module_type_index(const wi_module *module, uint32_t index);

/* The type of function `index`; NULL if its type index is invalid. */
const wi_type *wi_module_function_type(const wi_module *module, uint32_t index);

/* Whether the bytes of `span` are exactly `text`. */
bool wi_module_span_equals(const wi_module *module, wi_span span, const char *text);
bool wi_module_span_begins(const wi_module *module, wi_span span, const char *prefix);

/*
 * Iterates over the sections of the module of `size` bytes at `bytes` by their headers. Contents
 * are not read, except the names of custom sections, which are not checked for UTF-8.
 * wi_sections_next returns false at the end, or if a section is truncated; the cursor has then
 * failed.
 */
wi_cursor wi_sections_begin(const uint8_t *bytes, size_t size, wi_error *error);
bool wi_sections_next(wi_cursor *sections, wi_section *section);

/* Whether it is a custom section with that name, or with a name that starts with that prefix. */
bool wi_section_is(const uint8_t *bytes, const wi_section *section, const char *name);
bool wi_section_begins(const uint8_t *bytes, const wi_section *section, const char *prefix);

/* The URL in a custom section, *size bytes within `bytes`; NULL if truncated. */
const char *wi_section_url(const uint8_t *bytes, const wi_section *section, size_t *size);

/* The URL in the first section `name` of the module in `bytes`; NULL if there is none. */
const char *wi_module_url(const uint8_t *bytes, size_t bytes_size, const char *name, size_t *size);

/* The contents of a custom section, without its name. */
static inline wi_span wi_section_contents(const wi_section *section) {
  uint32_t offset = section->name.offset + section->name.size;
  return (wi_span){offset, section->payload.offset + section->payload.size - offset};
}

/* The function exported as `name`, or WI_NO_FUNCTION. */
uint32_t wi_module_find_export(const wi_module *module, const char *name);

/* The first custom section with that name, or NULL. */
const wi_section *wi_module_custom_section(const wi_module *module, const char *name);

#ifdef __cplusplus
}
#endif

#endif /* WI_MODULE_MODULE_H_ */
