/*
 * Merging: the parts of the image that are kept, appended to those of the program. Each goes to the
 * end of its index space, so nothing of the program's is renumbered.
 *
 * The image has function types only, one memory without a maximum, no table in use, no start
 * function, active data segments at constant addresses, and of instructions those of WebAssembly
 * 1.0. What it imports from "env" is made here: the global, which is the output's, and functions:
 *
 *     copy_to_program(program address, own address, size)
 *     copy_from_program(own address, program address, size)
 *     program_u32(program address) -> word       of the first memory; 0 past its end
 *     any other                                  calls the functions linked with it (wi_image_link)
 *
 * Its other imports, functions all, become imports of the output, or those that the program has
 * already (wi_image_bind).
 */
#ifndef WI_HOOKS_EMBEDDED_MERGE_H_
#define WI_HOOKS_EMBEDDED_MERGE_H_

#include "hooks/embedded/image.h"
#include "rewrite/edits.h"

/* Where the image's parts go: indices in the output. */
typedef struct wi_merge_base {
  uint32_t type;           /* of its first type */
  uint32_t global;         /* of its first global, an imported one included */
  uint32_t memory_index;   /* its memory */
  uint32_t function;       /* of its first function */
  uint32_t import;         /* of its first import that the output keeps */
  uint32_t program_memory; /* that of the program, for the copies */
} wi_merge_base;

typedef struct wi_merge {
  wi_image image;
  wi_edits edits;      /* working memory */
  uint32_t *functions; /* output index of each of its functions that is kept; owned */
  wi_merge_base base;
} wi_merge;

/* As wi_image_read. */
bool wi_merge_read(wi_merge *merge, const uint8_t *bytes, size_t size, wi_error *error);
void wi_merge_clear(wi_merge *merge);

/* Says where its parts go. Call it once, after wi_image_shake, before what follows. */
void wi_merge_place(wi_merge *merge, const wi_merge_base *base);

/* The output index of a function that is kept, by its export's name, or WI_NO_FUNCTION. */
uint32_t wi_merge_function(const wi_merge *merge, const char *export_name);

/* The initial value of an i32 global that the image exports; it must. */
uint32_t wi_merge_constant(const wi_merge *merge, const char *export_name);

/* How many items the image adds to the section's vector, and the items themselves. The number of
 * imports is known before wi_merge_place. */
uint32_t wi_merge_count(const wi_merge *merge, wi_section_id id);
void wi_merge_put(wi_merge *merge, wi_section_id id, wi_buffer *out);

#endif /* WI_HOOKS_EMBEDDED_MERGE_H_ */
