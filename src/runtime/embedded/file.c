/* Writes a .wperf file (wasm_perf/format.h) into memory. */
#include "runtime/embedded/file.h"

#include "runtime/embedded/tree.h"

static uint32_t end; /* address of the next byte */

void embed_put_text(const void *bytes, uint32_t size) {
  for (uint32_t i = 0; i < size; i++)
    ((unsigned char *)end)[i] = ((const unsigned char *)bytes)[i];
  end += size;
}

void embed_put_padding(void) {
  for (; end % EMBED_ALIGNMENT != 0; end++)
    *(unsigned char *)end = 0;
}

void embed_put_bytes(const void *bytes, uint32_t size) {
  embed_put_text(bytes, size);
  embed_put_padding();
}

void embed_put_u32(uint32_t value) {
  *embed_word_at(end) = value;
  end += (uint32_t)sizeof value;
}

void embed_put_u64(uint64_t value) {
  embed_put_u32((uint32_t)value);
  embed_put_u32((uint32_t)(value >> 32));
}

void embed_put_section(uint32_t id, uint32_t size) {
  embed_put_u32(id);
  embed_put_u32(0);
  embed_put_u32(size);
  embed_put_u32(0);
}

void embed_put_fact(uint32_t key, uint64_t value) {
  embed_put_u32(key);
  embed_put_u32(sizeof value);
  embed_put_u64(value);
}

void embed_file_begin(uint32_t address) {
  end = address;
}

uint32_t embed_file_end(void) {
  return end;
}

void embed_file_skip(uint32_t size) {
  end += size;
}
