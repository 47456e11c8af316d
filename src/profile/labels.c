#include "profile/labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/clean.h"
#include "support/utf8.h"

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */
#define ELLIPSIS    "\xE2\x80\xA6" /* U+2026 */

typedef struct piece {
  const char *bytes;
  size_t size;
} piece;

/* What the character at *name becomes; moves *name past it. */
static piece clean_character(const char **name, const char *end, char separator) {
  const char *in = *name;
  size_t size = wi_utf8_sequence((const uint8_t *)in, (size_t)(end - in));
  uint32_t code_point = size == 0 ? 0 : wi_utf8_decode(in, size);
  *name += size == 0 ? 1 : size;
  if (size == 0 || (code_point & 0xFFFE) == 0xFFFE) /* XML has no noncharacters */
    return (piece){REPLACEMENT, strlen(REPLACEMENT)};
  if (wi_character_is_unsafe(code_point))
    return (piece){"_", 1};
  if (code_point == (uint8_t)separator)
    return (piece){":", 1};
  return (piece){in, size};
}

void wi_label_clean(char *label, const char *name, char separator) {
  const char *end = name + strlen(name);
  size_t size = 0;
  while (name < end) {
    piece next = clean_character(&name, end, separator);
    if (size + next.size > WI_LABEL_MAX_SIZE - strlen(ELLIPSIS)) {
      memcpy(label + size, ELLIPSIS, strlen(ELLIPSIS));
      size += strlen(ELLIPSIS);
      break;
    }
    memcpy(label + size, next.bytes, next.size);
    size += next.size;
  }
  label[size] = 0;
}

bool wi_label_is_number(const char *name, uint32_t *index) {
  if (strncmp(name, "func[", 5) != 0)
    return false;
  uint64_t number = 0;
  const char *digit = name + 5;
  for (; *digit >= '0' && *digit <= '9' && number <= UINT32_MAX; digit++)
    number = number * 10 + (uint64_t)(*digit - '0');
  if (digit == name + 5 || number > UINT32_MAX || strcmp(digit, "]") != 0)
    return false;
  if (index)
    *index = (uint32_t)number;
  return true;
}

static char *label_new(const wasm_perf_profile *profile, uint32_t function, char separator) {
  char label[WI_LABEL_MAX_SIZE + 1];
  const char *name = wasm_perf_profile_name(profile, function);
  if (function == WASM_PERF_FUNCTION_TRUNCATED)
    strcpy(label, "[truncated]");
  else if (!name || *name == 0)
    snprintf(label, sizeof label, "func[%u]", function);
  else
    wi_label_clean(label, name, separator);
  size_t size = strlen(label) + 1;
  char *copy = malloc(size);
  return copy ? memcpy(copy, label, size) : NULL;
}

static int compare_u32(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left;
  uint32_t b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static bool collect_functions(wi_labels *labels, const wasm_perf_profile *profile) {
  uint32_t node_count = profile->header.node_count;
  uint32_t *functions = malloc(sizeof *functions * (node_count + (size_t)1));
  if (!functions)
    return false;
  uint32_t count = 0;
  for (uint32_t i = 1; i < node_count; i++)
    functions[count++] = profile->nodes[i].function;
  qsort(functions, count, sizeof *functions, compare_u32);
  uint32_t distinct_count = 0;
  for (uint32_t i = 0; i < count; i++)
    if (i == 0 || functions[i] != functions[i - 1])
      functions[distinct_count++] = functions[i];
  labels->functions = functions;
  labels->function_count = distinct_count;
  return true;
}

typedef struct named_function {
  char *text;
  uint32_t index; /* in wi_labels.functions */
} named_function;

static int compare_names(const void *left, const void *right) {
  return strcmp(((const named_function *)left)->text, ((const named_function *)right)->text);
}

/*
 * Fills texts, indices and is_host from the sorted functions; takes over or frees their texts.
 * Functions below `host_function_count` are the host's.
 */
static void number_labels(wi_labels *labels, named_function *sorted, uint32_t host_function_count) {
  for (uint32_t i = 0; i < labels->function_count; i++) {
    if (labels->count > 0 && strcmp(labels->texts[labels->count - 1], sorted[i].text) == 0)
      free(sorted[i].text);
    else
      labels->texts[labels->count++] = sorted[i].text;
    labels->indices[sorted[i].index] = labels->count - 1;
    labels->is_host[labels->count - 1] |= labels->functions[sorted[i].index] < host_function_count;
  }
}

static bool label_functions(wi_labels *labels, const wasm_perf_profile *profile, char separator) {
  size_t capacity = labels->function_count + (size_t)1;
  named_function *named = malloc(sizeof *named * capacity);
  labels->texts = malloc(sizeof *labels->texts * capacity);
  labels->indices = malloc(sizeof *labels->indices * capacity);
  labels->is_host = calloc(capacity, sizeof *labels->is_host);
  bool ok = named && labels->texts && labels->indices && labels->is_host;
  uint32_t count = 0;
  while (ok && count < labels->function_count) {
    named[count].index = count;
    named[count].text = label_new(profile, labels->functions[count], separator);
    ok = named[count++].text != NULL;
  }
  if (ok) {
    qsort(named, count, sizeof *named, compare_names);
    number_labels(labels, named, profile->header.host_function_count);
  } else {
    while (count > 0)
      free(named[--count].text);
  }
  free(named);
  return ok;
}

bool wi_labels_init(wi_labels *labels, const wasm_perf_profile *profile, char separator) {
  memset(labels, 0, sizeof *labels);
  if (collect_functions(labels, profile) && label_functions(labels, profile, separator))
    return true;
  wi_labels_clear(labels);
  return false;
}

void wi_labels_clear(wi_labels *labels) {
  for (uint32_t i = 0; i < labels->count; i++)
    free(labels->texts[i]);
  free(labels->texts);
  free(labels->functions);
  free(labels->indices);
  free(labels->is_host);
  memset(labels, 0, sizeof *labels);
}

uint32_t wi_labels_find(const wi_labels *labels, uint32_t function) {
  const uint32_t *found = bsearch(&function, labels->functions, labels->function_count,
                                  sizeof *labels->functions, compare_u32);
  return labels->indices[found - labels->functions];
}
