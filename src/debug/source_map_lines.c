#include "debug/source_map_lines.h"

#include <stdlib.h>

#include "debug/source_map_number.h"
#include "support/json_cursor.h"
#include "support/utf8.h"

enum { MAX_PATH_SIZE = 4096, MAX_CONTENTS_SIZE = 1 << 26 };

typedef struct reader {
  wi_line_table *table;
  const wi_module *module;
  wi_span code; /* payload of the code section */
  wi_cursor in;
  const char *folder;
  wi_buffer text;              /* the current text, unescaped */
  WI_ARRAY(uint32_t, sources); /* paths of the current map's sources */
} reader;

/* The relevant members of a map, as offsets of their values; 0: missing. */
typedef struct members {
  uint32_t root, sources, contents, mappings, sections, offset, map;
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
  } wanted[] = {{"sourceRoot", &found.root},
                {"sources", &found.sources},
                {"sourcesContent", &found.contents},
                {"mappings", &found.mappings},
                {"sections", &found.sections},
                {"offset", &found.offset},
                {"map", &found.map}};
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
  return wi_path_table_add(&r->table->texts, (const uint8_t *)path, size + more);
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

static void add_content(reader *r, uint32_t path) {
  wi_line_table *table = r->table;
  bool is_text = r->text.size > 1 && !memchr(r->text.data, 0, r->text.size - 1) &&
                 wi_utf8_is_valid(r->text.data, r->text.size - 1);
  if (!is_text || table->contents.size + r->text.size > MAX_CONTENTS_SIZE)
    return;
  wi_source_content *content = WI_ARRAY_PUSH(table, sources);
  if (content)
    *content = (wi_source_content){path, (uint32_t)table->contents.size};
  wi_buffer_append(&table->contents, r->text.data, r->text.size);
  if (!content || table->contents.failed)
    fail_memory(r);
}

static void read_contents(reader *r, const members *map) {
  uint32_t index = 0;
  if (!go_to(r, map->contents) || wi_json_skip_blanks(&r->in) != '[')
    return;
  for (bool first = true; next_item(r, &first); index++) {
    read_text(r);
    if (!r->in.failed && index < r->sources_count && r->sources[index] != WI_NO_PATH)
      add_content(r, r->sources[index]);
  }
}

/* ---- Mappings ----------------------------------------------------------- */

static void add_row(reader *r, int64_t offset, uint32_t path, int64_t line, int64_t column) {
  int64_t address = offset - r->code.offset;
  if (address <= 0 || address >= r->code.size)
    return;
  if (line < 0 || line >= UINT32_MAX - 1 || column < 0 || column >= UINT32_MAX - 1)
    path = WI_NO_PATH;
  wi_line_row *row = WI_ARRAY_PUSH(r->table, rows);
  if (row)
    *row = (wi_line_row){(uint32_t)address, path, path == WI_NO_PATH ? 0 : (uint32_t)line + 1,
                         path == WI_NO_PATH ? 0 : (uint32_t)column + 1};
  else
    fail_memory(r);
}

/* Adds a number to *sum. In real mappings, sums stay far below the 64-bit limits. */
static void add_number(wi_cursor *in, int64_t *sum) {
  int64_t number = wi_source_map_number(in);
  if (*sum > INT64_MAX / 2 || *sum < INT64_MIN / 2)
    wi_cursor_fail(in, WI_ERROR_MALFORMED, in->offset, "source map: a number that is too large");
  else
    *sum += number;
}

/* Reads the segments of line 0, the only line of a module. Columns are relative to `base`. */
static void read_mappings(reader *r, int64_t base) {
  wi_span text = wi_json_read_text(&r->in);
  wi_cursor in = wi_cursor_at(r->in.bytes, text, r->in.error);
  int64_t column = 0, source = 0, line = 0, place = 0, name = 0;
  while (in.offset < in.end && wi_cursor_peek(&in) != ';' && !r->in.failed) {
    if (wi_cursor_peek(&in) == ',') {
      in.offset++;
      continue;
    }
    add_number(&in, &column);
    int64_t *const sums[] = {&source, &line, &place, &name};
    unsigned count = 0;
    for (; in.offset < in.end && !strchr(",;", wi_cursor_peek(&in)); count++)
      add_number(&in, sums[count < 3 ? count : 3]);
    if (in.failed)
      break;
    bool has_source = count >= 3 && source >= 0 && source < r->sources_count;
    add_row(r, base + column, has_source ? r->sources[source] : WI_NO_PATH, line, place);
  }
  r->in.failed |= in.failed;
}

/* ---- Maps --------------------------------------------------------------- */

static void read_map(reader *r, const members *map, int64_t base) {
  read_sources(r, map);
  read_contents(r, map);
  if (go_to(r, map->mappings))
    read_mappings(r, base);
}

/* Example: {"line": 0, "column": 12} */
static int64_t read_column(reader *r) {
  int64_t column = 0;
  wi_span key;
  wi_json_expect(&r->in, '{');
  for (bool first = true; wi_json_next_member(&r->in, &first, &key);) {
    bool is_column = wi_json_is_text(&r->in, key, "column");
    uint8_t digit = wi_json_skip_blanks(&r->in);
    for (; is_column && digit >= '0' && digit <= '9' && column <= UINT32_MAX; r->in.offset++) {
      column = column * 10 + (digit - '0');
      digit = r->in.offset + 1 < r->in.end ? r->in.bytes[r->in.offset + 1] : 0;
    }
    if (!is_column)
      wi_json_skip_value(&r->in);
  }
  return column;
}

static void read_section(reader *r) {
  members section = find_members(r);
  uint32_t after = r->in.offset;
  int64_t base = go_to(r, section.offset) ? read_column(r) : 0;
  if (go_to(r, section.map)) {
    members map = find_members(r);
    read_map(r, &map, base);
  }
  if (!r->in.failed)
    r->in.offset = after;
}

/*
 * Adds an end at the start of each function: without it, the previous row would extend into a
 * function that has no rows.
 */
static void end_rows(reader *r) {
  for (uint32_t i = 0; i < r->module->bodies_count && !r->in.failed; i++)
    add_row(r, r->module->bodies[i].offset, WI_NO_PATH, 0, 0);
}

static void read_whole(reader *r) {
  static const char guard[] = ")]}'"; /* keeps the map from being run as a script */
  if (r->in.end > sizeof guard && memcmp(r->in.bytes, guard, sizeof guard - 1) == 0)
    while (r->in.offset < r->in.end && wi_cursor_u8(&r->in) != '\n') {
    }
  members map = find_members(r);
  if (!go_to(r, map.sections)) {
    read_map(r, &map, 0);
  } else {
    for (bool first = true; next_item(r, &first);)
      read_section(r);
  }
  end_rows(r);
  if (r->table->texts.failed)
    fail_memory(r);
}

wi_line_table *wi_line_table_of_source_map(const wi_module *module, const uint8_t *text,
                                           uint32_t size, const char *folder, wi_error *error) {
  wi_line_table *table = calloc(1, sizeof *table);
  reader r = {.table = table, .module = module, .folder = folder};
  if (!table) {
    wi_error_memory(error);
    return NULL;
  }
  r.in = wi_cursor_at(text, (wi_span){0, size}, error);
  for (uint32_t i = 0; i < module->sections_count; i++)
    if (module->sections[i].id == WI_SECTION_CODE)
      r.code = module->sections[i].payload;
  read_whole(&r);
  wi_buffer_clear(&r.text);
  free(r.sources);
  if (r.in.failed) {
    wi_line_table_free(table);
    return NULL;
  }
  wi_line_table_sort(table);
  return table;
}
