/*
 * The WASI 0.2 functions that the embedded runtime uses if the component imports them, as the
 * canonical ABI lowers them: the result is written to `result`; its first byte is 0 for success.
 */
#ifndef WI_RUNTIME_WASIP2_H_
#define WI_RUNTIME_WASIP2_H_

#include <stdint.h>

#define WASIP2_IMPORT(package, name) __attribute__((import_module(package), import_name(name)))

WASIP2_IMPORT("wasi:cli/stderr", "get-stderr") uint32_t wasip2_get_stderr(void);
WASIP2_IMPORT("wasi:io/streams", "[resource-drop]output-stream")
void wasip2_drop(uint32_t stream);
WASIP2_IMPORT("wasi:io/streams", "[method]output-stream.check-write")
void wasip2_check_write(uint32_t stream, uint32_t result);
WASIP2_IMPORT("wasi:io/streams", "[method]output-stream.write")
void wasip2_write(uint32_t stream, uint32_t bytes, uint32_t size, uint32_t result);
WASIP2_IMPORT("wasi:io/streams", "[method]output-stream.blocking-flush")
void wasip2_blocking_flush(uint32_t stream, uint32_t result);
WASIP2_IMPORT("wasi:io/streams", "[method]output-stream.blocking-write-and-flush")
void wasip2_blocking_write_and_flush(uint32_t stream, uint32_t bytes, uint32_t size,
                                     uint32_t result);

#undef WASIP2_IMPORT

#endif /* WI_RUNTIME_WASIP2_H_ */
