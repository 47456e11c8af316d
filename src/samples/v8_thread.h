/* Adds up the profiles that V8 took of one thread: a tree of all functions and their times. */
#ifndef WI_SAMPLES_V8_THREAD_H_
#define WI_SAMPLES_V8_THREAD_H_

#include "samples/v8_scripts.h"
#include "samples/v8_walk.h"
#include "wasm_perf/profile.h"

/* A time on V8's clock, in microseconds after the end of a profile: at most 0. */
typedef struct wi_v8_time {
  double begin, end;
} wi_v8_time;

/* How a profile continues the one before, and what the thread waited for. */
typedef struct wi_v8_piece {
  bool is_next; /* it began before that one ended */
  bool is_idle; /* the thread was idle, and sampled at a long interval */
  bool is_raw;  /* see wi_v8_profile_read */
  double cpu;   /* microseconds of a processor that the thread had; 0: not known */
  WI_ARRAY(wi_v8_time,
           compiling); /* ascending: while the thread was idle, others compiled for it */
} wi_v8_piece;

typedef struct wi_v8_thread wi_v8_thread;

/* The modules must outlive the result. NULL: out of memory. */
wi_v8_thread *wi_v8_thread_new(const wi_v8_thread_facts *facts, const wi_v8_module *modules,
                               uint32_t module_count);
void wi_v8_thread_free(wi_v8_thread *thread); /* NULL is allowed */

/*
 * Adds V8's next profile, in `size` bytes of JSON, at most 4 GB. Returns false with *error filled
 * in; the thread then lacks its times.
 */
bool wi_v8_thread_add(wi_v8_thread *thread, const uint8_t *json, uint32_t size,
                      const wi_v8_piece *piece, wi_error *error);

/*
 * Returns the thread's profile, see MODULES in format.h. Functions of modules have no names. The
 * caller frees it. NULL: out of memory.
 */
wasm_perf_profile *wi_v8_thread_profile(const wi_v8_thread *thread);

#endif /* WI_SAMPLES_V8_THREAD_H_ */
