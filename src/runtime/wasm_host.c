/* Reads environment variables from a WASI host and writes to its streams. */
#include "runtime/wasm_host.h"

#include "runtime/wasi.h"
#include "runtime/wasm_memory.h"

#define MAX_DECIMAL_SIZE 10

uint32_t wasm_text_size(const char *text) {
  uint32_t size = 0;
  while (text[size])
    size++;
  return size;
}

bool wasm_text_equal(const char *a, const char *b) {
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}

wasm_environment wasm_environment_read(uint32_t address) {
  const wasm_environment none = {0};
  uint32_t count, text_size;
  if (wasi_environ_sizes_get(&count, &text_size) != 0)
    return none;
  uint64_t text_address = address + (uint64_t)count * sizeof(char *);
  if (!wasm_memory_reserve(text_address + text_size))
    return none;
  char **variables = (char **)(uintptr_t)address;
  if (wasi_environ_get(variables, (char *)(uintptr_t)text_address) != 0)
    return none;
  return (wasm_environment){variables, count};
}

const char *wasm_environment_get(const wasm_environment *environment, const char *name) {
  for (uint32_t i = 0; i < environment->count; i++) {
    const char *text = environment->variables[i];
    const char *rest = name;
    while (*rest && *text == *rest) {
      text++;
      rest++;
    }
    if (!*rest && *text == '=')
      return text + 1;
  }
  return NULL;
}

int wasm_write(uint32_t fd, const void *bytes, uint32_t size) {
  const unsigned char *rest = bytes;
  while (size > 0) {
    uint32_t written = 0;
    int error = wasi_fd_write(fd, &(wasi_bytes){rest, size}, 1, &written);
    if (error != 0)
      return error;
    if (written == 0 || written > size)
      return WASI_ERRNO_IO;
    rest += written;
    size -= written;
  }
  return 0;
}

/* An error cannot be reported anywhere else, so it is ignored. */
static void say(const char *text) {
  wasm_write(WASI_FD_STDERR, text, wasm_text_size(text));
}

static void say_number(uint32_t number) {
  char digits[MAX_DECIMAL_SIZE + 1];
  char *first = digits + MAX_DECIMAL_SIZE;
  *first = '\0';
  do {
    *--first = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  say(first);
}

void wasm_complain(const char *what, const char *subject, int error) {
  say("wasm_perf: ");
  say(what);
  if (subject) {
    say(": ");
    say(subject);
  }
  if (error != 0) {
    say(": WASI error ");
    say_number((uint32_t)error);
  }
  say("\n");
}
