/* Finds the globals of Asyncify in the body of a function that it exports. */
#include "hooks/follow/asyncify.h"

#include "rewrite/opcodes.h"

/*
 * The body of the exported asyncify_start_rewind begins by setting the state, and then the data to
 * its parameter.
 */
static wi_asyncify read_globals(wi_cursor body) {
  static const wi_asyncify none = {WI_NO_GLOBAL, WI_NO_GLOBAL};
  wi_asyncify found = none;
  bool sets = wi_cursor_u32(&body) == 0; /* locals */
  sets = sets && wi_cursor_u8(&body) == I32_CONST;
  sets = sets && wi_cursor_signed(&body, 32) == WI_ASYNCIFY_REWINDING;
  sets = sets && wi_cursor_u8(&body) == GLOBAL_SET;
  found.state = sets ? wi_cursor_u32(&body) : WI_NO_GLOBAL;
  if (body.failed)
    return none;
  sets = sets && wi_cursor_u8(&body) == LOCAL_GET && wi_cursor_u32(&body) == 0;
  sets = sets && wi_cursor_u8(&body) == GLOBAL_SET;
  uint32_t data = sets ? wi_cursor_u32(&body) : WI_NO_GLOBAL;
  found.data = body.failed ? WI_NO_GLOBAL : data;
  return found;
}

wi_asyncify wi_asyncify_find(const wi_module *module) {
  uint32_t function = wi_module_find_export(module, "asyncify_start_rewind");
  if (function == WI_NO_FUNCTION || function < module->imports_count ||
      function - module->imports_count >= module->bodies_count)
    return (wi_asyncify){WI_NO_GLOBAL, WI_NO_GLOBAL};
  wi_error error;
  wi_error_reset(&error);
  wi_span body = module->bodies[function - module->imports_count];
  return read_globals(wi_cursor_at(module->bytes, body, &error));
}

void wi_asyncify_put_is_called(uint32_t state_global, wi_buffer *out) {
  if (state_global == WI_NO_GLOBAL) {
    wi_put_i64(out, 1);
    return;
  }
  wi_put_index(out, GLOBAL_GET, state_global);
  wi_put_i32(out, WI_ASYNCIFY_REWINDING);
  wi_buffer_u8(out, I32_NE);
  wi_buffer_u8(out, I64_EXTEND_I32_U);
}
