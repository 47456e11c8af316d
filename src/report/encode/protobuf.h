/*
 * Protocol Buffers' wire format, as far as reports need it: messages of bounded size whose fields
 * are all numbers or bytes. Fields that are 0 or empty are omitted, as in proto3.
 */
#ifndef WI_REPORT_ENCODE_PROTOBUF_H_
#define WI_REPORT_ENCODE_PROTOBUF_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define WI_MESSAGE_MAX_SIZE 2048u
#define WI_VARINT_MAX_SIZE  10u

/* Writes a varint of at most WI_VARINT_MAX_SIZE bytes; returns its size. */
size_t wi_varint_write(uint8_t *bytes, uint64_t value);

/* A message under construction; set `size` to 0 to begin. Callers ensure that everything fits. */
typedef struct wi_message {
  size_t size;
  uint8_t bytes[WI_MESSAGE_MAX_SIZE];
} wi_message;

void wi_message_add_number(wi_message *message, uint32_t field, uint64_t value);

/* A number of type fixed64. */
void wi_message_add_fixed(wi_message *message, uint32_t field, uint64_t value);

/* A packed repeated field of numbers, which may include zeros. */
void wi_message_add_packed(wi_message *message, uint32_t field, const uint64_t *values,
                           size_t count);

void wi_message_add_bytes(wi_message *message, uint32_t field, const void *bytes, size_t size);
void wi_message_add_text(wi_message *message, uint32_t field, const char *text);
void wi_message_add_message(wi_message *message, uint32_t field, const wi_message *inner);

/*
 * Writes only the header of such a field with `size` bytes, which the caller writes after it: at
 * most 2 × WI_VARINT_MAX_SIZE bytes. An empty element of a repeated field is written, too.
 */
void wi_message_add_prefix(wi_message *message, uint32_t field, size_t size);

/*
 * Messages of any size, whose fields are written directly. A nested message is preceded by its
 * size, so its writer is called twice, first to count; it must write the same both times. The
 * stream keeps its own errors.
 */
typedef struct wi_message_stream {
  FILE *stream; /* borrowed; NULL: only `size` is computed */
  uint64_t size;
} wi_message_stream;

typedef void wi_message_writer(wi_message_stream *stream, void *user);

void wi_message_stream_fields(wi_message_stream *stream, const wi_message *fields);
void wi_message_stream_text(wi_message_stream *stream, uint32_t field, const char *text);
void wi_message_stream_message(wi_message_stream *stream, uint32_t field, const wi_message *inner);
void wi_message_stream_nest(wi_message_stream *stream, uint32_t field, wi_message_writer *write,
                            void *user);

#endif /* WI_REPORT_ENCODE_PROTOBUF_H_ */
