/* Iterates over data segments, and reads initial memory contents. */
#include "code/data_segments.h"

#include <string.h>

#include "code/expression.h"
#include "code/opcodes.h"

enum { FLAG_PASSIVE = 1 };

static bool begin(wi_data_segments *all) {
  all->begun = true;
  for (uint32_t i = 0; i < all->module->sections_count; i++) {
    const wi_section *section = &all->module->sections[i];
    if (section->id != WI_SECTION_DATA)
      continue;
    all->cursor = wi_cursor_at(all->module->bytes, section->payload, NULL);
    return true;
  }
  return false;
}

/* Reads a constant expression. Returns true if it is a single i32.const or global.get. */
static bool read_address(wi_data_segments *all, wi_cursor *cursor) {
  wi_cursor operand = *cursor;
  uint8_t opcode = wi_cursor_u8(&operand);
  wi_scan_reset(all->scan);
  if (!wi_scan_expression(all->scan, all->module, cursor))
    return false;
  all->address = (wi_data_address){.is_relative = opcode == GLOBAL_GET};
  if (opcode == GLOBAL_GET)
    all->address.global = wi_cursor_u32(&operand);
  else if (opcode == I32_CONST)
    all->address.offset = (uint32_t)wi_cursor_signed(&operand, 32);
  else
    return false;
  return operand.offset + 1 == cursor->offset;
}

bool wi_data_segments_next(wi_data_segments *all) {
  wi_error ignored;
  wi_error_reset(&ignored);
  bool is_first = !all->begun;
  if (is_first && !begin(all))
    return false;
  all->cursor.error = &ignored;
  if (is_first)
    all->left = wi_cursor_count(&all->cursor, 2, "data segments");
  while (all->left > 0 && !all->cursor.failed) {
    all->left--;
    all->next++;
    uint32_t flags = wi_cursor_u32(&all->cursor);
    uint32_t memory = flags & DATA_HAS_MEMORY ? wi_cursor_u32(&all->cursor) : 0;
    all->is_passive = flags & FLAG_PASSIVE;
    bool is_known =
        all->is_passive ? all->wants_passive : read_address(all, &all->cursor) && memory == 0;
    all->bytes = wi_cursor_sized(&all->cursor);
    if (is_known && !all->cursor.failed)
      return true;
  }
  return false;
}

static bool is_same_base(wi_data_address a, wi_data_address b) {
  return a.is_relative == b.is_relative && a.global == b.global;
}

void wi_data_segments_read(const wi_module *module, wi_scan *scan, wi_data_address address,
                           uint8_t *out, uint32_t size) {
  wi_data_segments all = {.module = module, .scan = scan};
  while (wi_data_segments_next(&all)) {
    uint64_t start = all.address.offset, end = start + all.bytes.size;
    uint64_t from = address.offset > start ? address.offset : start;
    uint64_t to = end < (uint64_t)address.offset + size ? end : (uint64_t)address.offset + size;
    if (from < to && is_same_base(address, all.address))
      memcpy(out + (from - address.offset), module->bytes + all.bytes.offset + (from - start),
             (size_t)(to - from));
  }
}
