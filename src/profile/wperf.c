/* Reads .wperf files: shared by both versions. */
#include "profile/wperf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "support/utf8.h"

bool wi_wperf_has_magic(const uint8_t *bytes, size_t size) {
  return size >= WI_WPERF_MAGIC_SIZE && memcmp(bytes, WASM_PERF_MAGIC, WI_WPERF_MAGIC_SIZE) == 0;
}

/* Sections are multiples of 8 bytes, and none has an id as the magic begins. */
size_t wi_wperf_size(const uint8_t *bytes, size_t size) {
  size_t offset = WASM_PERF_HEAD_SIZE;
  if (size < offset || wi_wperf_u32(bytes + WI_WPERF_MAGIC_SIZE) != WASM_PERF_VERSION)
    return size;
  while (size - offset >= WI_WPERF_SECTION_HEAD_SIZE &&
         !wi_wperf_has_magic(bytes + offset, size - offset)) {
    uint64_t section_size = wi_wperf_u64(bytes + offset + 8);
    offset += WI_WPERF_SECTION_HEAD_SIZE;
    if (section_size > size - offset)
      return size;
    offset += (size_t)section_size + (8 - (size_t)section_size % 8) % 8;
    if (offset > size)
      return size;
  }
  return wi_wperf_has_magic(bytes + offset, size - offset) ? offset : size;
}

bool wi_wperf_fail(const wi_wperf_input *in, size_t offset, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  in->error->offset = offset;
  vsnprintf(in->error->message, sizeof in->error->message, format, arguments);
  va_end(arguments);
  return false;
}

bool wi_wperf_check_text(const wi_wperf_input *in, wi_wperf_span text, const char *what) {
  const uint8_t *bytes = in->bytes + text.offset;
  size_t bad = wi_utf8_check(bytes, text.size);
  if (bad < text.size)
    return wi_wperf_fail(in, text.offset + bad, "%s is not valid UTF-8", what);
  const uint8_t *zero = memchr(bytes, 0, text.size);
  return !zero || wi_wperf_fail(in, (size_t)(zero - in->bytes), "%s has a zero byte", what);
}

bool wi_wperf_check_value(const wi_wperf_input *in, size_t *offset, size_t end,
                          wi_wperf_span *name) {
  enum { VALUE_HEAD_SIZE = 8 };
  size_t left = end - *offset;
  uint64_t size = VALUE_HEAD_SIZE;
  if (left >= VALUE_HEAD_SIZE)
    size += (uint64_t)wi_wperf_u32(in->bytes + *offset) + wi_wperf_u32(in->bytes + *offset + 4);
  size = (size + 7) & ~UINT64_C(7);
  if (size > left)
    return wi_wperf_fail(in, *offset, "a record ends past its section");
  *name = (wi_wperf_span){*offset + VALUE_HEAD_SIZE, wi_wperf_u32(in->bytes + *offset)};
  *offset += (size_t)size;
  return true;
}

bool wi_wperf_check_node(const wi_wperf_input *in, size_t offset, uint32_t index) {
  uint32_t function = wi_wperf_u32(in->bytes + offset);
  uint32_t parent = wi_wperf_u32(in->bytes + offset + 4);
  if ((function == WASM_PERF_FUNCTION_ROOT) != (index == 0))
    return wi_wperf_fail(
        in, offset, index == 0 ? "node %u is not the root" : "node %u is a second root", index);
  if (index == 0 ? parent != 0 : parent >= index)
    return wi_wperf_fail(in, offset + 4, "node %u has node %u as its parent", index, parent);
  return true;
}

bool wi_wperf_check_records(const wi_wperf_input *in, size_t *offset, size_t end, uint32_t *count,
                            unsigned number_count, const char *what) {
  size_t prefix_size = 8 + 4 * (size_t)number_count;
  uint64_t least = 0; /* smallest function that may follow */
  for (; *count > 0 && *offset < end; --*count) {
    if (end - *offset < prefix_size)
      return wi_wperf_fail(in, end, "the file ends inside the %ss", what);
    uint32_t function = wi_wperf_u32(in->bytes + *offset);
    uint32_t size = wi_wperf_u32(in->bytes + *offset + prefix_size - 4);
    if (function < least)
      return wi_wperf_fail(in, *offset, "the %s of function %u follows that of function %u", what,
                           function, (uint32_t)(least - 1));
    if (size > end - *offset - prefix_size)
      return wi_wperf_fail(in, end, "the file ends inside the %s of function %u", what, function);
    if (!wi_wperf_check_text(in, (wi_wperf_span){*offset + prefix_size, size},
                             number_count == 0 ? "a name" : "a place"))
      return false;
    least = (uint64_t)function + 1;
    *offset += prefix_size + size;
  }
  return true;
}

bool wi_wperf_read_names(wasm_perf_profile *profile, const wi_wperf_input *in,
                         wi_wperf_span names) {
  const uint8_t *bytes = in->bytes + names.offset;
  const uint8_t *end = bytes + names.size;
  while (bytes < end) {
    uint32_t size = wi_wperf_u32(bytes + 4);
    if (!wasm_perf_profile_set_name_n(profile, wi_wperf_u32(bytes), (const char *)bytes + 8, size))
      return false;
    bytes += 8 + (size_t)size;
  }
  return true;
}
