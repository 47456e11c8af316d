/*
 * A module as its section readers see it: where things stand in the input.
 *
 * Nothing is copied: spans point into the input's bytes, which must outlive the module.
 * Function bodies and constant expressions are left to the scanner (code/scan.h).
 */
#ifndef WI_MODULE_MODULE_H_
#define WI_MODULE_MODULE_H_

#include "support/array.h"
#include "support/cursor.h"

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

/* Where a section that is not custom may stand: each after all of a smaller place, from 1 on. */
unsigned wi_section_order(unsigned id);

#define WI_MODULE_HEADER_SIZE 8 /* magic and version */

/* Limits every engine shares (WebAssembly JavaScript interface, "Implementation-defined
 * limits"). */
#define WI_LIMIT_BODY_SIZE     7654321u
#define WI_LIMIT_LOCAL_COUNT   50000u
#define WI_LIMIT_ELEMENT_COUNT 10000000u

typedef struct wi_section {
  uint8_t id;      /* wi_section_id */
  wi_span payload; /* after id and size */
  wi_span name;    /* custom sections only; the contents follow it */
} wi_section;

/* A defined type. Only function types are looked into. */
typedef struct wi_type {
  bool is_function;
  uint32_t param_count;
  uint32_t result_count;
  wi_span params;  /* the encoded value types, without their count */
  wi_span results; /* the same */
  wi_span
      fields; /* of a struct: its encoded field types, without their count; of an array: the one */
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
  WI_ARRAY(wi_span, bodies);          /* locals and code, after the body's size */
  WI_ARRAY(wi_export, exports);
  WI_ARRAY(uint8_t, imported_memories); /* the flags of their limits */
  uint32_t import_counts[WI_EXTERN_KIND_COUNT];
  const char *reader; /* static name of the reader that filled this in */
} wi_module;

/* Frees what it holds; the bytes stay. */
void wi_module_clear(wi_module *module);

/* Functions, imported ones included. */
static inline uint32_t wi_module_function_count(const wi_module *module) {
  return module->imports_count + module->function_types_count;
}

/*
 * The items in the index space of a kind that has a section of its own: imports and that section's
 * vector. Where the vector cannot be read, rewriting it reports the error.
 */
uint32_t wi_module_index_count(const wi_module *module, wi_extern_kind kind, wi_section_id id);

/* Whether the memory at `index` has addresses of 64 bits; false where there is no such memory. */
bool wi_module_memory_is_64(const wi_module *module, uint32_t index);

/* The type of function `index`; NULL where the module names none (an invalid module). */
const wi_type *wi_module_function_type(const wi_module *module, uint32_t index);

/* Whether the bytes of `span` are exactly `text`. */
bool wi_module_span_equals(const wi_module *module, wi_span span, const char *text);
bool wi_module_span_begins(const wi_module *module, wi_span span, const char *prefix);

/*
 * The sections of the module of `size` bytes at `bytes`, one after another, for who looks at heads
 * only: nothing that is in them is read but the names of custom ones, in no encoding. next gives
 * false at the end and where one is cut, which fails the cursor.
 */
wi_cursor wi_sections_begin(const uint8_t *bytes, size_t size, wi_error *error);
bool wi_sections_next(wi_cursor *sections, wi_section *section);

/* Whether it is a custom section of that name, or one whose name begins so. */
bool wi_section_is(const uint8_t *bytes, const wi_section *section, const char *name);
bool wi_section_begins(const uint8_t *bytes, const wi_section *section, const char *prefix);

/* The URL that a custom section holds, *size bytes within `bytes`; NULL where it is cut. */
const char *wi_section_url(const uint8_t *bytes, const wi_section *section, size_t *size);

/* The contents of a custom section: what follows its name. */
static inline wi_span wi_section_contents(const wi_section *section) {
  uint32_t offset = section->name.offset + section->name.size;
  return (wi_span){offset, section->payload.offset + section->payload.size - offset};
}

/* The function exported by that name, or WI_NO_FUNCTION. */
uint32_t wi_module_find_export(const wi_module *module, const char *name);

/* The first custom section of that name, or NULL. */
const wi_section *wi_module_custom_section(const wi_module *module, const char *name);

#ifdef __cplusplus
}
#endif

#endif /* WI_MODULE_MODULE_H_ */
