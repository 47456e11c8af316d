/* A JavaScript file with a source map: what its functions were before a bundler or compiler. */
#ifndef WI_SAMPLES_SCRIPT_FILE_H_
#define WI_SAMPLES_SCRIPT_FILE_H_

#include "debug/script_map.h"
#include "support/file_reader.h"

typedef struct wi_script_file {
  uint8_t *text;
  size_t size;
  wi_script_map *map;
  const uint8_t *at;     /* the last position looked for */
  uint32_t line, column; /* there, from 1 */
} wi_script_file;

/* A function as the generated code has it. */
typedef struct wi_script_function {
  uint32_t line, column; /* where its parameters begin, from 1 */
  const char *name;      /* not NUL-terminated */
  uint32_t name_size;    /* 0: anonymous */
} wi_script_function;

/*
 * Reads the file at `url`, a file: URL or an absolute path, and its map: a data: URL, or a file in
 * the same directory. Returns false, with nothing to clear, if there is no readable map.
 */
bool wi_script_file_read(wi_script_file *file, const char *url, wi_file_reader *read);
void wi_script_file_clear(wi_script_file *file);

/*
 * Returns the source of a function, or NULL if the map does not know it. *name is its name there,
 * or NULL if the map does not rename it; both are valid as long as the file. Functions are found
 * fastest in the order of the file.
 */
const wi_script_row *wi_script_file_find(wi_script_file *file, const wi_script_function *function,
                                         const char **name);

#endif /* WI_SAMPLES_SCRIPT_FILE_H_ */
