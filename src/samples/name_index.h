/* Looks up functions of a profile by the names that other profilers use. */
#ifndef WI_SAMPLES_NAME_INDEX_H_
#define WI_SAMPLES_NAME_INDEX_H_

#include "samples/samples.h"
#include "wasm_perf/profile.h"

/*
 * Identifies a function. All functions with the same name have the same id, because most profilers
 * report only names. WI_NO_FUNCTION: none.
 */
typedef uint32_t wi_name_id;

typedef struct wi_name_index wi_name_index;

/*
 * Indexes the profile's names, which must not change. `has_indices`: the profile has the function
 * indices of a single module, shifted by added_import_count. NULL: out of memory.
 */
wi_name_index *wi_name_index_new(const wasm_perf_profile *profile, bool has_indices);
void wi_name_index_free(wi_name_index *index); /* NULL is allowed */

wi_name_id wi_name_index_of_function(const wi_name_index *index, uint32_t function);

/*
 * Finds the function of a frame: by index, unless that function has another name, else by name,
 * mangled or not. *function is set to the only candidate, or to the first function with the name.
 */
wi_name_id wi_name_index_of_frame(const wi_name_index *index, const wi_samples *samples,
                                  const wi_sample_frame *frame, uint32_t *function);

#endif /* WI_SAMPLES_NAME_INDEX_H_ */
