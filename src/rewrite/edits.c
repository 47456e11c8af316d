/* Collects edits and applies them. */
#include "rewrite/edits.h"

#include <stdlib.h>

void wi_edits_clear(wi_edits *edits) {
  free(edits->items);
  wi_buffer_clear(&edits->bytes);
  *edits = (wi_edits){0};
}

void wi_edits_reset(wi_edits *edits) {
  edits->items_count = 0;
  edits->bytes.size = 0;
}

void wi_edits_begin(wi_edits *edits, uint32_t offset, uint32_t removed) {
  wi_edit *edit = WI_ARRAY_PUSH(edits, items);
  if (edit)
    *edit = (wi_edit){offset, removed, (uint32_t)edits->bytes.size, 0};
  else
    edits->bytes.failed = true;
}

void wi_edits_end(wi_edits *edits) {
  if (edits->bytes.failed)
    return;
  wi_edit *edit = &edits->items[edits->items_count - 1];
  edit->bytes_size = (uint32_t)edits->bytes.size - edit->bytes_offset;
  if (edit->bytes_size == 0 && edit->removed == 0)
    edits->items_count--;
}

int64_t wi_edits_growth(const wi_edits *edits) {
  int64_t growth = (int64_t)edits->bytes.size;
  for (uint32_t i = 0; i < edits->items_count; i++)
    growth -= edits->items[i].removed;
  return growth;
}

uint32_t wi_edits_map(const wi_edits *edits, wi_edits_walk *walk, wi_span part, uint32_t offset) {
  for (; walk->next < edits->items_count; walk->next++) {
    const wi_edit *edit = &edits->items[walk->next];
    if (edit->offset > offset)
      break;
    walk->growth += (int64_t)edit->bytes_size - edit->removed;
  }
  return (uint32_t)((int64_t)offset - part.offset + walk->growth);
}

void wi_edits_apply(const wi_edits *edits, const uint8_t *input, wi_span part, wi_buffer *out) {
  uint32_t from = part.offset;
  if (!wi_buffer_reserve(out, part.size + edits->bytes.size))
    return;
  for (uint32_t i = 0; i < edits->items_count; i++) {
    const wi_edit *edit = &edits->items[i];
    wi_buffer_append(out, input + from, edit->offset - from);
    wi_buffer_append(out, edits->bytes.data + edit->bytes_offset, edit->bytes_size);
    from = edit->offset + edit->removed;
  }
  wi_buffer_append(out, input + from, part.offset + part.size - from);
}
