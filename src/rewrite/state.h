/* The state of one call of wi_instrument, shared by the parts that write the output. */
#ifndef WI_REWRITE_STATE_H_
#define WI_REWRITE_STATE_H_

#include "rewrite/offset_map.h"
#include "rewrite/planner.h"
#include "rewrite/warn.h"

/* A section that is written after all others. */
typedef struct wi_deferred {
  const wi_section *section; /* borrowed */
  size_t position;           /* where it belongs in the output so far */
} wi_deferred;

/* Zeroed at first; out is owned. See branch_hints.h. */
typedef struct wi_branch_hints {
  bool was_read;     /* the input has a section of them, even a malformed one */
  uint32_t left;     /* functions of the input's that have not come yet */
  wi_span functions; /* where they stand */
  uint32_t count;    /* functions of the output's so far */
  wi_buffer out;     /* and their hints */
} wi_branch_hints;

typedef struct wi_rewriter {
  const wi_module *module;   /* borrowed */
  const wi_options *options; /* borrowed, never NULL */
  const char *import_module;
  wi_plan plan;
  wi_scan scan;         /* working memory */
  wi_edits edits;       /* working memory */
  wi_offset_map map;    /* of the code that is written so far, if wanted */
  wi_buffer out;        /* the output so far */
  wi_buffer source_map; /* the one beside the module, brought up to date */
  wi_branch_hints hints;
  wi_buffer dropped; /* names of dropped sections, for one warning */
  WI_ARRAY(wi_deferred, deferred);
  uint32_t hooked_count;
  uint32_t unclean_name_count; /* names of functions with a NUL, or bytes that are not UTF-8 */
  uint8_t *label_shifts;       /* per body, 0: not known yet, else one more; NULL until needed */
  wi_error *error;
} wi_rewriter;

/* Frees what the rewriter owns. */
void wi_rewriter_clear(wi_rewriter *rewriter);

/*
 * Scans and plans the body of the function at `index` among those with a body; the edits are
 * then in rewriter->edits.
 */
bool wi_rewriter_plan_body(wi_rewriter *rewriter, uint32_t index, wi_body_plan *result);

/* Appends the bytes of the input from offset `from` up to `to`. */
void wi_rewriter_copy(wi_rewriter *rewriter, uint32_t from, uint32_t to);

/* Notes a custom section that is dropped, for one warning of all of them. */
void wi_rewriter_note_dropped(wi_rewriter *rewriter, wi_span name);

#endif /* WI_REWRITE_STATE_H_ */
