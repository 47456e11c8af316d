/*
 * Protocol buffers' wire format, as far as reports need it: messages of bounded size, in which
 * everything is a number or bytes. Fields that are 0 or empty are left out, as in proto3.
 */
#ifndef WASM_PERF_REPORT_PROTOBUF_H_
#define WASM_PERF_REPORT_PROTOBUF_H_

#include <stddef.h>
#include <stdint.h>

#define WASM_PERF_MESSAGE_MAX_SIZE 2048u
#define WASM_PERF_VARINT_MAX_SIZE  10u

/* A message under construction: zero `size` to begin. Callers see to it that everything fits. */
typedef struct wasm_perf_message {
  size_t size;
  uint8_t bytes[WASM_PERF_MESSAGE_MAX_SIZE];
} wasm_perf_message;

void wasm_perf_message_add_number(wasm_perf_message *message, uint32_t field, uint64_t value);

/* A repeated field of numbers, zeros among them, in the packed form. */
void wasm_perf_message_add_packed(wasm_perf_message *message, uint32_t field,
                                  const uint64_t *values, size_t count);

void wasm_perf_message_add_message(wasm_perf_message *message, uint32_t field,
                                   const wasm_perf_message *inner);

/*
 * Only what stands before `size` bytes in such a field, for those that are written after it: at
 * most 2 × WASM_PERF_VARINT_MAX_SIZE bytes. An empty element is one of a repeated field, too.
 */
void wasm_perf_message_add_prefix(wasm_perf_message *message, uint32_t field, size_t size);

#endif /* WASM_PERF_REPORT_PROTOBUF_H_ */
