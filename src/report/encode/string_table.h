/* The table of strings of a format that refers to them by index: each text once, in byte order. */
#ifndef WI_REPORT_ENCODE_STRING_TABLE_H_
#define WI_REPORT_ENCODE_STRING_TABLE_H_

#include <stdbool.h>
#include <stdint.h>

#include "support/array.h"

typedef struct wi_string_table {
  WI_ARRAY(const char *, texts); /* borrowed */
  bool failed;                   /* out of memory */
} wi_string_table;

/* Zero it to begin. The text must outlive the table. */
void wi_string_table_add(wi_string_table *table, const char *text);

/* To be called after the last text was added. O(n log n) time. Returns false if memory ran out. */
bool wi_string_table_sort(wi_string_table *table);

/* The index of a text that was added, after sorting. */
uint32_t wi_string_table_find(const wi_string_table *table, const char *text);

void wi_string_table_clear(wi_string_table *table);

#endif /* WI_REPORT_ENCODE_STRING_TABLE_H_ */
