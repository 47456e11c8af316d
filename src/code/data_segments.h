/* What the data segments of a module put into its first memory before it runs. */
#ifndef WI_CODE_DATA_SEGMENTS_H_
#define WI_CODE_DATA_SEGMENTS_H_

#include "code/scan.h"

/*
 * An address that is known before a module is instantiated, but for the value of a global where it
 * is relative to one, as in what Emscripten links dynamically.
 */
typedef struct wi_data_address {
  bool is_relative;
  uint32_t global; /* index, where is_relative */
  uint32_t offset;
} wi_data_address;

/*
 * Steps through active segments of memory 0 at such addresses; others are skipped. Zero it but for
 * `module` and `scan`, which is working memory.
 */
typedef struct wi_data_segments {
  const wi_module *module;
  wi_scan *scan;
  wi_cursor cursor;
  uint32_t left; /* segments */
  bool begun;
  wi_data_address address; /* of the segment at hand */
  wi_span bytes;
} wi_data_segments;

/* The next one; false: there is none, or what follows cannot be read. */
bool wi_data_segments_next(wi_data_segments *segments);

/* Fills `out` with what is at the address; bytes that no segment gives stay as they are. */
void wi_data_segments_read(const wi_module *module, wi_scan *scan, wi_data_address address,
                           uint8_t *out, uint32_t size);

#endif /* WI_CODE_DATA_SEGMENTS_H_ */
