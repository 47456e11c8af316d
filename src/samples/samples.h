/* What a sampling profiler recorded: stacks of functions and their times. */
#ifndef WI_SAMPLES_SAMPLES_H_
#define WI_SAMPLES_SAMPLES_H_

#include "support/array.h"
#include "support/buffer.h"
#include "wasm_instrument/wasm_instrument.h" /* WI_NO_FUNCTION */
#include "wasm_perf/profile.h"

/* A function as named by the other profiler. */
typedef struct wi_sample_frame {
  uint32_t function;   /* index in the executed module; WI_NO_FUNCTION: unknown */
  uint32_t name_size;  /* bytes; 0: unknown */
  size_t name_offset;  /* in `names` */
  wasm_perf_kind kind; /* IMPORT: an import; the frames below it are the host's work */
  uint32_t line;       /* in the file, if it is not a WebAssembly function */
  uint32_t column;     /* in that line, from 1; 0: unknown */
  bool is_call;        /* the place is that of a call in the function, not of the function */
  uint32_t file_size;  /* bytes; 0: unknown */
  size_t file_offset;  /* in `names` */
} wi_sample_frame;

/* A stack: a frame called from the stack of the parent node. */
typedef struct wi_sample_node {
  uint32_t parent; /* 0: called by the host */
  uint32_t frame;
  bool has_wasm; /* the frame or one of its callers is WebAssembly */
  double time;   /* nanoseconds in exactly that stack; finite, not negative */
  double less;   /* what a difference subtracts, likewise */
  double calls;  /* of exactly that stack, if `has_calls` */
} wi_sample_node;

/* Zero it, then call wi_samples_init. Several nodes may represent the same stack. */
typedef struct wi_samples {
  WI_ARRAY(wi_sample_frame, frames);
  WI_ARRAY(wi_sample_node, nodes); /* parents before children; the first one is the host, with
                                   what has no stack */
  wi_buffer names;
  uint64_t sample_count;               /* samples with WebAssembly on the stack */
  uint64_t whole_count;                /* all samples */
  WI_ARRAY(uint32_t, waiting);         /* functions of the profile that wait for other threads */
  WI_ARRAY(wasm_perf_thread, threads); /* threads with time-ordered samples; stretches refer to
                                          `nodes` */
  bool has_calls;                      /* the file counts calls, too */
  bool has_less;                       /* it is a difference */
  bool is_whole;                       /* it contains frames of all kinds */
  bool is_numbered; /* `function` is an index of the profile, which may join modules */
} wi_samples;

/* Returns false if out of memory. */
bool wi_samples_init(wi_samples *samples);
void wi_samples_clear(wi_samples *samples); /* also if only zeroed */

/* Adds a frame; either `function` or `name` may be missing. Returns false if out of memory. */
bool wi_samples_add_frame(wi_samples *samples, uint32_t function, const char *name, size_t size,
                          uint32_t *frame);

/*
 * Same for a name that may be a placeholder with an index: V8's "wasm-function[12]", or "<wasm
 * function 12>" in wasmtime's guest profiles.
 */
bool wi_samples_add_named(wi_samples *samples, const char *name, size_t size, uint32_t *frame);

/*
 * Same for a function that is not WebAssembly, or of a module that is not profiled. `file` may be
 * empty.
 */
bool wi_samples_add_other(wi_samples *samples, const wi_sample_frame *place, const char *name,
                          const char *file, uint32_t *frame);

/* Adds the functions in the fact `waiting`, shifted by `base`. Returns false if out of memory. */
bool wi_samples_add_waiting(wi_samples *samples, const char *functions, uint32_t base);

/* Nanoseconds in a unit of time by its name, such as "microseconds"; 0 for any other text. */
double wi_samples_time_unit(const uint8_t *name, size_t size);

/* Adds a node. Returns false if out of memory. */
bool wi_samples_add_node(wi_samples *samples, uint32_t parent, uint32_t frame, uint32_t *node);

/*
 * Adds a sample's time to a node, or to node 0 if it has no stack. Values that are not a valid time
 * count as 0.
 */
void wi_samples_add_time(wi_samples *samples, uint32_t node, double nanoseconds);

/* Same for `count` samples together. */
void wi_samples_add_times(wi_samples *samples, uint32_t node, double nanoseconds, uint64_t count);

/* Same for what a difference subtracts from a node, and for calls, in files that have them. */
void wi_samples_add_less(wi_samples *samples, uint32_t node, double value);
void wi_samples_add_calls(wi_samples *samples, uint32_t node, double calls);

/*
 * Adds a copy of `thread`. Its node numbers, except 0, are shifted by `first`. Returns false if out
 * of memory.
 */
bool wi_samples_add_order(wi_samples *samples, const wasm_perf_thread *thread, uint32_t first);

/*
 * Reads a decimal number of at most 8 digits after `prefix` at the start of `text`. Returns its
 * end, or NULL if there is none.
 */
const char *wi_samples_number(const char *text, const char *end, const char *prefix,
                              uint32_t *number);

#endif /* WI_SAMPLES_SAMPLES_H_ */
