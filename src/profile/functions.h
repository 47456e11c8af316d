/* The functions in a profile, numbered in index order. */
#ifndef WI_PROFILE_FUNCTIONS_H_
#define WI_PROFILE_FUNCTIONS_H_

#include <stdbool.h>
#include <stdint.h>

#include "wasm_perf/profile.h"

#define WI_NO_NUMBER UINT32_MAX

/* Returns the first number after all functions of the profile, of guests, too; 0: none is left. */
uint32_t wi_functions_first_free(const wasm_perf_profile *profile);

typedef struct wi_functions {
  uint32_t *items;   /* `count` distinct functions, increasing; owned */
  uint32_t *numbers; /* per function below `table_end`: 1 + index in items, or 0; owned */
  uint32_t count;
  uint32_t table_end;
} wi_functions;

/*
 * Returns the number after all functions of a profile's only module. Larger ones are of guests and
 * of other code, or inlined. Depending on the form of the runtime, host_function_count includes
 * added imports or not, so up to so many numbers before it may be free.
 */
static inline uint64_t wi_functions_end(const wasm_perf_profile *profile) {
  return (uint64_t)profile->header.host_function_count + profile->facts.added_import_count +
         profile->header.function_count;
}

/*
 * Collects the functions of all nodes except the root. Returns false, with nothing to clear, if out
 * of memory.
 */
bool wi_functions_init(wi_functions *functions, const wasm_perf_profile *profile);
void wi_functions_clear(wi_functions *functions);

/* wi_functions_find for functions outside of the table. */
uint32_t wi_functions_search(const wi_functions *functions, uint32_t function);

/* Returns the index of the function in `items`, or WI_NO_NUMBER. */
static inline uint32_t wi_functions_find(const wi_functions *functions, uint32_t function) {
  return function < functions->table_end ? functions->numbers[function] - 1
                                         : wi_functions_search(functions, function);
}

#endif /* WI_PROFILE_FUNCTIONS_H_ */
