#include "report/encode/protobuf.h"

#include <string.h>

/* Wire types. */
enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };

static size_t varint_size(uint64_t value) {
  size_t size = 1;
  for (; value >= 0x80; value >>= 7)
    size++;
  return size;
}

size_t wi_varint_write(uint8_t *bytes, uint64_t value) {
  size_t size = 0;
  for (; value >= 0x80; value >>= 7)
    bytes[size++] = (uint8_t)(value | 0x80);
  bytes[size++] = (uint8_t)value;
  return size;
}

static void add_varint(wi_message *message, uint64_t value) {
  message->size += wi_varint_write(message->bytes + message->size, value);
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

void wi_message_add_fixed(wi_message *message, uint32_t field, uint64_t value) {
  if (value == 0)
    return;
  add_tag(message, field, WIRE_FIXED64);
  for (unsigned shift = 0; shift < 64; shift += 8)
    message->bytes[message->size++] = (uint8_t)(value >> shift);
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

void wi_message_add_bytes(wi_message *message, uint32_t field, const void *bytes, size_t size) {
  wi_message_add_prefix(message, field, size);
  memcpy(message->bytes + message->size, bytes, size);
  message->size += size;
}

void wi_message_add_text(wi_message *message, uint32_t field, const char *text) {
  wi_message_add_bytes(message, field, text, strlen(text));
}

void wi_message_add_message(wi_message *message, uint32_t field, const wi_message *inner) {
  wi_message_add_bytes(message, field, inner->bytes, inner->size);
}

void wi_message_add_prefix(wi_message *message, uint32_t field, size_t size) {
  add_tag(message, field, WIRE_BYTES);
  add_varint(message, size);
}

/* ---- Messages of any size ------------------------------------------------ */

static void put(wi_message_stream *stream, const void *bytes, size_t size) {
  if (stream->stream)
    fwrite(bytes, 1, size, stream->stream);
  stream->size += size;
}

static void put_prefix(wi_message_stream *stream, uint32_t field, size_t size) {
  wi_message prefix = {.size = 0};
  wi_message_add_prefix(&prefix, field, size);
  put(stream, prefix.bytes, prefix.size);
}

void wi_message_stream_fields(wi_message_stream *stream, const wi_message *fields) {
  put(stream, fields->bytes, fields->size);
}

void wi_message_stream_text(wi_message_stream *stream, uint32_t field, const char *text) {
  put_prefix(stream, field, strlen(text));
  put(stream, text, strlen(text));
}

void wi_message_stream_message(wi_message_stream *stream, uint32_t field, const wi_message *inner) {
  put_prefix(stream, field, inner->size);
  wi_message_stream_fields(stream, inner);
}

void wi_message_stream_nest(wi_message_stream *stream, uint32_t field, wi_message_writer *write,
                            void *user) {
  wi_message_stream counted = {.stream = NULL};
  write(&counted, user);
  put_prefix(stream, field, (size_t)counted.size);
  if (stream->stream)
    write(stream, user);
  else
    stream->size += counted.size;
}
