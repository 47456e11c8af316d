#include "samples/v8_others.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* A function by its key: three numbers, then name and URL, each with its NUL. */
struct wi_v8_known {
  UT_hash_handle hh;
  uint32_t number;
  size_t size;
  uint32_t key[];
};

enum { NUMBER_COUNT = 3 };

void wi_v8_others_clear(wi_v8_others *others) {
  HASH_CLEAR(hh, others->by_key);
  for (uint32_t i = 0; i < others->items_count; i++)
    free(others->items[i]);
  free(others->items);
  *others = (wi_v8_others){0};
}

static wi_v8_known *make(const wi_v8_other *other) {
  const uint32_t numbers[NUMBER_COUNT] = {other->kind, other->line, other->column};
  size_t name_size = strlen(other->name) + 1, url_size = strlen(other->url) + 1;
  size_t size = sizeof numbers + name_size + url_size;
  wi_v8_known *made = calloc(1, sizeof *made + size);
  if (!made)
    return NULL;
  made->size = size;
  memcpy(made->key, numbers, sizeof numbers);
  memcpy((char *)made->key + sizeof numbers, other->name, name_size);
  memcpy((char *)made->key + sizeof numbers + name_size, other->url, url_size);
  return made;
}

uint32_t wi_v8_others_add(wi_v8_others *others, const wi_v8_other *other) {
  wi_v8_known *made = make(other), *known = NULL;
  if (!made)
    return UINT32_MAX;
  HASH_FIND(hh, others->by_key, made->key, made->size, known);
  wi_v8_known **place = known ? NULL : WI_ARRAY_PUSH(others, items);
  if (!place) {
    free(made);
    return known ? known->number : UINT32_MAX;
  }
  *place = made;
  made->number = others->items_count - 1;
  HASH_ADD_KEYPTR(hh, others->by_key, made->key, made->size, made);
  return made->number;
}

wi_v8_other wi_v8_others_get(const wi_v8_others *others, uint32_t number) {
  const wi_v8_known *known = others->items[number];
  const char *name = (const char *)&known->key[NUMBER_COUNT];
  return (wi_v8_other){.kind = (wasm_perf_kind)known->key[0],
                       .line = known->key[1],
                       .column = known->key[2],
                       .name = name,
                       .url = name + strlen(name) + 1};
}
