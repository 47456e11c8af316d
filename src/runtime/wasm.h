/* What the sources of wasm_perf.wasm share. */
#ifndef WASM_PERF_RUNTIME_WASM_H_
#define WASM_PERF_RUNTIME_WASM_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wasm_perf/format.h"

#define WASM_EXPORT(name)   __attribute__((export_name(#name)))
#define WASM_MAX_PAGE_COUNT 65536u
#define WASM_PAGE_SIZE      65536u

static inline uint64_t wasm_memory_size(void) {
  return (uint64_t)__builtin_wasm_memory_size(0) * WASM_PAGE_SIZE;
}

static inline bool wasm_memory_grow(uint32_t page_count) {
  return __builtin_wasm_memory_grow(0, page_count) != SIZE_MAX;
}

/* Makes the memory reach up to `end`. */
static inline bool wasm_memory_reserve(uint64_t end) {
  uint64_t size = wasm_memory_size();
  if (end <= size)
    return true;
  uint64_t page_count = (end - size + WASM_PAGE_SIZE - 1) / WASM_PAGE_SIZE;
  return page_count <= WASM_MAX_PAGE_COUNT && wasm_memory_grow((uint32_t)page_count);
}

/* Where memory begins that nobody uses until the next event. */
uint32_t wasm_scratch_address(void);

/* The exports that flush needs, see wasm.c. */
const wasm_perf_header *perf_profile(void);
uint32_t perf_profile_size(void);

/* ---- Environment variables ---------------------------------------------- */

typedef struct wasm_environment {
  char **variables; /* "NAME=value" */
  uint32_t count;
} wasm_environment;

/* Reads the environment into scratch memory. Empty where the host has none to give. */
wasm_environment wasm_environment_read(void);

/* The value of a variable, or NULL. */
const char *wasm_environment_get(const wasm_environment *environment, const char *name);

uint32_t wasm_text_size(const char *text);
bool wasm_text_equal(const char *a, const char *b);

/* ---- Streams ------------------------------------------------------------ */

/* Writes all bytes, though a host may take less at a time. Returns WASI's error number. */
int wasm_write(uint32_t fd, const void *bytes, uint32_t size);

/* A line on stderr: what went wrong, and WASI's error number unless that is 0. */
void wasm_complain(const char *what, const char *subject, int error);

#endif /* WASM_PERF_RUNTIME_WASM_H_ */
