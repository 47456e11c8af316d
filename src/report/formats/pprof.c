/*
 * pprof's profile.proto, gzipped: a sample per stack with calls or a self value, innermost frame
 * first, with the values of model/sample_values.h. Comments hold the summary.
 *
 * If lines were counted, a function's self instructions are attributed to its lines, including
 * functions inlined there. If the function is on several stacks, each gets a share in proportion to
 * its self value. Its callees are below the lines that call them. Instructions without a line have
 * line 0, as do calls whose line is unknown. Stacks are cut at WI_DEPTH_LIMIT as in model/tree.h.
 * Sums stay within 63 bits.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/encode/gzip.h"
#include "report/encode/protobuf.h"
#include "report/formats/pprof/call_sites.h"
#include "report/formats/pprof/frame_stack.h"
#include "report/formats/pprof/lines.h"
#include "report/formats/writers.h"
#include "report/model/mappings.h"
#include "report/model/sample_values.h"
#include "report/model/start_time.h"

static_assert(WI_PPROF_MAX_DEPTH * WI_PPROF_ID_MAX_SIZE +
                      (WI_MAX_SAMPLE_VALUES + 4) * WI_VARINT_MAX_SIZE <
                  WI_MESSAGE_MAX_SIZE,
              "a sample has to fit into a message");

/* The fields of profile.proto that are used. */
enum {
  PROFILE_SAMPLE_TYPE = 1,
  PROFILE_SAMPLE = 2,
  PROFILE_MAPPING = 3,
  PROFILE_LOCATION = 4,
  PROFILE_FUNCTION = 5,
  PROFILE_STRING_TABLE = 6,
  PROFILE_TIME_NANOS = 9,
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
  MAPPING_BUILD_ID = 6,
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
 * Indices in the string table. The empty string, which the format requires, is followed by the name
 * and unit of each value, the only module's version, the mappings and the summary's lines; then the labels'
 * names, their names in the module in the same order, and the paths of sources.
 */
enum { STRING_TYPES = 1 };

typedef struct pprof_writer {
  const wi_report *report;
  const wi_tree *tree; /* borrowed from the report */
  wi_sample_values values;
  wi_pprof_lines lines;
  wi_pprof_sites sites;
  wi_mappings mappings;
  wi_pprof_stack stack;                 /* of the node being written */
  uint32_t label_count;                 /* includes the elision mark, if any */
  uint32_t *first_functions;            /* per label: lowest function index in the module; owned */
  uint64_t rests[WI_MAX_SAMPLE_VALUES]; /* what may still be added to each value's sum */
  wi_gzip gzip;
} pprof_writer;

/* --- parts of a profile --- */

static void write_message(pprof_writer *writer, uint32_t field, const wi_message *message) {
  wi_message prefix;
  prefix.size = 0; /* not = {0}: there are millions of messages */
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

static uint32_t version_string(const pprof_writer *writer) {
  return STRING_TYPES + 2 * writer->values.type_count;
}

static uint32_t mapping_string(const pprof_writer *writer, uint32_t mapping) {
  return version_string(writer) + 1 + mapping;
}

/* The name of a label's module. */
static uint32_t module_string(const pprof_writer *writer, uint32_t label) {
  return mapping_string(writer, wi_mappings_find(&writer->mappings, label));
}

static uint32_t comment_string(const pprof_writer *writer, uint32_t line) {
  return mapping_string(writer, wi_mappings_count(&writer->mappings)) + line;
}

static uint32_t name_string(const pprof_writer *writer, uint32_t label) {
  return comment_string(writer, writer->report->summary.line_count) + label;
}

static uint32_t system_name_string(const pprof_writer *writer, uint32_t label) {
  return name_string(writer, writer->label_count) + label;
}

/* The paths follow both kinds of names, without duplicates. */
static uint32_t file_string(const pprof_writer *writer, uint32_t file) {
  return system_name_string(writer, writer->label_count) + file;
}

/* The names of inlined functions follow, then the paths of lines. */
static uint32_t inlined_string(const pprof_writer *writer, uint32_t function) {
  return file_string(writer, writer->tree->places.file_count) + function;
}

static uint32_t line_file_string(const pprof_writer *writer, uint32_t file) {
  return inlined_string(writer, writer->lines.functions.count) + file;
}

static void write_clean_string(pprof_writer *writer, const char *text) {
  char clean[WI_LABEL_MAX_SIZE + 1];
  wi_label_clean(clean, text, 0);
  write_string(writer, clean);
}

static void write_line_strings(pprof_writer *writer) {
  const wasm_perf_lines *lines = &writer->report->profile->lines;
  const wi_inlined_functions *functions = &writer->lines.functions;
  for (uint32_t i = 0; i < functions->count; i++)
    write_clean_string(writer, lines->inlined[functions->firsts[i]].name);
  for (uint32_t i = 0; i < lines->file_count; i++)
    write_clean_string(writer, lines->files[i]);
}

static void write_strings(pprof_writer *writer) {
  write_string(writer, "");
  for (uint32_t i = 0; i < writer->values.type_count; i++) {
    write_string(writer, writer->values.types[i].name);
    write_string(writer, writer->values.types[i].unit);
  }
  bool is_build_id;
  const char *version = wi_mapping_version(writer->report->profile, &is_build_id);
  write_string(writer, version ? version : "");
  for (uint32_t i = 0; i < wi_mappings_count(&writer->mappings); i++)
    write_string(writer, wi_mappings_name(&writer->mappings, i));
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
  write_line_strings(writer);
}

static wi_message value_type_message(uint32_t type) {
  wi_message message = {.size = 0};
  wi_message_add_number(&message, VALUE_TYPE_TYPE, STRING_TYPES + 2 * type);
  wi_message_add_number(&message, VALUE_TYPE_UNIT, STRING_TYPES + 2 * type + 1);
  return message;
}

static void write_header(pprof_writer *writer) {
  uint32_t shown = writer->values.shown_type;
  wi_message fields = {.size = 0};
  for (uint32_t i = 0; i < writer->values.type_count; i++) {
    wi_message type = value_type_message(i);
    wi_message_add_message(&fields, PROFILE_SAMPLE_TYPE, &type);
  }
  wi_message period_type = value_type_message(shown);
  wi_message_add_message(&fields, PROFILE_PERIOD_TYPE, &period_type);
  wi_message_add_number(&fields, PROFILE_PERIOD, 1); /* everything is counted, not sampled */
  wi_message_add_number(&fields, PROFILE_TIME_NANOS,
                        wi_start_time(&writer->report->profile->facts));
  uint64_t total = writer->tree->nodes[0].total, run_time = writer->report->profile->facts.run_time;
  if (run_time == 0 && writer->report->unit == WI_UNIT_NANOSECONDS)
    run_time = total < INT64_MAX ? total : INT64_MAX;
  wi_message_add_number(&fields, PROFILE_DURATION_NANOS, run_time);
  uint64_t comments[WI_SUMMARY_MAX_LINES];
  for (unsigned i = 0; i < writer->report->summary.line_count; i++)
    comments[i] = comment_string(writer, i);
  wi_message_add_packed(&fields, PROFILE_COMMENT, comments, writer->report->summary.line_count);
  wi_message_add_number(&fields, PROFILE_DEFAULT_SAMPLE_TYPE, STRING_TYPES + 2 * shown);
  wi_gzip_write(&writer->gzip, fields.bytes, fields.size);
}

static uint64_t mapping_id(const pprof_writer *writer, uint32_t label) {
  return wi_mappings_find(&writer->mappings, label) + UINT64_C(1);
}

static void write_mapping(pprof_writer *writer, uint32_t mapping) {
  wi_message message = {.size = 0};
  wi_message_add_number(&message, MAPPING_FIELD_ID, mapping + UINT64_C(1));
  wi_message_add_number(&message, MAPPING_FILENAME, mapping_string(writer, mapping));
  if (mapping == 0)
    wi_message_add_number(&message, MAPPING_BUILD_ID, version_string(writer));
  wi_message_add_number(&message, MAPPING_HAS_FUNCTIONS, true);
  write_message(writer, PROFILE_MAPPING, &message);
}

/*
 * Writes a location and its function, both with id label + 1. The system name must differ from the
 * name: otherwise pprof removes parameters from C++ names, and merges functions that only differ in
 * them.
 */
static void write_function(pprof_writer *writer, uint32_t label) {
  uint64_t id = label + UINT64_C(1);
  wi_message line = {.size = 0};
  const wi_label_place *place = wi_tree_place(writer->tree, label);
  uint32_t line_count;
  wi_line_costs_find(&writer->lines.split.costs, label, &line_count);
  wi_message_add_number(&line, LINE_FUNCTION_ID, id);
  if (place && line_count == 0)
    wi_message_add_number(&line, LINE_LINE, place->line);
  wi_message location = {.size = 0};
  wi_message_add_number(&location, LOCATION_ID, id);
  wi_message_add_number(&location, LOCATION_MAPPING_ID, mapping_id(writer, label));
  wi_message_add_message(&location, LOCATION_LINE, &line);
  write_message(writer, PROFILE_LOCATION, &location);
  wi_message function = {.size = 0};
  wi_message_add_number(&function, FUNCTION_ID, id);
  wi_message_add_number(&function, FUNCTION_NAME, name_string(writer, label));
  wi_message_add_number(&function, FUNCTION_SYSTEM_NAME, system_name_string(writer, label));
  wi_message_add_number(&function, FUNCTION_FILENAME,
                        place ? file_string(writer, place->file) : module_string(writer, label));
  if (place)
    wi_message_add_number(&function, FUNCTION_START_LINE, place->line);
  write_message(writer, PROFILE_FUNCTION, &function);
}

/* --- lines --- */

/* These ids follow the labels' ids: locations by item, inlined functions by index. */
static uint64_t line_location(const pprof_writer *writer, const wi_line_cost *item) {
  return writer->label_count + UINT64_C(1) + (uint64_t)(item - writer->lines.split.costs.items);
}

static uint64_t inlined_function(const pprof_writer *writer, uint32_t function) {
  return writer->label_count + UINT64_C(1) + function;
}

static void write_line_location(pprof_writer *writer, const wi_line_cost *item) {
  wi_pprof_frame frames[WI_PPROF_MAX_FRAMES];
  uint32_t count = wi_pprof_lines_frames(&writer->lines, item, frames);
  wi_message location = {.size = 0};
  wi_message_add_number(&location, LOCATION_ID, line_location(writer, item));
  wi_message_add_number(&location, LOCATION_MAPPING_ID, mapping_id(writer, item->label));
  for (uint32_t i = 0; i < count; i++) {
    bool is_own = frames[i].function == WI_PPROF_OWN_FUNCTION;
    wi_message line = {.size = 0};
    wi_message_add_number(&line, LINE_FUNCTION_ID,
                          is_own ? item->label + UINT64_C(1)
                                 : inlined_function(writer, frames[i].function));
    wi_message_add_number(&line, LINE_LINE, frames[i].line);
    wi_message_add_message(&location, LOCATION_LINE, &line);
  }
  write_message(writer, PROFILE_LOCATION, &location);
}

static void write_inlined_function(pprof_writer *writer, uint32_t index) {
  const wasm_perf_inlined *inlined =
      &writer->report->profile->lines.inlined[writer->lines.functions.firsts[index]];
  bool has_file = inlined->file != WASM_PERF_NO_FILE;
  wi_message function = {.size = 0};
  wi_message_add_number(&function, FUNCTION_ID, inlined_function(writer, index));
  wi_message_add_number(&function, FUNCTION_NAME, inlined_string(writer, index));
  wi_message_add_number(&function, FUNCTION_FILENAME,
                        has_file ? line_file_string(writer, inlined->file)
                                 : mapping_string(writer, 0));
  wi_message_add_number(&function, FUNCTION_START_LINE, inlined->line);
  write_message(writer, PROFILE_FUNCTION, &function);
}

static void write_lines(pprof_writer *writer) {
  for (uint32_t i = 0; i < writer->lines.split.costs.count && !writer->gzip.failed; i++)
    write_line_location(writer, &writer->lines.split.costs.items[i]);
  for (uint32_t i = 0; i < writer->lines.functions.count && !writer->gzip.failed; i++)
    write_inlined_function(writer, i);
}

/* --- samples --- */

static uint64_t item_location(const pprof_writer *writer, uint32_t item) {
  return line_location(writer, &writer->lines.split.costs.items[item]);
}

/* Sets the line of the caller of the node at `depth`, and all frames below it again. */
static void set_caller(pprof_writer *writer, uint32_t depth, uint64_t location, uint32_t end) {
  wi_pprof_stack *stack = &writer->stack;
  wi_pprof_stack_set(stack, depth - 1, location);
  for (uint32_t i = depth; i <= end; i++)
    wi_pprof_stack_set(stack, i, stack->ids[i]);
}

static void write_values(pprof_writer *writer, uint32_t depth, uint64_t *values) {
  const wi_pprof_stack *stack = &writer->stack;
  for (uint32_t i = 0; i < writer->values.type_count; i++)
    values[i] = wi_sample_values_take(&writer->values, &writer->rests[i], values[i]);
  wi_message message;
  message.size = 0;
  wi_message_add_bytes(&message, SAMPLE_LOCATION_ID, wi_pprof_stack_bytes(stack, depth),
                       stack->sizes[depth]);
  wi_message_add_packed(&message, SAMPLE_VALUE, values, writer->values.type_count);
  write_message(writer, PROFILE_SAMPLE, &message);
}

/* The index of the value whose cost is divided among lines. */
static uint32_t counted_type(const pprof_writer *writer) {
  return writer->values.clock_type_count - 1;
}

/* Moves callers to their next lines after a cost was written. */
static void move_callers(pprof_writer *writer, uint32_t depth, uint64_t cost) {
  wi_pprof_sites *sites = &writer->sites;
  for (uint32_t i = wi_pprof_sites_add(sites, cost); i < sites->open_count; i++) {
    const wi_pprof_site *site = &sites->open[i];
    set_caller(writer, writer->tree->nodes[site->node].depth,
               item_location(writer, site->lines[site->at].item), depth);
  }
}

/* Writes a sample, in pieces if its callers move to other lines within its cost. */
static void write_pieces(pprof_writer *writer, uint32_t depth, uint64_t *values) {
  uint32_t counted = counted_type(writer);
  uint64_t left = values[counted];
  do {
    uint64_t piece = wi_pprof_sites_fit(&writer->sites, left);
    left -= piece;
    values[counted] = piece;
    write_values(writer, depth, values);
    memset(values, 0, WI_MAX_SAMPLE_VALUES * sizeof *values);
    move_callers(writer, depth, piece);
  } while (left > 0);
}

static void set_frame(pprof_writer *writer, uint32_t index) {
  const wi_tree_node *node = &writer->tree->nodes[index];
  uint64_t location = node->label + UINT64_C(1);
  uint32_t item = wi_pprof_sites_enter(&writer->sites, index);
  if (node->depth > 1)
    wi_pprof_stack_set(&writer->stack, node->depth - 1,
                       item == UINT32_MAX ? writer->tree->nodes[node->parent].label + UINT64_C(1)
                                          : item_location(writer, item));
  wi_pprof_stack_set(&writer->stack, node->depth, location);
}

/* Writes the calls of a function that is called at several lines, by line. */
static void write_calls(pprof_writer *writer, uint32_t index, uint64_t *values) {
  const wi_pprof_site *site = wi_pprof_sites_last(&writer->sites, index);
  uint32_t depth = writer->tree->nodes[index].depth;
  if (!site || counted_type(writer) == 0)
    return;
  uint64_t calls = values[0], current = writer->stack.ids[depth - 1];
  values[0] = 0;
  for (uint32_t i = 0; i < site->count; i++) {
    uint64_t parts[WI_MAX_SAMPLE_VALUES] = {wi_call_lines_part(site->lines, site->count, i, calls)};
    set_caller(writer, depth, item_location(writer, site->lines[i].item), depth);
    if (parts[0] > 0)
      write_values(writer, depth, parts);
  }
  set_caller(writer, depth, current, depth);
}

static bool has_values(const pprof_writer *writer, const uint64_t *values) {
  for (uint32_t i = 0; i < writer->values.type_count; i++)
    if (values[i] > 0)
      return true;
  return false;
}

/*
 * Writes a stack once per line at which its innermost function has a self cost, and once for the
 * rest.
 */
static void write_sample(pprof_writer *writer, uint32_t index) {
  const wi_tree_node *node = &writer->tree->nodes[index];
  wi_line_split *split = &writer->lines.split;
  uint64_t values[WI_MAX_SAMPLE_VALUES], rest;
  uint32_t count, counted = counted_type(writer);
  const wi_line_cost *items = wi_line_split_next(split, index, &count, &rest);
  for (uint32_t i = 0; i < count; i++) {
    uint64_t share = split->shares[(size_t)(items - split->costs.items) + i].last;
    if (share == 0)
      continue;
    memset(values, 0, sizeof values);
    values[counted] = share;
    wi_pprof_stack_set(&writer->stack, node->depth, line_location(writer, &items[i]));
    write_pieces(writer, node->depth, values);
  }
  wi_sample_values_get(&writer->values, index, values);
  if (count > 0) {
    values[counted] = rest;
    wi_pprof_stack_set(&writer->stack, node->depth, node->label + UINT64_C(1));
  }
  write_calls(writer, index, values);
  if (has_values(writer, values))
    write_pieces(writer, node->depth, values);
}

static void write_samples(pprof_writer *writer) {
  const wi_tree *tree = writer->tree;
  for (uint32_t i = wi_tree_next(tree, 0); i != 0 && !writer->gzip.failed;
       i = wi_tree_next(tree, i)) {
    set_frame(writer, i);
    if (wi_sample_values_any(&writer->values, i))
      write_sample(writer, i);
  }
}

/* --- the whole --- */

static bool find_functions(pprof_writer *writer) {
  const wi_labels *labels = &writer->tree->labels;
  writer->label_count = labels->count + (writer->tree->elided_count > 0);
  writer->first_functions = malloc((writer->label_count + (size_t)1) * sizeof(uint32_t));
  if (!writer->first_functions)
    return false;
  writer->first_functions[labels->count] = WASM_PERF_FUNCTION_ROOT; /* the mark is not a function */
  for (uint32_t i = labels->functions.count; i-- > 0;)
    writer->first_functions[labels->indices[i]] = labels->functions.items[i];
  return true;
}

static bool write_profile(pprof_writer *writer, FILE *stream) {
  if (!wi_gzip_open(&writer->gzip, stream))
    return false;
  write_header(writer);
  for (uint32_t i = 0; i < wi_mappings_count(&writer->mappings); i++)
    write_mapping(writer, i);
  for (uint32_t label = 0; label < writer->label_count && !writer->gzip.failed; label++)
    write_function(writer, label);
  write_lines(writer);
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
    for (uint32_t i = 0; i < WI_MAX_SAMPLE_VALUES; i++)
      writer->rests[i] = INT64_MAX;
    ok = wi_sample_values_init(&writer->values, report) &&
         wi_mappings_init(&writer->mappings, report) &&
         wi_pprof_lines_init(&writer->lines, report) &&
         wi_pprof_sites_init(&writer->sites, report, &writer->lines.split.costs);
    ok = ok && find_functions(writer) && write_profile(writer, stream);
    wi_pprof_sites_clear(&writer->sites);
    wi_pprof_lines_clear(&writer->lines);
    wi_mappings_clear(&writer->mappings);
    wi_sample_values_clear(&writer->values);
    free(writer->first_functions);
  }
  free(writer);
  return ok;
}
