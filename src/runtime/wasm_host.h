/* What the runtime uses of a WASI host: environment variables and streams. */
#ifndef WI_RUNTIME_WASM_HOST_H_
#define WI_RUNTIME_WASM_HOST_H_

#include <stdbool.h>
#include <stdint.h>

/* ---- Environment variables ---------------------------------------------- */

typedef struct wasm_environment {
  char **variables; /* "NAME=value" */
  uint32_t count;
} wasm_environment;

/*
 * Reads the environment into memory from `address` on. Empty if the host fails or memory is short.
 */
wasm_environment wasm_environment_read(uint32_t address);

/* The value of a variable, or NULL. */
const char *wasm_environment_get(const wasm_environment *environment, const char *name);

uint32_t wasm_text_size(const char *text);
bool wasm_text_equal(const char *a, const char *b);

/* ---- Streams ------------------------------------------------------------ */

/*
 * Writes all bytes, in several calls if the host accepts fewer at once. Returns WASI's error
 * number.
 */
int wasm_write(uint32_t fd, const void *bytes, uint32_t size);

/* Prints a line on stderr: what went wrong, `subject` unless NULL, and WASI's `error` unless 0. */
void wasm_complain(const char *what, const char *subject, int error);

#endif /* WI_RUNTIME_WASM_HOST_H_ */
