/*
 * A growable byte buffer for building binaries.
 *
 * A failed allocation marks the buffer as failed and makes later calls no-ops, so a writer needs to
 * check only once, at the end.
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
  bool failed; /* out of memory */
} wi_buffer;

/* A zeroed wi_buffer is empty and ready to use. */
void wi_buffer_clear(wi_buffer *buffer);

/* Makes room for `size` more bytes; false if out of memory. */
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

/* Inserts bytes at `position`, moving the bytes from there on. */
void wi_buffer_insert(wi_buffer *buffer, size_t position, const void *bytes, size_t size);

/* Append four bytes, little endian; append zeros up to a multiple of `alignment`. */
static inline void wi_buffer_word(wi_buffer *buffer, uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8)
    wi_buffer_u8(buffer, (uint8_t)(value >> shift));
}

static inline void wi_buffer_align(wi_buffer *buffer, size_t alignment) {
  while (buffer->size % alignment != 0 && !buffer->failed)
    wi_buffer_u8(buffer, 0);
}

/* Append the shortest LEB128 encoding. */
void wi_buffer_u32(wi_buffer *buffer, uint32_t value);
void wi_buffer_s32(wi_buffer *buffer, int32_t value);
void wi_buffer_s64(wi_buffer *buffer, int64_t value);

/* Appends a name: its length, then its bytes. */
void wi_buffer_name(wi_buffer *buffer, const char *text);

/*
 * Writes a part preceded by its size, which is known only at the end. wi_buffer_sized_begin leaves
 * room for the size of a part of `expected_size` bytes and returns where the part starts.
 * wi_buffer_sized_end fills in the size, moving the part if it needs different room.
 */
size_t wi_buffer_sized_begin(wi_buffer *buffer, size_t expected_size);
void wi_buffer_sized_end(wi_buffer *buffer, size_t start, size_t expected_size);

#endif /* WI_SUPPORT_BUFFER_H_ */
