/* The contents that a module's data segments give its first memory before it runs. */
#ifndef WI_CODE_DATA_SEGMENTS_H_
#define WI_CODE_DATA_SEGMENTS_H_

#include "code/scan.h"

/*
 * An address that is known before instantiation, except for the value of a global that it may be
 * relative to, as in dynamically linked Emscripten modules.
 */
typedef struct wi_data_address {
  bool is_relative;
  uint32_t global; /* index, if is_relative */
  uint32_t offset;
} wi_data_address;

/*
 * Iterates over the active segments of memory 0 at such addresses, and over passive segments if
 * they are wanted; others are skipped. Zero it except `module`, `scan`, which is scratch memory,
 * and `wants_passive`.
 */
typedef struct wi_data_segments {
  const wi_module *module;
  wi_scan *scan;
  bool wants_passive;
  wi_cursor cursor;
  uint32_t left, next; /* number of segments, index of the next one */
  bool begun;
  bool is_passive;         /* the current segment, which has no address */
  wi_data_address address; /* of the current segment */
  wi_span bytes;
} wi_data_segments;

/* Moves to the next segment. Returns false at the end or if the rest cannot be read. */
bool wi_data_segments_next(wi_data_segments *segments);

/* Fills `out` with the contents at the address; bytes outside of all segments are left alone. */
void wi_data_segments_read(const wi_module *module, wi_scan *scan, wi_data_address address,
                           uint8_t *out, uint32_t size);

#endif /* WI_CODE_DATA_SEGMENTS_H_ */
