/* Rewrites line programs. */
#include "rewrite/debug/line.h"

#include "debug/line_header.h"

/*
 * Line tables. A program is translated opcode by opcode: address advances are dropped, and before
 * each row an advance to the row's new address is inserted. Everything else is copied, so rows keep
 * their order, number and attributes, including attributes set by future opcodes.
 */

typedef struct program {
  wi_debug *debug;
  wi_buffer *out;
  wi_cursor in;
  wi_line_header header;
  uint64_t address; /* in the input, at the cursor */
  uint64_t reached; /* in the output, as written so far */
  bool wrapped;     /* past the last address: the linker removed the code */
  uint8_t set_size; /* size in which the address was set since the last row; 0: not set */
} program;

static void begin_sequence(program *p) {
  p->address = p->reached = 0;
  p->set_size = 0;
  p->wrapped = false;
}

static void advance_input(program *p, uint64_t distance) {
  p->wrapped |= p->address + distance < distance;
  p->address += distance;
}

static void put_opcode(program *p, unsigned opcode) {
  wi_buffer_u8(p->out, (uint8_t)opcode);
}

/* Copies the opcode from `start` up to the cursor. */
static void copy_opcode(program *p, uint32_t start) {
  if (!p->in.failed)
    wi_buffer_append(p->out, p->in.bytes + start, p->in.offset - start);
}

static void set_address(program *p, unsigned size, uint64_t address) {
  const uint8_t head[] = {DW_LNS_extended, (uint8_t)(size + 1), DW_LNE_set_address};
  wi_buffer_append(p->out, head, sizeof head);
  wi_debug_fixed(p->out, size, address);
}

/*
 * Returns the advance to the new address of the current row, in instruction units. If it cannot be
 * expressed as an advance, sets the address instead and returns 0.
 */
static uint64_t approach(program *p) {
  uint64_t target = p->wrapped ? p->address : wi_debug_address(p->debug, p->address);
  uint64_t distance = target - p->reached;
  bool advances = (target >= p->reached || p->wrapped) &&
                  distance % p->header.instruction_size == 0 &&
                  p->header.opcode_base > DW_LNS_advance_pc && p->set_size == 0;
  if (!advances)
    set_address(p, p->set_size ? p->set_size : p->header.address_size, target);
  p->set_size = 0;
  p->reached = target;
  return advances ? distance / p->header.instruction_size : 0;
}

static void advance(program *p, uint64_t distance) {
  if (distance == 0)
    return;
  put_opcode(p, DW_LNS_advance_pc);
  wi_debug_uleb(p->out, distance);
}

/* Writes a row with a special opcode. `line` is its line advance minus line_base. */
static void put_special(program *p, unsigned line) {
  uint64_t distance = approach(p);
  unsigned least = p->header.opcode_base + line, most = (255u - least) / p->header.line_range;
  if (distance > most && p->header.opcode_base > DW_LNS_const_add_pc &&
      distance >= wi_line_last_advance(&p->header) &&
      distance - wi_line_last_advance(&p->header) <= most) {
    put_opcode(p, DW_LNS_const_add_pc);
    distance -= wi_line_last_advance(&p->header);
  } else if (distance > most) {
    advance(p, distance);
    distance = 0;
  }
  put_opcode(p, least + (unsigned)distance * p->header.line_range);
}

static void put_copy(program *p) {
  unsigned line =
      (unsigned)-p->header.line_base; /* as in a special opcode that does not change the line */
  uint64_t distance = approach(p);
  if (distance > 0 && line < p->header.line_range && p->header.opcode_base + line <= 255u &&
      distance <= (255u - p->header.opcode_base - line) / p->header.line_range) {
    put_opcode(p, p->header.opcode_base + line + (unsigned)distance * p->header.line_range);
    return;
  }
  advance(p, distance);
  put_opcode(p, DW_LNS_copy);
}

static void translate_extended(program *p, uint32_t start) {
  uint64_t size = wi_dwarf_uleb(&p->in);
  uint32_t from = p->in.offset;
  uint8_t opcode = wi_cursor_u8(&p->in);
  if (size == 0 || size - 1 > wi_cursor_left(&p->in)) {
    wi_cursor_fail(&p->in, WI_ERROR_MALFORMED, from, "an extended opcode of an impossible size");
    return;
  }
  p->in.offset = from + (uint32_t)size;
  if (opcode == DW_LNE_set_address) {
    if (size - 1 != 4 && size - 1 != 8)
      wi_cursor_fail(&p->in, WI_ERROR_UNSUPPORTED, from, "addresses of an unknown size");
    else {
      p->header.address_size = p->set_size = (uint8_t)(size - 1);
      p->address = wi_dwarf_get(p->in.bytes + from + 1, p->set_size);
      p->wrapped = false;
    }
    return;
  }
  if (opcode == DW_LNE_end_sequence)
    advance(p, approach(p));
  copy_opcode(p, start);
  if (opcode == DW_LNE_end_sequence)
    begin_sequence(p);
}

static void translate_standard(program *p, uint8_t opcode, uint32_t start) {
  switch (opcode) {
  case DW_LNS_copy: put_copy(p); return;
  case DW_LNS_advance_pc:
    advance_input(p, wi_dwarf_uleb(&p->in) * p->header.instruction_size);
    break;
  case DW_LNS_const_add_pc:
    advance_input(p, wi_line_last_advance(&p->header) * p->header.instruction_size);
    break;
  case DW_LNS_fixed_advance_pc: advance_input(p, wi_dwarf_fixed(&p->in, 2)); break;
  default:
    for (unsigned i = p->header.argument_counts[opcode - 1]; i > 0; i--)
      wi_dwarf_skip_leb(&p->in);
    copy_opcode(p, start);
  }
}

static void translate(program *p) {
  begin_sequence(p);
  while (p->in.offset < p->in.end) {
    uint32_t start = p->in.offset;
    uint8_t opcode = wi_cursor_u8(&p->in);
    if (opcode >= p->header.opcode_base) {
      unsigned adjusted = opcode - p->header.opcode_base;
      advance_input(p, adjusted / p->header.line_range * p->header.instruction_size);
      put_special(p, adjusted % p->header.line_range);
    } else if (opcode == DW_LNS_extended) {
      translate_extended(p, start);
    } else {
      translate_standard(p, opcode, start);
    }
  }
}

static void put_length(wi_buffer *out, size_t start, uint8_t offset_size) {
  unsigned head = offset_size == 8 ? 12 : 4;
  if (!out->failed)
    wi_dwarf_set(out->data + start + head - offset_size, offset_size, out->size - start - head);
}

/* Rewrites the table at `start`; the program's cursor is limited to it. */
static void rewrite_table(program *p, uint32_t start, uint8_t offset_size) {
  size_t to = p->out->size;
  if (!wi_line_header_read(&p->in, offset_size, &p->header)) {
    wi_debug_lose(p->debug, WI_DWARF_LINE, p->in.error);
    return;
  }
  wi_buffer_append(p->out, p->in.bytes + start, p->in.offset - start);
  size_t rows = p->out->size;
  if (wi_line_header_is_standard(&p->header))
    translate(p);
  else
    wi_cursor_fail(&p->in, WI_ERROR_UNSUPPORTED, p->in.offset,
                   "standard opcodes with other arguments");
  if (p->in.failed) {
    p->out->size = rows;
    wi_debug_lose(p->debug, WI_DWARF_LINE, p->in.error);
  }
  put_length(p->out, to, offset_size);
  wi_debug_move_add(p->debug, &p->debug->lines, start, (uint32_t)to);
}

void wi_debug_lines(wi_debug *d) {
  wi_dwarf_bytes section = d->in.section[WI_DWARF_LINE];
  wi_buffer *out = &d->out[WI_DWARF_LINE];
  if (!section.data)
    return;
  d->fate[WI_DWARF_LINE] = WI_DEBUG_REWRITTEN;
  wi_buffer_reserve(out, section.size + section.size / 4);
  for (uint32_t start = 0, next; start < section.size; start = next) {
    wi_error error;
    wi_error_reset(&error);
    uint8_t offset_size;
    program p = {.debug = d, .out = out};
    p.in = wi_dwarf_cursor(section, start, &error);
    next = wi_dwarf_length(&p.in, &offset_size);
    if (p.in.failed) {
      wi_debug_lose(d, WI_DWARF_LINE, &error);
      return;
    }
    rewrite_table(&p, start, offset_size);
  }
}

uint32_t wi_debug_empty_line_table(wi_debug *d) {
  static const uint8_t table[] = {0x1a, 0, 0, 0,    /* length */ 4,
                                  0,             /* version */
                                  0x14, 0, 0, 0, /* length of the header */
                                  1,    1, 1, 0xfb, 14,
                                  13,   0, 1, 1,    1,
                                  1,    0, 0, 0,    1,
                                  0,    0, 1, 0,    0};
  wi_buffer *out = &d->out[WI_DWARF_LINE];
  if (d->empty_line_table == 0) {
    d->fate[WI_DWARF_LINE] = WI_DEBUG_REWRITTEN;
    d->empty_line_table = (uint32_t)out->size + 1;
    wi_buffer_append(out, table, sizeof table);
  }
  return d->empty_line_table - 1;
}
