/* Rewrites the columns in a source map's mappings. */
#include "rewrite/debug/source_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/data_url.h"
#include "debug/source_map_number.h"
#include "support/base64.h"
#include "support/json_cursor.h"

typedef struct json {
  wi_cursor in;
  wi_buffer *out;
  const wi_offset_map *offsets;
  uint32_t hint;
  uint32_t copied;                /* offset in the input up to which the output is complete */
  bool has_version, has_mappings; /* required in a source map */
} json;

/* ---- Offsets ------------------------------------------------------------ */

/* Maps an offset in the file. What precedes or follows the code moves with it. */
static int64_t move_offset(json *j, int64_t offset) {
  const wi_offset_map *map = j->offsets;
  if (offset < map->input_start)
    return offset < map->output_start ? offset : map->output_start;
  int64_t inside = offset - map->input_start;
  if (inside > map->end)
    return (int64_t)map->output_start + map->output_size + (inside - map->end);
  return (int64_t)map->output_start + wi_offset_map_find(map, (uint32_t)inside, &j->hint);
}

/* ---- Copying ------------------------------------------------------------ */

static bool fail(json *j, const char *what) {
  return wi_cursor_fail(&j->in, WI_ERROR_MALFORMED, j->in.offset, "source map: %s", what);
}

static void copy_to(json *j, uint32_t offset) {
  wi_buffer_append(j->out, j->in.bytes + j->copied, offset - j->copied);
  j->copied = offset;
}

/* ---- Mappings ----------------------------------------------------------- */

static void put_vlq(json *j, int64_t value) {
  uint64_t bits = value < 0 ? (uint64_t)-value << 1 | 1 : (uint64_t)value << 1;
  do {
    unsigned digit = bits & 31;
    bits >>= 5;
    wi_buffer_u8(j->out, (uint8_t)wi_base64_digits[digit | (bits ? 32 : 0)]);
  } while (bits);
}

static bool at_segment(const json *j, uint32_t end) {
  return j->in.offset < end && j->in.bytes[j->in.offset] != ',' && j->in.bytes[j->in.offset] != ';';
}

/*
 * Code appended by the rewriter has no source: adds a segment without a source, so that the last
 * segment does not cover it. `reached` is the last segment's new column.
 */
static void end_mappings(json *j, int64_t base, int64_t last, int64_t reached) {
  const wi_offset_map *map = j->offsets;
  int64_t end = (int64_t)map->output_start + wi_offset_map_find(map, map->end, &j->hint);
  bool appended = end < (int64_t)map->output_start + map->output_size;
  if (!appended || base + last >= (int64_t)map->input_start + map->end)
    return;
  wi_buffer_u8(j->out, ',');
  put_vlq(j, end - reached);
}

/*
 * Rewrites the text of mappings. Columns are relative to `base` in the input and `new_base` in the
 * output.
 */
static void rewrite_mappings(json *j, int64_t base, int64_t new_base, bool last) {
  wi_span text = wi_json_read_text(&j->in);
  uint32_t end = text.offset + text.size, after = j->in.offset;
  if (j->in.failed)
    return;
  int64_t column = 0, new_column = 0;
  copy_to(j, text.offset);
  j->in.offset = text.offset;
  while (at_segment(j, end) || (j->in.offset < end && j->in.bytes[j->in.offset] == ',')) {
    if (!at_segment(j, end)) {
      wi_buffer_u8(j->out, wi_cursor_u8(&j->in));
      continue;
    }
    column += wi_source_map_number(&j->in);
    if (j->in.failed || base + column < 0 || base + column > UINT32_MAX) {
      if (!j->in.failed)
        fail(j, "an offset past the end of any file");
      return;
    }
    int64_t moved = move_offset(j, base + column) - new_base;
    put_vlq(j, moved - new_column);
    new_column = moved;
    uint32_t rest = j->in.offset;
    while (at_segment(j, end))
      j->in.offset++;
    wi_buffer_append(j->out, j->in.bytes + rest, j->in.offset - rest);
  }
  if (text.size > 0 && last)
    end_mappings(j, base, column, new_base + new_column);
  j->copied = j->in.offset; /* later lines, which a module does not have, stay as they are */
  j->in.offset = after;
}

/* ---- Maps --------------------------------------------------------------- */

static void rewrite_map(json *j, int64_t base, int64_t new_base, unsigned depth, bool last);

typedef struct place {
  int64_t line, column;
  wi_span column_text;
  bool last; /* the last section of the map */
} place;

/* Reads the offset of a section of an indexed map: {"line": 0, "column": 12}. */
static place read_place(json *j) {
  place found = {0};
  wi_span key;
  wi_json_expect(&j->in, '{');
  for (bool first = true; wi_json_next_member(&j->in, &first, &key);) {
    wi_json_skip_blanks(&j->in);
    uint32_t start = j->in.offset;
    wi_json_skip_value(&j->in);
    char digits[16];
    snprintf(digits, sizeof digits, "%.*s", (int)(j->in.offset - start),
             (const char *)j->in.bytes + start);
    if (wi_json_is_text(&j->in, key, "line"))
      found.line = strtoll(digits, NULL, 10);
    if (wi_json_is_text(&j->in, key, "column")) {
      found.column = strtoll(digits, NULL, 10);
      found.column_text = (wi_span){start, j->in.offset - start};
    }
  }
  return found;
}

/* Finds the offset of the section at the cursor in an indexed map. The cursor does not move. */
static place find_place(json *j) {
  place found = {0};
  uint32_t start = j->in.offset;
  wi_span key;
  wi_json_expect(&j->in, '{');
  for (bool first = true; wi_json_next_member(&j->in, &first, &key);) {
    if (wi_json_is_text(&j->in, key, "offset"))
      found = read_place(j);
    else
      wi_json_skip_value(&j->in);
  }
  found.last = wi_json_skip_blanks(&j->in) == ']';
  if (!j->in.failed)
    j->in.offset = start;
  return found;
}

static void rewrite_section(json *j, unsigned depth) {
  place at = find_place(j);
  if (!j->in.failed && (at.column < 0 || at.column > UINT32_MAX))
    fail(j, "an offset past the end of any file");
  if (j->in.failed)
    return;
  bool moves = at.line == 0;
  int64_t new_column = moves ? move_offset(j, at.column) : 0;
  wi_span key;
  wi_json_expect(&j->in, '{');
  for (bool first = true; wi_json_next_member(&j->in, &first, &key);) {
    if (moves && wi_json_is_text(&j->in, key, "map")) {
      rewrite_map(j, at.column, new_column, depth + 1, at.last);
    } else if (moves && wi_json_is_text(&j->in, key, "offset") && at.column_text.size > 0) {
      char digits[24];
      int size = snprintf(digits, sizeof digits, "%lld", (long long)new_column);
      wi_json_skip_value(&j->in);
      copy_to(j, at.column_text.offset);
      wi_buffer_append(j->out, digits, (size_t)size);
      j->copied = at.column_text.offset + at.column_text.size;
    } else {
      wi_json_skip_value(&j->in);
    }
  }
}

static void rewrite_sections(json *j, unsigned depth) {
  wi_json_expect(&j->in, '[');
  if (wi_json_take(&j->in, ']'))
    return;
  do
    rewrite_section(j, depth);
  while (wi_json_take(&j->in, ','));
  wi_json_expect(&j->in, ']');
}

static void rewrite_map(json *j, int64_t base, int64_t new_base, unsigned depth, bool last) {
  wi_span key;
  wi_json_expect(&j->in, '{');
  for (bool first = true; wi_json_next_member(&j->in, &first, &key);) {
    uint8_t value = wi_json_skip_blanks(&j->in);
    j->has_version |= depth == 0 && value == '3' && wi_json_is_text(&j->in, key, "version");
    if (wi_json_is_text(&j->in, key, "mappings")) {
      j->has_mappings = true;
      rewrite_mappings(j, base, new_base, last);
    } else if (wi_json_is_text(&j->in, key, "sections") && depth > 0) {
      fail(j, "an indexed map in an indexed map");
    } else if (wi_json_is_text(&j->in, key, "sections")) {
      j->has_mappings = true;
      rewrite_sections(j, depth);
    } else {
      wi_json_skip_value(&j->in);
    }
  }
}

bool wi_source_map_rewrite(const uint8_t *text, uint32_t size, const wi_offset_map *offsets,
                           wi_buffer *out, wi_error *error) {
  json j = {.in = wi_cursor_at(text, (wi_span){0, size}, error), .out = out, .offsets = offsets};
  if (size > 3 && memcmp(text, ")]}'", 4) == 0) /* keeps the map from being run as a script */
    while (j.in.offset < size && wi_cursor_u8(&j.in) != '\n') {
    }
  rewrite_map(&j, 0, 0, 0, true);
  if (!j.in.failed && (wi_json_skip_blanks(&j.in), j.in.offset != j.in.end))
    fail(&j, "more than one value");
  if (!j.in.failed && !(j.has_version && j.has_mappings)) /* a module's URL may refer to any JSON
                                                             file */
    fail(&j, "not a source map of version 3");
  if (j.in.failed)
    return false;
  copy_to(&j, size);
  return !out->failed || wi_error_memory(error);
}

/* ---- data: URLs --------------------------------------------------------- */

static void put_percents(const wi_buffer *bytes, wi_buffer *out) {
  for (size_t i = 0; i < bytes->size; i++) {
    uint8_t c = bytes->data[i];
    char text[4];
    int size = snprintf(text, sizeof text,
                        c <= ' ' || c >= 127 || strchr("\"%#<>", c) ? "%%%02X" : "%c", c);
    wi_buffer_append(out, text, (size_t)size);
  }
}

bool wi_source_map_rewrite_url(const uint8_t *url, uint32_t size, const wi_offset_map *offsets,
                               wi_buffer *out, wi_error *error) {
  bool is_base64;
  uint32_t head_size;
  wi_buffer text = {0}, moved = {0};
  bool done = wi_data_url_decode(url, size, &text, &is_base64, &head_size);
  if (!done)
    wi_error_set(error, WI_ERROR_MALFORMED, 0, WI_NO_FUNCTION, "source map: malformed data: URL");
  done = done && wi_source_map_rewrite(text.data, (uint32_t)text.size, offsets, &moved, error);
  if (done) {
    wi_buffer_append(out, url, head_size);
    if (is_base64)
      wi_base64_encode(moved.data, moved.size, out);
    else
      put_percents(&moved, out);
  }
  wi_buffer_clear(&text);
  wi_buffer_clear(&moved);
  return done;
}
