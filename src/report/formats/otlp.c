/*
 * OpenTelemetry's profiles.proto, v1development, as a ProfilesData message. It has the same
 * encoding as an ExportProfilesServiceRequest, so the file can be sent to a collector. Each value
 * of model/sample_values.h is a separate profile over shared stacks, innermost frame first. An
 * attribute of each profile holds the summary. Stacks are cut at WI_DEPTH_LIMIT as in model/tree.h.
 * Sums stay within 63 bits.
 *
 * https://github.com/open-telemetry/opentelemetry-proto, opentelemetry/proto/profiles/v1development
 */
#include <assert.h>
#include <string.h>

#include "report/encode/protobuf.h"
#include "report/formats/writers.h"
#include "report/model/sample_values.h"

/* The limit, the elision mark and the function beyond it. */
#define MAX_DEPTH (WI_DEPTH_LIMIT + 2)

/* A location's index takes at most 5 bytes. */
static_assert(MAX_DEPTH * 5 + 2 * WI_VARINT_MAX_SIZE < WI_MESSAGE_MAX_SIZE,
              "a stack has to fit into a message");

/* The fields that are used. */
enum {
  DATA_RESOURCE_PROFILES = 1,
  DATA_DICTIONARY = 2,
  RESOURCE_PROFILES_RESOURCE = 1,
  RESOURCE_PROFILES_SCOPE_PROFILES = 2,
  RESOURCE_ATTRIBUTES = 1,
  SCOPE_PROFILES_SCOPE = 1,
  SCOPE_PROFILES_PROFILES = 2,
  SCOPE_NAME = 1,
  KEY_VALUE_KEY = 1,
  KEY_VALUE_VALUE = 2,
  ANY_VALUE_STRING = 1,
  ANY_VALUE_ARRAY = 5,
  ARRAY_VALUES = 1,
  PROFILE_SAMPLE_TYPE = 1,
  PROFILE_SAMPLES = 2,
  PROFILE_DURATION_NANO = 4,
  PROFILE_PERIOD_TYPE = 5,
  PROFILE_PERIOD = 6,
  PROFILE_ATTRIBUTE_INDICES = 11,
  VALUE_TYPE_TYPE = 1,
  VALUE_TYPE_UNIT = 2,
  SAMPLE_STACK_INDEX = 1,
  SAMPLE_VALUES = 4,
  DICTIONARY_MAPPINGS = 1,
  DICTIONARY_LOCATIONS = 2,
  DICTIONARY_FUNCTIONS = 3,
  DICTIONARY_LINKS = 4,
  DICTIONARY_STRINGS = 5,
  DICTIONARY_ATTRIBUTES = 6,
  DICTIONARY_STACKS = 7,
  MAPPING_FILENAME = 4,
  STACK_LOCATIONS = 1,
  LOCATION_MAPPING = 1,
  LOCATION_LINES = 3,
  LINE_FUNCTION = 1,
  LINE_LINE = 2,
  FUNCTION_NAME = 1,
  FUNCTION_FILENAME = 3,
  FUNCTION_START_LINE = 4,
  ATTRIBUTE_KEY = 1,
  ATTRIBUTE_VALUE = 2,
};

/* Every table begins with a zero element, which means none. */
enum { MAPPING_INDEX = 1, COMMENT_INDEX = 1, FIRST = 1 };

/* Indices in the string table. The labels follow, then the paths of sources. */
enum { STRING_TITLE = 1, STRING_COMMENT_KEY, STRING_TYPES };

static const wi_message none = {.size = 0};

typedef struct otlp_writer {
  const wi_report *report;
  const wi_tree *tree; /* borrowed from the report */
  wi_sample_values values;
  uint32_t type_strings[WI_MAX_SAMPLE_VALUES][2]; /* names and units, without duplicates */
  const char *type_texts[2 * WI_MAX_SAMPLE_VALUES];
  uint32_t type_text_count;
  uint32_t label_count; /* includes the elision mark, if any */
  uint32_t type;        /* of the profile being written */
} otlp_writer;

/* ---- Strings ------------------------------------------------------------- */

static uint32_t type_string(otlp_writer *writer, const char *text) {
  uint32_t i = 0;
  while (i < writer->type_text_count && strcmp(writer->type_texts[i], text) != 0)
    i++;
  if (i == writer->type_text_count)
    writer->type_texts[writer->type_text_count++] = text;
  return STRING_TYPES + i;
}

static void find_type_strings(otlp_writer *writer) {
  for (uint32_t i = 0; i < writer->values.type_count; i++) {
    writer->type_strings[i][0] = type_string(writer, writer->values.types[i].name);
    writer->type_strings[i][1] = type_string(writer, writer->values.types[i].unit);
  }
}

static uint32_t label_string(const otlp_writer *writer, uint32_t label) {
  return STRING_TYPES + writer->type_text_count + label;
}

static uint32_t file_string(const otlp_writer *writer, uint32_t file) {
  return label_string(writer, writer->label_count) + file;
}

static void write_strings(wi_message_stream *stream, const otlp_writer *writer) {
  wi_message_stream_text(stream, DICTIONARY_STRINGS, "");
  wi_message_stream_text(stream, DICTIONARY_STRINGS, writer->report->title);
  wi_message_stream_text(stream, DICTIONARY_STRINGS, "pprof.profile.comment");
  for (uint32_t i = 0; i < writer->type_text_count; i++)
    wi_message_stream_text(stream, DICTIONARY_STRINGS, writer->type_texts[i]);
  for (uint32_t label = 0; label < writer->label_count; label++)
    wi_message_stream_text(stream, DICTIONARY_STRINGS, wi_tree_text(writer->tree, label));
  for (uint32_t i = 0; i < writer->tree->places.file_count; i++)
    wi_message_stream_text(stream, DICTIONARY_STRINGS, writer->tree->places.files[i]);
}

/* ---- The dictionary ------------------------------------------------------ */

static void write_mappings(wi_message_stream *stream) {
  wi_message mapping = {.size = 0};
  wi_message_add_number(&mapping, MAPPING_FILENAME, STRING_TITLE);
  wi_message_stream_message(stream, DICTIONARY_MAPPINGS, &none);
  wi_message_stream_message(stream, DICTIONARY_MAPPINGS, &mapping);
}

/* The location of a label and its function have the same index. */
static void write_location(wi_message_stream *stream, const otlp_writer *writer, uint32_t label) {
  const wi_label_place *place = wi_tree_place(writer->tree, label);
  wi_message line = {.size = 0}, location = {.size = 0};
  wi_message_add_number(&line, LINE_FUNCTION, FIRST + label);
  wi_message_add_number(&line, LINE_LINE, place ? place->line : 0);
  wi_message_add_number(&location, LOCATION_MAPPING, MAPPING_INDEX);
  wi_message_add_message(&location, LOCATION_LINES, &line);
  wi_message_stream_message(stream, DICTIONARY_LOCATIONS, &location);
}

static void write_function(wi_message_stream *stream, const otlp_writer *writer, uint32_t label) {
  const wi_label_place *place = wi_tree_place(writer->tree, label);
  wi_message function = {.size = 0};
  wi_message_add_number(&function, FUNCTION_NAME, label_string(writer, label));
  wi_message_add_number(&function, FUNCTION_FILENAME, place ? file_string(writer, place->file) : 0);
  wi_message_add_number(&function, FUNCTION_START_LINE, place ? place->line : 0);
  wi_message_stream_message(stream, DICTIONARY_FUNCTIONS, &function);
}

static void write_functions(wi_message_stream *stream, const otlp_writer *writer) {
  wi_message_stream_message(stream, DICTIONARY_LOCATIONS, &none);
  for (uint32_t label = 0; label < writer->label_count; label++)
    write_location(stream, writer, label);
  wi_message_stream_message(stream, DICTIONARY_FUNCTIONS, &none);
  for (uint32_t label = 0; label < writer->label_count; label++)
    write_function(stream, writer, label);
}

/* Writes the summary's lines as an array of strings. */
static void write_comment_lines(wi_message_stream *stream, void *user) {
  const wi_summary *summary = &((const otlp_writer *)user)->report->summary;
  for (unsigned i = 0; i < summary->line_count; i++) {
    wi_message line = {.size = 0};
    wi_message_add_text(&line, ANY_VALUE_STRING, summary->lines[i]);
    wi_message_stream_message(stream, ARRAY_VALUES, &line);
  }
}

static void write_comment_value(wi_message_stream *stream, void *user) {
  wi_message_stream_nest(stream, ANY_VALUE_ARRAY, write_comment_lines, user);
}

static void write_comment(wi_message_stream *stream, void *user) {
  wi_message key = {.size = 0};
  wi_message_add_number(&key, ATTRIBUTE_KEY, STRING_COMMENT_KEY);
  wi_message_stream_fields(stream, &key);
  wi_message_stream_nest(stream, ATTRIBUTE_VALUE, write_comment_value, user);
}

static void write_stack(wi_message_stream *stream, const wi_tree *tree, uint32_t index) {
  uint64_t locations[MAX_DEPTH];
  size_t depth = 0;
  for (uint32_t i = index; i != 0; i = tree->nodes[i].parent)
    locations[depth++] = FIRST + tree->nodes[i].label;
  wi_message stack = {.size = 0};
  wi_message_add_packed(&stack, STACK_LOCATIONS, locations, depth);
  wi_message_stream_message(stream, DICTIONARY_STACKS, &stack);
}

/* The next node in preorder that has a stack in the table; 0 after the last. */
static uint32_t next_stack(const otlp_writer *writer, uint32_t node) {
  do
    node = wi_tree_next(writer->tree, node);
  while (node != 0 && !wi_sample_values_any(&writer->values, node));
  return node;
}

static void write_dictionary(wi_message_stream *stream, void *user) {
  otlp_writer *writer = user;
  write_mappings(stream);
  write_functions(stream, writer);
  wi_message_stream_message(stream, DICTIONARY_LINKS, &none);
  write_strings(stream, writer);
  wi_message_stream_message(stream, DICTIONARY_ATTRIBUTES, &none);
  wi_message_stream_nest(stream, DICTIONARY_ATTRIBUTES, write_comment, writer);
  wi_message_stream_message(stream, DICTIONARY_STACKS, &none);
  for (uint32_t node = next_stack(writer, 0); node != 0; node = next_stack(writer, node))
    write_stack(stream, writer->tree, node);
}

/* ---- Profiles ------------------------------------------------------------ */

static void write_profile_head(wi_message_stream *stream, const otlp_writer *writer) {
  wi_message fields = {.size = 0}, type = {.size = 0};
  wi_message_add_number(&type, VALUE_TYPE_TYPE, writer->type_strings[writer->type][0]);
  wi_message_add_number(&type, VALUE_TYPE_UNIT, writer->type_strings[writer->type][1]);
  wi_message_add_message(&fields, PROFILE_SAMPLE_TYPE, &type);
  wi_message_add_number(&fields, PROFILE_DURATION_NANO, writer->report->profile->facts.run_time);
  wi_message_add_message(&fields, PROFILE_PERIOD_TYPE, &type);
  wi_message_add_number(&fields, PROFILE_PERIOD, 1); /* everything is counted, not sampled */
  uint64_t comment = COMMENT_INDEX;
  wi_message_add_packed(&fields, PROFILE_ATTRIBUTE_INDICES, &comment, 1);
  wi_message_stream_fields(stream, &fields);
}

static void write_profile(wi_message_stream *stream, void *user) {
  const otlp_writer *writer = user;
  uint64_t rest = INT64_MAX, stack = FIRST;
  write_profile_head(stream, writer);
  for (uint32_t node = next_stack(writer, 0); node != 0; node = next_stack(writer, node)) {
    uint64_t numbers[WI_MAX_SAMPLE_VALUES];
    wi_sample_values_get(&writer->values, node, numbers);
    uint64_t number = wi_sample_values_take(&writer->values, &rest, numbers[writer->type]);
    wi_message sample = {.size = 0};
    wi_message_add_number(&sample, SAMPLE_STACK_INDEX, stack++);
    wi_message_add_packed(&sample, SAMPLE_VALUES, &number, 1);
    if (number > 0)
      wi_message_stream_message(stream, PROFILE_SAMPLES, &sample);
  }
}

static void write_scope(wi_message_stream *stream, void *user) {
  (void)user;
  wi_message_stream_text(stream, SCOPE_NAME, "wasm-perf");
}

static void write_scope_profiles(wi_message_stream *stream, void *user) {
  otlp_writer *writer = user;
  wi_message_stream_nest(stream, SCOPE_PROFILES_SCOPE, write_scope, NULL);
  for (writer->type = 0; writer->type < writer->values.type_count; writer->type++)
    wi_message_stream_nest(stream, SCOPE_PROFILES_PROFILES, write_profile, writer);
}

static void write_title(wi_message_stream *stream, void *user) {
  wi_message_stream_text(stream, ANY_VALUE_STRING, ((const otlp_writer *)user)->report->title);
}

static void write_service_name(wi_message_stream *stream, void *user) {
  wi_message_stream_text(stream, KEY_VALUE_KEY, "service.name");
  wi_message_stream_nest(stream, KEY_VALUE_VALUE, write_title, user);
}

static void write_resource(wi_message_stream *stream, void *user) {
  wi_message_stream_nest(stream, RESOURCE_ATTRIBUTES, write_service_name, user);
}

static void write_resource_profiles(wi_message_stream *stream, void *user) {
  wi_message_stream_nest(stream, RESOURCE_PROFILES_RESOURCE, write_resource, user);
  wi_message_stream_nest(stream, RESOURCE_PROFILES_SCOPE_PROFILES, write_scope_profiles, user);
}

/* ---- Entry points -------------------------------------------------------- */

bool wi_otlp_write(const wi_report *report, FILE *stream) {
  otlp_writer writer = {.report = report, .tree = report->tree};
  if (!wi_sample_values_init(&writer.values, report))
    return false;
  writer.label_count = report->tree->labels.count + (report->tree->elided_count > 0);
  find_type_strings(&writer);
  wi_message_stream data = {.stream = stream};
  wi_message_stream_nest(&data, DATA_RESOURCE_PROFILES, write_resource_profiles, &writer);
  wi_message_stream_nest(&data, DATA_DICTIONARY, write_dictionary, &writer);
  wi_sample_values_clear(&writer.values);
  return true;
}
