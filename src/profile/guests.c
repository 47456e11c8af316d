#include "profile/guests.h"

#include <stdlib.h>
#include <string.h>

/* A guest function of a profile. */
typedef struct guest_entry {
  const char *name;
  const char *file; /* "" if unknown */
  uint32_t line, column;
  uint32_t *number; /* to fill in */
} guest_entry;

static int compare_texts(const guest_entry *a, const guest_entry *b) {
  int order = strcmp(a->name, b->name);
  if (order == 0)
    order = strcmp(a->file, b->file);
  if (order == 0)
    order = (a->line > b->line) - (a->line < b->line);
  return order != 0 ? order : (a->column > b->column) - (a->column < b->column);
}

static int compare_entries(const void *left, const void *right) {
  return compare_texts(left, right);
}

static guest_entry entry_of(const wasm_perf_profile *profile, uint32_t name, uint32_t *number) {
  const wasm_perf_place *place = wasm_perf_profile_place(profile, profile->names[name].function);
  return (guest_entry){.name = profile->names[name].text,
                       .file = place ? place->file : "",
                       .line = place ? place->line : 0,
                       .column = place ? place->column : 0,
                       .number = number};
}

/*
 * Appends the guest functions of one profile and increases *count. Returns false if out of memory.
 */
static bool collect(const wi_guests *guests, size_t index, guest_entry *entries, size_t *count) {
  const wasm_perf_profile *profile = guests->profiles[index];
  uint32_t name_count = profile->header.name_count;
  uint32_t *numbers = guests->numbers[index] = malloc((name_count + (size_t)1) * sizeof *numbers);
  for (uint32_t i = 0; numbers && i < name_count; i++) {
    numbers[i] = profile->names[i].function;
    if (wi_is_guest(profile->facts.first_guest, numbers[i]))
      entries[(*count)++] = entry_of(profile, i, &numbers[i]);
  }
  return numbers != NULL;
}

static void number_entries(const wi_guests *guests, guest_entry *entries, size_t count) {
  qsort(entries, count, sizeof *entries, compare_entries);
  uint32_t number = (uint32_t)guests->first;
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && compare_texts(&entries[i - 1], &entries[i]) != 0)
      number++;
    *entries[i].number = number;
  }
}

static bool number_all(wi_guests *guests) {
  size_t count = 0, room = 1;
  for (size_t i = 0; i < guests->count; i++)
    room += guests->profiles[i]->header.name_count;
  guests->numbers = calloc(guests->count, sizeof *guests->numbers);
  guest_entry *entries = guests->numbers ? malloc(room * sizeof *entries) : NULL;
  bool ok = entries != NULL;
  for (size_t i = 0; ok && i < guests->count; i++)
    ok = collect(guests, i, entries, &count);
  if (ok)
    number_entries(guests, entries, count);
  free(entries);
  return ok;
}

bool wi_guests_init(wi_guests *guests, const wasm_perf_profile *const *profiles, size_t count) {
  *guests = (wi_guests){.profiles = profiles, .count = count};
  for (size_t i = 0; i < count; i++)
    if (guests->first < profiles[i]->facts.first_guest)
      guests->first = profiles[i]->facts.first_guest;
  if (guests->first == 0 || guests->first > UINT32_MAX || count == 1 || number_all(guests))
    return true;
  wi_guests_clear(guests);
  return false;
}

void wi_guests_clear(wi_guests *guests) {
  for (size_t i = 0; guests->numbers && i < guests->count; i++)
    free(guests->numbers[i]);
  free(guests->numbers);
  *guests = (wi_guests){0};
}

static int compare_function(const void *key, const void *name) {
  uint32_t a = *(const uint32_t *)key, b = ((const wasm_perf_name *)name)->function;
  return (a > b) - (a < b);
}

uint32_t wi_guests_number(const wi_guests *guests, size_t profile, uint32_t function) {
  const wasm_perf_profile *of = guests->profiles[profile];
  if (!guests->numbers || !wi_is_guest(of->facts.first_guest, function) ||
      of->header.name_count == 0)
    return function;
  const wasm_perf_name *name =
      bsearch(&function, of->names, of->header.name_count, sizeof *of->names, compare_function);
  return name ? guests->numbers[profile][name - of->names] : function;
}
