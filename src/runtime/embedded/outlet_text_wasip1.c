/* Writes text to stderr through WASI preview 1, which programs inside components may use, too. */
#include "runtime/embedded/outlet_text.h"
#include "runtime/embedded/profile.h"
#include "runtime/wasi.h"

EMBED_EXPORT(text_put_wasip1) uint32_t embed_text_put_wasip1(uint32_t size) {
  for (uint32_t at = TEXT_AT_LINE; size > 0;) {
    static uint32_t vector[2], written;
    vector[0] = at;
    vector[1] = size;
    copy_to_program(TEXT_AT_VECTOR, vector, sizeof vector);
    if (wasi_fd_write(WASI_FD_STDERR, (const wasi_bytes *)TEXT_AT_VECTOR, 1,
                      (uint32_t *)TEXT_AT_RESULT) != 0)
      return false;
    copy_from_program(&written, TEXT_AT_RESULT, sizeof written);
    if (written == 0 || written > size)
      return false;
    at += written;
    size -= written;
  }
  return true;
}
