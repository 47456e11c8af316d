/* The source map beside a module, and where the new one goes. */
#ifndef WI_CLI_INSTRUMENT_SOURCE_MAP_H_
#define WI_CLI_INSTRUMENT_SOURCE_MAP_H_

#include "cli/common/file_input.h"

typedef struct source_map {
  wi_file_input file; /* while it is open */
  bool is_open;
  char *path;      /* where the new one goes; owned */
  const char *url; /* what the new module calls it: its name without a folder; in path */
} source_map;

/*
 * Opens the map at `path`, or, where that is NULL, the file that the module of `size` bytes names,
 * if it is there. False, with errno set, for a `path` that cannot be opened and without memory.
 */
bool source_map_open(source_map *map, const char *path, const char *input, const char *output,
                     const uint8_t *bytes, size_t size);
void source_map_close(source_map *map);

#endif /* WI_CLI_INSTRUMENT_SOURCE_MAP_H_ */
