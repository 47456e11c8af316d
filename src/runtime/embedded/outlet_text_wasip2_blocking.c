/* Writes text to stderr through WASI 0.2, for programs that import blocking-write-and-flush. */
#include "runtime/embedded/outlet_text.h"
#include "runtime/embedded/profile.h"
#include "runtime/wasip2.h"

EMBED_EXPORT(text_put_wasip2_blocking) uint32_t embed_text_put_wasip2_blocking(uint32_t size) {
  static unsigned char failure;
  uint32_t stream = wasip2_get_stderr();
  wasip2_blocking_write_and_flush(stream, TEXT_AT_LINE, size, TEXT_AT_RESULT);
  copy_from_program(&failure, TEXT_AT_RESULT, sizeof failure);
  wasip2_drop(stream);
  return failure == 0;
}
