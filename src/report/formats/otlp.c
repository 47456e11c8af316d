/*
 * OpenTelemetry's profiles.proto, v1development, as a ProfilesData message. It has the same
 * encoding as an ExportProfilesServiceRequest, so the file can be sent to a collector. Each value
 * of model/sample_values.h is a separate profile over shared stacks, innermost frame first. An
 * attribute of each profile holds the summary. Stacks are cut at WI_DEPTH_LIMIT as in model/tree.h.
 * Sums stay within 63 bits. Nothing in a table occurs twice, and each item is referred to.
 *
 * https://github.com/open-telemetry/opentelemetry-proto, opentelemetry/proto/profiles/v1development
 * Attributes: OpenTelemetry's semantic conventions, where these have one.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "profile/modules.h"
#include "report/encode/protobuf.h"
#include "report/encode/string_table.h"
#include "report/formats/writers.h"
#include "report/model/mappings.h"
#include "report/model/sample_values.h"
#include "report/model/start_time.h"

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
  PROFILE_TIME_UNIX_NANO = 3,
  PROFILE_DURATION_NANO = 4,
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
  MAPPING_ATTRIBUTES = 5,
  STACK_LOCATIONS = 1,
  LOCATION_MAPPING = 1,
  LOCATION_LINES = 3,
  LOCATION_ATTRIBUTES = 4,
  LINE_FUNCTION = 1,
  LINE_LINE = 2,
  FUNCTION_NAME = 1,
  FUNCTION_FILENAME = 3,
  FUNCTION_START_LINE = 4,
  ATTRIBUTE_KEY = 1,
  ATTRIBUTE_VALUE = 2,
};

/* Every table begins with a zero element, which means none. */
enum { FIRST = 1 };

static const char *const comment_key = "pprof.profile.comment";
static const char *const frame_key = "profile.frame.type";
static const char *const build_id_key = "process.executable.build_id.gnu";
static const char *const identity_key = "wasm.code.xxh3";

static const wi_message none = {.size = 0};

typedef struct attribute {
  const char *key, *value;
} attribute;

/* The comment, a type for each kind of frame, and the build id or the identity. */
#define MAX_ATTRIBUTES (WASM_PERF_KIND_COUNT + 2u)

typedef struct otlp_writer {
  const wi_report *report;
  const wi_tree *tree; /* borrowed from the report */
  wi_sample_values values;
  wi_mappings mappings;
  wi_string_table strings;
  attribute attributes[MAX_ATTRIBUTES];
  uint32_t attribute_count;
  uint32_t *locations;      /* per label: the index of its location and its function; 0: it is on no
                               stack that is written */
  uint32_t *mapping_places; /* per mapping: its index; 0: it has no location */
  uint32_t label_count;     /* includes the elision mark, if any */
  uint32_t type;            /* of the profile being written */
} otlp_writer;

/* ---- Attributes ---------------------------------------------------------- */

/* The type of frame of a label; NULL: none that readers know. */
static const char *frame_type(const otlp_writer *writer, uint32_t label) {
  if (label >= writer->tree->labels.count)
    return NULL;
  switch (wi_tree_kind(writer->tree, label)) {
  case WASM_PERF_KIND_WASM:
    return writer->tree->labels.modules[label] == WI_NO_MODULE ? NULL /* of a guest */ : "wasm";
  case WASM_PERF_KIND_JAVASCRIPT: return "v8js";
  case WASM_PERF_KIND_NATIVE: return "native";
  default: return NULL;
  }
}

/* The index of an attribute, which is added if there is none like it. */
static uint32_t attribute_index(otlp_writer *writer, const char *key, const char *value) {
  uint32_t i = 0;
  while (i < writer->attribute_count && (strcmp(writer->attributes[i].key, key) != 0 ||
                                         strcmp(writer->attributes[i].value, value) != 0))
    i++;
  if (i == writer->attribute_count)
    writer->attributes[writer->attribute_count++] = (attribute){key, value};
  return FIRST + i;
}

/* The index of what tells versions of the only module apart; 0: it is unknown. */
static uint32_t version_attribute(otlp_writer *writer) {
  bool is_build_id;
  const char *version = wi_mapping_version(writer->report->profile, &is_build_id);
  return version ? attribute_index(writer, is_build_id ? build_id_key : identity_key, version) : 0;
}

static uint32_t comment_attribute(otlp_writer *writer) {
  return attribute_index(writer, comment_key, ""); /* it has lines instead */
}

static uint32_t frame_attribute(otlp_writer *writer, uint32_t label) {
  const char *type = frame_type(writer, label);
  return type ? attribute_index(writer, frame_key, type) : 0;
}

static void add_attribute(wi_message *message, uint32_t field, uint64_t index) {
  if (index != 0)
    wi_message_add_packed(message, field, &index, 1);
}

/* ---- Strings ------------------------------------------------------------- */

static uint32_t string(const otlp_writer *writer, const char *text) {
  return wi_string_table_find(&writer->strings, text);
}

static void add_file(otlp_writer *writer, uint32_t label) {
  const wi_label_place *place = wi_tree_place(writer->tree, label);
  if (place)
    wi_string_table_add(&writer->strings, writer->tree->places.files[place->file]);
}

/* Finds the labels on stacks that have values. A node's number is larger than its parent's. */
static bool find_locations(otlp_writer *writer) {
  const wi_tree *tree = writer->tree;
  bool *is_needed = calloc(tree->node_count, sizeof *is_needed);
  writer->locations = calloc(writer->label_count + (size_t)1, sizeof *writer->locations);
  for (uint32_t node = tree->node_count; is_needed && writer->locations && node-- > 1;) {
    is_needed[node] |= wi_sample_values_any(&writer->values, node);
    if (is_needed[node]) {
      is_needed[tree->nodes[node].parent] = true;
      writer->locations[tree->nodes[node].label] = FIRST;
    }
  }
  free(is_needed);
  return is_needed && writer->locations;
}

/* Numbers the items that are not 0. */
static void number_items(uint32_t *items, uint32_t count) {
  uint32_t next = FIRST;
  for (uint32_t i = 0; i < count; i++)
    if (items[i] != 0)
      items[i] = next++;
}

/* Adds what locations refer to. */
static void collect_locations(otlp_writer *writer) {
  for (uint32_t label = 0; label < writer->label_count; label++) {
    if (writer->locations[label] == 0)
      continue;
    uint32_t mapping = wi_mappings_find(&writer->mappings, label);
    writer->mapping_places[mapping] = FIRST;
    frame_attribute(writer, label);
    wi_string_table_add(&writer->strings, wi_mappings_name(&writer->mappings, mapping));
    wi_string_table_add(&writer->strings, wi_tree_text(writer->tree, label));
    add_file(writer, label);
  }
}

/* Finds all that is referred to, before anything is written. */
static bool collect(otlp_writer *writer) {
  wi_string_table *strings = &writer->strings;
  uint32_t mapping_count = wi_mappings_count(&writer->mappings);
  writer->mapping_places = calloc(mapping_count, sizeof *writer->mapping_places);
  if (!writer->mapping_places || !find_locations(writer))
    return false;
  comment_attribute(writer);
  collect_locations(writer);
  number_items(writer->locations, writer->label_count);
  number_items(writer->mapping_places, mapping_count);
  if (writer->mapping_places[0] != 0)
    version_attribute(writer);
  wi_string_table_add(strings, "");
  for (uint32_t i = 0; i < writer->attribute_count; i++)
    wi_string_table_add(strings, writer->attributes[i].key);
  for (uint32_t i = 0; i < writer->values.type_count; i++) {
    wi_string_table_add(strings, writer->values.types[i].name);
    wi_string_table_add(strings, writer->values.types[i].unit);
  }
  return wi_string_table_sort(strings);
}

static void write_strings(wi_message_stream *stream, const otlp_writer *writer) {
  for (uint32_t i = 0; i < writer->strings.texts_count; i++)
    wi_message_stream_text(stream, DICTIONARY_STRINGS, writer->strings.texts[i]);
}

/* ---- The dictionary ------------------------------------------------------ */

static void write_mappings(wi_message_stream *stream, otlp_writer *writer) {
  wi_message_stream_message(stream, DICTIONARY_MAPPINGS, &none);
  for (uint32_t i = 0; i < wi_mappings_count(&writer->mappings); i++) {
    wi_message mapping = {.size = 0};
    if (writer->mapping_places[i] == 0)
      continue;
    wi_message_add_number(&mapping, MAPPING_FILENAME,
                          string(writer, wi_mappings_name(&writer->mappings, i)));
    add_attribute(&mapping, MAPPING_ATTRIBUTES, i == 0 ? version_attribute(writer) : 0);
    wi_message_stream_message(stream, DICTIONARY_MAPPINGS, &mapping);
  }
}

/* The location of a label and its function have the same index. */
static void write_location(wi_message_stream *stream, otlp_writer *writer, uint32_t label) {
  const wi_label_place *place = wi_tree_place(writer->tree, label);
  wi_message line = {.size = 0}, location = {.size = 0};
  wi_message_add_number(&line, LINE_FUNCTION, writer->locations[label]);
  wi_message_add_number(&line, LINE_LINE, place ? place->line : 0);
  wi_message_add_number(&location, LOCATION_MAPPING,
                        writer->mapping_places[wi_mappings_find(&writer->mappings, label)]);
  wi_message_add_message(&location, LOCATION_LINES, &line);
  add_attribute(&location, LOCATION_ATTRIBUTES, frame_attribute(writer, label));
  wi_message_stream_message(stream, DICTIONARY_LOCATIONS, &location);
}

static void write_function(wi_message_stream *stream, const otlp_writer *writer, uint32_t label) {
  const wi_label_place *place = wi_tree_place(writer->tree, label);
  wi_message function = {.size = 0};
  wi_message_add_number(&function, FUNCTION_NAME,
                        string(writer, wi_tree_text(writer->tree, label)));
  wi_message_add_number(&function, FUNCTION_FILENAME,
                        place ? string(writer, writer->tree->places.files[place->file]) : 0);
  wi_message_add_number(&function, FUNCTION_START_LINE, place ? place->line : 0);
  wi_message_stream_message(stream, DICTIONARY_FUNCTIONS, &function);
}

static void write_functions(wi_message_stream *stream, otlp_writer *writer) {
  wi_message_stream_message(stream, DICTIONARY_LOCATIONS, &none);
  for (uint32_t label = 0; label < writer->label_count; label++)
    if (writer->locations[label] != 0)
      write_location(stream, writer, label);
  wi_message_stream_message(stream, DICTIONARY_FUNCTIONS, &none);
  for (uint32_t label = 0; label < writer->label_count; label++)
    if (writer->locations[label] != 0)
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

typedef struct attribute_writer {
  otlp_writer *writer;
  uint32_t index;
} attribute_writer;

static void write_text_value(wi_message_stream *stream, void *user) {
  const attribute_writer *item = user;
  wi_message_stream_text(stream, ANY_VALUE_STRING, item->writer->attributes[item->index].value);
}

static void write_attribute(wi_message_stream *stream, void *user) {
  attribute_writer *item = user;
  const char *attribute_key = item->writer->attributes[item->index].key;
  wi_message key = {.size = 0};
  wi_message_add_number(&key, ATTRIBUTE_KEY, string(item->writer, attribute_key));
  wi_message_stream_fields(stream, &key);
  if (attribute_key == comment_key)
    wi_message_stream_nest(stream, ATTRIBUTE_VALUE, write_comment_value, item->writer);
  else
    wi_message_stream_nest(stream, ATTRIBUTE_VALUE, write_text_value, item);
}

static void write_attributes(wi_message_stream *stream, otlp_writer *writer) {
  wi_message_stream_message(stream, DICTIONARY_ATTRIBUTES, &none);
  for (uint32_t i = 0; i < writer->attribute_count; i++)
    wi_message_stream_nest(stream, DICTIONARY_ATTRIBUTES, write_attribute,
                           &(attribute_writer){writer, i});
}

static void write_stack(wi_message_stream *stream, const otlp_writer *writer, uint32_t index) {
  const wi_tree *tree = writer->tree;
  uint64_t locations[MAX_DEPTH];
  size_t depth = 0;
  for (uint32_t i = index; i != 0; i = tree->nodes[i].parent)
    locations[depth++] = writer->locations[tree->nodes[i].label];
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
  write_mappings(stream, writer);
  write_functions(stream, writer);
  wi_message_stream_message(stream, DICTIONARY_LINKS, &none);
  write_strings(stream, writer);
  write_attributes(stream, writer);
  wi_message_stream_message(stream, DICTIONARY_STACKS, &none);
  for (uint32_t node = next_stack(writer, 0); node != 0; node = next_stack(writer, node))
    write_stack(stream, writer, node);
}

/* ---- Profiles ------------------------------------------------------------ */

static void write_profile_head(wi_message_stream *stream, otlp_writer *writer) {
  const wasm_perf_facts *facts = &writer->report->profile->facts;
  const wi_value_type *value = &writer->values.types[writer->type];
  wi_message fields = {.size = 0}, type = {.size = 0};
  wi_message_add_number(&type, VALUE_TYPE_TYPE, string(writer, value->name));
  wi_message_add_number(&type, VALUE_TYPE_UNIT, string(writer, value->unit));
  wi_message_add_message(&fields, PROFILE_SAMPLE_TYPE, &type);
  wi_message_add_fixed(&fields, PROFILE_TIME_UNIX_NANO, wi_start_time(facts));
  wi_message_add_number(&fields, PROFILE_DURATION_NANO, facts->run_time);
  add_attribute(&fields, PROFILE_ATTRIBUTE_INDICES, comment_attribute(writer));
  wi_message_stream_fields(stream, &fields);
}

static void write_profile(wi_message_stream *stream, void *user) {
  otlp_writer *writer = user;
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

static void write_program(wi_message_stream *stream, void *user) {
  const otlp_writer *writer = user;
  wi_message_stream_text(stream, ANY_VALUE_STRING, wi_mappings_name(&writer->mappings, 0));
}

static void write_service_name(wi_message_stream *stream, void *user) {
  wi_message_stream_text(stream, KEY_VALUE_KEY, "service.name");
  wi_message_stream_nest(stream, KEY_VALUE_VALUE, write_program, user);
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
  writer.label_count = report->tree->labels.count + (report->tree->elided_count > 0);
  bool ok = wi_sample_values_init(&writer.values, report) &&
            wi_mappings_init(&writer.mappings, report) && collect(&writer);
  if (ok) {
    wi_message_stream data = {.stream = stream};
    wi_message_stream_nest(&data, DATA_RESOURCE_PROFILES, write_resource_profiles, &writer);
    wi_message_stream_nest(&data, DATA_DICTIONARY, write_dictionary, &writer);
  }
  free(writer.mapping_places);
  free(writer.locations);
  wi_string_table_clear(&writer.strings);
  wi_mappings_clear(&writer.mappings);
  wi_sample_values_clear(&writer.values);
  return ok;
}
