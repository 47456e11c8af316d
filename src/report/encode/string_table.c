#include "report/encode/string_table.h"

#include <stdlib.h>
#include <string.h>

#include "support/search.h"

void wi_string_table_add(wi_string_table *table, const char *text) {
  const char **item = WI_ARRAY_PUSH(table, texts);
  if (item)
    *item = text;
  else
    table->failed = true;
}

static int compare(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

bool wi_string_table_sort(wi_string_table *table) {
  uint32_t count = 0;
  if (table->failed)
    return false;
  qsort(table->texts, table->texts_count, sizeof *table->texts, compare);
  for (uint32_t i = 0; i < table->texts_count; i++)
    if (count == 0 || strcmp(table->texts[i], table->texts[count - 1]) != 0)
      table->texts[count++] = table->texts[i];
  table->texts_count = count;
  return true;
}

uint32_t wi_string_table_find(const wi_string_table *table, const char *text) {
  return wi_lower_bound(&text, table->texts, table->texts_count, sizeof *table->texts, compare);
}

void wi_string_table_clear(wi_string_table *table) {
  free(table->texts);
  *table = (wi_string_table){0};
}
