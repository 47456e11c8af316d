/*
 * Where the code moved: from offsets in the input's code section to offsets in the output's.
 *
 * Offsets count from the payload of the code section, as in DWARF. What was inserted in front of
 * a byte belongs to that byte: an offset maps to where the insertion begins. So the ranges of
 * instructions stay contiguous, a return address maps to right after its call, and the end of a
 * function to the end of that function.
 */
#ifndef WI_REWRITE_OFFSET_MAP_H_
#define WI_REWRITE_OFFSET_MAP_H_

#include "rewrite/edits.h"

/* From offset `from` on, up to the next step, what stands at x stands at x + delta now. */
typedef struct wi_offset_step {
  uint32_t from;
  int32_t delta;
} wi_offset_step;

/* Zero it before, clear it after. It is filled in increasing order of offset. */
typedef struct wi_offset_map {
  WI_ARRAY(wi_offset_step, steps);
  uint32_t input_start;  /* offset of the code section's payload in the input */
  uint32_t output_start; /* the same in the output, when the section is written */
  uint32_t output_size;  /* of the payload in the output */
  uint32_t first;        /* of the first body: nothing before it is code */
  uint32_t end;          /* size of the code section's payload in the input */
  bool wanted;           /* whether anything will be looked up */
  bool failed;           /* memory ran out */
} wi_offset_map;

void wi_offset_map_clear(wi_offset_map *map);

/* Begins with the code section; `output_start` is where the output's payload begins so far. */
void wi_offset_map_begin(wi_offset_map *map, const wi_module *module, wi_span payload,
                         size_t output_start);

/*
 * Adds a body that stands at `body` in the input, and at `output` in the output once `edits` are
 * carried out in it.
 */
void wi_offset_map_add(wi_offset_map *map, wi_span body, size_t output, const wi_edits *edits);

/*
 * The new offset of what stood at `offset`, an instruction or not. *hint, 0 at first, makes lookups
 * in increasing order fast.
 */
uint32_t wi_offset_map_find(const wi_offset_map *map, uint32_t offset, uint32_t *hint);

#endif /* WI_REWRITE_OFFSET_MAP_H_ */
