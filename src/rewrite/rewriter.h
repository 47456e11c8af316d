/* The state of one run of wi_instrument, shared by the parts that write the output. */
#ifndef WI_REWRITE_REWRITER_H_
#define WI_REWRITE_REWRITER_H_

#include "rewrite/offset_map.h"
#include "rewrite/plan.h"
#include "rewrite/warn.h"

/* A section that is written when all others are. */
typedef struct wi_deferred {
  const wi_section *section; /* borrowed */
  size_t position;           /* where it belongs in the output so far */
} wi_deferred;

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
  wi_buffer dropped;    /* names of dropped sections, for one warning */
  WI_ARRAY(wi_deferred, deferred);
  uint32_t hooked_count;
  bool hinted;           /* a section of branch hints was there */
  uint8_t *label_shifts; /* per body, 0: not known yet, else one more; NULL until needed */
  wi_error *error;
} wi_rewriter;

/* Frees what the rewriter owns. */
void wi_rewriter_clear(wi_rewriter *rewriter);

/*
 * Appends the whole module to rewriter->out as rewriter->plan says, but for the marker. A plan
 * without hooks gives the input back byte for byte.
 */
bool wi_rewriter_module(wi_rewriter *rewriter);

/*
 * Scans and plans the body of the function at `index` among those with a body; the edits are
 * then in rewriter->edits.
 */
bool wi_rewriter_plan_body(wi_rewriter *rewriter, uint32_t index, wi_body_plan *result);

/* Appends the bytes of the input from offset `from` up to `to`. */
void wi_rewriter_copy(wi_rewriter *rewriter, uint32_t from, uint32_t to);

/*
 * Appends a custom section, which begins at offset `from` with its id: copied, rewritten or
 * dropped.
 */
bool wi_rewriter_custom_section(wi_rewriter *rewriter, const wi_section *section, uint32_t from);

/*
 * Appends the contents of a name section, function indices and labels brought up to date.
 * False where the section is malformed (rewriter->error is untouched) or on failure.
 */
bool wi_rewriter_name_section(wi_rewriter *rewriter, wi_span contents);

/* Notes a custom section that is dropped, for one warning of all of them. */
void wi_rewriter_note_dropped(wi_rewriter *rewriter, wi_span name);

/* Whether something goes by the offset map: sections of the module, or a source map beside it. */
bool wi_rewriter_needs_map(const wi_rewriter *rewriter);

/* Leaves a section that goes by the offset map for later; false when memory ran out. */
bool wi_rewriter_defer(wi_rewriter *rewriter, const wi_section *section);

/* Rewrites what was left for later, and puts it where it belongs. */
bool wi_rewriter_put_deferred(wi_rewriter *rewriter);

/* Appends the custom section that marks the output. */
void wi_rewriter_marker(wi_rewriter *rewriter);

#endif /* WI_REWRITE_REWRITER_H_ */
