#include "report/encode/protobuf.h"

#include <string.h>

/* How a field's value is told apart from the next field. */
enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };

static size_t varint_size(uint64_t value) {
  size_t size = 1;
  for (; value >= 0x80; value >>= 7)
    size++;
  return size;
}

static void add_varint(wi_message *message, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    message->bytes[message->size++] = (uint8_t)(value | 0x80);
  message->bytes[message->size++] = (uint8_t)value;
}

static void add_tag(wi_message *message, uint32_t field, unsigned wire_type) {
  add_varint(message, (uint64_t)field << 3 | wire_type);
}

void wi_message_add_number(wi_message *message, uint32_t field, uint64_t value) {
  if (value != 0) {
    add_tag(message, field, WIRE_VARINT);
    add_varint(message, value);
  }
}

void wi_message_add_packed(wi_message *message, uint32_t field, const uint64_t *values,
                           size_t count) {
  size_t size = 0;
  for (size_t i = 0; i < count; i++)
    size += varint_size(values[i]);
  if (size == 0)
    return;
  wi_message_add_prefix(message, field, size);
  for (size_t i = 0; i < count; i++)
    add_varint(message, values[i]);
}

void wi_message_add_message(wi_message *message, uint32_t field, const wi_message *inner) {
  wi_message_add_prefix(message, field, inner->size);
  memcpy(message->bytes + message->size, inner->bytes, inner->size);
  message->size += inner->size;
}

void wi_message_add_prefix(wi_message *message, uint32_t field, size_t size) {
  add_tag(message, field, WIRE_BYTES);
  add_varint(message, size);
}
