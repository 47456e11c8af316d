/*
 * Objects that a garbage collector frees, in memory profiles: of each type of which a module makes
 * structs or arrays, the output has a function, called "struct NAME" or "array NAME". Behind each
 * struct.new and array.new it is called, and so has a node below that of the function at work: what
 * was made is counted by stack and type, and reports need to know nothing of types.
 */
#ifndef WI_HOOKS_FOLLOW_GC_TYPES_H_
#define WI_HOOKS_FOLLOW_GC_TYPES_H_

#include "code/scan.h"
#include "hooks/follow/follower.h"

typedef struct wi_gc_types {
  uint32_t *ordinals; /* of each type: 1 plus its place in `types`, 0 where there is none; owned */
  WI_ARRAY(uint32_t, types); /* those of which objects are made */
} wi_gc_types;

/* False, with nothing to clear: memory ran out. */
bool wi_gc_types_init(wi_gc_types *gc, const wi_module *module);
void wi_gc_types_clear(wi_gc_types *gc);

/* What is to be looked for: each instruction that makes an object. */
void wi_gc_types_want(wi_scan_wants *wants);

/* Whether a WI_SITE_OPCODE is one. The functions below are for these. */
bool wi_gc_types_is_new(const wi_site *site);

/* Notes the type. False, with *error filled in, where it is none of the module. */
bool wi_gc_types_note(wi_gc_types *gc, wi_plan *plan, uint32_t function, const wi_site *site,
                      wi_error *error);

/* Functions of the output. */
typedef struct wi_gc_functions {
  uint32_t first; /* that of types[0]; the others follow */
  uint32_t made;  /* the runtime's, which they call */
} wi_gc_functions;

/* What is added to the sections of functions and code. */
void wi_gc_types_put(const wi_gc_types *gc, wi_gc_functions functions, const wi_plan *plan,
                     wi_section_id id, wi_buffer *out);

/* Puts the names of these functions. */
void wi_gc_types_put_names(const wi_gc_types *gc, wi_gc_functions functions,
                           const wi_module *module, wi_name_put *put, wi_buffer *out);

/* Whether the object's number of items is the operand on top of the stack. */
bool wi_gc_types_takes_count(const wi_site *site);

/* Of all others: the number of items; 0 for a struct. */
uint32_t wi_gc_types_fixed_count(const wi_module *module, const wi_site *site);

/* The function of the type: takes a slot's address and a number of items. */
uint32_t wi_gc_types_function(const wi_gc_types *gc, wi_gc_functions functions,
                              const wi_module *module, const wi_site *site);

#endif /* WI_HOOKS_FOLLOW_GC_TYPES_H_ */
