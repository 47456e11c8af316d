/* Edits, and splicing them into the output. Knows nothing of profiling. */
#ifndef WI_REWRITE_EDITS_H_
#define WI_REWRITE_EDITS_H_

#include "module/module.h"
#include "support/buffer.h"

/* Replaces `removed` bytes of the input at `offset` by bytes of the list's buffer. */
typedef struct wi_edit {
  uint32_t offset;
  uint32_t removed;
  uint32_t bytes_offset; /* into wi_edits.bytes */
  uint32_t bytes_size;
} wi_edit;

/*
 * Edits in increasing order of offset, disjoint; of several insertions at one offset the
 * first added comes first. Zero it before, clear it after.
 */
typedef struct wi_edits {
  WI_ARRAY(wi_edit, items);
  wi_buffer bytes; /* what is inserted */
} wi_edits;

void wi_edits_clear(wi_edits *edits);
void wi_edits_reset(wi_edits *edits); /* forgets the edits, keeps the memory */

/*
 * Begins an edit; what is appended to edits->bytes until its end is inserted. An edit that removes
 * and inserts nothing is dropped at its end, so a caller need not know beforehand whether it will
 * insert anything.
 */
void wi_edits_begin(wi_edits *edits, uint32_t offset, uint32_t removed);
void wi_edits_end(wi_edits *edits);

/* How much longer (or shorter) the edits make what they apply to, in bytes. */
int64_t wi_edits_growth(const wi_edits *edits);

/* How far a walk over the edits has come; zeroed where it begins. */
typedef struct wi_edits_walk {
  uint32_t next; /* of the items */
  int64_t growth;
} wi_edits_walk;

/*
 * Where the byte at input offset `offset` stands in the output, relative to where the
 * edited part begins there: insertions at `offset` itself come before the byte. The offsets of
 * one walk must not decrease, so that it takes no longer than the edits are long.
 */
uint32_t wi_edits_map(const wi_edits *edits, wi_edits_walk *walk, wi_span part, uint32_t offset);

/* Appends the bytes of `part` to `out` with the edits carried out, all of which lie in it. */
void wi_edits_apply(const wi_edits *edits, const uint8_t *input, wi_span part, wi_buffer *out);

#endif /* WI_REWRITE_EDITS_H_ */
