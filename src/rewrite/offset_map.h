/*
 * Maps offsets in the input's code section to offsets in the output's.
 *
 * Offsets are relative to the payload of the code section, as in DWARF. Bytes inserted before a
 * byte belong to it: an offset maps to the start of the insertion. So ranges of instructions stay
 * contiguous, a return address maps to just after its call, and the end of a function to the end of
 * that function.
 */
#ifndef WI_REWRITE_OFFSET_MAP_H_
#define WI_REWRITE_OFFSET_MAP_H_

#include "rewrite/edits.h"

/* From `from` up to the next step, offset x maps to x + delta. */
typedef struct wi_offset_step {
  uint32_t from;
  int32_t delta;
} wi_offset_step;

/* Filled in increasing order of offset. Zero it before use; clear it afterwards. */
typedef struct wi_offset_map {
  WI_ARRAY(wi_offset_step, steps);
  uint32_t input_start;  /* offset of the code section's payload in the input */
  uint32_t output_start; /* likewise in the output, once the section is written */
  uint32_t output_size;  /* of the payload in the output */
  uint32_t first;        /* offset of the first body; nothing before it is code */
  uint32_t end;          /* size of the code section's payload in the input */
  bool wanted;           /* whether any offset will be looked up */
  bool failed;           /* out of memory */
} wi_offset_map;

void wi_offset_map_clear(wi_offset_map *map);

/*
 * Starts the map at the code section. `output_start` is the offset of its payload in the output so
 * far.
 */
void wi_offset_map_begin(wi_offset_map *map, const wi_module *module, wi_span payload,
                         size_t output_start);

/* Adds a body at `body` in the input and at `output` in the output, with `edits` applied. */
void wi_offset_map_add(wi_offset_map *map, wi_span body, size_t output, const wi_edits *edits);

/*
 * Maps an offset, at an instruction or not. *hint must be 0 at first; it speeds up look-ups in
 * increasing order.
 */
uint32_t wi_offset_map_find(const wi_offset_map *map, uint32_t offset, uint32_t *hint);

#endif /* WI_REWRITE_OFFSET_MAP_H_ */
