/*
 * perf_flush: writes the profile to the file WASM_PERF_FILE (default: profile.wperf) in the
 * preopened directory WASM_PERF_DIR (default: /wasm_perf), for WASI hosts that cannot read our
 * memory. The file holds no function names; a report takes them from the module.
 */
#include "runtime/wasi.h"
#include "runtime/wasm.h"
#include "runtime/wasm_host.h"

#define MAX_DIRECTORY_SIZE 4096u

static char directory_name[MAX_DIRECTORY_SIZE];

static uint32_t without_slashes(const char *path, uint32_t size) {
  while (size > 1 && path[size - 1] == '/')
    size--;
  return size;
}

static bool is_same_path(const char *a, uint32_t a_size, const char *b, uint32_t b_size) {
  a_size = without_slashes(a, a_size);
  if (a_size != without_slashes(b, b_size))
    return false;
  for (uint32_t i = 0; i < a_size; i++)
    if (a[i] != b[i])
      return false;
  return true;
}

/* The descriptor of the preopened directory that the guest sees as `path`, or 0. */
static uint32_t find_directory(const char *path) {
  uint32_t path_size = wasm_text_size(path);
  wasi_prestat prestat;
  for (uint32_t fd = WASI_FD_FIRST_PREOPEN; wasi_fd_prestat_get(fd, &prestat) == 0; fd++) {
    uint32_t size = prestat.name_size;
    if (prestat.kind == WASI_PREOPEN_DIRECTORY && size <= MAX_DIRECTORY_SIZE &&
        wasi_fd_prestat_dir_name(fd, directory_name, size) == 0 &&
        is_same_path(directory_name, size, path, path_size))
      return fd;
  }
  return 0;
}

static int write_file(uint32_t directory, const char *name, const void *bytes, uint32_t size) {
  uint32_t fd;
  int error = wasi_path_open(directory, 0, name, wasm_text_size(name),
                             WASI_OPEN_CREATE | WASI_OPEN_TRUNCATE, WASI_RIGHT_FD_WRITE, 0, 0, &fd);
  if (error != 0)
    return error;
  error = wasm_write(fd, bytes, size);
  int close_error = wasi_fd_close(fd);
  return error != 0 ? error : close_error;
}

static const char *or_default(const char *text, const char *otherwise) {
  return text ? text : otherwise;
}

/* May be called repeatedly; each call writes the whole profile so far. */
WASM_EXPORT(perf_flush) void perf_flush(void) {
  const wasm_perf_header *profile = perf_profile();
  wasm_environment environment = wasm_environment_read(wasm_scratch_address());
  const char *path = or_default(wasm_environment_get(&environment, "WASM_PERF_DIR"), "/wasm_perf");
  const char *name =
      or_default(wasm_environment_get(&environment, "WASM_PERF_FILE"), "profile.wperf");
  uint32_t directory = find_directory(path);
  if (directory == 0) {
    wasm_complain("the profile is lost, no preopened directory has this name", path, 0);
    return;
  }
  int error = write_file(directory, name, profile, perf_profile_size());
  if (error != 0)
    wasm_complain("the profile is lost, cannot write its file", name, error);
}
