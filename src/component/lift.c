#include "component/lift.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "component/canon.h"
#include "support/array.h"

enum {
  SECTION_CORE_MODULE = 1,
  SECTION_CORE_INSTANCE = 2,
  SECTION_ALIAS = 6,
  SECTION_TYPE = 7,
  SECTION_CANON = 8,
  SECTION_IMPORT = 10,
  SECTION_EXPORT = 11
};

/* Sorts of items. In the binary, a core sort follows the byte 0. */
enum {
  SORT_CORE = 0,
  SORT_FUNCTION = 1,
  SORT_VALUE = 2,
  SORT_TYPE = 3,
  SORT_COMPONENT = 4,
  SORT_INSTANCE = 5,
  CORE = 0x100, /* flag of core sorts, in this file only */
  CORE_FUNCTION = CORE | 0x00,
  CORE_MODULE = CORE | 0x11,
  CORE_INSTANCE = CORE | 0x12
};

/* ---- Index spaces ---------------------------------------------------------------- */

/* Sizes of the component's index spaces, as far as the appended sections need them. */
typedef struct index_spaces {
  uint32_t core_function_count;
  uint32_t function_count;
  uint32_t type_count;
  WI_ARRAY(uint32_t, modules);   /* part of each core module, or WI_NO_PART */
  WI_ARRAY(uint32_t, instances); /* module of each core instance, or WI_NO_PART */
  const char *wanted;            /* start of an export's name; NULL: none */
  bool is_wanted;                /* there is one */
  wi_cursor cursor;              /* at the current item; failed if an item is unknown */
} index_spaces;

static void give_up(index_spaces *s) {
  wi_cursor_fail(&s->cursor, WI_ERROR_UNSUPPORTED, s->cursor.offset, "unknown item");
}

static void push_module(index_spaces *s, uint32_t part) {
  uint32_t *item = WI_ARRAY_PUSH(s, modules);
  if (item)
    *item = part;
  else
    give_up(s);
}

static void push_instance(index_spaces *s, uint32_t module) {
  uint32_t *item = WI_ARRAY_PUSH(s, instances);
  if (item)
    *item = module;
  else
    give_up(s);
}

static void add_item(index_spaces *s, uint32_t sort) {
  switch (sort) {
  case CORE_FUNCTION: s->core_function_count++; break;
  case CORE_MODULE: push_module(s, WI_NO_PART); break;
  case CORE_INSTANCE: push_instance(s, WI_NO_PART); break;
  case SORT_FUNCTION: s->function_count++; break;
  case SORT_TYPE: s->type_count++; break;
  default: break;
  }
}

static uint32_t read_sort(index_spaces *s) {
  uint8_t sort = wi_cursor_u8(&s->cursor);
  return sort == SORT_CORE ? (uint32_t)CORE | wi_cursor_u8(&s->cursor) : sort;
}

/* ---- Items --------------------------------------------------------------------------- */

static void read_core_instance(index_spaces *s) {
  enum { INSTANTIATE, EXPORTS };
  uint8_t kind = wi_cursor_u8(&s->cursor);
  uint32_t module = kind == INSTANTIATE ? wi_cursor_u32(&s->cursor) : WI_NO_PART;
  if (kind > EXPORTS)
    give_up(s);
  for (uint32_t n = wi_cursor_count(&s->cursor, 3, "items"); n > 0 && !s->cursor.failed; n--) {
    wi_cursor_name(&s->cursor);
    wi_cursor_u8(&s->cursor);
    wi_cursor_u32(&s->cursor);
  }
  push_instance(s, module);
}

static void read_alias(index_spaces *s) {
  enum { OF_INSTANCE, OF_CORE_INSTANCE, OUTER };
  uint32_t sort = read_sort(s);
  uint8_t target = wi_cursor_u8(&s->cursor);
  wi_cursor_u32(&s->cursor);
  if (target == OUTER)
    wi_cursor_u32(&s->cursor);
  else if (target <= OF_CORE_INSTANCE)
    wi_cursor_name(&s->cursor);
  else
    give_up(s);
  add_item(s, sort);
}

static void read_canon(index_spaces *s) {
  bool is_lifted = wi_canon_skip(&s->cursor);
  add_item(s, is_lifted ? (uint32_t)SORT_FUNCTION : (uint32_t)CORE_FUNCTION);
}

/* Returns the sort of the item. */
static uint32_t read_description(index_spaces *s) {
  enum { EQUAL_TYPE };
  uint32_t sort = read_sort(s);
  if (sort == SORT_VALUE)
    give_up(s);
  else if (sort != SORT_TYPE || wi_cursor_u8(&s->cursor) == EQUAL_TYPE)
    wi_cursor_u32(&s->cursor);
  return sort;
}

static wi_span read_name(index_spaces *s) {
  enum { WITH_URL = 1 };
  if (wi_cursor_u8(&s->cursor) > WITH_URL)
    give_up(s);
  return wi_cursor_name(&s->cursor);
}

static void read_import(index_spaces *s) {
  read_name(s);
  add_item(s, read_description(s));
}

static bool begins_with(const index_spaces *s, wi_span name, const char *start) {
  size_t size = strlen(start);
  return name.size >= size && memcmp(s->cursor.bytes + name.offset, start, size) == 0;
}

static void read_export(index_spaces *s) {
  wi_span name = read_name(s);
  s->is_wanted |= s->wanted && begins_with(s, name, s->wanted);
  if (begins_with(s, name, WI_LIFT_PREFIX))
    give_up(s); /* a name can be exported only once */
  uint32_t sort = read_sort(s);
  wi_cursor_u32(&s->cursor);
  if (wi_cursor_u8(&s->cursor) != 0)
    read_description(s);
  add_item(s, sort);
}

/* ---- Sections ------------------------------------------------------------------------- */

static void read_section(index_spaces *s, uint8_t id) {
  uint32_t count = wi_cursor_count(&s->cursor, 1, "items");
  if (id == SECTION_TYPE)
    s->type_count += count;
  for (; count > 0 && !s->cursor.failed; count--)
    switch (id) {
    case SECTION_CORE_INSTANCE: read_core_instance(s); break;
    case SECTION_ALIAS: read_alias(s); break;
    case SECTION_CANON: read_canon(s); break;
    case SECTION_IMPORT: read_import(s); break;
    case SECTION_EXPORT: read_export(s); break;
    default: return;
    }
}

/*
 * Reads the index spaces of the component itself; nested components have their own. Returns false
 * if an item is unknown.
 */
static bool read_spaces(index_spaces *s, const wi_component *component) {
  wi_error ignored;
  wi_error_reset(&ignored);
  uint32_t part = 0;
  wi_cursor cursor = wi_cursor_at(component->bytes, (wi_span){0, component->size}, &ignored);
  wi_cursor_skip(&cursor, WI_COMPONENT_HEADER_SIZE);
  s->cursor = cursor;
  while (wi_cursor_left(&cursor) > 0 && !cursor.failed && !s->cursor.failed) {
    uint32_t start = cursor.offset;
    uint8_t id = wi_cursor_u8(&cursor);
    wi_span payload = wi_cursor_sized(&cursor);
    while (part < component->parts_count && component->parts[part].section_offset < start)
      part++;
    s->cursor = wi_cursor_at(component->bytes, payload, &ignored);
    if (id == SECTION_CORE_MODULE)
      push_module(s, part);
    else if (id == SECTION_TYPE || id == SECTION_CORE_INSTANCE || id >= SECTION_ALIAS)
      read_section(s, id);
  }
  return !cursor.failed && !s->cursor.failed;
}

/* ---- Appended sections ------------------------------------------------------------------- */

/* The functions with their component types: 0x40, the parameters, the result. */
static const struct {
  const char *name;
  const char *type;
  size_t type_size;
} lifts[] = {
#define TYPE(bytes) (bytes), sizeof(bytes) - 1
    {"profile", TYPE("\x40\x00\x00\x79")},
    {"read", TYPE("\x40\x01\x06"
                  "offset\x79\x00\x77")},
    {"reset", TYPE("\x40\x00\x01\x00")},
#undef TYPE
};
enum { LIFT_COUNT = sizeof lifts / sizeof *lifts };

/* The core instances whose profiles are exported. */
typedef struct lifting {
  const index_spaces *spaces;
  const uint32_t *instances;
  uint32_t count;
  wi_buffer *out;
} lifting;

static void put_alias(const lifting *l, uint32_t instance, uint32_t lift) {
  char name[32];
  snprintf(name, sizeof name, "wasm_perf_%s", lifts[lift].name);
  wi_buffer_append(l->out, "\x00\x00\x01", 3); /* core function of a core instance */
  wi_buffer_u32(l->out, l->instances[instance]);
  wi_buffer_name(l->out, name);
}

static void put_canon(const lifting *l, uint32_t instance, uint32_t lift) {
  wi_buffer_append(l->out, "\x00\x00", 2);
  wi_buffer_u32(l->out, l->spaces->core_function_count + instance * LIFT_COUNT + lift);
  wi_buffer_u32(l->out, 0); /* options */
  wi_buffer_u32(l->out, l->spaces->type_count + lift);
}

static void put_export(const lifting *l, uint32_t instance, uint32_t lift) {
  char name[48];
  char number[16] = "";
  if (instance > 0)
    snprintf(number, sizeof number, "%" PRIu32, instance + 1);
  snprintf(name, sizeof name, WI_LIFT_PREFIX "%s%s", lifts[lift].name, number);
  wi_buffer_u8(l->out, 0);
  wi_buffer_name(l->out, name);
  wi_buffer_u8(l->out, SORT_FUNCTION);
  wi_buffer_u32(l->out, l->spaces->function_count + instance * LIFT_COUNT + lift);
  wi_buffer_u8(l->out, 0); /* no explicit type */
}

static void put_section(const lifting *l, uint8_t id,
                        void (*put)(const lifting *l, uint32_t instance, uint32_t lift)) {
  wi_buffer_u8(l->out, id);
  size_t start = wi_buffer_sized_begin(l->out, 0);
  wi_buffer_u32(l->out, l->count * LIFT_COUNT);
  for (uint32_t i = 0; i < l->count * LIFT_COUNT; i++)
    put(l, i / LIFT_COUNT, i % LIFT_COUNT);
  wi_buffer_sized_end(l->out, start, 0);
}

static void put_types(const lifting *l) {
  wi_buffer_u8(l->out, SECTION_TYPE);
  size_t start = wi_buffer_sized_begin(l->out, 0);
  wi_buffer_u32(l->out, LIFT_COUNT);
  for (uint32_t i = 0; i < LIFT_COUNT; i++)
    wi_buffer_append(l->out, lifts[i].type, lifts[i].type_size);
  wi_buffer_sized_end(l->out, start, 0);
}

static void put_sections(const lifting *l) {
  put_section(l, SECTION_ALIAS, put_alias);
  put_types(l);
  put_section(l, SECTION_CANON, put_canon);
  put_section(l, SECTION_EXPORT, put_export);
}

/* Moves the wanted instances to the front of the array. Returns their number. */
static uint32_t choose_instances(const index_spaces *s, const bool *is_silent, uint32_t *numbers) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->instances_count; i++) {
    uint32_t module = s->instances[i];
    uint32_t part = module < s->modules_count ? s->modules[module] : WI_NO_PART;
    if (part == WI_NO_PART || !is_silent[part])
      continue;
    s->instances[count++] = i;
    if (numbers[part] == 0)
      numbers[part] = count;
  }
  return count;
}

void wi_component_lift(const wi_component *component, const bool *is_silent, uint32_t *numbers,
                       wi_buffer *out) {
  index_spaces spaces = {0};
  if (read_spaces(&spaces, component)) {
    lifting l = {.spaces = &spaces, .instances = spaces.instances, .out = out};
    l.count = choose_instances(&spaces, is_silent, numbers);
    if (l.count > 0)
      put_sections(&l);
  }
  free(spaces.modules);
  free(spaces.instances);
}

bool wi_component_exports(const wi_component *component, const char *start, bool unknown) {
  index_spaces spaces = {.wanted = start};
  bool is_known = read_spaces(&spaces, component);
  free(spaces.modules);
  free(spaces.instances);
  return spaces.is_wanted || (!is_known && unknown);
}
