#include "hooks/embedded/returns.h"

#include <stdlib.h>
#include <string.h>

#include "hooks/surroundings.h"
#include "module/exports.h"
#include "rewrite/opcodes.h"
#include "support/error.h"
#include "support/glob.h"

/* ---- Choosing ---------------------------------------------------------------------------- */

/* Longer names match no glob. */
static bool matches(const char *glob, const wi_module *module, wi_span name) {
  char text[1024];
  if (name.size >= sizeof text || memchr(module->bytes + name.offset, 0, name.size))
    return false;
  memcpy(text, module->bytes + name.offset, name.size);
  text[name.size] = '\0';
  return wi_glob_matches(glob, text);
}

static bool matches_any(const wi_returns *returns, const wi_module *module, wi_span name) {
  for (const char *const *glob = returns->globs; *glob; glob++)
    if (matches(*glob, module, name))
      return true;
  return false;
}

/* The function's place in the array, or the array's end. */
static uint32_t place_of(const wi_returns *returns, uint32_t function) {
  uint32_t place = 0;
  while (place < returns->functions_count && returns->functions[place] != function)
    place++;
  return place;
}

static bool add(wi_returns *returns, uint32_t function, wi_error *error) {
  if (place_of(returns, function) < returns->functions_count)
    return true;
  uint32_t *added = WI_ARRAY_PUSH(returns, functions);
  if (!added)
    return wi_error_memory(error);
  *added = function;
  return true;
}

/* Adds the functions of all exports that match the glob. False if none does. */
static bool add_matches(wi_returns *returns, const wi_module *module, const char *glob,
                        bool is_optional, wi_error *error) {
  bool found = is_optional;
  for (uint32_t i = 0; i < module->exports_count; i++) {
    if (!matches(glob, module, module->exports[i].name))
      continue;
    found = true;
    if (!add(returns, module->exports[i].function, error))
      return false;
  }
  return found || wi_error_set(error, WI_ERROR_PATTERN, WI_NO_OFFSET, WI_NO_FUNCTION,
                               "--write-at %.64s: the module exports no such function", glob);
}

bool wi_returns_find(wi_returns *returns, const wi_plan *plan, const wi_options *options,
                     wi_error *error) {
  bool is_part = plan->beside && plan->beside->is_part;
  returns->globs = options->write_at;
  for (const char *const *glob = returns->globs; *glob; glob++)
    if (!add_matches(returns, plan->module, *glob, is_part, error))
      return false;
  return true;
}

void wi_returns_clear(wi_returns *returns) {
  free(returns->functions);
}

void wi_returns_place(wi_returns *returns, uint32_t first, uint32_t write) {
  returns->first = first;
  returns->write = write;
}

/* ---- Sections ---------------------------------------------------------------------------- */

static void put_body(const wi_returns *returns, const wi_plan *plan, uint32_t function,
                     wi_buffer *out) {
  const wi_type *type = wi_module_function_type(plan->module, function);
  size_t start = wi_buffer_sized_begin(out, 0);
  wi_buffer_u32(out, 0); /* no locals */
  for (uint32_t i = 0; type && i < type->param_count; i++)
    wi_put_index(out, LOCAL_GET, i);
  wi_put_index(out, CALL, wi_plan_used_index(plan, function));
  wi_put_index(out, CALL, returns->write);
  wi_buffer_u8(out, END);
  wi_buffer_sized_end(out, start, 0);
}

void wi_returns_put(const wi_returns *returns, const wi_plan *plan, wi_section_id id,
                    wi_buffer *out) {
  for (uint32_t i = 0; i < returns->functions_count; i++)
    if (id == WI_SECTION_FUNCTION)
      wi_buffer_u32(out, wi_module_type_index(plan->module, returns->functions[i]));
    else if (id == WI_SECTION_CODE)
      put_body(returns, plan, returns->functions[i], out);
}

static uint32_t exported_index(const wi_returns *returns, const wi_plan *plan, wi_span name,
                               uint32_t function) {
  return matches_any(returns, plan->module, name) ? returns->first + place_of(returns, function)
                                                  : wi_plan_used_index(plan, function);
}

void wi_returns_put_exports(const wi_returns *returns, const wi_plan *plan, wi_cursor *cursor,
                            uint32_t count, wi_buffer *out) {
  for (; count > 0; count--) {
    wi_span name = wi_cursor_name(cursor);
    uint8_t kind = wi_cursor_u8(cursor);
    uint32_t index = wi_cursor_u32(cursor);
    wi_buffer_u32(out, name.size);
    wi_buffer_append(out, plan->module->bytes + name.offset, name.size);
    wi_buffer_u8(out, kind);
    wi_buffer_u32(out,
                  kind == WI_EXTERN_FUNCTION ? exported_index(returns, plan, name, index) : index);
  }
}
