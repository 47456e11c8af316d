/* Unsettled proposals that define codes which no version of WebAssembly defines. */
#ifndef WI_MODULE_PROPOSALS_H_
#define WI_MODULE_PROPOSALS_H_

#include "support/cursor.h"

/* Where the code occurs; the table is proposals.def. */
typedef enum wi_proposal_place {
  WI_PROPOSAL_OPCODE, /* this and the next four: without a prefix, and after prefixes 0xfb to
                         0xfe */
  WI_PROPOSAL_OPCODE_FB,
  WI_PROPOSAL_OPCODE_FC,
  WI_PROPOSAL_OPCODE_FD,
  WI_PROPOSAL_OPCODE_FE,
  WI_PROPOSAL_TYPE_FORM,
  WI_PROPOSAL_TYPE, /* of a value, reference or heap type */
  WI_PROPOSAL_MUTABILITY,
  WI_PROPOSAL_EXTERN_KIND,
  WI_PROPOSAL_MEMORY_FLAGS, /* of a memory operation, excluding the memory index bit */
  WI_PROPOSAL_ATOMIC_FLAGS
} wi_proposal_place;

/* Returns the proposal's name, or NULL. */
const char *wi_proposal_name(wi_proposal_place place, uint32_t code);

/*
 * Fails the cursor at `offset`: unsupported, with the proposal's name, if a proposal defines the
 * code, else malformed. `what` describes the code in the message.
 */
void wi_proposal_fail(wi_cursor *cursor, uint32_t offset, wi_proposal_place place, uint32_t code,
                      const char *what);

#endif /* WI_MODULE_PROPOSALS_H_ */
