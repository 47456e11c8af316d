#include "debug/path_table.h"

#include <stdlib.h>
#include <string.h>

#include "support/utf8.h"

enum { MAX_PATH_SIZE = 4096, MAX_TEXTS_SIZE = 1 << 26 };

void wi_path_table_clear(wi_path_table *table) {
  free(table->items);
  *table = (wi_path_table){0};
}

void wi_path_table_reset(wi_path_table *table) {
  table->unit_count++;
}

uint32_t wi_path_table_add(wi_buffer *texts, const uint8_t *text, size_t size) {
  if (size == 0 || size > WI_DWARF_MAX_TEXT_SIZE || texts->size > MAX_TEXTS_SIZE ||
      !wi_utf8_is_valid(text, size))
    return WI_NO_PATH;
  uint32_t offset = (uint32_t)texts->size;
  wi_buffer_append(texts, text, size);
  wi_buffer_u8(texts, 0);
  return texts->failed ? WI_NO_PATH : offset;
}

uint32_t wi_path_table_find(wi_path_table *table, const wi_dwarf_files *files, uint64_t index,
                            wi_dwarf_text folder, wi_buffer *texts) {
  char path[MAX_PATH_SIZE];
  if (index > files->items_count)
    return WI_NO_PATH;
  while (table->items_count <= index) {
    wi_path_item *item = WI_ARRAY_PUSH(table, items);
    if (!item)
      return WI_NO_PATH;
    *item = (wi_path_item){0};
  }
  wi_path_item *item = &table->items[index];
  if (item->unit != table->unit_count + 1) {
    bool is_there = wi_dwarf_files_path(files, index, folder, path, sizeof path);
    *item = (wi_path_item){table->unit_count + 1,
                           is_there ? wi_path_table_add(texts, (const uint8_t *)path, strlen(path))
                                    : WI_NO_PATH};
  }
  return item->path;
}
