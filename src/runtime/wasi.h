/*
 * The functions that wasm_perf.wasm imports from its host, all of them.
 *
 * Each returns a WASI error number, 0 for success, and writes its results through pointers.
 */
#ifndef WI_RUNTIME_WASI_H_
#define WI_RUNTIME_WASI_H_

#include <stdint.h>

#define WASI_IMPORT(name)                                                                          \
  __attribute__((import_module("wasi_snapshot_preview1"), import_name(#name))) int wasi_##name

enum {
  WASI_CLOCK_REALTIME = 0,
  WASI_CLOCK_MONOTONIC = 1,
  WASI_FD_STDERR = 2,
  WASI_FD_FIRST_PREOPEN = 3,
  WASI_PREOPEN_DIRECTORY = 0,
  WASI_OPEN_CREATE = 1,
  WASI_OPEN_TRUNCATE = 8,
  WASI_ERRNO_BADF = 8,
  WASI_ERRNO_INVAL = 28,
  WASI_ERRNO_IO = 29,
  WASI_ERRNO_NOMEM = 48,
  WASI_ERRNO_SPIPE = 70,
};
#define WASI_RIGHT_FD_WRITE (UINT64_C(1) << 6)

typedef struct wasi_prestat {
  uint8_t kind; /* WASI_PREOPEN_DIRECTORY is the only one defined */
  uint32_t name_size;
} wasi_prestat;

typedef struct wasi_bytes {
  const void *data;
  uint32_t size;
} wasi_bytes;

WASI_IMPORT(clock_time_get)(uint32_t clock, uint64_t precision, uint64_t *time_ns);
WASI_IMPORT(environ_sizes_get)(uint32_t *variable_count, uint32_t *text_size);
WASI_IMPORT(environ_get)(char **variables, char *text);
WASI_IMPORT(fd_prestat_get)(uint32_t fd, wasi_prestat *prestat);
WASI_IMPORT(fd_prestat_dir_name)(uint32_t fd, char *name, uint32_t name_size);
WASI_IMPORT(path_open)
(uint32_t fd, uint32_t lookup_flags, const char *path, uint32_t path_size, uint32_t open_flags,
 uint64_t rights, uint64_t inherited_rights, uint32_t fd_flags, uint32_t *opened_fd);
WASI_IMPORT(fd_write)(uint32_t fd, const wasi_bytes *parts, uint32_t part_count, uint32_t *written);
WASI_IMPORT(fd_close)(uint32_t fd);

/* These are called with addresses in the program's memory only. */
WASI_IMPORT(fd_read)(uint32_t fd, uint32_t parts, uint32_t part_count, uint32_t result);
WASI_IMPORT(fd_pread)
(uint32_t fd, uint32_t parts, uint32_t part_count, uint64_t offset, uint32_t result);
WASI_IMPORT(fd_pwrite)
(uint32_t fd, uint32_t parts, uint32_t part_count, uint64_t offset, uint32_t result);
WASI_IMPORT(fd_readdir)
(uint32_t fd, uint32_t buffer, uint32_t size, uint64_t cookie, uint32_t result);
WASI_IMPORT(fd_seek)(uint32_t fd, uint64_t by, uint32_t from, uint32_t result);
WASI_IMPORT(fd_tell)(uint32_t fd, uint32_t result);
WASI_IMPORT(fd_fdstat_get)(uint32_t fd, uint32_t result);
WASI_IMPORT(fd_fdstat_set_flags)(uint32_t fd, uint32_t flags);
WASI_IMPORT(fd_filestat_get)(uint32_t fd, uint32_t result);
WASI_IMPORT(path_filestat_get)
(uint32_t fd, uint32_t flags, uint32_t path, uint32_t path_size, uint32_t result);

#undef WASI_IMPORT

#endif /* WI_RUNTIME_WASI_H_ */
