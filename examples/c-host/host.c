/*
 * An embedder in C: runs the instrumented fib, which wasm2c has turned into C, and writes
 * its profile as folded stacks.
 *
 *     host fib.prof.wasm fib.folded
 *
 * What matters are the four hooks and write_profile; the rest is what any WASI host does.
 */
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wasm_instrument/wasm_instrument.h"
#include "wasm_perf/report.h"
#include "wasm_perf/wasm_perf.h"

#include "fib.prof.h" /* by wasm2c */

/* ---- The hooks ----------------------------------------------------------- */

struct Z_wasm_perf_instance_t {
  wasm_perf_context *context;
};

void Z_wasm_perfZ_perf_start(struct Z_wasm_perf_instance_t *perf, u32 function) {
  wasm_perf_start(perf->context, function);
}

void Z_wasm_perfZ_perf_end(struct Z_wasm_perf_instance_t *perf) {
  wasm_perf_end(perf->context);
}

u32 Z_wasm_perfZ_perf_depth(struct Z_wasm_perf_instance_t *perf) {
  return wasm_perf_depth(perf->context);
}

void Z_wasm_perfZ_perf_unwind(struct Z_wasm_perf_instance_t *perf, u32 depth) {
  wasm_perf_unwind(perf->context, depth);
}

/* ---- The part of WASI that fib uses -------------------------------------- */

enum { ERRNO_SUCCESS = 0, ERRNO_BADF = 8, ERRNO_FAULT = 21, ERRNO_SPIPE = 70 };
enum { FILETYPE_UNKNOWN = 0, FILETYPE_CHARACTER_DEVICE = 2 };

struct Z_wasi_snapshot_preview1_instance_t {
  wasm_rt_memory_t *memory; /* of the program */
  jmp_buf exit;
  u32 exit_code;
};

typedef struct Z_wasi_snapshot_preview1_instance_t wasi_host;

/* The program's memory from `address`; NULL if `size` bytes reach beyond its end. */
static u8 *guest_bytes(wasi_host *host, u32 address, u32 size) {
  bool inside = address <= host->memory->size && size <= host->memory->size - address;
  return inside ? host->memory->data + address : NULL;
}

u32 Z_wasi_snapshot_preview1Z_fd_write(wasi_host *host, u32 fd, u32 parts, u32 part_count,
                                       u32 written_address) {
  u32 written = 0;
  if (fd != 1 && fd != 2)
    return ERRNO_BADF;
  for (u32 i = 0; i < part_count; i++) {
    u32 part[2]; /* address, size */
    u8 *source = guest_bytes(host, parts + i * (u32)sizeof part, sizeof part);
    if (!source)
      return ERRNO_FAULT;
    memcpy(part, source, sizeof part);
    u8 *text = guest_bytes(host, part[0], part[1]);
    if (!text)
      return ERRNO_FAULT;
    written += (u32)fwrite(text, 1, part[1], fd == 1 ? stdout : stderr);
  }
  u8 *result = guest_bytes(host, written_address, sizeof written);
  if (!result)
    return ERRNO_FAULT;
  memcpy(result, &written, sizeof written);
  return ERRNO_SUCCESS;
}

u32 Z_wasi_snapshot_preview1Z_fd_fdstat_get(wasi_host *host, u32 fd, u32 address) {
  enum { FDSTAT_SIZE = 24 };
  u8 *stat = guest_bytes(host, address, FDSTAT_SIZE);
  if (fd > 2 || !stat)
    return fd > 2 ? ERRNO_BADF : ERRNO_FAULT;
  memset(stat, 0, FDSTAT_SIZE);
  stat[0] = isatty((int)fd) ? FILETYPE_CHARACTER_DEVICE : FILETYPE_UNKNOWN;
  return ERRNO_SUCCESS;
}

u32 Z_wasi_snapshot_preview1Z_fd_seek(wasi_host *host, u32 fd, u64 offset, u32 whence, u32 result) {
  (void)host, (void)fd, (void)offset, (void)whence, (void)result;
  return ERRNO_SPIPE;
}

u32 Z_wasi_snapshot_preview1Z_fd_close(wasi_host *host, u32 fd) {
  (void)host, (void)fd;
  return ERRNO_SUCCESS;
}

void Z_wasi_snapshot_preview1Z_proc_exit(wasi_host *host, u32 code) {
  host->exit_code = code;
  longjmp(host->exit, 1); /* leaves frames open; taking the profile closes them */
}

/* ---- Running and reporting ----------------------------------------------- */

static u32 run(wasm_perf_context *context) {
  static Z_fib_instance_t program; /* static: longjmp leaves it alone */
  static wasi_host wasi;
  struct Z_wasm_perf_instance_t perf = {context};
  Z_fib_init_module();
  Z_fib_instantiate(&program, &wasi, &perf);
  wasi.memory = Z_fibZ_memory(&program);
  if (setjmp(wasi.exit) == 0)
    Z_fibZ__start(&program);
  Z_fib_free(&program);
  return wasi.exit_code;
}

/* Names the functions that were called, from the module they came from. */
static bool add_names(wasm_perf_profile *profile, const u8 *module, size_t module_size) {
  wi_error error = {0};
  wi_names *names = wi_names_read(module, module_size, &error);
  bool done = names != NULL;
  for (u32 i = 0; done && i < profile->header.node_count; i++) {
    u32 function = profile->nodes[i].function;
    if (function < wi_names_count(names))
      done = wasm_perf_profile_set_name(profile, function, wi_names_get(names, function));
  }
  wi_names_free(names);
  return done;
}

static bool write_profile(wasm_perf_context *context, const u8 *module, size_t module_size,
                          const char *path) {
  wasm_perf_profile *profile = wasm_perf_profile_take(context);
  FILE *file = fopen(path, "w");
  bool done = profile && file && add_names(profile, module, module_size) &&
              wasm_perf_report_format_find("folded")->write(profile, NULL, file);
  if (file && fclose(file) != 0)
    done = false;
  wasm_perf_profile_free(profile);
  return done;
}

static u8 *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  u8 *bytes = NULL;
  long end = -1;
  if (file && fseek(file, 0, SEEK_END) == 0)
    end = ftell(file);
  if (end > 0 && (bytes = malloc((size_t)end))) {
    rewind(file);
    *size = fread(bytes, 1, (size_t)end, file);
  }
  if (file)
    fclose(file);
  return bytes;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s fib.prof.wasm fib.folded\n", argv[0]);
    return 2;
  }
  size_t module_size = 0;
  u8 *module = read_file(argv[1], &module_size);
  wi_marker marker;
  if (!module || !wi_marker_read(module, module_size, &marker)) {
    fprintf(stderr, "%s: cannot be read, or is not instrumented\n", argv[1]);
    return 1;
  }
  bool timed = strcmp(marker.clock, "none") != 0;
  wasm_perf_options options = {.clock = timed ? WASM_PERF_CLOCK_WALL : WASM_PERF_CLOCK_NONE};
  wasm_perf_context *context = wasm_perf_context_new(&options);
  if (!context)
    return 1;

  wasm_rt_init();
  u32 exit_code = run(context);
  if (!write_profile(context, module, module_size, argv[2])) {
    fprintf(stderr, "%s: the profile could not be written\n", argv[2]);
    exit_code = 1;
  }
  wasm_rt_free();
  wasm_perf_context_free(context);
  free(module);
  return (int)exit_code;
}
