/* Writes text to stderr through WASI 0.2, for programs that write to streams as C libraries do. */
#include "runtime/embedded/outlet_text.h"
#include "runtime/embedded/profile.h"
#include "runtime/wasip2.h"

enum { AT_PERMIT = TEXT_AT_RESULT + 8, MAX_FLUSH_COUNT = 1000 };

static bool succeeded(void) {
  static unsigned char failure;
  copy_from_program(&failure, TEXT_AT_RESULT, sizeof failure);
  return failure == 0;
}

/* Number of bytes that the stream accepts now; 0 if it failed. */
static uint64_t permitted(uint32_t stream) {
  static uint64_t permit;
  permit = 0;
  for (int i = 0; i < MAX_FLUSH_COUNT && permit == 0; i++) {
    wasip2_check_write(stream, TEXT_AT_RESULT);
    if (!succeeded())
      return 0;
    copy_from_program(&permit, AT_PERMIT, sizeof permit);
    if (permit == 0)
      wasip2_blocking_flush(stream, TEXT_AT_RESULT);
  }
  return permit;
}

static bool put(uint32_t stream, uint32_t at, uint32_t size) {
  while (size > 0) {
    uint64_t permit = permitted(stream);
    uint32_t part = permit < size ? (uint32_t)permit : size;
    if (part == 0)
      return false;
    wasip2_write(stream, at, part, TEXT_AT_RESULT);
    if (!succeeded())
      return false;
    at += part;
    size -= part;
  }
  wasip2_blocking_flush(stream, TEXT_AT_RESULT);
  return succeeded();
}

EMBED_EXPORT(text_put_wasip2) uint32_t embed_text_put_wasip2(uint32_t size) {
  uint32_t stream = wasip2_get_stderr();
  bool done = put(stream, TEXT_AT_LINE, size);
  wasip2_drop(stream);
  return done;
}
