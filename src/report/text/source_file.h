/* A file of source code, line by line. */
#ifndef WI_REPORT_TEXT_SOURCE_FILE_H_
#define WI_REPORT_TEXT_SOURCE_FILE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wi_source_file {
  char *bytes;   /* owned */
  size_t *lines; /* where each begins, and the end of the last one; owned */
  uint32_t line_count;
} wi_source_file;

/*
 * Opens the file that debug information calls `path`. With a `folder` it is looked for there, by as
 * much of the end of its path as is there; else where the path says. False, with nothing to clear:
 * there is none that can be read.
 */
bool wi_source_file_open(wi_source_file *file, const char *path, const char *folder);

/* The same of a text with a terminator. False: memory ran out. */
bool wi_source_file_of_text(wi_source_file *file, const char *text);

void wi_source_file_clear(wi_source_file *file);

/* Writes line `number`, counted from 1, cleaned, at most `size` bytes with the terminator. */
void wi_source_file_line(const wi_source_file *file, uint32_t number, char *text, size_t size);

#endif /* WI_REPORT_TEXT_SOURCE_FILE_H_ */
