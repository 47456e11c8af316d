/*
 * Exports that write the profile when they return (wi_options.write_at). Each becomes the export of a function that is
 * added:
 *
 *     (func (export "handle") (param i32) (result i32)
 *       local.get 0
 *       call $handle      ;; what the program exports
 *       call $write_profile)
 *
 * So the program's own calls of $handle write nothing, and a trap in it neither.
 */
#ifndef WI_HOOKS_EMBEDDED_RETURNS_H_
#define WI_HOOKS_EMBEDDED_RETURNS_H_

#include "rewrite/plan.h"

typedef struct wi_returns {
  const char *const *globs; /* borrowed */
  WI_ARRAY(uint32_t,
           functions);   /* exported under a matching name, each once, by input index; owned */
  uint32_t first, write; /* output indices: of the first added function, of the writer */
} wi_returns;

/* Finds the exports for options->write_at. False if a glob matches none, unless the module is a part of a component. */
bool wi_returns_find(wi_returns *returns, const wi_plan *plan, const wi_options *options,
                     wi_error *error);
void wi_returns_clear(wi_returns *returns);

void wi_returns_place(wi_returns *returns, uint32_t first, uint32_t write);

/* Writes the added functions' items of the function and the code section. */
void wi_returns_put(const wi_returns *returns, const wi_plan *plan, wi_section_id id,
                    wi_buffer *out);

/* Writes the exports of the program, without their number. */
void wi_returns_put_exports(const wi_returns *returns, const wi_plan *plan, wi_cursor *cursor,
                            uint32_t count, wi_buffer *out);

#endif /* WI_HOOKS_EMBEDDED_RETURNS_H_ */
