/*
 * A bounds-checked reader for a part of a module's bytes.
 *
 * After the first error the cursor is at its end and all reads return 0. So callers may read
 * several items and check `failed` once, provided that their loops end there.
 */
#ifndef WI_SUPPORT_CURSOR_H_
#define WI_SUPPORT_CURSOR_H_

#include "support/error.h"

/* A part of the input: offset from the input's start, and size, in bytes. */
typedef struct wi_span {
  uint32_t offset;
  uint32_t size;
} wi_span;

typedef struct wi_cursor {
  const uint8_t *bytes; /* start of the whole input, which offsets are relative to */
  uint32_t offset;      /* of the next byte to read */
  uint32_t end;         /* offset just past the part */
  uint32_t function;    /* function index for errors, or WI_NO_FUNCTION */
  bool failed;
  wi_error *error; /* borrowed */
} wi_cursor;

static inline wi_cursor wi_cursor_at(const uint8_t *bytes, wi_span part, wi_error *error) {
  return (wi_cursor){.bytes = bytes,
                     .offset = part.offset,
                     .end = part.offset + part.size,
                     .function = WI_NO_FUNCTION,
                     .failed = false,
                     .error = error};
}

static inline uint32_t wi_cursor_left(const wi_cursor *cursor) {
  return cursor->end - cursor->offset;
}

/* Records an error at `offset` and moves the cursor to its end. Always returns false. */
bool wi_cursor_fail(wi_cursor *cursor, wi_error_code code, uint32_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5), cold));

/* Same for running out of memory. */
bool wi_cursor_fail_memory(wi_cursor *cursor) __attribute__((cold));

/*
 * LEB128 of up to `bits` bits. Overlong encodings are valid up to the number of bytes for that
 * width.
 */
uint64_t wi_cursor_unsigned(wi_cursor *cursor, unsigned bits);
int64_t wi_cursor_signed(wi_cursor *cursor, unsigned bits);

bool wi_cursor_truncated(wi_cursor *cursor, const char *what) __attribute__((cold));

static inline uint8_t wi_cursor_u8(wi_cursor *cursor) {
  if (cursor->offset < cursor->end)
    return cursor->bytes[cursor->offset++];
  wi_cursor_truncated(cursor, "byte");
  return 0;
}

/* Returns the next byte without consuming it; 0 at the end. */
static inline uint8_t wi_cursor_peek(const wi_cursor *cursor) {
  return cursor->offset < cursor->end ? cursor->bytes[cursor->offset] : 0;
}

static inline uint32_t wi_cursor_u32(wi_cursor *cursor) {
  if (cursor->offset < cursor->end && cursor->bytes[cursor->offset] < 0x80)
    return cursor->bytes[cursor->offset++];
  return (uint32_t)wi_cursor_unsigned(cursor, 32);
}

static inline void wi_cursor_skip(wi_cursor *cursor, uint32_t size) {
  if (size <= wi_cursor_left(cursor))
    cursor->offset += size;
  else
    wi_cursor_truncated(cursor, "bytes");
}

/*
 * Reads a vector's count. An item has at least `item_size` bytes, so a count that cannot fit fails
 * before anything is allocated for it.
 */
uint32_t wi_cursor_count(wi_cursor *cursor, uint32_t item_size, const char *what);

/* Read a length and that many bytes: of any kind, or of a name, which must be valid UTF-8. */
wi_span wi_cursor_sized(wi_cursor *cursor);
wi_span wi_cursor_name(wi_cursor *cursor);

#endif /* WI_SUPPORT_CURSOR_H_ */
