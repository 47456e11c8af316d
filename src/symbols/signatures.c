#include "symbols/signatures.h"

#include <stdlib.h>
#include <string.h>

#include "match/collect.h"
#include "module/names.h"
#include "support/error.h"
#include "support/search.h"

/* The bytes of src/symbols/libraries.names, made by embed_bytes.cmake. */
extern const uint8_t wi_known_signatures[];
extern const size_t wi_known_signatures_size;

/* Keys are truncated to the digits that the file has for them. */
enum { KEY_DIGITS = 12 };
static const uint64_t key_mask = (UINT64_C(1) << (4 * KEY_DIGITS)) - 1;

uint64_t wi_signature_key(const wi_features *features, uint32_t function) {
  enum { ENOUGH_ALONE = 48, ENOUGH = 16, ENOUGH_TOKENS = 8 };
  const wi_feature *feature = &features->functions[function];
  if (feature->size < ENOUGH || feature->tokens.count < ENOUGH_TOKENS)
    return 0;
  return (feature->size >= ENOUGH_ALONE ? feature->exact : feature->context) & key_mask;
}

/* ---- The file ------------------------------------------------------------------------ */

bool wi_signatures_are(const uint8_t *bytes, size_t size) {
  size_t start = strlen(WI_SIGNATURES_START);
  return size >= start && memcmp(bytes, WI_SIGNATURES_START, start) == 0;
}

static int digit_of(uint8_t c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads a key of KEY_DIGITS digits and advances *at past it. */
static bool read_key(const uint8_t **at, const uint8_t *end, uint64_t *key) {
  *key = 0;
  if (end - *at < KEY_DIGITS)
    return false;
  for (int i = 0; i < KEY_DIGITS; i++) {
    int digit = digit_of(*(*at)++);
    if (digit < 0)
      return false;
    *key = *key << 4 | (uint64_t)digit;
  }
  return true;
}

/* Reads a line: a name, a tab and keys separated by spaces. */
static bool read_line(wi_signatures *signatures, const uint8_t *line, const uint8_t *end) {
  const uint8_t *tab = memchr(line, '\t', (size_t)(end - line));
  uint32_t name = (uint32_t)signatures->text.size;
  if (!tab || tab == line || tab - line > WI_SIGNATURE_NAME_SIZE ||
      memchr(line, 0, (size_t)(tab - line)))
    return false;
  wi_buffer_append(&signatures->text, line, (size_t)(tab - line));
  wi_buffer_u8(&signatures->text, 0);
  for (const uint8_t *at = tab; at < end;) {
    uint64_t key;
    at++; /* skip the tab or space */
    if (!read_key(&at, end, &key) || (at < end && *at != ' '))
      return false;
    wi_signature *item = WI_ARRAY_PUSH(signatures, items);
    if (!item) {
      signatures->text.failed = true;
      return true;
    }
    *item = (wi_signature){key, name};
  }
  return true;
}

static int compare_keys(const void *left, const void *right) {
  const wi_signature *a = left, *b = right;
  return (a->key > b->key) - (a->key < b->key);
}

bool wi_signatures_read(wi_signatures *signatures, const uint8_t *bytes, size_t size,
                        wi_error *error) {
  const uint8_t *line = bytes + strlen(WI_SIGNATURES_START), *end = bytes + size;
  if (!wi_signatures_are(bytes, size))
    return wi_error_set(error, WI_ERROR_MALFORMED, 0, WI_NO_FUNCTION, "not a file of signatures");
  while (line < end) {
    const uint8_t *line_end = memchr(line, '\n', (size_t)(end - line));
    if (!line_end || !read_line(signatures, line, line_end))
      return wi_error_set(error, WI_ERROR_MALFORMED, (uint64_t)(line - bytes), WI_NO_FUNCTION,
                          "expected a name, a tab and keys of %d hexadecimal digits", KEY_DIGITS);
    line = line_end + 1;
  }
  if (signatures->text.failed)
    return wi_error_memory(error);
  if (signatures->items_count > 0)
    qsort(signatures->items, signatures->items_count, sizeof *signatures->items, compare_keys);
  return true;
}

bool wi_signatures_read_known(wi_signatures *signatures, wi_error *error) {
  return wi_signatures_read(signatures, wi_known_signatures, wi_known_signatures_size, error);
}

void wi_signatures_clear(wi_signatures *signatures) {
  free(signatures->items);
  wi_buffer_clear(&signatures->text);
  *signatures = (wi_signatures){0};
}

/* ---- Names --------------------------------------------------------------------------- */

/* The name of the key; NULL if there is none, or more than one. */
static const char *find_name(const wi_signatures *signatures, uint64_t key) {
  wi_signature wanted = {.key = key};
  const char *text = (const char *)signatures->text.data, *name = NULL;
  uint32_t i = wi_lower_bound(&wanted, signatures->items, signatures->items_count,
                              sizeof *signatures->items, compare_keys);
  for (; i < signatures->items_count && signatures->items[i].key == key; i++) {
    const char *next = text + signatures->items[i].name;
    if (name && strcmp(name, next) != 0)
      return NULL;
    name = next;
  }
  return name;
}

static bool is_named(const wi_namings *namings, const wi_names *own, uint32_t function) {
  wi_span ignored;
  return wi_names_raw(own, function, &ignored) || wi_namings_get(namings, function);
}

/* A function with its key, for sorting by keys. */
typedef struct keyed {
  uint64_t key;
  uint32_t function;
} keyed;

static int compare_keyed(const void *left, const void *right) {
  const keyed *a = left, *b = right;
  return (a->key > b->key) - (a->key < b->key);
}

static bool name_functions(const wi_signatures *signatures, wi_namings *namings,
                           const wi_names *own, const wi_features *features) {
  keyed *items = malloc((features->count + (size_t)1) * sizeof *items);
  uint32_t count = 0;
  if (!items)
    return false;
  for (uint32_t i = features->module->imports_count; i < features->count; i++)
    items[count++] = (keyed){wi_signature_key(features, i), i};
  if (count > 0)
    qsort(items, count, sizeof *items, compare_keyed);
  for (uint32_t i = 0; i < count; i++) {
    bool has_twin = (i > 0 && items[i - 1].key == items[i].key) ||
                    (i + 1 < count && items[i + 1].key == items[i].key);
    const char *name = has_twin || items[i].key == 0 || is_named(namings, own, items[i].function)
                           ? NULL
                           : find_name(signatures, items[i].key);
    if (name)
      wi_namings_set(namings, items[i].function, name, WI_SIGNATURE_CONFIDENCE);
  }
  free(items);
  return !namings->text.failed;
}

bool wi_signatures_name(const wi_signatures *signatures, wi_namings *namings, wi_names *own,
                        wi_error *error) {
  wi_features features;
  if (!wi_namings_begin(namings))
    return wi_error_memory(error);
  if (!wi_features_collect_library(&features, namings->module, error))
    return false;
  bool done = name_functions(signatures, namings, own, &features);
  wi_features_clear(&features);
  return done || wi_error_memory(error);
}
