/* Edits of the input, applied to the output. Independent of profiling. */
#ifndef WI_REWRITE_EDITS_H_
#define WI_REWRITE_EDITS_H_

#include "module/module.h"
#include "support/buffer.h"

/* Replaces `removed` bytes at `offset` in the input with bytes from the list's buffer. */
typedef struct wi_edit {
  uint32_t offset;
  uint32_t removed;
  uint32_t bytes_offset; /* index in wi_edits.bytes */
  uint32_t bytes_size;
} wi_edit;

/*
 * Edits in increasing order of offset, disjoint. Insertions at the same offset keep the order in
 * which they were added. Zero it before use; clear it afterwards.
 */
typedef struct wi_edits {
  WI_ARRAY(wi_edit, items);
  wi_buffer bytes; /* inserted bytes */
} wi_edits;

void wi_edits_clear(wi_edits *edits);
void wi_edits_reset(wi_edits *edits); /* drops the edits, keeps the memory */

/*
 * Starts an edit: bytes appended to edits->bytes before wi_edits_end are inserted. wi_edits_end
 * drops an edit that neither removes nor inserts bytes, so callers need not know in advance whether
 * they insert anything.
 */
void wi_edits_begin(wi_edits *edits, uint32_t offset, uint32_t removed);
void wi_edits_end(wi_edits *edits);

/* Growth of the edited part in bytes; negative if it shrinks. */
int64_t wi_edits_growth(const wi_edits *edits);

/* Position of a pass over the edits; zero it first. */
typedef struct wi_edits_walk {
  uint32_t next; /* index of the next item */
  int64_t growth;
} wi_edits_walk;

/*
 * Returns the output offset of the byte at input offset `offset`, relative to the start of the
 * edited part there. Insertions at `offset` come before the byte. Offsets must not decrease during
 * a pass, which makes it linear in the number of edits.
 */
uint32_t wi_edits_map(const wi_edits *edits, wi_edits_walk *walk, wi_span part, uint32_t offset);

/* Appends the bytes of `part` to `out` with the edits applied. All edits must be in `part`. */
void wi_edits_apply(const wi_edits *edits, const uint8_t *input, wi_span part, wi_buffer *out);

#endif /* WI_REWRITE_EDITS_H_ */
