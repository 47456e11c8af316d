#include "debug/source_map_reader.h"

#include <stdlib.h>

#include "debug/source_map_number.h"
#include "support/json_cursor.h"

enum { MAX_PATH_SIZE = 4096 };

/* A position in the generated text, from 0. */
typedef struct generated {
  int64_t line, column;
} generated;

typedef struct reader {
  const wi_source_map_visitor *visitor;
  wi_cursor in;
  const char *folder;
  wi_buffer text;              /* the current text, unescaped */
  WI_ARRAY(uint32_t, sources); /* paths of the current map's sources */
  WI_ARRAY(uint32_t, names);   /* the current map's names */
} reader;

/* The relevant members of a map, as offsets of their values; 0: missing. */
typedef struct members {
  uint32_t root, sources, contents, names, mappings, sections, offset, map;
} members;

static void fail_memory(reader *r) {
  if (!r->in.failed)
    wi_cursor_fail_memory(&r->in);
}

/* ---- Members ------------------------------------------------------------ */

static members find_members(reader *r) {
  members found = {0};
  const struct {
    const char *key;
    uint32_t *offset;
  } wanted[] = {{"sourceRoot", &found.root},         {"sources", &found.sources},
                {"sourcesContent", &found.contents}, {"names", &found.names},
                {"mappings", &found.mappings},       {"sections", &found.sections},
                {"offset", &found.offset},           {"map", &found.map}};
  wi_span key;
  wi_json_expect(&r->in, '{');
  for (bool first = true; wi_json_next_member(&r->in, &first, &key);) {
    wi_json_skip_blanks(&r->in);
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++)
      if (wi_json_is_text(&r->in, key, wanted[i].key))
        *wanted[i].offset = r->in.offset;
    wi_json_skip_value(&r->in);
  }
  return found;
}

/* Moves to a value; false if it is missing. */
static bool go_to(reader *r, uint32_t offset) {
  if (offset == 0 || r->in.failed)
    return false;
  r->in.offset = offset;
  return true;
}

/* Reads the text at the cursor into r->text, unescaped and NUL-terminated; "" for other values. */
static void read_text(reader *r) {
  r->text.size = 0;
  if (wi_json_skip_blanks(&r->in) == '"')
    wi_json_unescape(&r->in, wi_json_read_text(&r->in), &r->text);
  else
    wi_json_skip_value(&r->in);
  wi_buffer_u8(&r->text, 0);
  if (r->text.failed)
    fail_memory(r);
}

/* Moves to the next item of an array. The cursor is at its '[' or after the previous item. */
static bool next_item(reader *r, bool *first) {
  if (*first) {
    *first = false;
    wi_json_expect(&r->in, '[');
    return !wi_json_take(&r->in, ']') && !r->in.failed;
  }
  if (wi_json_take(&r->in, ','))
    return true;
  wi_json_expect(&r->in, ']');
  return false;
}

/* ---- Sources ------------------------------------------------------------ */

static bool is_absolute(const char *path) {
  return path[0] == '/' || strstr(path, "://");
}

static void append_folder(char *path, size_t *size, const char *folder) {
  size_t more = strlen(folder);
  if (more == 0 || *size + more + 1 >= MAX_PATH_SIZE)
    return;
  memcpy(path + *size, folder, more);
  *size += more;
  if (path[*size - 1] != '/')
    path[(*size)++] = '/';
}

/* Adds the path of a source. A relative path is relative to the map's folder and sourceRoot. */
static uint32_t add_path(reader *r, const char *root, const char *source) {
  char path[MAX_PATH_SIZE];
  size_t size = 0, more = strlen(source);
  if (!is_absolute(source) && !is_absolute(root))
    append_folder(path, &size, r->folder);
  if (!is_absolute(source))
    append_folder(path, &size, root);
  if (more == 0 || size + more >= sizeof path)
    return WI_NO_PATH;
  memcpy(path + size, source, more);
  return wi_path_table_add(r->visitor->texts, (const uint8_t *)path, size + more);
}

static void read_sources(reader *r, const members *map) {
  char root[MAX_PATH_SIZE] = "";
  r->sources_count = 0;
  if (go_to(r, map->root)) {
    read_text(r);
    if (!r->in.failed && r->text.size < sizeof root)
      memcpy(root, r->text.data, r->text.size);
  }
  if (!go_to(r, map->sources))
    return;
  for (bool first = true; next_item(r, &first);) {
    read_text(r);
    uint32_t *source = r->in.failed ? NULL : WI_ARRAY_PUSH(r, sources);
    if (source)
      *source = add_path(r, root, (const char *)r->text.data);
    else
      fail_memory(r);
  }
}

static void read_contents(reader *r, const members *map) {
  const wi_source_map_visitor *visitor = r->visitor;
  uint32_t index = 0;
  if (!visitor->add_content || !go_to(r, map->contents) || wi_json_skip_blanks(&r->in) != '[')
    return;
  for (bool first = true; next_item(r, &first); index++) {
    read_text(r);
    bool is_known = index < r->sources_count && r->sources[index] != WI_NO_PATH;
    if (!r->in.failed && is_known &&
        !visitor->add_content(visitor->context, r->sources[index], &r->text))
      fail_memory(r);
  }
}

static void read_names(reader *r, const members *map) {
  r->names_count = 0;
  if (!go_to(r, map->names))
    return;
  for (bool first = true; next_item(r, &first);) {
    read_text(r);
    uint32_t *name = r->in.failed ? NULL : WI_ARRAY_PUSH(r, names);
    if (name)
      *name = wi_path_table_add(r->visitor->texts, r->text.data, r->text.size - 1);
    else
      fail_memory(r);
  }
}

/* ---- Mappings ----------------------------------------------------------- */

/* Adds a number to *sum. In real mappings, sums stay far below the 64-bit limits. */
static void add_number(wi_cursor *in, int64_t *sum) {
  int64_t number = wi_source_map_number(in);
  if (*sum > INT64_MAX / 2 || *sum < INT64_MIN / 2)
    wi_cursor_fail(in, WI_ERROR_MALFORMED, in->offset, "source map: a number that is too large");
  else
    *sum += number;
}

/* The numbers of a segment, each relative to the previous segment's. */
typedef struct sums {
  int64_t column, source, line, place, name;
} sums;

/* Reads a segment. Returns how many numbers follow the column. */
static unsigned read_segment(wi_cursor *in, sums *to) {
  int64_t *const fields[] = {&to->source, &to->line, &to->place, &to->name};
  unsigned count = 0;
  add_number(in, &to->column);
  for (; in->offset < in->end && !strchr(",;", wi_cursor_peek(in)); count++)
    add_number(in, fields[count < 3 ? count : 3]);
  return count;
}

static void add_segment(reader *r, generated at, const sums *to, unsigned count) {
  wi_source_map_segment segment = {.line = at.line,
                                   .column = at.column + to->column,
                                   .path = WI_NO_PATH,
                                   .source_line = to->line,
                                   .source_column = to->place,
                                   .name = WI_NO_PATH};
  if (count >= 3 && to->source >= 0 && to->source < r->sources_count)
    segment.path = r->sources[to->source];
  if (count >= 4 && to->name >= 0 && to->name < r->names_count)
    segment.name = r->names[to->name];
  if (!r->visitor->add_segment(r->visitor->context, &segment))
    fail_memory(r);
}

/* Reads all segments. The map's first line begins at `base`. */
static void read_mappings(reader *r, generated base) {
  wi_span text = wi_json_read_text(&r->in);
  wi_cursor in = wi_cursor_at(r->in.bytes, text, r->in.error);
  sums to = {0};
  while (in.offset < in.end && !r->in.failed) {
    uint8_t next = wi_cursor_peek(&in);
    in.offset += next == ',' || next == ';';
    if (next == ';') {
      base = (generated){base.line + 1, 0};
      to.column = 0;
    }
    if (next == ',' || next == ';')
      continue;
    unsigned count = read_segment(&in, &to);
    if (!in.failed)
      add_segment(r, base, &to, count);
  }
  r->in.failed |= in.failed;
}

/* ---- Maps --------------------------------------------------------------- */

static void read_map(reader *r, const members *map, generated base) {
  read_sources(r, map);
  read_contents(r, map);
  read_names(r, map);
  if (go_to(r, map->mappings))
    read_mappings(r, base);
}

static int64_t read_decimal(reader *r) {
  int64_t number = 0;
  uint8_t digit = wi_json_skip_blanks(&r->in);
  for (; digit >= '0' && digit <= '9' && number <= UINT32_MAX; r->in.offset++) {
    number = number * 10 + (digit - '0');
    digit = r->in.offset + 1 < r->in.end ? r->in.bytes[r->in.offset + 1] : 0;
  }
  return number;
}

/* Example: {"line": 0, "column": 12} */
static generated read_position(reader *r) {
  generated position = {0};
  wi_span key;
  wi_json_expect(&r->in, '{');
  for (bool first = true; wi_json_next_member(&r->in, &first, &key);) {
    if (wi_json_is_text(&r->in, key, "line"))
      position.line = read_decimal(r);
    else if (wi_json_is_text(&r->in, key, "column"))
      position.column = read_decimal(r);
    else
      wi_json_skip_value(&r->in);
  }
  return position;
}

static void read_section(reader *r) {
  members section = find_members(r);
  uint32_t after = r->in.offset;
  generated base = {0};
  if (go_to(r, section.offset))
    base = read_position(r);
  if (go_to(r, section.map)) {
    members map = find_members(r);
    read_map(r, &map, base);
  }
  if (!r->in.failed)
    r->in.offset = after;
}

static void read_whole(reader *r) {
  static const char guard[] = ")]}'"; /* keeps the map from being run as a script */
  if (r->in.end > sizeof guard && memcmp(r->in.bytes, guard, sizeof guard - 1) == 0)
    while (r->in.offset < r->in.end && wi_cursor_u8(&r->in) != '\n') {
    }
  members map = find_members(r);
  if (!go_to(r, map.sections)) {
    read_map(r, &map, (generated){0});
  } else {
    for (bool first = true; next_item(r, &first);)
      read_section(r);
  }
  if (r->visitor->texts->failed)
    fail_memory(r);
}

bool wi_source_map_visit(const wi_source_map_visitor *visitor, const uint8_t *text, uint32_t size,
                         const char *folder, wi_error *error) {
  reader r = {.visitor = visitor, .folder = folder};
  r.in = wi_cursor_at(text, (wi_span){0, size}, error);
  read_whole(&r);
  wi_buffer_clear(&r.text);
  free(r.sources);
  free(r.names);
  return !r.in.failed;
}
