#include "support/cursor.h"

#include <stdarg.h>
#include <stdio.h>

#include "support/utf8.h"

bool wi_cursor_fail(wi_cursor *cursor, wi_error_code code, uint32_t offset, const char *format,
                    ...) {
  char message[sizeof cursor->error->message];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  cursor->failed = true;
  cursor->offset = cursor->end;
  return wi_error_set(cursor->error, code, offset, cursor->function, "%s", message);
}

bool wi_cursor_fail_memory(wi_cursor *cursor) {
  cursor->failed = true;
  cursor->offset = cursor->end;
  return wi_error_memory(cursor->error);
}

bool wi_cursor_truncated(wi_cursor *cursor, const char *what) {
  return wi_cursor_fail(cursor, WI_ERROR_TRUNCATED, cursor->end, "truncated %s", what);
}

/* Whether the bits past the number's width in its last byte are zeros or copies of the sign. */
static bool excess_is_valid(uint8_t byte, unsigned room, bool is_signed) {
  uint8_t low = byte & 0x7f;
  if (!is_signed)
    return low >> room == 0;
  uint8_t sign_and_excess = (uint8_t)(low >> (room - 1));
  return sign_and_excess == 0 || sign_and_excess == 0x7f >> (room - 1);
}

/* Reads a number of `bits` bits; a signed one is sign-extended to 64 bits. */
static uint64_t read_leb128(wi_cursor *cursor, unsigned bits, bool is_signed) {
  uint32_t start = cursor->offset;
  uint64_t value = 0;
  for (unsigned shift = 0; shift < bits; shift += 7) {
    if (cursor->offset >= cursor->end)
      return wi_cursor_truncated(cursor, "LEB128");
    uint8_t byte = cursor->bytes[cursor->offset++];
    unsigned room = bits - shift;
    if (room < 7 && !excess_is_valid(byte, room, is_signed))
      return wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "integer too large");
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte & 0x80)
      continue;
    if (is_signed && (byte & 0x40) && shift + 7 < 64)
      value |= ~UINT64_C(0) << (shift + 7);
    return value;
  }
  return wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "integer representation too long");
}

uint64_t wi_cursor_unsigned(wi_cursor *cursor, unsigned bits) {
  return read_leb128(cursor, bits, false);
}

int64_t wi_cursor_signed(wi_cursor *cursor, unsigned bits) {
  return (int64_t)read_leb128(cursor, bits, true);
}

uint32_t wi_cursor_count(wi_cursor *cursor, uint32_t item_size, const char *what) {
  uint32_t start = cursor->offset;
  uint32_t count = wi_cursor_u32(cursor);
  if (count <= wi_cursor_left(cursor) / item_size)
    return count;
  return (uint32_t)wi_cursor_fail(cursor, WI_ERROR_TRUNCATED, start,
                                  "%u %s do not fit into the %u bytes that are left", count, what,
                                  wi_cursor_left(cursor));
}

wi_span wi_cursor_sized(wi_cursor *cursor) {
  uint32_t start = cursor->offset;
  uint32_t size = wi_cursor_u32(cursor);
  if (size > wi_cursor_left(cursor)) {
    wi_cursor_fail(cursor, WI_ERROR_TRUNCATED, start,
                   "%u bytes do not fit into the %u that are left", size, wi_cursor_left(cursor));
    return (wi_span){cursor->end, 0};
  }
  wi_span span = {cursor->offset, size};
  cursor->offset += size;
  return span;
}

wi_span wi_cursor_name(wi_cursor *cursor) {
  wi_span name = wi_cursor_sized(cursor);
  if (!wi_utf8_is_valid(cursor->bytes + name.offset, name.size))
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, name.offset, "malformed UTF-8 in a name");
  return name;
}
