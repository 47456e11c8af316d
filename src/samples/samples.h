/* What a sampling profiler saw of a program: stacks of WebAssembly functions and their time. */
#ifndef WI_SAMPLES_SAMPLES_H_
#define WI_SAMPLES_SAMPLES_H_

#include "support/array.h"
#include "support/buffer.h"
#include "wasm_instrument/wasm_instrument.h" /* WI_NO_FUNCTION */

/* A function as the other profiler names it. */
typedef struct wi_sample_frame {
  uint32_t function;  /* index in the module that ran; WI_NO_FUNCTION: only the name is known */
  uint32_t name_size; /* bytes; 0: only the index is known */
  size_t name_offset; /* in `names` */
} wi_sample_frame;

/* A stack: the frame below that of another node. */
typedef struct wi_sample_node {
  uint32_t parent; /* 0: the host called it */
  uint32_t frame;
  double time; /* nanoseconds in just that stack; not negative, finite */
} wi_sample_node;

/* Zero it, then wi_samples_init. Several nodes may stand for one stack. */
typedef struct wi_samples {
  WI_ARRAY(wi_sample_frame, frames);
  WI_ARRAY(wi_sample_node, nodes); /* parents before children; the first is the host */
  wi_buffer names;
  uint64_t sample_count; /* of these with WebAssembly on the stack */
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

/* Adds a node. False: memory ran out. */
bool wi_samples_add_node(wi_samples *samples, uint32_t parent, uint32_t frame, uint32_t *node);

/* Adds a sample's time to a node. Numbers that are no time count as 0. Of the host none is kept. */
void wi_samples_add_time(wi_samples *samples, uint32_t node, double nanoseconds);

/*
 * Reads a decimal number that `text` begins with, at most 8 digits, behind `prefix`. Returns where
 * it ends, NULL where there is none.
 */
const char *wi_samples_number(const char *text, const char *end, const char *prefix,
                              uint32_t *number);

#endif /* WI_SAMPLES_SAMPLES_H_ */
