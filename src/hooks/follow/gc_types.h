/*
 * Garbage-collected objects in memory profiles. For each type of which a module creates structs or
 * arrays, the output has a function named "struct NAME" or "array NAME", which is called after each
 * struct.new and array.new. So the type has a node below that of the function that creates the
 * object: objects are counted by stack and type, and reports need no notion of types.
 */
#ifndef WI_HOOKS_FOLLOW_GC_TYPES_H_
#define WI_HOOKS_FOLLOW_GC_TYPES_H_

#include "code/scan.h"
#include "hooks/follow/follower.h"

typedef struct wi_gc_types {
  uint32_t *ordinals;        /* per type: 1 plus its index in `types`, or 0; owned */
  WI_ARRAY(uint32_t, types); /* types of created objects */
} wi_gc_types;

/* Returns false if memory ran out; then there is nothing to clear. */
bool wi_gc_types_init(wi_gc_types *gc, const wi_module *module);
void wi_gc_types_clear(wi_gc_types *gc);

/* Makes scans record each instruction that creates an object. */
void wi_gc_types_want(wi_scan_wants *wants);

/* Whether a WI_SITE_OPCODE creates an object. The functions below require that. */
bool wi_gc_types_is_new(const wi_site *site);

/*
 * Notes the type. Returns false, with *error set, if the module has no such type or memory ran out.
 */
bool wi_gc_types_note(wi_gc_types *gc, wi_plan *plan, uint32_t function, const wi_site *site,
                      wi_error *error);

/* Function indices in the output. */
typedef struct wi_gc_functions {
  uint32_t first; /* the function of types[0]; the others follow */
  uint32_t made;  /* the runtime's memory_made, which they call */
} wi_gc_functions;

/* Appends their items of the function and code sections. */
void wi_gc_types_put(const wi_gc_types *gc, wi_gc_functions functions, const wi_plan *plan,
                     wi_section_id id, wi_buffer *out);

/* Puts the names of these functions. */
void wi_gc_types_put_names(const wi_gc_types *gc, wi_gc_functions functions,
                           const wi_module *module, wi_name_put *put, wi_buffer *out);

/* Whether the number of items is the operand on top of the stack. */
bool wi_gc_types_takes_count(const wi_site *site);

/* For all other instructions: the number of items; 0 for a struct. */
uint32_t wi_gc_types_fixed_count(const wi_module *module, const wi_site *site);

/* The function of the created type. Its parameters are a slot's address and the number of items. */
uint32_t wi_gc_types_function(const wi_gc_types *gc, wi_gc_functions functions,
                              const wi_module *module, const wi_site *site);

#endif /* WI_HOOKS_FOLLOW_GC_TYPES_H_ */
