/* Functions of a profile by the names that other profilers have for them. */
#ifndef WI_SAMPLES_NAME_INDEX_H_
#define WI_SAMPLES_NAME_INDEX_H_

#include "samples/samples.h"
#include "wasm_perf/profile.h"

/*
 * What stands for a function: all that have the same name are one, as names are what most profilers
 * tell. WI_NO_FUNCTION: none.
 */
typedef uint32_t wi_name_id;

typedef struct wi_name_index wi_name_index;

/*
 * The index of the profile's names, which are to stay as they are. `has_indices` says that its
 * functions have the indices of one module, less added_import_count. NULL:
 * memory ran out.
 */
wi_name_index *wi_name_index_new(const wasm_perf_profile *profile, bool has_indices);
void wi_name_index_free(wi_name_index *index); /* NULL is allowed */

wi_name_id wi_name_index_of_function(const wi_name_index *index, uint32_t function);

/*
 * Of a frame: by its index, unless the function there has another name, else by its name, mangled
 * or not. *function becomes the only one that it can be, or the first of that name.
 */
wi_name_id wi_name_index_of_frame(const wi_name_index *index, const wi_samples *samples,
                                  const wi_sample_frame *frame, uint32_t *function);

#endif /* WI_SAMPLES_NAME_INDEX_H_ */
