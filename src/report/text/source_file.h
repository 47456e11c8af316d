/* A source file, by line. */
#ifndef WI_REPORT_TEXT_SOURCE_FILE_H_
#define WI_REPORT_TEXT_SOURCE_FILE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wasm_perf/profile.h"

typedef struct wi_source_file {
  char *bytes;   /* owned */
  size_t *lines; /* offset of each line, and the end of the last; owned */
  uint32_t line_count;
} wi_source_file;

/* Whether `path` stands for a function's WebAssembly text rather than a file. */
bool wi_source_is_text(const char *path);

/*
 * Opens file `index` of the lines. A function's WebAssembly text is in the profile. Any other file
 * is searched in `folder` by its path and by suffixes of the path; or, without a folder and if
 * `opens_paths`, opened by its path. If that fails, the source map's contents are used. Returns
 * false, with nothing to clear, if the file cannot be read.
 */
bool wi_source_file_open(wi_source_file *file, const wasm_perf_lines *lines, uint32_t index,
                         const char *folder, bool opens_paths);

/*
 * Writes a path of a profile to `full` (WI_LABEL_MAX_SIZE + 1 bytes), cleaned, with the home folder
 * in place of ~: for files whose readers open sources, but do not know the ~ of a shell.
 */
void wi_source_full_path(char *full, const char *path);

void wi_source_file_clear(wi_source_file *file);

/* Writes line `number`, counted from 1, cleaned: at most `size` bytes, including the terminator. */
void wi_source_file_line(const wi_source_file *file, uint32_t number, char *text, size_t size);

#endif /* WI_REPORT_TEXT_SOURCE_FILE_H_ */
