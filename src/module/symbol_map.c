#include "module/symbol_map.h"

#include <inttypes.h>
#include <stdlib.h>

#include "module/module.h"
#include "support/search.h"

/* One line of the map. */
typedef struct map_entry {
  uint32_t function;
  uint32_t line; /* from 1 */
  size_t name_offset;
} map_entry;

typedef struct map_reader {
  uint32_t line;
  WI_ARRAY(map_entry, entries);
  wi_buffer text;
  wi_error *error;
} map_reader;

static bool fail(map_reader *reader, const char *reason) {
  return wi_error_set(reader->error, WI_ERROR_MALFORMED, WI_NO_OFFSET, WI_NO_FUNCTION,
                      "line %" PRIu32 ": %s", reader->line, reason);
}

/* ---- A line ----------------------------------------------------------------- */

/* Reads the digits before a colon. Returns their number, or 0 if they are not an index. */
static size_t read_index(const char *line, size_t size, uint32_t *index) {
  uint64_t value = 0;
  size_t count = 0;
  for (; count < size && line[count] >= '0' && line[count] <= '9' && value <= UINT32_MAX; count++)
    value = value * 10 + (uint64_t)(line[count] - '0');
  *index = (uint32_t)value;
  return count < size && line[count] == ':' && value <= UINT32_MAX ? count : 0;
}

static int digit_value(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  if (digit >= 'a' && digit <= 'f')
    return digit - 'a' + 10;
  return -1; /* Binaryen writes lower case */
}

static void put_name(wi_buffer *text, const char *name, size_t size) {
  for (size_t i = 0; i < size; i++) {
    int high = name[i] == '\\' && i + 2 < size ? digit_value(name[i + 1]) : -1;
    int low = high >= 0 ? digit_value(name[i + 2]) : -1;
    wi_buffer_u8(text, low >= 0 ? (uint8_t)(high << 4 | low) : (uint8_t)name[i]);
    i += low >= 0 ? 2 : 0;
  }
  wi_buffer_u8(text, '\0');
}

static bool read_line(map_reader *reader, const char *line, size_t size) {
  uint32_t function;
  size_t digits = read_index(line, size, &function);
  if (digits == 0)
    return fail(reader, "expected INDEX:NAME, or a module");
  size_t name_size = size - digits - 1;
  if (name_size > WI_SYMBOL_MAX_SIZE)
    return fail(reader, "the name is longer than 65,535 bytes");
  if (name_size == 0)
    return true;
  map_entry *entry = WI_ARRAY_PUSH(reader, entries);
  if (!entry)
    return wi_error_memory(reader->error);
  *entry = (map_entry){function, reader->line, reader->text.size};
  put_name(&reader->text, line + digits + 1, name_size);
  return !reader->text.failed || wi_error_memory(reader->error);
}

static bool read_lines(map_reader *reader, const char *text, size_t size) {
  for (const char *end = text + size, *next; text < end; text = next) {
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    next = newline ? newline + 1 : end;
    size_t line_size = (size_t)((newline ? newline : end) - text);
    line_size -= line_size > 0 && text[line_size - 1] == '\r';
    reader->line++;
    if (line_size > 0 && text[0] != '#' && !read_line(reader, text, line_size))
      return false;
  }
  return true;
}

/* ---- The map ---------------------------------------------------------------- */

static int compare(const void *left, const void *right) {
  const map_entry *a = left, *b = right;
  if (a->function != b->function)
    return a->function < b->function ? -1 : 1;
  return a->line < b->line ? -1 : a->line > b->line;
}

/* Takes ownership of the text, even on failure. */
static bool make_map(wi_symbol_map *map, map_reader *reader) {
  map->text = reader->text;
  map->symbols = calloc((size_t)reader->entries_count + 1, sizeof *map->symbols);
  if (!map->symbols)
    return wi_error_memory(reader->error);
  if (reader->entries_count > 0)
    qsort(reader->entries, reader->entries_count, sizeof *reader->entries, compare);
  for (uint32_t i = 0; i < reader->entries_count; i++) {
    const map_entry *entry = &reader->entries[i];
    if (map->count > 0 && map->symbols[map->count - 1].function == entry->function)
      continue;
    const char *name = (const char *)map->text.data + entry->name_offset;
    map->symbols[map->count++] = (wi_symbol){entry->function, name};
  }
  return true;
}

bool wi_symbol_map_read(wi_symbol_map *map, const char *text, size_t size, wi_error *error) {
  map_reader reader = {.error = error};
  wi_error_reset(error);
  bool done = read_lines(&reader, text, size);
  *map = (wi_symbol_map){.text = reader.text};
  done = done && make_map(map, &reader);
  free(reader.entries);
  if (!done)
    wi_symbol_map_clear(map);
  return done;
}

void wi_symbol_map_clear(wi_symbol_map *map) {
  free(map->symbols);
  wi_buffer_clear(&map->text);
  *map = (wi_symbol_map){0};
}

const char *wi_symbol_map_find(const wi_symbol_map *map, uint32_t function) {
  uint32_t index = WI_LOWER_BOUND(wi_symbol, map->symbols, map->count, function, function);
  bool found = index < map->count && map->symbols[index].function == function;
  return found ? map->symbols[index].name : NULL;
}
