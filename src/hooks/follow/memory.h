/*
 * Memory profiles, seen from the module: which functions are allocators, and what is inserted into
 * them, around each memory.grow and behind each instruction that makes an object.
 * runtime/embedded/memory.h describes what is called.
 */
#ifndef WI_HOOKS_FOLLOW_MEMORY_H_
#define WI_HOOKS_FOLLOW_MEMORY_H_

#include "code/scan.h"
#include "hooks/embedded/merge.h"
#include "hooks/follow/allocators.h"
#include "hooks/follow/gc_types.h"

/* Of a module. */
typedef struct wi_memory {
  uint8_t *kinds; /* of each function with a body; owned; NULL: memory is not followed */
  uint32_t allocator_count;
  wi_gc_types gc;
  uint32_t enter, release, put_back, leave; /* output indices */
  uint32_t allocated, collected, resized, grown;
} wi_memory;

bool wi_memory_init(wi_memory *memory, const wi_module *module, const wi_options *options,
                    wi_error *error);
void wi_memory_clear(wi_memory *memory);

/* What of the image is called. False: memory ran out. */
bool wi_memory_keep(const wi_memory *memory, wi_image *image);

/* Finds the functions above in the image, once its parts have their places. */
void wi_memory_place(wi_memory *memory, const wi_merge *runtime);

/* What is to be looked for where memory is followed: memory.grow, and what makes objects. */
void wi_memory_want(wi_scan_wants *wants);

/* Whether the function whose body was scanned has something to follow, and so needs a node. */
bool wi_memory_follows(const wi_memory *memory, const wi_scan *scan, uint32_t index);

/* Of a body. Locals are of the output. */
typedef struct wi_memory_hooks {
  const wi_module *module;
  const wi_memory *memory;
  const wi_allocator *allocator; /* NULL: the function is none */
  const wi_type *type;
  bool has_sites;          /* it grows a memory or makes objects */
  uint32_t node_local;     /* i32: the node's address */
  uint32_t account_offset; /* where in the node the word for its account is */
  uint32_t i32_locals;     /* the first of those that these hooks need */
  uint32_t i64_locals;
} wi_memory_hooks;

/* Whether there is something to put into the body. */
bool wi_memory_has_hooks(const wi_memory_hooks *hooks);

/* How many locals of each type these hooks add. */
uint32_t wi_memory_i32_count(const wi_memory_hooks *hooks);
uint32_t wi_memory_i64_count(const wi_memory_hooks *hooks);

/* At the function's entry; at an exit, with the result on the stack; before a tail call. */
void wi_memory_put_entry(const wi_memory_hooks *hooks, wi_buffer *out);
void wi_memory_put_exit(const wi_memory_hooks *hooks, wi_buffer *out);
void wi_memory_put_tail_call(const wi_memory_hooks *hooks, wi_buffer *out);

/* Before and after a memory.grow. */
void wi_memory_put_before_grow(const wi_memory_hooks *hooks, const wi_site *site, wi_buffer *out);
void wi_memory_put_after_grow(const wi_memory_hooks *hooks, const wi_site *site, wi_buffer *out);

/* The same of what makes an object, for which there is a slot at `slot_offset` in the node. */
void wi_memory_put_before_new(const wi_memory_hooks *hooks, const wi_site *site, wi_buffer *out);
void wi_memory_put_after_new(const wi_memory_hooks *hooks, const wi_site *site,
                             uint32_t slot_offset, wi_buffer *out);

#endif /* WI_HOOKS_FOLLOW_MEMORY_H_ */
