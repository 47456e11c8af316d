/* Which unsettled proposal defines a byte that no version of WebAssembly does. */
#ifndef WI_MODULE_PROPOSALS_H_
#define WI_MODULE_PROPOSALS_H_

#include "support/cursor.h"

/* Where the byte stands; the table is proposals.def. */
typedef enum wi_proposal_place {
  WI_PROPOSAL_TYPE_FORM,
  WI_PROPOSAL_TYPE, /* of a value, a reference or the heap */
  WI_PROPOSAL_EXTERN_KIND,
  WI_PROPOSAL_MEMORY_FLAGS /* of a memory operation, without the bit of the memory index */
} wi_proposal_place;

/*
 * Fails the cursor at `offset`: unsupported, with the proposal's name, where there is one, else
 * malformed. `what` names the byte in the message.
 */
void wi_proposal_fail(wi_cursor *cursor, uint32_t offset, wi_proposal_place place, uint32_t byte,
                      const char *what);

#endif /* WI_MODULE_PROPOSALS_H_ */
