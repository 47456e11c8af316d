#include "debug/ranges.h"

#include <stdlib.h>

typedef struct list {
  wi_code_ranges *ranges;
  wi_unit_reader *reader;
  wi_cursor in;
  uint64_t base;
  uint32_t code_size;
} list;

void wi_code_ranges_clear(wi_code_ranges *ranges) {
  free(ranges->items);
  *ranges = (wi_code_ranges){0};
}

static bool add_range(list *l, uint64_t start, uint64_t end) {
  if (start == 0 || start >= end || end > l->code_size)
    return true;
  wi_code_range *range = WI_ARRAY_PUSH(l->ranges, items);
  if (range)
    *range = (wi_code_range){(uint32_t)start, (uint32_t)end};
  return range != NULL;
}

/* Several entries may share a list, so reading it counts as work. */
static bool goes_on(list *l) {
  return !l->in.failed && ++l->reader->work <= l->reader->most_work;
}

/*
 * Up to version 4: pairs of addresses, terminated by zeros. A start of the largest address sets the
 * base.
 */
static bool read_pairs(list *l) {
  unsigned size = l->reader->unit.address_size;
  uint64_t largest = size == 8 ? UINT64_MAX : UINT32_MAX;
  while (goes_on(l)) {
    uint64_t start = wi_dwarf_fixed(&l->in, size), end = wi_dwarf_fixed(&l->in, size);
    if (l->in.failed || (start == 0 && end == 0))
      break;
    if (start == largest)
      l->base = end;
    else if (!add_range(l, l->base + start, l->base + end))
      return false;
  }
  return true;
}

static uint64_t read_indexed(list *l) {
  const wi_unit_reader *r = l->reader;
  return wi_dwarf_address(wi_dwarf_uleb(&l->in), DW_FORM_addrx, &r->unit, &r->root, &r->sections);
}

static bool read_item(list *l, uint8_t kind) {
  unsigned size = l->reader->unit.address_size;
  uint64_t start = 0, end = 0;
  switch (kind) {
  case DW_RLE_base_addressx: l->base = read_indexed(l); return true;
  case DW_RLE_base_address: l->base = wi_dwarf_fixed(&l->in, size); return true;
  case DW_RLE_startx_endx:
    start = read_indexed(l);
    end = read_indexed(l);
    break;
  case DW_RLE_startx_length:
    start = read_indexed(l);
    end = start + wi_dwarf_uleb(&l->in);
    break;
  case DW_RLE_offset_pair:
    start = l->base + wi_dwarf_uleb(&l->in);
    end = l->base + wi_dwarf_uleb(&l->in);
    break;
  case DW_RLE_start_end:
    start = wi_dwarf_fixed(&l->in, size);
    end = wi_dwarf_fixed(&l->in, size);
    break;
  case DW_RLE_start_length:
    start = wi_dwarf_fixed(&l->in, size);
    end = start + wi_dwarf_uleb(&l->in);
    break;
  default: wi_cursor_fail(&l->in, WI_ERROR_UNSUPPORTED, l->in.offset, "unknown kind of range");
  }
  return l->in.failed || add_range(l, start, end);
}

static bool read_items(list *l) {
  while (goes_on(l)) {
    uint8_t kind = wi_cursor_u8(&l->in);
    if (l->in.failed || kind == DW_RLE_end_of_list)
      break;
    if (!read_item(l, kind))
      return false;
  }
  return true;
}

/* Offset in .debug_rnglists of the list with that index; past the end if there is none. */
static uint64_t indexed_list(const wi_unit_reader *r, uint64_t index) {
  wi_dwarf_bytes in = r->sections.section[WI_DWARF_RNGLISTS];
  uint64_t base = r->root.ranges_base, room = base < in.size ? in.size - base : 0;
  if (index >= room / r->unit.offset_size)
    return in.size;
  return base + wi_dwarf_get(in.data + base + index * r->unit.offset_size, r->unit.offset_size);
}

bool wi_code_ranges_read(wi_code_ranges *ranges, wi_unit_reader *reader,
                         const wi_dwarf_entry *entry, uint32_t code_size) {
  wi_error ignored;
  wi_error_reset(&ignored);
  list l = {ranges, reader, {0}, reader->root.low, code_size};
  ranges->items_count = 0;
  if (entry->ranges_form == 0)
    return !entry->has_low ||
           add_range(&l, entry->low, entry->high_is_size ? entry->low + entry->high : entry->high);
  bool is_new = reader->unit.version >= 5;
  uint64_t offset =
      entry->ranges_form == DW_FORM_rnglistx ? indexed_list(reader, entry->ranges) : entry->ranges;
  l.in = wi_dwarf_cursor(reader->sections.section[is_new ? WI_DWARF_RNGLISTS : WI_DWARF_RANGES],
                         offset, &ignored);
  return is_new ? read_items(&l) : read_pairs(&l);
}
