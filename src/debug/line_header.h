/* The header of a line table: what its program is read by. */
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
 * Reads the header whose length wi_dwarf_length has just read; the cursor stands at the program
 * then. Versions 2 to 5.
 */
bool wi_line_header_read(wi_cursor *cursor, uint8_t offset_size, wi_line_header *header);

/* Whether the standard opcodes take the arguments that DWARF gives them. */
bool wi_line_header_is_standard(const wi_line_header *header);

/* The address advance of special opcode 255, which DW_LNS_const_add_pc has, too. */
static inline unsigned wi_line_last_advance(const wi_line_header *header) {
  return (255u - header->opcode_base) / header->line_range;
}

#endif /* WI_DEBUG_LINE_HEADER_H_ */
