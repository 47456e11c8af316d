/*
 * The clocks for single calls. The rewriter chooses one (hooks/follow/calls.c): WASI's, in a program that writes a file;
 * otherwise that of the host, if it says that it has one.
 */
#include "runtime/embedded/tree.h"
#include "runtime/wasi.h"

/* See hooks/embedded/merge.h. */
void copy_to_program(uint32_t program_address, const void *bytes, uint32_t size);
void copy_from_program(void *bytes, uint32_t program_address, uint32_t size);
double ask_clock(void);

static bool is_connected;

/* The host has put its clock into the table. */
EMBED_EXPORT(wasm_perf_clock) void embed_connect_clock(void) {
  is_connected = true;
}

EMBED_EXPORT(now_host) uint64_t embed_now_host(void) {
  return is_connected ? (uint64_t)ask_clock() : 0;
}

/* WASI writes into the program's memory: a piece of it is borrowed. */
EMBED_EXPORT(now_wasi) uint64_t embed_now_wasi(void) {
  enum { AT_TIME = 0 };
  static uint64_t saved, time;
  copy_from_program(&saved, AT_TIME, sizeof saved);
  int error = wasi_clock_time_get(WASI_CLOCK_MONOTONIC, 1, (uint64_t *)AT_TIME);
  copy_from_program(&time, AT_TIME, sizeof time);
  copy_to_program(AT_TIME, &saved, sizeof saved);
  return error == 0 ? time : 0;
}
