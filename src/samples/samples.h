/* What a sampling profiler saw of a program: stacks of functions and their time. */
#ifndef WI_SAMPLES_SAMPLES_H_
#define WI_SAMPLES_SAMPLES_H_

#include "support/array.h"
#include "support/buffer.h"
#include "wasm_instrument/wasm_instrument.h" /* WI_NO_FUNCTION */
#include "wasm_perf/profile.h"

/* A function as the other profiler names it. */
typedef struct wi_sample_frame {
  uint32_t function;   /* index in the module that ran; WI_NO_FUNCTION: only the name is known */
  uint32_t name_size;  /* bytes; 0: only the index is known */
  size_t name_offset;  /* in `names` */
  wasm_perf_kind kind; /* IMPORT: what leads from WebAssembly to the frames below it */
  uint32_t line;       /* of a file, where it is no function of WebAssembly */
  uint32_t file_size;  /* bytes; 0: not known */
  size_t file_offset;  /* in `names` */
} wi_sample_frame;

/* A stack: the frame below that of another node. */
typedef struct wi_sample_node {
  uint32_t parent; /* 0: the host called it */
  uint32_t frame;
  bool has_wasm; /* the frame, or one that called it, is of WebAssembly */
  double time;   /* nanoseconds in just that stack; not negative, finite */
} wi_sample_node;

/* Zero it, then wi_samples_init. Several nodes may stand for one stack. */
typedef struct wi_samples {
  WI_ARRAY(wi_sample_frame, frames);
  WI_ARRAY(wi_sample_node, nodes); /* parents before children; the first is the host */
  wi_buffer names;
  uint64_t sample_count;               /* of these with WebAssembly on the stack */
  uint64_t whole_count;                /* of all */
  WI_ARRAY(uint32_t, waiting);         /* functions of the profile that wait for other threads */
  WI_ARRAY(wasm_perf_thread, threads); /* whose samples have an order: stretches are of `nodes` */
  bool is_whole;                       /* there are frames of all kinds */
  bool is_numbered; /* functions are those of the profile, which may join several modules */
} wi_samples;

/* False: memory ran out. */
bool wi_samples_init(wi_samples *samples);
void wi_samples_clear(wi_samples *samples); /* also of one that is only zeroed */

/* Adds a frame, of which `function` or `name` may be missing. False: memory ran out. */
bool wi_samples_add_frame(wi_samples *samples, uint32_t function, const char *name, size_t size,
                          uint32_t *frame);

/*
 * The same of a name in which "wasm-function[12]" and the like stand for functions without one: as
 * V8 has it, and wasmtime's guest profile, "<wasm function 12>".
 */
bool wi_samples_add_named(wi_samples *samples, const char *name, size_t size, uint32_t *frame);

/*
 * The same of a function that is none of WebAssembly, or of one of which a profile knows nothing.
 * `file` may be empty.
 */
bool wi_samples_add_other(wi_samples *samples, const wi_sample_frame *place, const char *name,
                          const char *file, uint32_t *frame);

/* Says which functions wait: as the fact `waiting`, from `base` on. False: memory ran out. */
bool wi_samples_add_waiting(wi_samples *samples, const char *functions, uint32_t base);

/* Adds a node. False: memory ran out. */
bool wi_samples_add_node(wi_samples *samples, uint32_t parent, uint32_t frame, uint32_t *node);

/* Adds a sample's time to a node. Numbers that are no time count as 0. Of the host none is kept. */
void wi_samples_add_time(wi_samples *samples, uint32_t node, double nanoseconds);

/*
 * Adds a thread like `thread`, with a copy of its name and, from `first` on, of its nodes. False:
 * memory ran out.
 */
bool wi_samples_add_order(wi_samples *samples, const wasm_perf_thread *thread, uint32_t first);

/*
 * Reads a decimal number that `text` begins with, at most 8 digits, behind `prefix`. Returns where
 * it ends, NULL where there is none.
 */
const char *wi_samples_number(const char *text, const char *end, const char *prefix,
                              uint32_t *number);

#endif /* WI_SAMPLES_SAMPLES_H_ */
