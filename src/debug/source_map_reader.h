/* Reads source maps (ECMA-426). */
#ifndef WI_DEBUG_SOURCE_MAP_READER_H_
#define WI_DEBUG_SOURCE_MAP_READER_H_

#include "debug/path_table.h"
#include "support/error.h"

/* What follows a position of the generated text. Lines and columns start at 0. */
typedef struct wi_source_map_segment {
  int64_t line, column;               /* in the generated text */
  uint32_t path;                      /* of the source, in the texts; WI_NO_PATH: none */
  int64_t source_line, source_column; /* in the source */
  uint32_t name;                      /* in the source, in the texts; WI_NO_PATH: none */
} wi_source_map_segment;

/* What a map is read into. The functions return false if out of memory. */
typedef struct wi_source_map_visitor {
  void *context;
  wi_buffer *texts; /* receives paths and names, in UTF-8 and NUL-terminated */
  bool (*add_segment)(void *context, const wi_source_map_segment *segment);
  bool (*add_content)(void *context, uint32_t path, const wi_buffer *text); /* or NULL */
} wi_source_map_visitor;

/*
 * Reads the map of `size` bytes at `text`, which may have sections. Relative sources are relative
 * to `folder`, which may be "". Segments come in the map's order, contents before them. Returns
 * false and fills in *error if out of memory or if the map is malformed; offsets are relative to
 * `text`.
 */
bool wi_source_map_visit(const wi_source_map_visitor *visitor, const uint8_t *text, uint32_t size,
                         const char *folder, wi_error *error);

#endif /* WI_DEBUG_SOURCE_MAP_READER_H_ */
