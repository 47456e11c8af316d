#include "module/value_types.h"

#include "module/proposals.h"

#define PAGE_SIZE UINT64_C(65536) /* unless the limits say another one */

/* Type codes as encoded bytes. */
enum {
  TYPE_VOID = 0x40,
  TYPE_REF_NULL = 0x63, /* heap type follows */
  TYPE_REF = 0x64,
  TYPE_EXN = 0x69,
  TYPE_NOEXN = 0x74, /* 0x69 .. 0x74 are the abstract heap types */
  TYPE_I16 = 0x77,   /* this and the next: only in fields */
  TYPE_I8 = 0x78,
  TYPE_V128 = 0x7b, /* 0x7b .. 0x7f are the number and vector types */
  TYPE_I32 = 0x7f
};

static bool is_abstract_heap_type(uint8_t byte) {
  return byte >= TYPE_EXN && byte <= TYPE_NOEXN;
}

static void fail_type(wi_cursor *cursor, uint32_t offset, uint8_t byte, const char *what) {
  wi_proposal_fail(cursor, offset, WI_PROPOSAL_TYPE, byte, what);
}

/* A one-byte negative number is a type code, anything else a type index. */
static bool is_type_code(uint8_t byte) {
  return (byte & 0xc0) == 0x40;
}

static void skip_type_index(wi_cursor *cursor) {
  uint32_t start = cursor->offset;
  if (wi_cursor_signed(cursor, 33) < 0)
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "negative type index");
}

void wi_skip_heap_type(wi_cursor *cursor) {
  uint32_t start = cursor->offset;
  uint8_t byte = wi_cursor_peek(cursor);
  if (!is_type_code(byte))
    skip_type_index(cursor);
  else if (is_abstract_heap_type(byte))
    wi_cursor_skip(cursor, 1);
  else
    fail_type(cursor, start, byte, "heap type");
}

void wi_skip_reference_type(wi_cursor *cursor) {
  uint32_t start = cursor->offset;
  uint8_t byte = wi_cursor_u8(cursor);
  if (byte == TYPE_REF || byte == TYPE_REF_NULL)
    wi_skip_heap_type(cursor);
  else if (!is_abstract_heap_type(byte) && !cursor->failed)
    fail_type(cursor, start, byte, "reference type");
}

void wi_skip_value_type(wi_cursor *cursor) {
  uint8_t byte = wi_cursor_peek(cursor);
  if (byte >= TYPE_V128 && byte <= TYPE_I32)
    wi_cursor_skip(cursor, 1);
  else
    wi_skip_reference_type(cursor);
}

void wi_skip_block_type(wi_cursor *cursor) {
  uint8_t byte = wi_cursor_peek(cursor);
  if (byte == TYPE_VOID)
    wi_cursor_skip(cursor, 1);
  else if (is_type_code(byte))
    wi_skip_value_type(cursor);
  else
    skip_type_index(cursor);
}

/* Of a global or a field. */
static void skip_mutability(wi_cursor *cursor) {
  enum { MUTABLE = 1 };
  uint32_t start = cursor->offset;
  uint8_t flags = wi_cursor_u8(cursor);
  if (flags > MUTABLE)
    wi_proposal_fail(cursor, start, WI_PROPOSAL_MUTABILITY, flags, "mutability");
}

void wi_skip_global_type(wi_cursor *cursor) {
  wi_skip_value_type(cursor);
  skip_mutability(cursor);
}

uint32_t wi_field_type_size(wi_cursor *cursor) {
  static const uint8_t sizes[] = {[TYPE_I16] = 2, [TYPE_I8] = 1, [TYPE_V128] = 16, [0x7c] = 8,
                                  [0x7d] = 4,     [0x7e] = 8,    [0x7f] = 4};
  enum { REFERENCE_SIZE = 4 };
  uint8_t byte = wi_cursor_peek(cursor);
  if (byte == TYPE_I8 || byte == TYPE_I16)
    wi_cursor_skip(cursor, 1);
  else
    wi_skip_value_type(cursor);
  skip_mutability(cursor);
  return byte < sizeof sizes && sizes[byte] > 0 ? sizes[byte] : REFERENCE_SIZE;
}

const char *wi_field_type_name(uint8_t byte) {
  switch (byte) {
  case TYPE_I8: return "i8";
  case TYPE_I16: return "i16";
  case TYPE_V128: return "v128";
  case 0x7c: return "f64";
  case 0x7d: return "f32";
  case 0x7e: return "i64";
  case TYPE_I32: return "i32";
  default: return "ref";
  }
}

wi_limits wi_read_limits(wi_cursor *cursor, uint8_t known) {
  uint32_t start = cursor->offset;
  uint8_t flags = wi_cursor_u8(cursor);
  if (flags & ~known)
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "malformed limits flags 0x%02x", flags);
  wi_limits limits = {flags, wi_cursor_unsigned(cursor, 64), UINT64_MAX, PAGE_SIZE};
  if (flags & WI_LIMITS_MAXIMUM)
    limits.maximum = wi_cursor_unsigned(cursor, 64);
  uint32_t page_bits = flags & WI_LIMITS_PAGE_SIZE ? wi_cursor_u32(cursor) : 0;
  if (flags & WI_LIMITS_PAGE_SIZE)
    limits.page_size = page_bits < 64 ? UINT64_C(1) << page_bits : 0;
  return limits;
}

void wi_skip_limits(wi_cursor *cursor, uint8_t known) {
  wi_read_limits(cursor, known);
}
