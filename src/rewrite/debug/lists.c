/*
 * .debug_rnglists and .debug_loclists of DWARF 5. Their LEB128 numbers may grow, so every list is
 * written again, in the input's order and in its unit's table. Then tables of offsets and other
 * references to lists are updated.
 */
#include "rewrite/debug/lists.h"

#include <stdlib.h>

/* Kinds of entries by their operands. Both sections have the same kinds, with different numbers. */
typedef enum kind {
  END,
  BASE_INDEX,
  START_INDEX_END_INDEX,
  START_INDEX_SIZE,
  PAIR,
  DEFAULT,
  BASE,
  START_END,
  START_SIZE,
  VIEW_PAIR,
  UNKNOWN
} kind;

static const uint8_t range_kinds[] = {
    END, BASE_INDEX, START_INDEX_END_INDEX, START_INDEX_SIZE, PAIR, BASE, START_END, START_SIZE};
static const uint8_t location_kinds[] = {
    END,        BASE_INDEX, START_INDEX_END_INDEX, START_INDEX_SIZE, PAIR, DEFAULT, BASE, START_END,
    START_SIZE, VIEW_PAIR};

typedef struct lists {
  wi_debug *debug;
  wi_dwarf_section section;
  wi_buffer *out;
  wi_debug_moves moves;  /* moved lists */
  wi_debug_moves tables; /* moved tables of offsets */
  uint32_t next;         /* index of the next reference */
  uint64_t written;      /* total size of lists in bytes */
} lists;

typedef struct list {
  lists *all;
  wi_cursor in;
  const wi_debug_unit *unit; /* NULL: only a table refers to the list */
  unsigned size;             /* bytes of an address */
  uint64_t base;
} list;

static kind read_kind(list *l, uint8_t code) {
  bool locations = l->all->section == WI_DWARF_LOCLISTS;
  size_t count = locations ? sizeof location_kinds : sizeof range_kinds;
  if (code < count)
    return (kind)(locations ? location_kinds : range_kinds)[code];
  wi_cursor_fail(&l->in, WI_ERROR_UNSUPPORTED, l->in.offset, "unknown kind of entry in a list");
  return UNKNOWN;
}

static uint64_t indexed(list *l, uint64_t index) {
  return l->unit ? wi_debug_indexed(l->all->debug, l->unit, index) : 0;
}

static void put_number(list *l, uint64_t value) {
  wi_debug_uleb(l->all->out, value);
}

static void put_address(list *l, uint64_t value) {
  wi_debug_fixed(l->all->out, l->size, wi_debug_address(l->all->debug, value));
}

static void put_pair(list *l, uint64_t begin, uint64_t end) {
  wi_debug *d = l->all->debug;
  if (l->base == 0 || wi_debug_is_code(d, l->base)) {
    uint64_t mask = wi_debug_mask(l->size), base = wi_debug_address(d, l->base);
    uint64_t from = l->base + begin, to = l->base + end;
    begin = (wi_debug_address(d, from & mask) - base) & mask;
    end = (wi_debug_address(d, to & mask) - base) & mask;
  }
  put_number(l, begin);
  put_number(l, end);
}

static void rewrite_operands(list *l, kind k) {
  wi_cursor *in = &l->in;
  bool by_index = k == BASE_INDEX || k == START_INDEX_END_INDEX || k == START_INDEX_SIZE;
  bool by_address = k == BASE || k == START_END || k == START_SIZE;
  if (k == END || k == DEFAULT || k == UNKNOWN)
    return;
  uint64_t first = by_address ? wi_dwarf_fixed(in, l->size) : wi_dwarf_uleb(in);
  uint64_t start = by_index ? indexed(l, first) : first;
  if (k == BASE_INDEX || k == BASE)
    l->base = start;
  if (by_index || k == VIEW_PAIR)
    put_number(l, first);
  else if (by_address)
    put_address(l, first);
  if (k == BASE_INDEX || k == BASE)
    return;
  uint64_t second = k == START_END ? wi_dwarf_fixed(in, l->size) : wi_dwarf_uleb(in);
  if (k == PAIR)
    put_pair(l, first, second);
  else if (k == START_END)
    put_address(l, second);
  else if (k == START_INDEX_SIZE || k == START_SIZE)
    put_number(l, wi_debug_size(l->all->debug, start, second));
  else
    put_number(l, second);
  if (k == START_INDEX_END_INDEX)
    indexed(l, second);
}

static void copy_expression(list *l) {
  uint32_t start = l->in.offset;
  uint64_t size = wi_dwarf_uleb(&l->in);
  wi_cursor_skip(&l->in, size < UINT32_MAX ? (uint32_t)size : UINT32_MAX);
  if (!l->in.failed)
    wi_buffer_append(l->all->out, l->in.bytes + start, l->in.offset - start);
}

/* Appends a list; an empty one if it is unreadable. */
static void rewrite_list(list *l) {
  lists *all = l->all;
  size_t start = all->out->size;
  kind k;
  do {
    uint8_t code = wi_cursor_u8(&l->in);
    k = l->in.failed ? UNKNOWN : read_kind(l, code);
    wi_buffer_u8(all->out, code);
    rewrite_operands(l, k);
    bool has_expression = all->section == WI_DWARF_LOCLISTS && k != END && k != BASE &&
                          k != BASE_INDEX && k != VIEW_PAIR;
    if (has_expression && !l->in.failed)
      copy_expression(l);
  } while (k != END && !l->in.failed);
  if (l->in.failed) {
    wi_debug_lose(all->debug, all->section, l->in.error);
    all->out->size = start;
    wi_buffer_u8(all->out, DW_RLE_end_of_list);
  }
  all->written += all->out->size - start;
}

/* Reads the header of a table and limits the cursor to the table. Returns its number of offsets. */
static uint32_t read_header(wi_cursor *in, uint8_t *offset_size, unsigned *address_size) {
  wi_dwarf_length(in, offset_size);
  uint64_t version = wi_dwarf_fixed(in, 2);
  *address_size = wi_cursor_u8(in);
  wi_cursor_skip(in, 1);
  uint64_t count = wi_dwarf_fixed(in, 4);
  if (!in->failed && (version != 5 || (*address_size != 4 && *address_size != 8) ||
                      count > wi_cursor_left(in) / *offset_size))
    wi_cursor_fail(in, WI_ERROR_UNSUPPORTED, in->offset, "unknown header of a table of lists");
  return (uint32_t)count;
}

/*
 * Rewrites the lists of the table that `in` is limited to. Lists may overlap, but the output is
 * limited.
 */
static void rewrite_lists(lists *all, const wi_cursor *in, unsigned address_size) {
  const wi_debug_references *references = &all->debug->references[all->section];
  uint64_t most = 4 * (uint64_t)all->debug->in.section[all->section].size;
  uint32_t last = UINT32_MAX;
  for (; all->next < references->items_count; all->next++) {
    const wi_debug_reference *reference = &references->items[all->next];
    if (reference->target >= in->end)
      return;
    if (reference->target < in->offset || reference->target == last)
      continue;
    last = reference->target;
    const wi_debug_unit *unit =
        reference->unit == WI_DEBUG_NO_UNIT ? NULL : &all->debug->units[reference->unit];
    list l = {.all = all, .in = *in, .unit = unit, .size = address_size};
    l.in.offset = reference->target;
    l.base = unit ? unit->base : 0;
    wi_error error;
    wi_error_reset(&error);
    l.in.error = &error;
    if (all->written > most)
      wi_cursor_fail(&l.in, WI_ERROR_MALFORMED, l.in.offset, "overlapping lists");
    wi_debug_move_add(all->debug, &all->moves, reference->target, (uint32_t)all->out->size);
    rewrite_list(&l);
  }
}

static void set_offsets(lists *all, const wi_cursor *in, uint32_t from, uint32_t to, uint32_t count,
                        unsigned size) {
  for (uint32_t i = 0; i < count && !all->out->failed; i++) {
    uint64_t offset = wi_dwarf_get(in->bytes + from + i * size, size);
    const wi_debug_move *move = wi_debug_move_find(&all->moves, from + offset);
    wi_dwarf_set(all->out->data + to + i * size, size, move ? move->to - to : UINT64_MAX);
  }
}

/* Rewrites a table with its lists. Returns the start of the next one. */
static uint32_t rewrite_table(lists *all, wi_cursor *in) {
  uint8_t offset_size = 4;
  unsigned address_size = 4;
  uint32_t start = in->offset, to = (uint32_t)all->out->size;
  uint32_t count = read_header(in, &offset_size, &address_size);
  if (in->failed)
    return 0;
  uint32_t table = in->offset, new_table = to + (table - start);
  wi_buffer_append(all->out, in->bytes + start, table - start + count * offset_size);
  wi_debug_move_add(all->debug, &all->tables, table, new_table);
  in->offset += count * offset_size;
  rewrite_lists(all, in, address_size);
  set_offsets(all, in, table, new_table, count, offset_size);
  unsigned head = offset_size == 8 ? 12 : 4;
  if (!all->out->failed)
    wi_dwarf_set(all->out->data + to + head - offset_size, offset_size, all->out->size - to - head);
  return in->end;
}

/* Records the lists in tables as referenced. */
static void note_tables(lists *all, wi_cursor in) {
  wi_debug_references *references = &all->debug->references[all->section];
  for (uint32_t end = in.end; in.offset < end && !in.failed;) {
    uint8_t offset_size = 4;
    unsigned address_size;
    in.end = end;
    uint32_t count = read_header(&in, &offset_size, &address_size);
    uint32_t table = in.offset;
    for (uint32_t i = 0; i < count && !in.failed; i++) {
      uint64_t target = table + wi_dwarf_fixed(&in, offset_size);
      wi_debug_reference *reference = WI_ARRAY_PUSH(references, items);
      if (!reference) {
        all->debug->failed = true;
        return;
      }
      *reference =
          (wi_debug_reference){.target = target < UINT32_MAX ? (uint32_t)target : UINT32_MAX,
                               .field = WI_DEBUG_NO_FIELD,
                               .unit = WI_DEBUG_NO_UNIT};
    }
    in.offset = in.end;
  }
}

void wi_debug_lists(wi_debug *d, wi_dwarf_section section) {
  wi_dwarf_bytes in = d->in.section[section];
  if (!in.data)
    return;
  wi_error error;
  wi_error_reset(&error);
  lists all = {.debug = d, .section = section, .out = &d->out[section]};
  d->fate[section] = WI_DEBUG_REWRITTEN;
  note_tables(&all, wi_dwarf_cursor(in, 0, &error));
  wi_debug_sort(&d->references[section]);
  wi_error_reset(&error);
  for (uint32_t start = 0; start < in.size && !d->failed;) {
    wi_cursor cursor = wi_dwarf_cursor(in, start, &error);
    start = rewrite_table(&all, &cursor);
    if (cursor.failed) {
      wi_debug_lose(d, section, &error);
      break;
    }
  }
  wi_debug_patch(d, &d->references[section], &all.moves);
  wi_debug_patch(d, &d->bases[section], &all.tables);
  free(all.moves.items);
  free(all.tables.items);
}
