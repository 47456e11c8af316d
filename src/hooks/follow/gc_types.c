/* Types of created objects: finds and reads them, and emits the functions that stand for them. */
#include "hooks/follow/gc_types.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "module/names.h"
#include "module/value_types.h"
#include "rewrite/additions.h"
#include "rewrite/opcodes.h"

/* Size of an object's header, in bytes, in V8's layout. */
enum { STRUCT_HEAD_SIZE = 8, ARRAY_HEAD_SIZE = 12 };

bool wi_gc_types_init(wi_gc_types *gc, const wi_module *module) {
  gc->ordinals = calloc(module->types_count + (size_t)1, sizeof *gc->ordinals);
  return gc->ordinals != NULL;
}

void wi_gc_types_clear(wi_gc_types *gc) {
  free(gc->ordinals);
  free(gc->types);
  *gc = (wi_gc_types){0};
}

/* ---- Instructions ----------------------------------------------------------- */

void wi_gc_types_want(wi_scan_wants *wants) {
  for (uint32_t code = STRUCT_NEW; code <= STRUCT_NEW_DEFAULT; code++)
    wi_scan_want_opcode(wants, WI_PREFIXED(PREFIX_FB, code));
  for (uint32_t code = ARRAY_NEW; code <= ARRAY_NEW_ELEM; code++)
    wi_scan_want_opcode(wants, WI_PREFIXED(PREFIX_FB, code));
}

bool wi_gc_types_is_new(const wi_site *site) {
  return site->value >= WI_PREFIXED(PREFIX_FB, STRUCT_NEW) &&
         site->value <= WI_PREFIXED(PREFIX_FB, ARRAY_NEW_ELEM);
}

static uint32_t type_of(const wi_module *module, const wi_site *site) {
  wi_error ignored;
  wi_cursor cursor = wi_site_operands(module, site, &ignored);
  return wi_cursor_u32(&cursor);
}

bool wi_gc_types_note(wi_gc_types *gc, wi_plan *plan, uint32_t function, const wi_site *site,
                      wi_error *error) {
  uint32_t index = type_of(plan->module, site);
  if (index >= plan->module->types_count || plan->module->types[index].is_function)
    return wi_error_set(error, WI_ERROR_MALFORMED, site->offset, function,
                        "type %u is neither a struct nor an array", index);
  if (gc->ordinals[index] != 0)
    return true;
  wi_plan_need_type(plan, WI_SIGNATURE_I32_I32_TO_NONE);
  uint32_t *type = WI_ARRAY_PUSH(gc, types);
  if (!type)
    return wi_error_memory(error);
  *type = index;
  gc->ordinals[index] = gc->types_count;
  return true;
}

uint32_t wi_gc_types_function(const wi_gc_types *gc, wi_gc_functions functions,
                              const wi_module *module, const wi_site *site) {
  return functions.first + gc->ordinals[type_of(module, site)] - 1;
}

bool wi_gc_types_takes_count(const wi_site *site) {
  return site->value >= WI_PREFIXED(PREFIX_FB, ARRAY_NEW) &&
         site->value != WI_PREFIXED(PREFIX_FB, ARRAY_NEW_FIXED);
}

uint32_t wi_gc_types_fixed_count(const wi_module *module, const wi_site *site) {
  wi_error ignored;
  wi_cursor cursor = wi_site_operands(module, site, &ignored);
  wi_cursor_u32(&cursor); /* the type */
  return site->value == WI_PREFIXED(PREFIX_FB, ARRAY_NEW_FIXED) ? wi_cursor_u32(&cursor) : 0;
}

/* ---- The functions ------------------------------------------------------------ */

static uint32_t fields_size(const wi_module *module, const wi_type *type) {
  wi_error ignored;
  wi_error_reset(&ignored);
  wi_cursor cursor = wi_cursor_at(module->bytes, type->fields, &ignored);
  uint32_t size = 0;
  while (wi_cursor_left(&cursor) > 0)
    size += wi_field_type_size(&cursor);
  return size;
}

/* made(slot, own index, size without items, size of an item, number of items) */
static void put_body(const wi_gc_types *gc, wi_gc_functions functions, const wi_module *module,
                     uint32_t place, wi_buffer *out) {
  const wi_type *type = &module->types[gc->types[place]];
  uint32_t size = fields_size(module, type);
  size_t start = wi_buffer_sized_begin(out, 0);
  wi_buffer_u32(out, 0); /* no locals */
  wi_put_index(out, LOCAL_GET, 0);
  wi_put_i32(out, functions.first + place);
  wi_put_i32(out, type->is_array ? ARRAY_HEAD_SIZE : STRUCT_HEAD_SIZE + size);
  wi_put_i32(out, type->is_array ? size : 0);
  wi_put_index(out, LOCAL_GET, 1);
  wi_put_index(out, CALL, functions.made);
  wi_buffer_u8(out, END);
  wi_buffer_sized_end(out, start, 0);
}

void wi_gc_types_put(const wi_gc_types *gc, wi_gc_functions functions, const wi_plan *plan,
                     wi_section_id id, wi_buffer *out) {
  for (uint32_t i = 0; i < gc->types_count; i++) {
    if (id == WI_SECTION_FUNCTION)
      wi_buffer_u32(out, plan->signature_types[WI_SIGNATURE_I32_I32_TO_NONE]);
    if (id == WI_SECTION_CODE)
      put_body(gc, functions, plan->module, i, out);
  }
}

/* ---- Names --------------------------------------------------------------------- */

/* Replaces the text by the type's name. Without one, an array has its items', a struct its index. */
static void set_name(wi_buffer *text, const wi_module *module, const wi_names *names,
                     uint32_t type) {
  const wi_type *of = &module->types[type];
  const char *form = of->is_array ? "array " : "struct ";
  wi_span name;
  char number[16];
  int size = snprintf(number, sizeof number, "%" PRIu32, type);
  const char *items = of->is_array ? wi_field_type_name(module->bytes[of->fields.offset]) : NULL;
  text->size = 0;
  wi_buffer_append(text, form, strlen(form));
  if (wi_names_raw_type(names, type, &name))
    wi_buffer_append(text, module->bytes + name.offset, name.size);
  else if (of->is_array)
    wi_buffer_append(text, items, strlen(items));
  else
    wi_buffer_append(text, number, (size_t)size);
}

void wi_gc_types_put_names(const wi_gc_types *gc, wi_gc_functions functions,
                           const wi_module *module, wi_name_put *put, wi_buffer *out) {
  wi_names *names = gc->types_count > 0 ? wi_names_of_module(module) : NULL;
  wi_buffer text = {.failed = gc->types_count > 0 && !names};
  for (uint32_t i = 0; i < gc->types_count && !text.failed; i++) {
    set_name(&text, module, names, gc->types[i]);
    put(out, functions.first + i, text.data, text.size);
  }
  out->failed |= text.failed;
  wi_buffer_clear(&text);
  wi_names_free(names);
}
