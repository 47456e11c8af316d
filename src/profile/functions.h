/* The functions that occur in a profile, numbered in their order. */
#ifndef WI_PROFILE_FUNCTIONS_H_
#define WI_PROFILE_FUNCTIONS_H_

#include <stdbool.h>
#include <stdint.h>

#include "wasm_perf/profile.h"

#define WI_NO_NUMBER UINT32_MAX

typedef struct wi_functions {
  uint32_t *items;   /* `count` distinct ones, increasing; owned */
  uint32_t *numbers; /* of each function below `table_end`: its index in items + 1, or 0; owned */
  uint32_t count;
  uint32_t table_end;
} wi_functions;

/* Those of all nodes below the root. False, with nothing to clear: out of memory. */
bool wi_functions_init(wi_functions *functions, const wasm_perf_profile *profile);
void wi_functions_clear(wi_functions *functions);

/* wi_functions_find of functions that the table has not. */
uint32_t wi_functions_search(const wi_functions *functions, uint32_t function);

/* The index of the function among `items`; WI_NO_NUMBER where it does not occur. */
static inline uint32_t wi_functions_find(const wi_functions *functions, uint32_t function) {
  return function < functions->table_end ? functions->numbers[function] - 1
                                         : wi_functions_search(functions, function);
}

#endif /* WI_PROFILE_FUNCTIONS_H_ */
