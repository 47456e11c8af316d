#include "samples/pprof.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of fields in the messages of pprof's profile.proto. */
enum {
  PROFILE_TYPE = 1,
  PROFILE_SAMPLE = 2,
  PROFILE_LOCATION = 4,
  PROFILE_FUNCTION = 5,
  PROFILE_STRING = 6,
  PROFILE_DEFAULT_TYPE = 14,
  MOST_FIELDS = 32, /* of a profile, with some to come */
  TYPE_NAME = 1,
  TYPE_UNIT = 2,
  SAMPLE_LOCATION = 1,
  SAMPLE_VALUE = 2,
  LOCATION_ID = 1,
  LOCATION_LINE = 4,
  LINE_FUNCTION = 1,
  FUNCTION_ID = 1,
  FUNCTION_NAME = 2,
  FUNCTION_FILE = 4,
  FUNCTION_LINE = 5
};

enum { WIRE_VARINT = 0, WIRE_EIGHT = 1, WIRE_BYTES = 2, WIRE_FOUR = 5 };

/* A field: a number, or bytes. */
typedef struct field {
  uint32_t number;
  bool is_bytes;
  uint64_t value;
  wi_span bytes;
} field;

/* A location or a function by its id. */
typedef struct item {
  uint64_t id;
  wi_span message;
  uint32_t frame; /* of a function: 1 + its frame; 0: none yet */
} item;

typedef struct reader {
  const uint8_t *bytes;
  wi_error *error;
  WI_ARRAY(wi_span, strings);
  WI_ARRAY(wi_span, types);
  WI_ARRAY(wi_span, sample_messages);
  WI_ARRAY(item, locations);
  WI_ARRAY(item, functions);
  WI_ARRAY(uint64_t, numbers);   /* of the message that is being read */
  uint64_t default_type;         /* index of a string; 0: none */
  uint32_t value, calls, counts; /* indices of the values to read; UINT32_MAX: none */
  double unit;                   /* of the value, in nanoseconds; 1 if it is not a time */
  wi_samples *samples;
} reader;

static bool next_field(wi_cursor *in, field *found) {
  if (in->failed || wi_cursor_left(in) == 0)
    return false;
  uint32_t key = wi_cursor_u32(in);
  *found = (field){.number = key >> 3};
  switch (key & 7) {
  case WIRE_VARINT: found->value = wi_cursor_unsigned(in, 64); break;
  case WIRE_EIGHT: wi_cursor_skip(in, 8); break;
  case WIRE_FOUR: wi_cursor_skip(in, 4); break;
  case WIRE_BYTES:
    found->bytes = wi_cursor_sized(in);
    found->is_bytes = true;
    break;
  default: wi_cursor_fail(in, WI_ERROR_MALFORMED, in->offset, "pprof: malformed field");
  }
  return !in->failed;
}

static wi_cursor cursor_of(const reader *r, wi_span message) {
  return wi_cursor_at(r->bytes, message, r->error);
}

/* The last value of a numeric field; 0 if it is not there. */
static uint64_t number_in(const reader *r, wi_span message, uint32_t wanted) {
  wi_cursor in = cursor_of(r, message);
  uint64_t value = 0;
  field of;
  while (next_field(&in, &of))
    if (of.number == wanted && !of.is_bytes)
      value = of.value;
  return value;
}

static wi_span string_at(const reader *r, uint64_t index) {
  return index < r->strings_count ? r->strings[index] : (wi_span){0, 0};
}

static bool push_span(reader *r, wi_span **items, uint32_t *count, uint32_t *capacity,
                      wi_span span) {
  if (*count == *capacity && !wi_array_reserve((void **)items, capacity, *count, 1, sizeof **items))
    return wi_error_memory(r->error);
  (*items)[(*count)++] = span;
  return true;
}

#define PUSH_SPAN(r, name, span)                                                                   \
  push_span(r, &(r)->name, &(r)->name##_count, &(r)->name##_capacity, span)

static bool push_item(reader *r, bool is_location, wi_span message) {
  item *added = is_location ? WI_ARRAY_PUSH(r, locations) : WI_ARRAY_PUSH(r, functions);
  if (!added)
    return wi_error_memory(r->error);
  *added = (item){number_in(r, message, is_location ? LOCATION_ID : FUNCTION_ID), message, 0};
  return true;
}

static bool keep_field(reader *r, const field *of) {
  switch (of->number) {
  case PROFILE_TYPE: return PUSH_SPAN(r, types, of->bytes);
  case PROFILE_SAMPLE: return PUSH_SPAN(r, sample_messages, of->bytes);
  case PROFILE_STRING: return PUSH_SPAN(r, strings, of->bytes);
  case PROFILE_LOCATION: return push_item(r, true, of->bytes);
  case PROFILE_FUNCTION: return push_item(r, false, of->bytes);
  case PROFILE_DEFAULT_TYPE: r->default_type = of->value; return true;
  default: return true;
  }
}

static int compare_items(const void *left, const void *right) {
  uint64_t a = ((const item *)left)->id, b = ((const item *)right)->id;
  return (a > b) - (a < b);
}

static item *find_item(item *items, uint32_t count, uint64_t id) {
  const item key = {.id = id};
  return count == 0 ? NULL : bsearch(&key, items, count, sizeof key, compare_items);
}

static bool read_tables(reader *r, size_t size) {
  wi_cursor in = cursor_of(r, (wi_span){0, (uint32_t)size});
  field of;
  while (next_field(&in, &of))
    if (!keep_field(r, &of))
      return false;
  if (r->locations_count > 0)
    qsort(r->locations, r->locations_count, sizeof *r->locations, compare_items);
  if (r->functions_count > 0)
    qsort(r->functions, r->functions_count, sizeof *r->functions, compare_items);
  return !in.failed;
}

static bool is_text(const reader *r, wi_span text, const char *wanted) {
  return text.size == strlen(wanted) && memcmp(r->bytes + text.offset, wanted, text.size) == 0;
}

/* Whether the values of a type with that name are numbers of samples. */
static bool is_count(const reader *r, wi_span type, wi_span name) {
  return is_text(r, string_at(r, number_in(r, type, TYPE_UNIT)), "count") &&
         (is_text(r, name, "samples") || is_text(r, name, "sample"));
}

static bool choose_type(reader *r, wi_pprof_type *type) {
  if (r->types_count == 0)
    return wi_error_set(r->error, WI_ERROR_MALFORMED, 0, WI_NO_FUNCTION, "pprof: no values");
  r->value = r->types_count - 1;
  r->calls = r->counts = UINT32_MAX;
  for (uint32_t i = 0; i < r->types_count; i++) {
    uint64_t name = number_in(r, r->types[i], TYPE_NAME);
    if (r->default_type != 0 && name == r->default_type)
      r->value = i;
    if (is_text(r, string_at(r, name), "calls"))
      r->calls = i;
    if (is_count(r, r->types[i], string_at(r, name)))
      r->counts = i;
  }
  type->name = string_at(r, number_in(r, r->types[r->value], TYPE_NAME));
  type->unit = string_at(r, number_in(r, r->types[r->value], TYPE_UNIT));
  r->unit = fmax(1, wi_samples_time_unit(r->bytes + type->unit.offset, type->unit.size));
  return true;
}

/* ---- Samples --------------------------------------------------------------------- */

static bool frame_of(const reader *r, item *function, uint32_t *frame) {
  wi_span name = string_at(r, number_in(r, function->message, FUNCTION_NAME));
  wi_span file = string_at(r, number_in(r, function->message, FUNCTION_FILE));
  uint64_t line = number_in(r, function->message, FUNCTION_LINE);
  bool has_place = line > 0 && line < UINT32_MAX;
  const wi_sample_frame place = {.name_size = name.size,
                                 .line = has_place ? (uint32_t)line : 0,
                                 .file_size = has_place ? file.size : 0};
  if (function->frame == 0) {
    if (!wi_samples_add_other(r->samples, &place, (const char *)r->bytes + name.offset,
                              (const char *)r->bytes + file.offset, &function->frame))
      return wi_error_memory(r->error);
    function->frame++;
  }
  *frame = function->frame - 1;
  return true;
}

/* Appends the numbers of a repeated field, packed or not. */
static bool add_numbers(reader *r, const field *of) {
  wi_cursor in = cursor_of(r, of->bytes);
  do {
    uint64_t *added = WI_ARRAY_PUSH(r, numbers);
    if (!added)
      return wi_error_memory(r->error);
    *added = of->is_bytes ? wi_cursor_unsigned(&in, 64) : of->value;
  } while (of->is_bytes && !in.failed && wi_cursor_left(&in) > 0);
  return !in.failed;
}

/* Enters the functions of a location, of which the innermost comes first. */
static bool enter_location(reader *r, uint64_t id, uint32_t *node) {
  const item *location = find_item(r->locations, r->locations_count, id);
  if (!location)
    return true;
  uint32_t first = r->numbers_count, frame = 0;
  wi_cursor in = cursor_of(r, location->message);
  field of;
  while (next_field(&in, &of))
    if (of.number == LOCATION_LINE) {
      const field line = {.value = number_in(r, of.bytes, LINE_FUNCTION)};
      if (!add_numbers(r, &line))
        return false;
    }
  while (r->numbers_count > first) {
    item *function = find_item(r->functions, r->functions_count, r->numbers[--r->numbers_count]);
    if (function &&
        !(frame_of(r, function, &frame) &&
          (wi_samples_add_node(r->samples, *node, frame, node) || wi_error_memory(r->error))))
      return false;
  }
  return !in.failed;
}

/* The value of a sample whose values begin at `first`. */
static int64_t value_at(const reader *r, uint32_t first, uint32_t value) {
  return value < r->numbers_count - first ? (int64_t)r->numbers[first + value] : 0;
}

static void add_values(const reader *r, uint32_t node, uint32_t first) {
  int64_t value = value_at(r, first, r->value), calls = value_at(r, first, r->calls);
  int64_t count = r->counts == UINT32_MAX ? 1 : value_at(r, first, r->counts);
  if (r->calls != UINT32_MAX)
    wi_samples_add_calls(r->samples, node, (double)calls);
  if (r->calls == r->value)
    return;
  if (value < 0)
    wi_samples_add_less(r->samples, node, -(double)value * r->unit);
  else
    wi_samples_add_times(r->samples, node, (double)value * r->unit,
                         count > 0 ? (uint64_t)count : 0);
}

/* Reads a sample: its stack, innermost location first, and its values. */
static bool add_sample(reader *r, wi_span message) {
  uint32_t node = 0, location_count;
  field of;
  r->numbers_count = 0;
  for (uint32_t wanted = SAMPLE_LOCATION; wanted <= SAMPLE_VALUE; wanted++) {
    wi_cursor in = cursor_of(r, message);
    location_count = wanted == SAMPLE_LOCATION ? 0 : r->numbers_count;
    while (next_field(&in, &of))
      if (of.number == wanted && !add_numbers(r, &of))
        return false;
    if (in.failed)
      return false;
  }
  for (uint32_t i = location_count; i-- > 0;)
    if (!enter_location(r, r->numbers[i], &node))
      return false;
  add_values(r, node, location_count);
  return true;
}

/* Whether all of it is a message with the fields that each profile has, in any order. */
static bool is_message(const uint8_t *bytes, size_t size) {
  wi_error ignored;
  wi_error_reset(&ignored);
  wi_cursor in = wi_cursor_at(bytes, (wi_span){0, (uint32_t)size}, &ignored);
  bool has_type = false, has_string = false;
  field of;
  while (next_field(&in, &of)) {
    has_type |= of.number == PROFILE_TYPE && of.is_bytes;
    has_string |= of.number == PROFILE_STRING && of.is_bytes;
    if (of.number == 0 || of.number > MOST_FIELDS)
      return false;
  }
  return !in.failed && has_type && has_string;
}

bool wi_pprof_is(const uint8_t *bytes, size_t size) {
  if (size <= 2 || size > UINT32_MAX)
    return false;
  return bytes[0] == (PROFILE_TYPE << 3 | WIRE_BYTES) || is_message(bytes, size);
}

bool wi_pprof_read(const uint8_t *bytes, size_t size, wi_samples *samples, wi_pprof_type *type,
                   wi_error *error) {
  reader r = {.bytes = bytes, .samples = samples, .error = error};
  bool done = read_tables(&r, size) && choose_type(&r, type);
  for (uint32_t i = 0; done && i < r.sample_messages_count; i++)
    done = add_sample(&r, r.sample_messages[i]);
  free(r.strings);
  free(r.types);
  free(r.sample_messages);
  free(r.locations);
  free(r.functions);
  free(r.numbers);
  return done;
}
