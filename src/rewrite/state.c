/* Shared by the writers of sections: planning a body, copying, freeing. */
#include "rewrite/state.h"

#include <stdlib.h>

#include "code/scan_body.h"

void wi_rewriter_clear(wi_rewriter *r) {
  wi_plan_clear(&r->plan);
  wi_scan_clear(&r->scan);
  wi_edits_clear(&r->edits);
  wi_offset_map_clear(&r->map);
  free(r->deferred);
  free(r->label_shifts);
  wi_buffer_clear(&r->out);
  wi_buffer_clear(&r->hints.out);
  wi_buffer_clear(&r->dropped);
  wi_buffer_clear(&r->source_map);
}

bool wi_rewriter_plan_body(wi_rewriter *r, uint32_t index, wi_body_plan *result) {
  return wi_scan_body(&r->scan, r->module, index, &r->plan.wants, r->error) &&
         wi_plan_body(&r->plan, &r->scan, index, &r->edits, result, r->error);
}

void wi_rewriter_copy(wi_rewriter *r, uint32_t from, uint32_t to) {
  wi_buffer_append(&r->out, r->module->bytes + from, to - from);
}

void wi_rewriter_note_dropped(wi_rewriter *r, wi_span name) {
  if (r->dropped.size > 0)
    wi_buffer_append(&r->dropped, ", ", 2);
  wi_buffer_append(&r->dropped, r->module->bytes + name.offset, name.size);
}
