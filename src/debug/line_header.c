#include "debug/line_header.h"

bool wi_line_header_is_standard(const wi_line_header *header) {
  static const uint8_t counts[] = {0, 1, 1, 1, 1, 0, 0, 0, 1};
  for (unsigned i = 0; i < sizeof counts && i + 1 < header->opcode_base; i++)
    if (header->argument_counts[i] != counts[i])
      return false;
  return true;
}

bool wi_line_header_read(wi_cursor *in, uint8_t offset_size, wi_line_header *header) {
  uint64_t version = wi_dwarf_fixed(in, 2);
  header->address_size = 4;
  if (!in->failed && (version < 2 || version > 5))
    return wi_cursor_fail(in, WI_ERROR_UNSUPPORTED, in->offset, "unknown version of a line table");
  if (version >= 5) {
    header->address_size = wi_cursor_u8(in);
    wi_cursor_skip(in, 1);
  }
  uint64_t size = wi_dwarf_fixed(in, offset_size);
  uint32_t start = in->offset;
  if (size > wi_cursor_left(in))
    return wi_cursor_truncated(in, "header of a line table");
  header->instruction_size = wi_cursor_u8(in);
  if (version >= 4 && wi_cursor_u8(in) > 1)
    return wi_cursor_fail(in, WI_ERROR_UNSUPPORTED, start, "several operations per instruction");
  wi_cursor_skip(in, 1);
  header->line_base = (int8_t)wi_cursor_u8(in);
  header->line_range = wi_cursor_u8(in);
  header->opcode_base = wi_cursor_u8(in);
  header->argument_counts = in->bytes + in->offset;
  wi_cursor_skip(in, header->opcode_base ? header->opcode_base - 1u : 0);
  if (in->failed)
    return false;
  if (header->instruction_size == 0 || header->line_range == 0 || header->opcode_base == 0 ||
      in->offset > start + size || (header->address_size != 4 && header->address_size != 8))
    return wi_cursor_fail(in, WI_ERROR_MALFORMED, start, "malformed header of a line table");
  in->offset = start + (uint32_t)size;
  return true;
}
