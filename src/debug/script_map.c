#include "debug/script_map.h"

#include <stdlib.h>

#include "debug/source_map_reader.h"

static bool is_position(int64_t line, int64_t column) {
  return line >= 0 && line < UINT32_MAX && column >= 0 && column < UINT32_MAX;
}

static bool add_row(void *context, const wi_source_map_segment *segment) {
  wi_script_map *map = context;
  if (!is_position(segment->line, segment->column))
    return true;
  wi_script_row *row = WI_ARRAY_PUSH(map, rows);
  if (!row)
    return false;
  *row = (wi_script_row){.line = (uint32_t)segment->line + 1,
                         .column = (uint32_t)segment->column + 1,
                         .path = WI_NO_PATH,
                         .name = segment->name};
  if (segment->path != WI_NO_PATH && is_position(segment->source_line, segment->source_column)) {
    row->path = segment->path;
    row->source_line = (uint32_t)segment->source_line + 1;
    row->source_column = (uint32_t)segment->source_column + 1;
  }
  return true;
}

static int compare(const void *left, const void *right) {
  const wi_script_row *a = left, *b = right;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  return (a->column > b->column) - (a->column < b->column);
}

/* Most maps are sorted already, and have hundreds of thousands of rows. */
static void sort_rows(wi_script_map *map) {
  for (uint32_t i = 1; i < map->rows_count; i++)
    if (compare(&map->rows[i - 1], &map->rows[i]) > 0) {
      qsort(map->rows, map->rows_count, sizeof *map->rows, compare);
      return;
    }
}

wi_script_map *wi_script_map_read(const uint8_t *text, uint32_t size, const char *folder,
                                  wi_error *error) {
  wi_script_map *map = calloc(1, sizeof *map);
  if (!map) {
    wi_error_memory(error);
    return NULL;
  }
  const wi_source_map_visitor visitor = {
      .context = map, .texts = &map->texts, .add_segment = add_row};
  if (!wi_source_map_visit(&visitor, text, size, folder, error)) {
    wi_script_map_free(map);
    return NULL;
  }
  sort_rows(map);
  return map;
}

void wi_script_map_free(wi_script_map *map) {
  if (!map)
    return;
  free(map->rows);
  wi_buffer_clear(&map->texts);
  free(map);
}

const wi_script_row *wi_script_map_find(const wi_script_map *map, uint32_t line, uint32_t column) {
  const wi_script_row wanted = {.line = line, .column = column};
  uint32_t low = 0, high = map->rows_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (compare(&map->rows[middle], &wanted) <= 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 && map->rows[low - 1].line == line ? &map->rows[low - 1] : NULL;
}

const char *wi_script_map_text(const wi_script_map *map, uint32_t offset) {
  return offset == WI_NO_PATH ? NULL : (const char *)map->texts.data + offset;
}
