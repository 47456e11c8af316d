/*
 * Functions of hosts that take text. The rewriter binds each to an import of the program that has the same type: one that
 * the user names, or one that is known by its name (hooks/embedded/outlet.c).
 */
#ifndef WI_RUNTIME_HOST_TEXT_H_
#define WI_RUNTIME_HOST_TEXT_H_

#include <stdint.h>

#define HOST_IMPORT(name) __attribute__((import_module("host_text"), import_name(name)))

HOST_IMPORT("put") void host_put(uint32_t bytes, uint32_t size);
HOST_IMPORT("put_result") uint32_t host_put_result(uint32_t bytes, uint32_t size);

/* proxy-wasm's proxy_log. Returns 0 on success. */
HOST_IMPORT("put_level") uint32_t host_put_level(uint32_t level, uint32_t bytes, uint32_t size);

#undef HOST_IMPORT

#endif /* WI_RUNTIME_HOST_TEXT_H_ */
