/* The header of a line table, which its program depends on. */
#ifndef WI_DEBUG_LINE_HEADER_H_
#define WI_DEBUG_LINE_HEADER_H_

#include "debug/dwarf.h"

typedef struct wi_line_header {
  uint8_t address_size;
  uint8_t instruction_size;
  uint8_t line_range;  /* not 0 */
  uint8_t opcode_base; /* not 0 */
  int8_t line_base;
  const uint8_t *argument_counts; /* of standard opcodes, from 1 on; borrowed */
} wi_line_header;

/*
 * Reads a header of version 2 to 5 after wi_dwarf_length has read its length, and leaves the cursor
 * at the program.
 */
bool wi_line_header_read(wi_cursor *cursor, uint8_t offset_size, wi_line_header *header);

/* Whether the standard opcodes have the arguments that DWARF defines. */
bool wi_line_header_is_standard(const wi_line_header *header);

/* Address advance of special opcode 255, also used by DW_LNS_const_add_pc. */
static inline unsigned wi_line_last_advance(const wi_line_header *header) {
  return (255u - header->opcode_base) / header->line_range;
}

#endif /* WI_DEBUG_LINE_HEADER_H_ */
