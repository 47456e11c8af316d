#include "rewrite/debug/pairs.h"

/*
 * .debug_ranges and .debug_loc, the lists up to DWARF 4. They are pairs of fixed-size addresses, so
 * they are patched in place. Each byte belongs to exactly one list or its end.
 */

typedef struct pair_list {
  wi_debug *debug;
  wi_cursor in;
  uint8_t *out;
  unsigned size;    /* bytes of an address */
  uint64_t base;    /* base address of the list */
  bool expressions; /* .debug_loc */
} pair_list;

/*
 * Addresses relative to a base outside of the code cannot be mapped; a base of 0 makes them
 * absolute.
 */
static bool moves(const pair_list *list, uint64_t begin, uint64_t end) {
  uint64_t most = wi_debug_mask(list->size);
  if (begin >= most - 1 || end >= most - 1)
    return false;
  return list->base == 0 || wi_debug_is_code(list->debug, list->base);
}

static void move_pair(pair_list *list, uint32_t at, uint64_t begin, uint64_t end) {
  if (!moves(list, begin, end))
    return;
  uint64_t mask = wi_debug_mask(list->size);
  uint64_t base = wi_debug_address(list->debug, list->base);
  uint64_t from = wi_debug_address(list->debug, (list->base + begin) & mask);
  uint64_t to = wi_debug_address(list->debug, (list->base + end) & mask);
  if (from == base && to == base) /* an empty range, but two zeros would end the list */
    from = to = base + 1;
  wi_dwarf_set(list->out + at, list->size, from - base);
  wi_dwarf_set(list->out + at + list->size, list->size, to - base);
}

static void rewrite_list(pair_list *list) {
  wi_cursor *in = &list->in;
  for (;;) {
    uint32_t at = in->offset;
    uint64_t begin = wi_dwarf_fixed(in, list->size);
    uint64_t end = wi_dwarf_fixed(in, list->size);
    if (in->failed || (begin == 0 && end == 0))
      return;
    if (begin == wi_debug_mask(list->size)) {
      list->base = end;
      wi_dwarf_set(list->out + at + list->size, list->size, wi_debug_address(list->debug, end));
      continue;
    }
    if (list->expressions)
      wi_cursor_skip(in, (uint32_t)wi_dwarf_fixed(in, 2));
    if (!in->failed)
      move_pair(list, at, begin, end);
  }
}

void wi_debug_pairs(wi_debug *d, wi_dwarf_section section) {
  wi_dwarf_bytes in = d->in.section[section];
  wi_debug_references *references = &d->references[section];
  if (!in.data || !wi_debug_copy(d, section))
    return;
  wi_debug_sort(references);
  uint32_t done = 0;
  for (uint32_t i = 0; i < references->items_count; i++) {
    const wi_debug_reference *reference = &references->items[i];
    const wi_debug_unit *unit = &d->units[reference->unit];
    wi_error error;
    wi_error_reset(&error);
    /* Inside of or at the end of the previous list, or invalid in the input. */
    if (reference->target < done || reference->target >= in.size)
      continue;
    pair_list list = {.debug = d,
                      .in = wi_dwarf_cursor(in, reference->target, &error),
                      .out = d->out[section].data,
                      .size = unit->address_size,
                      .base = unit->base,
                      .expressions = section == WI_DWARF_LOC};
    rewrite_list(&list);
    done = list.in.offset;
    if (list.in.failed) {
      wi_debug_drop(d, section, &error);
      return;
    }
  }
}
