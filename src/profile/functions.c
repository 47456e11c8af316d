#include "profile/functions.h"

#include <stdlib.h>
#include <string.h>

/* Modules have tens of thousands of functions. The table has one more item per node. */
#define LEAST_TABLE_SIZE 65536u

static int compare_functions(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

/* Marks a function that is within the table. */
static void mark(wi_functions *functions, uint32_t function) {
  functions->count += functions->numbers[function] == 0;
  functions->numbers[function] = 1;
  if (function >= functions->table_end)
    functions->table_end = function + 1;
}

/*
 * Marks functions below `table_size` and collects the distinct others. Returns the number of
 * others.
 */
static uint32_t collect(wi_functions *functions, const wasm_perf_profile *profile,
                        size_t table_size, uint32_t *others) {
  uint32_t count = 0, kept = 0;
  for (uint32_t i = 1; i < profile->header.node_count; i++) {
    uint32_t function = profile->nodes[i].function;
    if (function < table_size)
      mark(functions, function);
    else
      others[count++] = function;
  }
  qsort(others, count, sizeof *others, compare_functions);
  for (uint32_t i = 0; i < count; i++)
    if (i == 0 || others[i] != others[i - 1])
      others[kept++] = others[i];
  return kept;
}

/* Numbers the marked functions, then the others. */
static bool number(wi_functions *functions, const uint32_t *others, uint32_t other_count) {
  uint32_t count = 0;
  functions->items =
      malloc((functions->count + (size_t)other_count + 1) * sizeof *functions->items);
  if (!functions->items)
    return false;
  for (uint32_t i = 0; i < functions->table_end; i++)
    if (functions->numbers[i] != 0) {
      functions->items[count] = i;
      functions->numbers[i] = ++count;
    }
  memcpy(functions->items + count, others, other_count * sizeof *others);
  functions->count += other_count;
  return true;
}

bool wi_functions_init(wi_functions *functions, const wasm_perf_profile *profile) {
  size_t node_count = profile->header.node_count, table_size = node_count + LEAST_TABLE_SIZE;
  uint32_t *others = malloc((node_count + 1) * sizeof *others);
  *functions = (wi_functions){.numbers = calloc(table_size, sizeof *functions->numbers)};
  bool ok = others && functions->numbers &&
            number(functions, others, collect(functions, profile, table_size, others));
  if (!ok)
    wi_functions_clear(functions);
  free(others);
  return ok;
}

void wi_functions_clear(wi_functions *functions) {
  free(functions->items);
  free(functions->numbers);
  *functions = (wi_functions){0};
}

uint32_t wi_functions_search(const wi_functions *functions, uint32_t function) {
  const uint32_t *found = functions->count == 0
                              ? NULL
                              : bsearch(&function, functions->items, functions->count,
                                        sizeof *functions->items, compare_functions);
  return found ? (uint32_t)(found - functions->items) : WI_NO_NUMBER;
}

uint32_t wi_functions_first_free(const wasm_perf_profile *profile) {
  const wasm_perf_header *header = &profile->header;
  uint64_t next = wi_functions_end(profile);
  for (uint32_t i = 1; i < header->node_count; i++)
    if (profile->nodes[i].function < WASM_PERF_FUNCTION_TRUNCATED - 1 &&
        profile->nodes[i].function >= next)
      next = (uint64_t)profile->nodes[i].function + 1;
  for (uint32_t i = 0; i < header->name_count; i++)
    if (profile->names[i].function < WASM_PERF_FUNCTION_TRUNCATED - 1 &&
        profile->names[i].function >= next)
      next = (uint64_t)profile->names[i].function + 1;
  return next < WASM_PERF_FUNCTION_TRUNCATED - 1 ? (uint32_t)next : 0;
}
