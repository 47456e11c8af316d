/*
 * Merging: the parts of another module, the image, appended to those of the program. Each goes to
 * the end of its index space, so nothing of the program's is renumbered.
 *
 * The image is one that we build (runtime/embedded/tree.c): function types only, one memory
 * without a maximum, no table in use, no start function, active data segments at constant
 * addresses, and of instructions those of WebAssembly 1.0. What it imports from "env" is made here:
 * the global, which is the output's, and the functions that copy between its memory and the
 * program's, or read a word of the program's first memory, 0 where that is not so large,
 *
 *     copy_to_program(program address, own address, size)
 *     copy_from_program(own address, program address, size)
 *     program_u32(program address) -> word
 *
 * Its other imports, functions all, become imports of the output, or those that the program has
 * already (wi_merge_bind).
 */
#ifndef WI_HOOKS_EMBEDDED_MERGE_H_
#define WI_HOOKS_EMBEDDED_MERGE_H_

#include "code/scan.h"
#include "rewrite/edits.h"

/* Where the image's parts go: indices in the output. */
typedef struct wi_merge_base {
  uint32_t type;           /* of its first type */
  uint32_t global;         /* of its first global, an imported one included */
  uint32_t memory;         /* its memory */
  uint32_t function;       /* of its first function */
  uint32_t import;         /* of its first import that the output keeps */
  uint32_t program_memory; /* that of the program, for the copies */
} wi_merge_base;

typedef struct wi_merge {
  wi_module image;
  wi_scan scan;        /* working memory */
  wi_edits edits;      /* working memory */
  uint32_t *functions; /* output index of each of its functions; owned */
  uint32_t *bound;     /* of each of its imports: the program's, or WI_NO_FUNCTION; owned */
  wi_merge_base base;
} wi_merge;

/*
 * Reads the image of `size` bytes, which must outlive *merge. False, with *error filled in, where
 * it is not of the form above or memory ran out; then *merge is clear.
 */
bool wi_merge_read(wi_merge *merge, const uint8_t *bytes, size_t size, wi_error *error);
void wi_merge_clear(wi_merge *merge);

/*
 * Takes the functions that the image imports from imports of the program of the same type and
 * field, and of the same module but for a version after '@'. Whether the program has them all.
 */
bool wi_merge_bind(wi_merge *merge, const wi_module *program);

/* Says where its parts go. Call it once, before what follows. */
void wi_merge_place(wi_merge *merge, const wi_merge_base *base);

/* The output index of the function that the image exports by that name, or WI_NO_FUNCTION. */
uint32_t wi_merge_function(const wi_merge *merge, const char *export_name);

/* The initial value of an i32 global that the image exports; it must. */
uint32_t wi_merge_constant(const wi_merge *merge, const char *export_name);

/* How many items the image adds to the section's vector, and the items themselves. */
uint32_t wi_merge_count(const wi_merge *merge, wi_section_id id);
void wi_merge_put(wi_merge *merge, wi_section_id id, wi_buffer *out);

/* Whether the image's export goes to the output: its names begin with wasm_perf_. */
bool wi_merge_is_public(const wi_merge *merge, const wi_export *item);

#endif /* WI_HOOKS_EMBEDDED_MERGE_H_ */
