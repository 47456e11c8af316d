/* What is put into the interpreter of a guest. runtime/embedded/python.c is called. */
#ifndef WI_HOOKS_FOLLOW_GUEST_HOOKS_H_
#define WI_HOOKS_FOLLOW_GUEST_HOOKS_H_

#include "hooks/embedded/merge.h"
#include "hooks/follow/guest.h"

/* Of a module: output indices, and where its description is in the added memory. */
typedef struct wi_guest_functions {
  uint32_t begin, change;
  uint32_t memory;
  uint32_t description;
} wi_guest_functions;

/* What of the image is called. False: memory ran out. */
bool wi_guest_keep(const wi_guest *guest, wi_image *image);

/* Finds them in the image, once its parts have their places. */
void wi_guest_place(wi_guest_functions *functions, const wi_merge *runtime);

/* Of the interpreter's body. Locals are of the output. */
typedef struct wi_guest_hooks {
  const wi_guest *guest;
  bool is_interpreter;
  const wi_guest_functions *functions;
  uint32_t node_local;
  uint32_t i32_locals; /* the first of those that these hooks need */
} wi_guest_hooks;

/* How many locals of i32 these hooks add. */
uint32_t wi_guest_i32_count(const wi_guest_hooks *hooks);

/* The parts of the code, in their order; nothing in other functions. */
void wi_guest_put_entry(const wi_guest_hooks *hooks, wi_buffer *out);

/* Where only a guest's functions have nodes: the slot of that global tells which of them runs. */
void wi_guest_put_running_node(const wi_guest_hooks *hooks, uint32_t slot_global, wi_buffer *out);

/*
 * Before a WI_SITE_STORE, whose operands stay on the stack, and at a WI_SITE_STORED. Which frame
 * runs is looked at at the latter: compilers may store it before what the frame says of its caller.
 */
void wi_guest_put_at_store(const wi_guest_hooks *hooks, const wi_site *site, wi_buffer *out);

#endif /* WI_HOOKS_FOLLOW_GUEST_HOOKS_H_ */
