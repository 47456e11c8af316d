/* State of one call of wi_instrument, shared by the parts that write the output. */
#ifndef WI_REWRITE_STATE_H_
#define WI_REWRITE_STATE_H_

#include "rewrite/offset_map.h"
#include "rewrite/planner.h"
#include "rewrite/warn.h"

/* A section to write after all others. */
typedef struct wi_deferred {
  const wi_section *section; /* borrowed */
  size_t position;           /* its position in the output so far */
} wi_deferred;

/* Zeroed at first; out is owned. See branch_hints.h. */
typedef struct wi_branch_hints {
  bool was_read;     /* the input has such a section, even if malformed */
  uint32_t left;     /* functions in the input's section that are still to come */
  wi_span functions; /* and their bytes */
  uint32_t count;    /* number of functions with hints in the output so far */
  wi_buffer out;     /* and their hints */
} wi_branch_hints;

typedef struct wi_rewriter {
  const wi_module *module;   /* borrowed */
  const wi_options *options; /* borrowed, never NULL */
  const char *import_module;
  wi_plan plan;
  wi_scan scan;         /* scratch memory */
  wi_edits edits;       /* scratch memory */
  wi_offset_map map;    /* of the code written so far, if wanted */
  wi_buffer out;        /* the output so far */
  wi_buffer source_map; /* the updated separate source map */
  wi_branch_hints hints;
  wi_buffer dropped; /* names of dropped sections, for a single warning */
  WI_ARRAY(wi_deferred, deferred);
  uint32_t hooked_count;
  uint32_t unclean_name_count; /* function names with a NUL or invalid UTF-8 */
  uint8_t *label_shifts;       /* per body: 1 + shift, 0: unknown; NULL until needed */
  wi_error *error;
} wi_rewriter;

/* Frees what the rewriter owns. */
void wi_rewriter_clear(wi_rewriter *rewriter);

/* Scans and plans the body at `index` in the code section; its edits are in rewriter->edits. */
bool wi_rewriter_plan_body(wi_rewriter *rewriter, uint32_t index, wi_body_plan *result);

/* Appends the input's bytes from offset `from` up to `to`. */
void wi_rewriter_copy(wi_rewriter *rewriter, uint32_t from, uint32_t to);

/* Records a dropped custom section for the single warning about them. */
void wi_rewriter_note_dropped(wi_rewriter *rewriter, wi_span name);

#endif /* WI_REWRITE_STATE_H_ */
