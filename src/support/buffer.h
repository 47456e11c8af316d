/*
 * A growable byte buffer for building binaries.
 *
 * A failed allocation marks the buffer as failed and turns later calls into no-ops, so that a
 * writer checks once, at the end.
 */
#ifndef WI_SUPPORT_BUFFER_H_
#define WI_SUPPORT_BUFFER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct wi_buffer {
  uint8_t *data; /* owned */
  size_t size;
  size_t capacity;
  bool failed; /* memory ran out */
} wi_buffer;

/* A zeroed wi_buffer is empty and ready. */
void wi_buffer_clear(wi_buffer *buffer);

/* Makes room for `size` more bytes; false when memory ran out. */
bool wi_buffer_reserve_slow(wi_buffer *buffer, size_t size);

static inline bool wi_buffer_reserve(wi_buffer *buffer, size_t size) {
  if (buffer->capacity - buffer->size >= size && !buffer->failed)
    return true;
  return wi_buffer_reserve_slow(buffer, size);
}

static inline void wi_buffer_append(wi_buffer *buffer, const void *bytes, size_t size) {
  if (size == 0 || !wi_buffer_reserve(buffer, size))
    return;
  memcpy(buffer->data + buffer->size, bytes, size);
  buffer->size += size;
}

static inline void wi_buffer_u8(wi_buffer *buffer, uint8_t value) {
  if (wi_buffer_reserve(buffer, 1))
    buffer->data[buffer->size++] = value;
}

/* Puts bytes in between, at `position`; what stands there and after it moves. */
void wi_buffer_insert(wi_buffer *buffer, size_t position, const void *bytes, size_t size);

/* Four bytes, little endian; zeros up to a multiple of `alignment`. */
static inline void wi_buffer_word(wi_buffer *buffer, uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8)
    wi_buffer_u8(buffer, (uint8_t)(value >> shift));
}

static inline void wi_buffer_align(wi_buffer *buffer, size_t alignment) {
  while (buffer->size % alignment != 0 && !buffer->failed)
    wi_buffer_u8(buffer, 0);
}

/* The shortest LEB128 forms. */
void wi_buffer_u32(wi_buffer *buffer, uint32_t value);
void wi_buffer_s32(wi_buffer *buffer, int32_t value);
void wi_buffer_s64(wi_buffer *buffer, int64_t value);

/* A name: length and bytes. */
void wi_buffer_name(wi_buffer *buffer, const char *text);

/*
 * A part that is preceded by its size, which is known only when it is written: begin
 * leaves room for the size of a part of `expected_size` bytes and returns where the
 * part starts; end puts the size there, moving the part if the room was wrong.
 */
size_t wi_buffer_sized_begin(wi_buffer *buffer, size_t expected_size);
void wi_buffer_sized_end(wi_buffer *buffer, size_t start, size_t expected_size);

#endif /* WI_SUPPORT_BUFFER_H_ */
