/*
 * Merging: appends the kept parts of the image to the program's. Each goes to the end of its index
 * space, so no index of the program changes.
 *
 * The image has only function types, one memory without a maximum, no table in use, no start
 * function, active data segments at constant addresses, and only instructions of WebAssembly 1.0.
 * Its imports from "env" are defined here: the global, which is the output's, and functions:
 *
 *     copy_to_program(program address, own address, size)
 *     copy_from_program(own address, program address, size)
 *     program_u32(program address) -> word       of the first memory; 0 past its end
 *     ask_host(call) -> number                   call functions in a table that is added, 0 and 1, which
 *     ask_clock() -> nanoseconds                 the host sets
 *     any other                                  calls the functions linked with it (wi_image_link)
 *
 * Its other imports, all functions, become imports of the output, or are replaced by imports that
 * the program already has (wi_image_bind).
 */
#ifndef WI_HOOKS_EMBEDDED_MERGE_H_
#define WI_HOOKS_EMBEDDED_MERGE_H_

#include "hooks/embedded/image.h"
#include "rewrite/edits.h"

/* Output indices at which the image's parts are placed. */
typedef struct wi_merge_base {
  uint32_t type;           /* first type */
  uint32_t global;         /* first global, including the imported one */
  uint32_t memory_index;   /* memory */
  uint32_t table;          /* table for the host's function, if the output has one */
  uint32_t function;       /* first function */
  uint32_t import;         /* first import that the output keeps */
  uint32_t program_memory; /* the program's memory, for the copies */
} wi_merge_base;

typedef struct wi_merge {
  wi_image image;
  wi_edits edits;      /* working memory */
  uint32_t *functions; /* output index of each kept function; owned */
  wi_merge_base base;
} wi_merge;

/* As wi_image_read. */
bool wi_merge_read(wi_merge *merge, const uint8_t *bytes, size_t size, wi_error *error);
void wi_merge_clear(wi_merge *merge);

/* Decides the output indices. Call once, after wi_image_shake, before the functions below. */
void wi_merge_place(wi_merge *merge, const wi_merge_base *base);

/* The output index of a kept function, by its export name; or WI_NO_FUNCTION. */
uint32_t wi_merge_function(const wi_merge *merge, const char *export_name);

/* The initial value of an i32 global, which the image must export. */
uint32_t wi_merge_constant(const wi_merge *merge, const char *export_name);

/* The output index of a kept global, by its export name. */
uint32_t wi_merge_global(const wi_merge *merge, const char *export_name);

/*
 * The number of items that the image adds to the section's vector, and the items themselves. The
 * number of imports is available before wi_merge_place.
 */
uint32_t wi_merge_count(const wi_merge *merge, wi_section_id id);
void wi_merge_put(wi_merge *merge, wi_section_id id, wi_buffer *out);

#endif /* WI_HOOKS_EMBEDDED_MERGE_H_ */
