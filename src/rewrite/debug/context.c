/* Maps addresses, and decides what happens to each debug section. */
#include "rewrite/debug/context.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/search.h"

/* ---- Losses -------------------------------------------------------------- */

void wi_debug_lose(wi_debug *d, wi_dwarf_section section, const wi_error *error) {
  wi_debug_loss *loss = &d->losses[section];
  if (error->code == WI_ERROR_OUT_OF_MEMORY)
    d->failed = true;
  if (loss->count++ == 0)
    snprintf(loss->reason, sizeof loss->reason, "%s", error->message);
}

void wi_debug_drop(wi_debug *d, wi_dwarf_section section, const wi_error *error) {
  wi_debug_lose(d, section, error);
  wi_buffer_clear(&d->out[section]);
  d->fate[section] = WI_DEBUG_DROPPED;
}

bool wi_debug_copy(wi_debug *d, wi_dwarf_section section) {
  wi_buffer *out = &d->out[section];
  out->size = 0;
  wi_buffer_append(out, d->in.section[section].data, d->in.section[section].size);
  d->fate[section] = WI_DEBUG_REWRITTEN;
  d->failed |= out->failed;
  return !out->failed;
}

/* ---- Moves and references ----------------------------------------------- */

void wi_debug_move_add(wi_debug *d, wi_debug_moves *moves, uint32_t from, uint32_t to) {
  wi_debug_move *move = WI_ARRAY_PUSH(moves, items);
  if (move)
    *move = (wi_debug_move){from, to};
  else
    d->failed = true;
}

const wi_debug_move *wi_debug_move_find(const wi_debug_moves *moves, uint64_t from) {
  uint32_t index = WI_LOWER_BOUND(wi_debug_move, moves->items, moves->items_count, from, from);
  bool found = index < moves->items_count && moves->items[index].from == from;
  return found ? &moves->items[index] : NULL;
}

void wi_debug_patch(wi_debug *d, const wi_debug_references *references,
                    const wi_debug_moves *moves) {
  for (uint32_t i = 0; i < references->items_count; i++) {
    const wi_debug_reference *reference = &references->items[i];
    const wi_debug_move *move = wi_debug_move_find(moves, reference->target);
    if (reference->field == WI_DEBUG_NO_FIELD)
      continue;
    wi_buffer *out = &d->out[reference->types ? WI_DWARF_TYPES : WI_DWARF_INFO];
    if (reference->field + reference->size <= out->size)
      wi_dwarf_set(out->data + reference->field, reference->size, move ? move->to : UINT64_MAX);
  }
}

/* References from units come first: they know the base of their addresses. */
static int compare_references(const void *a, const void *b) {
  const wi_debug_reference *x = a, *y = b;
  if (x->target != y->target)
    return x->target < y->target ? -1 : 1;
  return (x->unit > y->unit) - (x->unit < y->unit);
}

void wi_debug_sort(wi_debug_references *references) {
  for (uint32_t i = 1; i < references->items_count; i++)
    if (compare_references(&references->items[i - 1], &references->items[i]) > 0) {
      qsort(references->items, references->items_count, sizeof *references->items,
            compare_references);
      return;
    }
}

uint64_t wi_debug_indexed(wi_debug *d, const wi_debug_unit *unit, uint64_t index) {
  wi_dwarf_bytes in = d->in.section[WI_DWARF_ADDR];
  uint64_t room = unit->address_base < in.size ? in.size - unit->address_base : 0;
  if (index >= room / unit->address_size)
    return 0;
  uint32_t offset = (uint32_t)(unit->address_base + index * unit->address_size);
  wi_debug_slot *slot = WI_ARRAY_PUSH(d, slots);
  if (slot)
    *slot = (wi_debug_slot){offset, unit->address_size};
  else
    d->failed = true;
  return wi_dwarf_get(in.data + offset, unit->address_size);
}

/* ---- Writing ------------------------------------------------------------ */

void wi_debug_uleb(wi_buffer *out, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    wi_buffer_u8(out, (uint8_t)(value | 0x80));
  wi_buffer_u8(out, (uint8_t)value);
}

void wi_debug_fixed(wi_buffer *out, unsigned size, uint64_t value) {
  uint8_t bytes[8];
  wi_dwarf_set(bytes, size, value);
  wi_buffer_append(out, bytes, size);
}
