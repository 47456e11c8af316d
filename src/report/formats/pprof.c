/*
 * pprof's profile.proto, compressed by gzip: a sample for each stack with calls or a value of its
 * own, innermost frame first. Its values are calls and, by the clock, cpu (of the module's
 * functions) and wall nanoseconds, instructions or ticks; the last is shown by default. A profile
 * of memory has those of heap profiles and the peak besides. Comments hold the summary. Beyond
 * WI_DEPTH_LIMIT frames as above. Sums stay within 63 bits.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/encode/gzip.h"
#include "report/encode/protobuf.h"
#include "report/formats/writers.h"
#include "report/model/heap.h"

/* The limit, the elision mark and the function beyond it. */
#define MAX_DEPTH  (WI_DEPTH_LIMIT + 2)
#define MAX_VALUES (3u + WASM_PERF_MEASURE_COUNT)
#define MAPPING_ID 1u

/* A location's id takes at most 5 bytes. */
static_assert(MAX_DEPTH * 5 + (MAX_VALUES + 4) * WI_VARINT_MAX_SIZE < WI_MESSAGE_MAX_SIZE,
              "a sample has to fit into a message");

/* The fields of profile.proto that are used. */
enum {
  PROFILE_SAMPLE_TYPE = 1,
  PROFILE_SAMPLE = 2,
  PROFILE_MAPPING = 3,
  PROFILE_LOCATION = 4,
  PROFILE_FUNCTION = 5,
  PROFILE_STRING_TABLE = 6,
  PROFILE_DURATION_NANOS = 10,
  PROFILE_PERIOD_TYPE = 11,
  PROFILE_PERIOD = 12,
  PROFILE_COMMENT = 13,
  PROFILE_DEFAULT_SAMPLE_TYPE = 14,
  VALUE_TYPE_TYPE = 1,
  VALUE_TYPE_UNIT = 2,
  SAMPLE_LOCATION_ID = 1,
  SAMPLE_VALUE = 2,
  MAPPING_FIELD_ID = 1,
  MAPPING_FILENAME = 5,
  MAPPING_HAS_FUNCTIONS = 7,
  LOCATION_ID = 1,
  LOCATION_MAPPING_ID = 2,
  LOCATION_LINE = 4,
  LINE_FUNCTION_ID = 1,
  LINE_LINE = 2,
  FUNCTION_ID = 1,
  FUNCTION_NAME = 2,
  FUNCTION_SYSTEM_NAME = 3,
  FUNCTION_FILENAME = 4,
  FUNCTION_START_LINE = 5,
};

/*
 * The values of a profile of memory: X(ID, name, measure, unit). The first four are those that
 * readers of heap profiles expect.
 */
#define HEAP_VALUES(X)                                                                             \
  X(ALLOC_OBJECTS, "alloc_objects", ALLOCATED_OBJECTS, COUNT)                                      \
  X(ALLOC_SPACE, "alloc_space", ALLOCATED_BYTES, BYTES)                                            \
  X(INUSE_OBJECTS, "inuse_objects", LIVE_OBJECTS, COUNT)                                           \
  X(INUSE_SPACE, "inuse_space", LIVE_BYTES, BYTES)                                                 \
  X(PEAK_OBJECTS, "peak_objects", PEAK_OBJECTS, COUNT)                                             \
  X(PEAK_SPACE, "peak_space", PEAK_BYTES, BYTES)                                                   \
  X(RESIZED_OBJECTS, "resized_objects", RESIZED_OBJECTS, COUNT)                                    \
  X(TEMPORARY_OBJECTS, "temporary_objects", TEMPORARY_OBJECTS, COUNT)                              \
  X(GROWN_PAGES, "grown_pages", GROWN_PAGES, COUNT)

enum { INUSE_SPACE = 3 }; /* the index of that value */

/* In the order of these values. */
static const wasm_perf_measure heap_measures[] = {
#define HEAP_MEASURE(id, name, measure, unit) WASM_PERF_MEASURE_##measure,
    HEAP_VALUES(HEAP_MEASURE)
#undef HEAP_MEASURE
};

/*
 * The string table, by index. After the summary's lines stand the labels' names, in their order, in
 * the same order their names in the module, and then the paths of sources.
 */
enum {
  STRING_EMPTY, /* the format asks for it */
  STRING_CALLS,
  STRING_COUNT,
  STRING_CPU,
  STRING_NANOSECONDS,
  STRING_WALL,
  STRING_INSTRUCTIONS,
  STRING_TICKS,
  STRING_BYTES,
#define HEAP_STRING(id, name, measure, unit) STRING_##id,
  HEAP_VALUES(HEAP_STRING)
#undef HEAP_STRING
      STRING_TITLE,
  STRING_COMMENTS,
};

static const char *const fixed_strings[STRING_TITLE] = {"",
                                                        "calls",
                                                        "count",
                                                        "cpu",
                                                        "nanoseconds",
                                                        "wall",
                                                        "instructions",
                                                        "ticks",
                                                        "bytes",
#define HEAP_STRING(id, name, measure, unit) name,
                                                        HEAP_VALUES(HEAP_STRING)
#undef HEAP_STRING
};

typedef struct value_type {
  uint32_t type; /* strings */
  uint32_t unit;
} value_type;

typedef struct pprof_writer {
  const wi_report *report;
  const wi_tree *tree;          /* the report's */
  value_type types[MAX_VALUES]; /* of a sample's values */
  uint32_t type_count;
  uint32_t shown_type;
  uint32_t clock_type_count; /* without those of memory, which come after */
  wi_heap heap;
  uint32_t label_count;       /* with the elision mark, where there is one */
  uint32_t *first_functions;  /* per label: the lowest index in the module of that name; owned */
  uint64_t rests[MAX_VALUES]; /* what may be added to a value's sum yet: see take() */
  wi_gzip gzip;
} pprof_writer;

/* --- parts of a profile --- */

static void write_message(pprof_writer *writer, uint32_t field, const wi_message *message) {
  wi_message prefix = {.size = 0};
  wi_message_add_prefix(&prefix, field, message->size);
  wi_gzip_write(&writer->gzip, prefix.bytes, prefix.size);
  wi_gzip_write(&writer->gzip, message->bytes, message->size);
}

static void write_string(pprof_writer *writer, const char *text) {
  wi_message prefix = {.size = 0};
  size_t size = strlen(text);
  wi_message_add_prefix(&prefix, PROFILE_STRING_TABLE, size);
  wi_gzip_write(&writer->gzip, prefix.bytes, prefix.size);
  wi_gzip_write(&writer->gzip, text, size);
}

static uint32_t name_string(const pprof_writer *writer, uint32_t label) {
  return STRING_COMMENTS + writer->report->summary.line_count + label;
}

static uint32_t system_name_string(const pprof_writer *writer, uint32_t label) {
  return name_string(writer, writer->label_count) + label;
}

/* The paths stand after both, each once. */
static uint32_t file_string(const pprof_writer *writer, uint32_t file) {
  return system_name_string(writer, writer->label_count) + file;
}

static void write_strings(pprof_writer *writer) {
  for (unsigned i = 0; i < STRING_TITLE; i++)
    write_string(writer, fixed_strings[i]);
  write_string(writer, writer->report->title);
  for (unsigned i = 0; i < writer->report->summary.line_count; i++)
    write_string(writer, writer->report->summary.lines[i]);
  for (uint32_t label = 0; label < writer->label_count; label++)
    write_string(writer, wi_tree_text(writer->tree, label));
  for (uint32_t label = 0; label < writer->label_count; label++) {
    char name[32] = "";
    if (writer->first_functions[label] < WI_FUNCTION_SMALL)
      snprintf(name, sizeof name, "func[%" PRIu32 "]", writer->first_functions[label]);
    write_string(writer, name);
  }
  for (uint32_t i = 0; i < writer->tree->places.file_count; i++)
    write_string(writer, writer->tree->places.files[i]);
}

static wi_message value_type_message(const value_type *type) {
  wi_message message = {.size = 0};
  wi_message_add_number(&message, VALUE_TYPE_TYPE, type->type);
  wi_message_add_number(&message, VALUE_TYPE_UNIT, type->unit);
  return message;
}

static void write_header(pprof_writer *writer) {
  const value_type *shown = &writer->types[writer->shown_type];
  wi_message fields = {.size = 0};
  for (uint32_t i = 0; i < writer->type_count; i++) {
    wi_message type = value_type_message(&writer->types[i]);
    wi_message_add_message(&fields, PROFILE_SAMPLE_TYPE, &type);
  }
  wi_message period_type = value_type_message(shown);
  wi_message_add_message(&fields, PROFILE_PERIOD_TYPE, &period_type);
  wi_message_add_number(&fields, PROFILE_PERIOD, 1); /* everything is counted, not sampled */
  uint64_t total = writer->tree->nodes[0].total;
  if (writer->report->unit == WI_UNIT_NANOSECONDS)
    wi_message_add_number(&fields, PROFILE_DURATION_NANOS, total < INT64_MAX ? total : INT64_MAX);
  uint64_t comments[WI_SUMMARY_MAX_LINES];
  for (unsigned i = 0; i < writer->report->summary.line_count; i++)
    comments[i] = STRING_COMMENTS + i;
  wi_message_add_packed(&fields, PROFILE_COMMENT, comments, writer->report->summary.line_count);
  wi_message_add_number(&fields, PROFILE_DEFAULT_SAMPLE_TYPE, shown->type);
  wi_gzip_write(&writer->gzip, fields.bytes, fields.size);
}

static void write_mapping(pprof_writer *writer) {
  wi_message message = {.size = 0};
  wi_message_add_number(&message, MAPPING_FIELD_ID, MAPPING_ID);
  wi_message_add_number(&message, MAPPING_FILENAME, STRING_TITLE);
  wi_message_add_number(&message, MAPPING_HAS_FUNCTIONS, true);
  write_message(writer, PROFILE_MAPPING, &message);
}

/*
 * A location and its function, both with an id of label + 1. The system name is not the same as
 * the name, or pprof would take parameters off C++ names, and show those that differ in them as
 * one.
 */
static void write_function(pprof_writer *writer, uint32_t label) {
  uint64_t id = label + UINT64_C(1);
  wi_message line = {.size = 0};
  const wi_label_place *place = wi_tree_place(writer->tree, label);
  wi_message_add_number(&line, LINE_FUNCTION_ID, id);
  if (place)
    wi_message_add_number(&line, LINE_LINE, place->line);
  wi_message location = {.size = 0};
  wi_message_add_number(&location, LOCATION_ID, id);
  wi_message_add_number(&location, LOCATION_MAPPING_ID, MAPPING_ID);
  wi_message_add_message(&location, LOCATION_LINE, &line);
  write_message(writer, PROFILE_LOCATION, &location);
  wi_message function = {.size = 0};
  wi_message_add_number(&function, FUNCTION_ID, id);
  wi_message_add_number(&function, FUNCTION_NAME, name_string(writer, label));
  wi_message_add_number(&function, FUNCTION_SYSTEM_NAME, system_name_string(writer, label));
  wi_message_add_number(&function, FUNCTION_FILENAME,
                        place ? file_string(writer, place->file) : STRING_TITLE);
  if (place)
    wi_message_add_number(&function, FUNCTION_START_LINE, place->line);
  write_message(writer, PROFILE_FUNCTION, &function);
}

/* --- samples --- */

/* The part of a value that its sum has room for: readers add up in 63 bits and do not check. */
static uint64_t take(uint64_t *rest, uint64_t value) {
  uint64_t part = value < *rest ? value : *rest;
  *rest -= part;
  return part;
}

/* In the order of the types. */
static void find_values(pprof_writer *writer, uint32_t index, uint64_t *values) {
  const wi_tree_node *node = &writer->tree->nodes[index];
  const uint64_t *heap = wi_heap_values(&writer->heap, index);
  uint32_t clock_count = writer->clock_type_count;
  values[0] = node->call_count;
  if (writer->report->unit == WI_UNIT_NANOSECONDS)
    values[1] = wi_tree_is_host(writer->tree, node->label) ? 0 : node->self;
  if (clock_count > 1)
    values[clock_count - 1] = node->self;
  for (uint32_t i = clock_count; i < writer->type_count; i++)
    values[i] = heap ? heap[heap_measures[i - clock_count]] : 0;
  for (uint32_t i = 0; i < writer->type_count; i++)
    values[i] = take(&writer->rests[i], values[i]);
}

static void write_sample(pprof_writer *writer, uint32_t index) {
  const wi_tree_node *nodes = writer->tree->nodes;
  uint64_t locations[MAX_DEPTH];
  size_t depth = 0;
  for (uint32_t i = index; i != 0; i = nodes[i].parent)
    locations[depth++] = nodes[i].label + UINT64_C(1);
  uint64_t values[MAX_VALUES];
  find_values(writer, index, values);
  wi_message message = {.size = 0};
  wi_message_add_packed(&message, SAMPLE_LOCATION_ID, locations, depth);
  wi_message_add_packed(&message, SAMPLE_VALUE, values, writer->type_count);
  write_message(writer, PROFILE_SAMPLE, &message);
}

static void write_samples(pprof_writer *writer) {
  const wi_tree *tree = writer->tree;
  for (uint32_t i = wi_tree_next(tree, 0); i != 0 && !writer->gzip.failed;
       i = wi_tree_next(tree, i))
    if (tree->nodes[i].call_count != 0 || tree->nodes[i].self != 0 ||
        wi_heap_values(&writer->heap, i))
      write_sample(writer, i);
}

/* --- the whole --- */

static void add_type(pprof_writer *writer, uint32_t type, uint32_t unit) {
  writer->rests[writer->type_count] = INT64_MAX;
  writer->types[writer->type_count++] = (value_type){type, unit};
}

static void add_heap_types(pprof_writer *writer) {
  const wasm_perf_profile *profile = writer->report->profile;
#define HEAP_TYPE(id, name, measure, unit)                                                         \
  if (profile->shows_measure && profile->shown_measure == WASM_PERF_MEASURE_##measure)             \
    writer->shown_type = writer->type_count;                                                       \
  add_type(writer, STRING_##id, STRING_##unit);
  HEAP_VALUES(HEAP_TYPE)
#undef HEAP_TYPE
  if (profile->shown_measure == WASM_PERF_MEASURE_PEAK_BYTES && profile->shows_measure)
    writer->shown_type = writer->clock_type_count + INUSE_SPACE; /* as heap profiles do */
}

static void choose_types(pprof_writer *writer) {
  add_type(writer, STRING_CALLS, STRING_COUNT);
  switch (writer->report->unit) {
  case WI_UNIT_NANOSECONDS:
    add_type(writer, STRING_CPU, STRING_NANOSECONDS);
    add_type(writer, STRING_WALL, STRING_NANOSECONDS);
    break;
  case WI_UNIT_INSTRUCTIONS: add_type(writer, STRING_INSTRUCTIONS, STRING_COUNT); break;
  case WI_UNIT_TICKS: add_type(writer, STRING_TICKS, STRING_COUNT); break;
  default: break;
  }
  writer->shown_type = writer->type_count - 1;
  writer->clock_type_count = writer->type_count;
  if (writer->report->profile->follows_memory)
    add_heap_types(writer);
}

static bool find_functions(pprof_writer *writer) {
  const wi_labels *labels = &writer->tree->labels;
  writer->label_count = labels->count + (writer->tree->elided_count > 0);
  writer->first_functions = malloc((writer->label_count + (size_t)1) * sizeof(uint32_t));
  if (!writer->first_functions)
    return false;
  writer->first_functions[labels->count] = WASM_PERF_FUNCTION_ROOT; /* the mark is no function */
  for (uint32_t i = labels->function_count; i-- > 0;)
    writer->first_functions[labels->indices[i]] = labels->functions[i];
  return true;
}

static bool write_profile(pprof_writer *writer, FILE *stream) {
  if (!wi_gzip_open(&writer->gzip, stream))
    return false;
  write_header(writer);
  write_mapping(writer);
  for (uint32_t label = 0; label < writer->label_count && !writer->gzip.failed; label++)
    write_function(writer, label);
  write_samples(writer);
  write_strings(writer);
  return wi_gzip_close(&writer->gzip);
}

bool wi_pprof_write(const wi_report *report, FILE *stream) {
  pprof_writer *writer = calloc(1, sizeof *writer);
  bool ok = writer != NULL;
  if (ok) {
    writer->report = report;
    writer->tree = report->tree;
    choose_types(writer);
    ok = wi_heap_init(&writer->heap, report->profile, report->tree) && find_functions(writer) &&
         write_profile(writer, stream);
    wi_heap_clear(&writer->heap);
    free(writer->first_functions);
  }
  free(writer);
  return ok;
}
