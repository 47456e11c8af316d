#include "component/canon.h"

#include <stddef.h>

/*
 * Operands of each canonical built-in, one letter each:
 *   b  a byte (subkind of lift or lower, async flag, core value type)
 *   i  an index or another number: unsigned LEB128, 32 bits
 *   o  options
 *   r  the result of a task
 */
static const char *const operands[] = {
    /* In the order of the specification. */
    [0x00] = "bioi", /* lift: core function, options, type */
    [0x01] = "bio",  /* lower: function, options */
    [0x02] = "i",    /* resource.new: type */
    [0x03] = "i",    /* resource.drop */
    [0x04] = "i",    /* resource.rep */
    [0x05] = "",     /* task.cancel */
    [0x06] = "b",    /* subtask.cancel */
    [0x09] = "ro",   /* task.return */
    [0x0a] = "bi",   /* context.get: core value type, slot */
    [0x0b] = "bi",   /* context.set */
    [0x0c] = "b",    /* thread.yield */
    [0x0d] = "",     /* subtask.drop */
    [0x0e] = "i",    /* stream.new: type */
    [0x0f] = "io",   /* stream.read */
    [0x10] = "io",   /* stream.write */
    [0x11] = "ib",   /* stream.cancel-read */
    [0x12] = "ib",   /* stream.cancel-write */
    [0x13] = "i",    /* stream.drop-readable */
    [0x14] = "i",    /* stream.drop-writable */
    [0x15] = "i",    /* future.new: type */
    [0x16] = "io",   /* future.read */
    [0x17] = "io",   /* future.write */
    [0x18] = "ib",   /* future.cancel-read */
    [0x19] = "ib",   /* future.cancel-write */
    [0x1a] = "i",    /* future.drop-readable */
    [0x1b] = "i",    /* future.drop-writable */
    [0x1c] = "o",    /* error-context.new */
    [0x1d] = "o",    /* error-context.debug-message */
    [0x1e] = "",     /* error-context.drop */
    [0x1f] = "",     /* waitable-set.new */
    [0x20] = "bi",   /* waitable-set.wait: memory */
    [0x21] = "bi",   /* waitable-set.poll */
    [0x22] = "",     /* waitable-set.drop */
    [0x23] = "",     /* waitable.join */
    [0x24] = "",     /* backpressure.inc */
    [0x25] = "",     /* backpressure.dec */
    [0x26] = "",     /* thread.index */
    [0x27] = "ii",   /* thread.new-indirect: type, table */
    [0x28] = "",     /* thread.resume-later */
    [0x29] = "b",    /* thread.suspend */
    [0x2a] = "b",    /* thread.suspend-then-resume */
    [0x2b] = "b",    /* thread.yield-then-resume */
    [0x2c] = "b",    /* thread.suspend-then-promote */
    [0x2d] = "b",    /* thread.yield-then-promote */
    [0x2e] = "i",    /* stream.forward */
    [0x2f] = "i",    /* future.forward */
    [0x40] = "i",    /* thread.spawn-ref: type */
    [0x41] = "ii",   /* thread.spawn-indirect: type, table */
    [0x42] = "",     /* thread.available-parallelism */
};

enum { KIND_LIFT = 0x00 };

static void give_up(wi_cursor *cursor, const char *what) {
  wi_cursor_fail(cursor, WI_ERROR_UNSUPPORTED, cursor->offset, "%s", what);
}

static void skip_option(wi_cursor *cursor) {
  enum { UTF8, UTF16, LATIN1_UTF16, MEMORY, REALLOC, POST_RETURN, ASYNC, CALLBACK, CORE_TYPE, GC };
  switch (wi_cursor_u8(cursor)) {
  case UTF8:
  case UTF16:
  case LATIN1_UTF16:
  case ASYNC:
  case GC: break;
  case MEMORY:
  case REALLOC:
  case POST_RETURN:
  case CALLBACK:
  case CORE_TYPE: wi_cursor_u32(cursor); break;
  default: give_up(cursor, "unknown canonical option");
  }
}

static void skip_options(wi_cursor *cursor) {
  for (uint32_t n = wi_cursor_count(cursor, 1, "options"); n > 0 && !cursor->failed; n--)
    skip_option(cursor);
}

static void skip_result(wi_cursor *cursor) {
  enum { ONE, NONE };
  switch (wi_cursor_u8(cursor)) {
  case ONE:
    wi_cursor_signed(cursor, 33);
    break; /* a primitive type is negative, a type index is not */
  case NONE: wi_cursor_u8(cursor); break;
  default: give_up(cursor, "unknown form of result");
  }
}

bool wi_canon_skip(wi_cursor *cursor) {
  uint8_t kind = wi_cursor_u8(cursor);
  const char *operand = kind < sizeof operands / sizeof *operands ? operands[kind] : NULL;
  if (!operand)
    give_up(cursor, "unknown canonical built-in");
  for (; operand && *operand && !cursor->failed; operand++)
    switch (*operand) {
    case 'b': wi_cursor_u8(cursor); break;
    case 'i': wi_cursor_u32(cursor); break;
    case 'o': skip_options(cursor); break;
    case 'r': skip_result(cursor); break;
    }
  return kind == KIND_LIFT;
}
