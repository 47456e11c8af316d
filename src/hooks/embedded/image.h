/*
 * The image: the module that is merged into programs (merge.h), built from src/runtime/embedded. It
 * holds everything that any program may need; the output gets the functions that are kept, those
 * that these reach, and the types and globals of both. Its data, a few hundred bytes, goes there
 * whole.
 */
#ifndef WI_HOOKS_EMBEDDED_IMAGE_H_
#define WI_HOOKS_EMBEDDED_IMAGE_H_

#include "code/scan.h"

/* A function that is called by an imported one that is made (merge.h); both by their index. */
typedef struct wi_image_pair {
  uint32_t import, function;
} wi_image_pair;

typedef struct wi_image {
  wi_module module;
  wi_scan scan;              /* working memory */
  bool *kept;                /* of each function: goes to the output; owned */
  uint32_t *types, *globals; /* of each: not 0 if it goes to the output, which wi_merge_place makes
                                its output index, UINT32_MAX for others; owned */
  uint32_t
      *bound; /* of each import: the program's that takes its place, or WI_NO_FUNCTION; owned */
  WI_ARRAY(wi_image_pair, links);
} wi_image;

/*
 * Reads the image of `size` bytes, which must outlive *image, and keeps its public exports. False,
 * with *error filled in, where it is not of the form that merge.h describes or memory ran out; then
 * *image is clear.
 */
bool wi_image_read(wi_image *image, const uint8_t *bytes, size_t size, wi_error *error);
void wi_image_clear(wi_image *image);

uint32_t wi_image_global_count(const wi_image *image);

/* Scans the body of the function into image->scan, with what names its globals and memories. */
bool wi_image_scan(wi_image *image, uint32_t function, wi_error *error);

/* The encoding of a function type behind its form, if its value types are one byte each: two counts
 * and the types. Empty if not. */
wi_span wi_image_plain_type(const wi_type *type);

/* Whether the output defines the imported function itself. */
bool wi_image_is_made(const wi_image *image, uint32_t import);

/* Whether the import becomes one of the output. */
bool wi_image_is_added(const wi_image *image, uint32_t import);

/*
 * Makes the import of that name from "env" call the function that is exported by that name, after
 * those linked before. What they return is added up; without any it is 0. Does nothing where the
 * image lacks either. False: memory ran out.
 */
bool wi_image_link(wi_image *image, const char *import_name, const char *export_name);

/*
 * Links the imports each_PART with the exports NAME_PART, as far as there are such: the parts of a
 * follower, see runtime/embedded/followers.h. False: memory ran out.
 */
bool wi_image_link_parts(wi_image *image, const char *name);

/* The function that is exported by that name, where there is one, goes to the output. */
void wi_image_keep(wi_image *image, const char *export_name);

/*
 * Looks for what the function that is exported by that name imports among imports of the program:
 * of the same type and field, and of the same module but for a version after '@'. If the program
 * has them all, these are taken. False without *error set: it has not.
 */
bool wi_image_bind(wi_image *image, const char *export_name, const wi_module *program,
                   wi_error *error);

/* Finds what the kept functions reach. Call it once, when all are kept. */
bool wi_image_shake(wi_image *image, wi_error *error);

/* Whether the image's export goes to the output: its names begin with wasm_perf_. */
bool wi_image_is_public(const wi_image *image, const wi_export *item);

#endif /* WI_HOOKS_EMBEDDED_IMAGE_H_ */
