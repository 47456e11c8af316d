#include "samples/firefox.h"

#include <math.h>
#include <stdlib.h>

#include "samples/firefox_frame.h"
#include "support/json_cursor.h"

#define NANOSECONDS 1e6 /* per millisecond */
#define NONE        UINT32_MAX

/* A column of a table: its numbers; NAN for anything else. */
typedef struct column {
  WI_ARRAY(double, items);
  bool is_there;
} column;

/* The tables of a thread or, in newer versions, of all threads. */
typedef struct tables {
  column frame, prefix, prefix_offset; /* of stacks */
  column function;                     /* of frames */
  column location;                     /* of frames, as Firefox writes them: a text */
  column name;                         /* of functions: a text */
  WI_ARRAY(wi_span, texts);
  bool has_texts;
  uint32_t *frames; /* per text: 1 + our frame; 0: none yet */
  uint32_t *nodes;  /* our nodes, by stack; NULL: not yet */
} tables;

typedef struct reader {
  wi_samples *samples;
  wi_error *error;
  tables shared, own;
  wi_buffer text;
  double interval;
  bool is_own; /* we wrote the file */
} reader;

bool wi_firefox_is(wi_cursor document) {
  wi_cursor threads, meta;
  return wi_json_find_nested(document, "threads", '[', &threads) &&
         wi_json_find_nested(document, "meta", '{', &meta);
}

static bool fail(const reader *r, const char *what) {
  return wi_error_set(r->error, WI_ERROR_MALFORMED, 0, WI_NO_FUNCTION, "Firefox profile: %s", what);
}

/* ---- Columns ----------------------------------------------------------------------- */

static bool push_number(column *of, wi_cursor *in) {
  double *added = WI_ARRAY_PUSH(of, items);
  if (added)
    *added = wi_json_is_number(in) ? wi_json_read_number(in) : (wi_json_skip_value(in), NAN);
  return added != NULL;
}

/* Reads a field of each row. */
static bool read_rows(column *of, wi_cursor rows, double field) {
  WI_JSON_EACH_ITEM(&rows) {
    wi_cursor row = rows;
    bool has_item = wi_json_first_item(&row);
    for (uint32_t i = 0; has_item && i < field; i++) {
      wi_json_skip_value(&row);
      has_item = wi_json_next_item(&row);
    }
    wi_cursor none = rows; /* an array, which is not a number */
    if (!push_number(of, has_item ? &row : &none))
      return false;
    wi_json_skip_value(&rows);
  }
  return true;
}

/* Reads a column: an array, or a field of rows that a schema describes. */
static bool read_column(column *of, wi_cursor table, const char *name) {
  wi_cursor list, schema;
  if (wi_json_find_nested(table, name, '[', &list)) {
    of->is_there = true;
    WI_JSON_EACH_ITEM(&list) {
      if (!push_number(of, &list))
        return false;
    }
    return true;
  }
  if (!wi_json_find(table, "schema", &schema) || !wi_json_find(table, "data", &list))
    return true;
  double field = wi_json_find_number(schema, name, -1);
  of->is_there = field >= 0;
  return field < 0 || read_rows(of, list, field);
}

/* The item as an index; NONE unless it is less than `limit`. */
static uint32_t index_at(const column *of, double row, uint32_t limit) {
  double value = row >= 0 && row < of->items_count ? of->items[(uint32_t)row] : NAN;
  return value >= 0 && value < limit ? (uint32_t)value : NONE;
}

/* ---- Tables ------------------------------------------------------------------------ */

static bool read_texts(tables *of, wi_cursor parent) {
  wi_cursor list;
  of->has_texts = wi_json_find_nested(parent, "stringArray", '[', &list) ||
                  wi_json_find_nested(parent, "stringTable", '[', &list);
  if (!of->has_texts)
    return true;
  WI_JSON_EACH_ITEM(&list) {
    wi_span *added = WI_ARRAY_PUSH(of, texts);
    if (!added)
      return false;
    bool is_text = wi_json_skip_blanks(&list) == '"';
    *added = is_text ? wi_json_read_text(&list) : (wi_json_skip_value(&list), (wi_span){0, 0});
  }
  of->frames = calloc(of->texts_count + (size_t)1, sizeof *of->frames);
  return of->frames != NULL;
}

static bool read_tables(reader *r, tables *of, wi_cursor parent) {
  wi_cursor table;
  bool done = read_texts(of, parent);
  if (done && wi_json_find(parent, "stackTable", &table))
    done = read_column(&of->frame, table, "frame") && read_column(&of->prefix, table, "prefix") &&
           read_column(&of->prefix_offset, table, "prefixOffset");
  if (done && wi_json_find(parent, "frameTable", &table))
    done =
        read_column(&of->function, table, "func") && read_column(&of->location, table, "location");
  if (done && wi_json_find(parent, "funcTable", &table))
    done = read_column(&of->name, table, "name");
  return done || wi_error_memory(r->error);
}

static void clear_tables(tables *of) {
  free(of->frame.items);
  free(of->prefix.items);
  free(of->prefix_offset.items);
  free(of->function.items);
  free(of->location.items);
  free(of->name.items);
  free(of->texts);
  free(of->frames);
  free(of->nodes);
  *of = (tables){0};
}

/* The thread's own column or, if it has none, that of all threads. */
#define COLUMN(r, field) ((r)->own.field.is_there ? &(r)->own.field : &(r)->shared.field)

/* ---- Stacks ------------------------------------------------------------------------ */

/* Finds or adds our frame of a name or, if it is not of a function, of a location. */
static bool find_frame(reader *r, wi_cursor document, uint32_t text, bool is_name,
                       uint32_t *frame) {
  tables *of = r->own.has_texts ? &r->own : &r->shared;
  if (of->frames[text] == 0) {
    wi_buffer_clear(&r->text);
    wi_json_append_text(&document, of->texts[text], &r->text);
    const char *start = (const char *)r->text.data;
    if (r->text.failed ||
        !(is_name ? wi_samples_add_named(r->samples, start, strlen(start), &of->frames[text])
                  : wi_firefox_add_location(r->samples, start, &of->frames[text])))
      return wi_error_memory(r->error);
    of->frames[text]++;
  }
  *frame = of->frames[text] - 1;
  return true;
}

/* Finds the frame of a stack. */
static bool frame_of(reader *r, wi_cursor document, uint32_t stack, uint32_t *frame) {
  const column *functions = COLUMN(r, function), *names = COLUMN(r, name);
  const column *locations = COLUMN(r, location);
  bool has_names = names->is_there;
  const column *last = has_names ? names : locations;
  uint32_t count = has_names ? functions->items_count : locations->items_count;
  uint32_t row = index_at(COLUMN(r, frame), stack, count);
  if (has_names && row != NONE)
    row = index_at(functions, row, names->items_count);
  if (row == NONE)
    return fail(r, "a stack has no function");
  uint32_t text =
      index_at(last, row, r->own.has_texts ? r->own.texts_count : r->shared.texts_count);
  if (text == NONE)
    return fail(r, "a function's name is missing");
  return find_frame(r, document, text, has_names, frame);
}

/*
 * The stack that is the prefix of another one, which newer versions write as the difference to its
 * index; NAN: none.
 */
static double prefix_of(const reader *r, uint32_t stack) {
  const column *offsets = COLUMN(r, prefix_offset), *prefixes = COLUMN(r, prefix);
  if (offsets->is_there) {
    double offset = stack < offsets->items_count ? offsets->items[stack] : 0;
    return offset == 0 ? NAN : stack - offset;
  }
  return stack < prefixes->items_count ? prefixes->items[stack] : NAN;
}

/* Adds a stack's node. Addresses in a row are one frame. */
static bool add_stack(reader *r, wi_cursor document, uint32_t stack, uint32_t *nodes) {
  uint32_t frame = 0, parent = 0;
  double prefix = prefix_of(r, stack);
  if (!frame_of(r, document, stack, &frame))
    return false;
  if (!isnan(prefix) && !(prefix >= 0 && prefix < stack))
    return fail(r, "a stack comes before its prefix");
  if (!isnan(prefix))
    parent = nodes[(uint32_t)prefix];
  const wi_sample_frame *frames = r->samples->frames;
  bool is_more = parent != 0 && frames[frame].kind == WASM_PERF_KIND_NATIVE &&
                 frames[r->samples->nodes[parent].frame].kind == WASM_PERF_KIND_NATIVE;
  nodes[stack] = parent;
  return is_more || wi_samples_add_node(r->samples, parent, frame, &nodes[stack]) ||
         wi_error_memory(r->error);
}

/* Our nodes of all stacks; NULL: error filled in. */
static const uint32_t *find_nodes(reader *r, wi_cursor document) {
  tables *of = r->own.frame.is_there ? &r->own : &r->shared;
  if (of->nodes)
    return of->nodes;
  of->nodes = calloc(of->frame.items_count + (size_t)1, sizeof *of->nodes);
  if (!of->nodes)
    wi_error_memory(r->error);
  for (uint32_t i = 0; of->nodes && i < of->frame.items_count; i++)
    if (!add_stack(r, document, i, of->nodes))
      return NULL;
  return of->nodes;
}

/* ---- Samples ----------------------------------------------------------------------- */

static bool add_samples(reader *r, wi_cursor list, const uint32_t *nodes, bool is_calls) {
  column stacks = {0}, weights = {0};
  wi_span type = wi_json_find_text(list, "weightType");
  bool is_span = wi_json_is_text(&list, type, "tracing-ms");
  double unit = is_span ? NANOSECONDS : r->interval;
  uint32_t stack_count = COLUMN(r, frame)->items_count;
  bool is_time = type.size == 0 || is_span || wi_json_is_text(&list, type, "samples");
  bool done = is_time || fail(r, "its samples are not times");
  if (done && !(read_column(&stacks, list, "stack") && read_column(&weights, list, "weight")))
    done = wi_error_memory(r->error);
  for (uint32_t i = 0; done && i < stacks.items_count; i++) {
    uint32_t stack = index_at(&stacks, i, stack_count);
    double weight = i < weights.items_count && !isnan(weights.items[i]) ? weights.items[i] : 1;
    if (stack == NONE)
      done = isnan(stacks.items[i]) || fail(r, "a sample has no stack");
    else if (is_calls)
      wi_samples_add_calls(r->samples, nodes[stack], weight);
    else
      wi_samples_add_time(r->samples, nodes[stack], weight * unit);
  }
  free(stacks.items);
  free(weights.items);
  return done;
}

static bool read_thread(reader *r, wi_cursor thread) {
  wi_cursor samples;
  bool is_calls = r->is_own && wi_json_is_text(&thread, wi_json_find_text(thread, "name"), "calls");
  bool done = read_tables(r, &r->own, thread);
  const uint32_t *nodes = done ? find_nodes(r, thread) : NULL;
  done = nodes && (!wi_json_find_nested(thread, "samples", '{', &samples) ||
                   add_samples(r, samples, nodes, is_calls));
  clear_tables(&r->own);
  return done;
}

/* Reads the threads of a process, then the threads of its child processes. */
static bool read_process(reader *r, wi_cursor process) {
  wi_cursor list;
  if (wi_json_find(process, "threads", &list)) {
    WI_JSON_EACH_ITEM(&list) {
      if (!read_thread(r, list))
        return false;
      wi_json_skip_value(&list);
    }
  }
  if (wi_json_find(process, "processes", &list)) {
    WI_JSON_EACH_ITEM(&list) {
      if (!read_process(r, list))
        return false;
      wi_json_skip_value(&list);
    }
  }
  return true;
}

/* The name of the first thread if its weights are not times. */
static wi_span first_name(wi_cursor document) {
  wi_cursor threads, samples;
  if (!wi_json_find(document, "threads", &threads) || !wi_json_first_item(&threads) ||
      !wi_json_find(threads, "samples", &samples))
    return (wi_span){0, 0};
  bool is_time = !wi_json_is_text(&samples, wi_json_find_text(samples, "weightType"), "samples");
  return is_time ? (wi_span){0, 0} : wi_json_find_text(threads, "name");
}

bool wi_firefox_read(wi_cursor document, wi_samples *samples, wi_firefox_value *value,
                     wi_error *error) {
  reader r = {.samples = samples, .error = error};
  wi_cursor meta, shared;
  bool has_meta = wi_json_find(document, "meta", &meta);
  r.interval = (has_meta ? wi_json_find_number(meta, "interval", 1) : 1) * NANOSECONDS;
  r.is_own =
      has_meta && wi_json_is_text(&meta, wi_json_find_text(meta, "importedFrom"), "wasm-perf");
  *value = (wi_firefox_value){.name = r.is_own ? first_name(document) : (wi_span){0, 0},
                              .interval = r.interval};
  bool done = (!wi_json_find(document, "shared", &shared) || read_tables(&r, &r.shared, shared)) &&
              read_process(&r, document);
  clear_tables(&r.shared);
  wi_buffer_clear(&r.text);
  return done;
}
