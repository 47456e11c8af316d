#include "samples/firefox.h"

#include <stdlib.h>
#include <string.h>

#define NANOSECONDS 1e6 /* per millisecond */

/* Function names; several functions may have the same one. */
typedef struct text_table {
  const json_t *texts;
  uint32_t *frames; /* by text: 1 + index of our frame, or 0 if there is none yet */
} text_table;

typedef struct reader {
  const json_t *document;
  const json_t *thread;
  text_table shared; /* one table for all threads, in newer versions */
  text_table own;    /* the thread's */
  wi_samples *samples;
  wi_error *error;
  uint32_t *nodes; /* our nodes, by stack */
} reader;

bool wi_firefox_is(const json_t *document) {
  return json_is_array(json_object_get(document, "threads")) &&
         json_is_object(json_object_get(document, "meta"));
}

static bool fail(reader *r, const char *what) {
  return wi_error_set(r->error, WI_ERROR_MALFORMED, 0, WI_NO_FUNCTION, "Firefox profile: %s", what);
}

/* ---- Tables as columns ------------------------------------------------------------- */

static bool init_texts(reader *r, text_table *table, const json_t *parent) {
  table->texts = json_object_get(parent, "stringArray");
  table->frames = calloc(json_array_size(table->texts) + 1, sizeof *table->frames);
  return table->frames || wi_error_memory(r->error);
}

/* Reads an index from a column; false unless it is less than `limit`. */
static bool index_at(const json_t *column, size_t row, size_t limit, uint32_t *index) {
  const json_t *item = json_array_get(column, row);
  json_int_t value = json_integer_value(item);
  *index = (uint32_t)value;
  return json_is_integer(item) && value >= 0 && (size_t)value < limit && value < UINT32_MAX;
}

/* Finds or adds our frame of a function: one per name. */
static bool find_frame(reader *r, const json_t *names, uint32_t function, uint32_t *frame) {
  text_table *table = r->own.texts ? &r->own : &r->shared;
  uint32_t text;
  if (!index_at(names, function, json_array_size(table->texts), &text))
    return fail(r, "a function's name is missing");
  if (table->frames[text] == 0) {
    const json_t *name = json_array_get(table->texts, text);
    const char *start = json_is_string(name) ? json_string_value(name) : "";
    if (!wi_samples_add_named(r->samples, start, json_string_length(name), &table->frames[text]))
      return wi_error_memory(r->error);
    table->frames[text]++;
  }
  *frame = table->frames[text] - 1;
  return true;
}

static bool add_stacks(reader *r, const json_t *stacks, const json_t *names) {
  const json_t *frames = json_object_get(stacks, "frame");
  const json_t *prefixes = json_object_get(stacks, "prefix");
  const json_t *functions = json_object_get(json_object_get(r->thread, "frameTable"), "func");
  for (size_t i = 0; i < json_array_size(frames); i++) {
    uint32_t frame, function, prefix;
    if (!index_at(frames, i, json_array_size(functions), &frame) ||
        !index_at(functions, frame, json_array_size(names), &function))
      return fail(r, "a stack has no function");
    if (!find_frame(r, names, function, &frame))
      return false;
    bool has_prefix = json_is_integer(json_array_get(prefixes, i));
    if (has_prefix && !index_at(prefixes, i, i, &prefix))
      return fail(r, "a stack comes before its prefix");
    uint32_t parent = has_prefix ? r->nodes[prefix] : 0;
    if (!wi_samples_add_node(r->samples, parent, frame, &r->nodes[i]))
      return wi_error_memory(r->error);
  }
  return true;
}

/* ---- Samples ----------------------------------------------------------------------- */

static bool add_samples(reader *r, size_t stack_count) {
  const json_t *list = json_object_get(r->thread, "samples");
  const json_t *stacks = json_object_get(list, "stack"), *weights = json_object_get(list, "weight");
  const char *type = json_string_value(json_object_get(list, "weightType"));
  const json_t *meta = json_object_get(r->document, "meta");
  double unit = json_number_value(json_object_get(meta, "interval")) * NANOSECONDS;
  if (type && strcmp(type, "tracing-ms") == 0)
    unit = NANOSECONDS;
  else if (type && strcmp(type, "samples") != 0)
    return fail(r, "its samples are not times");
  for (size_t i = 0; i < json_array_size(stacks); i++) {
    const json_t *weight = json_array_get(weights, i);
    uint32_t stack;
    if (index_at(stacks, i, stack_count, &stack))
      wi_samples_add_time(r->samples, r->nodes[stack],
                          json_is_number(weight) ? json_number_value(weight) * unit : unit);
    else if (!json_is_null(json_array_get(stacks, i)))
      return fail(r, "a sample has no stack");
  }
  return true;
}

static bool read_thread(reader *r) {
  const json_t *stacks = json_object_get(r->thread, "stackTable");
  const json_t *names = json_object_get(json_object_get(r->thread, "funcTable"), "name");
  size_t stack_count = json_array_size(json_object_get(stacks, "frame"));
  r->nodes = calloc(stack_count + 1, sizeof *r->nodes);
  bool done = (r->nodes || wi_error_memory(r->error)) && init_texts(r, &r->own, r->thread) &&
              add_stacks(r, stacks, names) && add_samples(r, stack_count);
  free(r->own.frames);
  free(r->nodes);
  r->own = (text_table){0};
  return done;
}

bool wi_firefox_read(const json_t *document, wi_samples *samples, wi_error *error) {
  reader r = {.document = document, .samples = samples, .error = error};
  const json_t *threads = json_object_get(document, "threads");
  bool done = init_texts(&r, &r.shared, json_object_get(document, "shared"));
  for (size_t i = 0; done && i < json_array_size(threads); i++) {
    r.thread = json_array_get(threads, i);
    done = read_thread(&r);
  }
  free(r.shared.frames);
  return done;
}
