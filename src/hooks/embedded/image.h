/*
 * The image: the module that is merged into programs (merge.h), built from src/runtime/embedded. It
 * holds everything that any program may need. The output gets the functions that are kept, the
 * functions reachable from them, and the types and globals that these use. The image's data, a few
 * hundred bytes, is copied as a whole.
 */
#ifndef WI_HOOKS_EMBEDDED_IMAGE_H_
#define WI_HOOKS_EMBEDDED_IMAGE_H_

#include "code/scan.h"

/* A function that a generated import calls (merge.h); both by function index. */
typedef struct wi_image_pair {
  uint32_t import, function;
} wi_image_pair;

typedef struct wi_image {
  wi_module module;
  wi_scan scan;              /* working memory */
  bool *kept;                /* per function: copied to the output; owned */
  uint32_t *types, *globals; /* of each: 0, or a mark to copy it, which wi_merge_place
                                replaces by the output index; UINT32_MAX marks the rest;
                                owned */
  uint32_t *bound; /* per import: the program's import to use instead, or WI_NO_FUNCTION; owned */
  WI_ARRAY(wi_image_pair, links);
} wi_image;

/*
 * Reads the image of `size` bytes, which must outlive *image, and keeps its public exports. Returns
 * false, with *error set and *image clear, if it does not have the form that merge.h describes or
 * memory ran out.
 */
bool wi_image_read(wi_image *image, const uint8_t *bytes, size_t size, wi_error *error);
void wi_image_clear(wi_image *image);

uint32_t wi_image_global_count(const wi_image *image);

/* Scans the function's body into image->scan, including references to globals and memories. */
bool wi_image_scan(wi_image *image, uint32_t function, wi_error *error);

/*
 * The encoding of a function type after its form, if its value types are one byte each: two counts
 * and the types. Otherwise empty.
 */
wi_span wi_image_plain_type(const wi_type *type);

/* Whether a type of the image and one of the program are the same, by their indices. */
bool wi_image_is_same_type(const wi_image *image, uint32_t own, const wi_module *program,
                           uint32_t theirs);

/* Whether the output defines the imported function itself. */
bool wi_image_is_made(const wi_image *image, uint32_t import);

/* Whether the output imports the function. */
bool wi_image_is_added(const wi_image *image, uint32_t import);

/*
 * Makes the import of this name from "env" call the exported function of this name, after those
 * linked before. The import returns the sum of their results, 0 without any. Does nothing if the
 * image lacks either. Returns false if memory ran out.
 */
bool wi_image_link(wi_image *image, const char *import_name, const char *export_name);

/*
 * Links the imports each_PART with the exports NAME_PART that exist: the parts of a follower, see
 * runtime/embedded/followers.h. Returns false if memory ran out.
 */
bool wi_image_link_parts(wi_image *image, const char *name);

/* Keeps the exported function of this name, if there is one, for the output; or does not. */
void wi_image_keep(wi_image *image, const char *export_name);
void wi_image_drop(wi_image *image, const char *export_name);

/*
 * Looks in the program's imports for everything that the exported function imports: of the same
 * type and field, and of the same module except for a version after '@'. If the program has all of
 * them, they are used. Returns false otherwise; *error is set only if memory ran out.
 */
bool wi_image_bind(wi_image *image, const char *export_name, const wi_module *program,
                   wi_error *error);

/*
 * Uses the program's import of that index for the one that the image has as `field` of the module "host_text", if they
 * have the same type. Returns false otherwise.
 */
bool wi_image_bind_text(wi_image *image, const char *field, const wi_module *program,
                        uint32_t import);

/* Keeps everything that the kept functions reach. Call once, when all are kept. */
bool wi_image_shake(wi_image *image, wi_error *error);

/* Whether the output exports it: the image's public names begin with wasm_perf_. */
bool wi_image_is_public(const wi_image *image, const wi_export *item);

#endif /* WI_HOOKS_EMBEDDED_IMAGE_H_ */
