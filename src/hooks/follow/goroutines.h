/*
 * What is put into the functions that switch between goroutines. runtime/embedded/goroutines.c is
 * called or, in programs of TinyGo, runtime/embedded/tasks.c.
 */
#ifndef WI_HOOKS_FOLLOW_GOROUTINES_H_
#define WI_HOOKS_FOLLOW_GOROUTINES_H_

#include "hooks/embedded/merge.h"
#include "hooks/follow/go.h"

/* Of a module: output indices. */
typedef struct wi_go_functions {
  uint32_t resume, leave, start, started;
  uint32_t task_start, task_enter, task_leave; /* of runtime/embedded/tasks.c */
} wi_go_functions;

/* What of the image is called. */
void wi_go_keep(const wi_go *go, wi_image *image);

/* Finds them in the image, once its parts have their places. */
void wi_go_place(wi_go_functions *functions, const wi_merge *runtime);

/* Of a body. Locals are of the output. */
typedef struct wi_go_hooks {
  const wi_go *go;
  const wi_go_functions *functions;
  const wi_module *module;
  const wi_scan *scan; /* of the body */
  unsigned roles;      /* of the function: wi_go_role */
  uint32_t i32_locals; /* the first of those that these hooks need */
} wi_go_hooks;

/* How many locals of i32 these hooks add. */
uint32_t wi_go_i32_count(const wi_go_hooks *hooks);

/* Whether there is something to put at exits. */
bool wi_go_acts_at_exit(const wi_go_hooks *hooks);

/* At the entry, before the function finds its node; at an exit. */
void wi_go_put_entry(const wi_go_hooks *hooks, wi_buffer *out);
void wi_go_put_exit(const wi_go_hooks *hooks, wi_buffer *out);

/* Right before the call at the site, of a function with a body or an indirect one; the slot is
 * set. */
void wi_go_put_call(const wi_go_hooks *hooks, const wi_site *site, wi_buffer *out);

#endif /* WI_HOOKS_FOLLOW_GOROUTINES_H_ */
