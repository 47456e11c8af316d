#include "support/buffer.h"

#include <stdlib.h>

#include "support/leb128.h"

void wi_buffer_clear(wi_buffer *buffer) {
  free(buffer->data);
  *buffer = (wi_buffer){0};
}

bool wi_buffer_reserve_slow(wi_buffer *buffer, size_t size) {
  if (buffer->failed)
    return false;
  size_t needed = buffer->size + size;
  size_t capacity = buffer->capacity + buffer->capacity / 2;
  if (capacity < needed)
    capacity = needed;
  if (capacity < 64)
    capacity = 64;
  uint8_t *data = needed < size ? NULL : realloc(buffer->data, capacity);
  if (!data) {
    buffer->failed = true;
    return false;
  }
  buffer->data = data;
  buffer->capacity = capacity;
  return true;
}

void wi_buffer_insert(wi_buffer *buffer, size_t position, const void *bytes, size_t size) {
  if (size == 0 || !wi_buffer_reserve(buffer, size))
    return;
  uint8_t *at = buffer->data + position;
  memmove(at + size, at, buffer->size - position);
  memcpy(at, bytes, size);
  buffer->size += size;
}

void wi_buffer_u32(wi_buffer *buffer, uint32_t value) {
  if (wi_buffer_reserve(buffer, WI_LEB128_U32_MAX_SIZE))
    buffer->size += wi_leb128_u32_write(buffer->data + buffer->size, value);
}

void wi_buffer_s32(wi_buffer *buffer, int32_t value) {
  wi_buffer_s64(buffer, value);
}

void wi_buffer_s64(wi_buffer *buffer, int64_t value) {
  if (wi_buffer_reserve(buffer, WI_LEB128_U64_MAX_SIZE))
    buffer->size += wi_leb128_s64_write(buffer->data + buffer->size, value);
}

void wi_buffer_name(wi_buffer *buffer, const char *text) {
  size_t size = strlen(text);
  wi_buffer_u32(buffer, (uint32_t)size);
  wi_buffer_append(buffer, text, size);
}

size_t wi_buffer_sized_begin(wi_buffer *buffer, size_t expected_size) {
  size_t room = wi_leb128_u32_size((uint32_t)expected_size);
  if (wi_buffer_reserve(buffer, room))
    buffer->size += room;
  return buffer->size;
}

void wi_buffer_sized_end(wi_buffer *buffer, size_t start, size_t expected_size) {
  size_t room = wi_leb128_u32_size((uint32_t)expected_size);
  size_t size = buffer->size - start;
  size_t needed = wi_leb128_u32_size((uint32_t)size);
  if (needed > room && !wi_buffer_reserve(buffer, needed - room))
    return;
  if (buffer->failed)
    return;
  if (needed != room) {
    memmove(buffer->data + start - room + needed, buffer->data + start, size);
    buffer->size = buffer->size - room + needed;
  }
  wi_leb128_u32_write(buffer->data + start - room, (uint32_t)size);
}
