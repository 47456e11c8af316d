/* Scans control flow: labels, branches, calls, exceptions. */
#ifndef WI_CODE_CONTROL_H_
#define WI_CODE_CONTROL_H_

#include "code/scan.h"
#include "code/shape.h"

/* An instruction whose opcode has been read. */
typedef struct wi_instruction {
  uint32_t start;  /* offset of the opcode */
  uint32_t opcode; /* WI_PREFIXED if it has a prefix */
  wi_shape shape;
} wi_instruction;

/*
 * Reads the rest of an instruction whose shape is WI_SHAPE_FIRST_CONTROL or higher, and records its
 * sites. At the end that closes the expression, no label is open.
 */
void wi_scan_control(wi_scan *scan, const wi_module *module, wi_cursor *cursor,
                     wi_instruction instruction);

#endif /* WI_CODE_CONTROL_H_ */
