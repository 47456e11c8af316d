/*
 * Any bytes as a module that may be Python: data segments of every kind with pieces of CPython's
 * table of offsets, whole or damaged, and functions that store frames as its interpreter does, or
 * nearly.
 *
 * No bytes are a Python that is recognised; each of them makes it another one. What data segments
 * put into memory must be what a plain image of them has; what is instrumented must be so alike
 * twice, scan again, and be valid if the input was.
 */
#include <string.h>

#include "code/data_segments.h"
#include "code/scan_body.h"
#include "fuzz.h"
#include "module/read.h"
#include "support/buffer.h"
#include "wasm_instrument/wasm_instrument.h"

enum { FRAME_CELL = 52, FRAME_PREVIOUS = 4, TABLE_SIZE = 8 * 97 };
enum { IMAGE_SIZE = 1 << 12, USUAL_SIZE = 128 /* bytes of a section */ };
enum { DATA_BYTES = 24 }; /* of the input, which say what the data are; after them the code */

/* ---- The input, zeros past its end ------------------------------------------ */

typedef struct input {
  const uint8_t *at, *end;
} input;

static uint8_t next(input *in) {
  return in->at < in->end ? *in->at++ : 0;
}

static uint32_t below(input *in, uint32_t limit) {
  return next(in) % limit;
}

static uint32_t next_u16(input *in) {
  uint32_t low = next(in);
  return low | (uint32_t)next(in) << 8;
}

/* ---- Data -------------------------------------------------------------------- */

static void put_number(uint8_t *table, uint32_t index, uint64_t value) {
  for (uint32_t i = 0; i < 8; i++)
    table[8 + 8 * index + i] = (uint8_t)(value >> 8 * i);
}

/* Numbers that suit every layout, then some that the input says. */
static void make_table(input *in, uint8_t table[TABLE_SIZE]) {
  static const uint8_t cells[] = {22, 25}, previous[] = {28, 31, 39};
  static const uint32_t minors[] = {14, 13, 15, 16, 12};
  memcpy(table, "xdebugpy", 8);
  for (uint32_t i = 1; i < TABLE_SIZE / 8 - 1; i++)
    put_number(table, i, 16);
  put_number(table, 0, 0x030000f0 | minors[below(in, sizeof minors / sizeof *minors)] << 16);
  for (uint32_t i = 0; i < sizeof cells; i++)
    put_number(table, cells[i], FRAME_CELL);
  for (uint32_t i = 0; i < sizeof previous; i++)
    put_number(table, previous[i], FRAME_PREVIOUS);
  for (uint32_t changes = below(in, 4); changes > 0; changes--) {
    uint32_t index = below(in, TABLE_SIZE / 8 - 1);
    put_number(table, index, (uint64_t)next_u16(in) << next(in) % 56);
  }
}

/* The table, a piece of it, or bytes of the input. */
static void put_contents(input *in, const uint8_t table[TABLE_SIZE], wi_buffer *out) {
  uint32_t kind = below(in, 4), from = 0, size = TABLE_SIZE;
  if (kind == 3) {
    size = below(in, 16);
    wi_buffer_u32(out, size);
    while (size-- > 0)
      wi_buffer_u8(out, next(in));
    return;
  }
  if (kind == 1)
    from = next_u16(in) % TABLE_SIZE;
  if (kind > 0)
    size = next_u16(in) % (TABLE_SIZE - from + 1);
  wi_buffer_u32(out, size);
  wi_buffer_append(out, table + from, size);
}

static void put_constant(wi_buffer *out, int32_t value) {
  wi_buffer_u8(out, 0x41);
  wi_buffer_s32(out, value);
}

static void put_address(input *in, wi_buffer *out) {
  uint32_t kind = below(in, 8);
  int32_t offset = (int32_t)next_u16(in) % IMAGE_SIZE;
  if (kind == 3) {
    wi_buffer_u8(out, 0x23);
    wi_buffer_u32(out, below(in, 3)); /* globals: two, of i32 and i64 */
  } else if (kind == 1) {
    put_constant(out, offset);
    put_constant(out, 16);
    wi_buffer_u8(out, 0x6a);
  } else if (kind == 2) {
    put_constant(out, -1 - offset % 64);
  } else {
    put_constant(out, offset);
  }
  wi_buffer_u8(out, 0x0b);
}

static size_t begin_section(wi_buffer *out, uint8_t id) {
  wi_buffer_u8(out, id);
  return wi_buffer_sized_begin(out, USUAL_SIZE);
}

static void put_segments(input *in, wi_buffer *out) {
  uint8_t table[TABLE_SIZE];
  make_table(in, table);
  uint32_t count = 1 + below(in, 5);
  size_t start = begin_section(out, 11);
  wi_buffer_u32(out, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t kind = below(in, 8), flags = kind < 4 ? kind : 0; /* 3: there is no such kind */
    wi_buffer_u32(out, flags);
    if (flags & 2)
      wi_buffer_u32(out, below(in, 3));
    if (!(flags & 1))
      put_address(in, out);
    put_contents(in, table, out);
  }
  wi_buffer_sized_end(out, start, USUAL_SIZE);
}

/* ---- Code -------------------------------------------------------------------- */

static void put_local(wi_buffer *out, uint8_t opcode, uint32_t local) {
  wi_buffer_u8(out, opcode);
  wi_buffer_u32(out, local);
}

static void put_access(wi_buffer *out, uint8_t opcode, uint32_t offset, bool folds) {
  if (!folds && opcode == 0x28) {
    put_constant(out, (int32_t)offset);
    wi_buffer_u8(out, 0x6a);
  }
  wi_buffer_u8(out, opcode);
  wi_buffer_u8(out, 2);
  wi_buffer_u32(out, folds ? offset : 0);
}

/* thread->current_frame = frame->previous, or = frame. */
static void put_store(input *in, wi_buffer *out) {
  uint8_t how = next(in);
  bool folds = !(how & 1), loads = !(how & 2), tees = how & 4;
  put_local(out, 0x20, 0);
  if (!folds) {
    put_constant(out, FRAME_CELL);
    wi_buffer_u8(out, 0x6a);
  }
  put_local(out, 0x20, 1);
  if (loads)
    put_access(out, 0x28, FRAME_PREVIOUS, folds);
  if (tees)
    put_local(out, 0x22, how & 8 ? 200 : 2);
  put_access(out, 0x36, FRAME_CELL, folds);
}

static void put_branch(wi_buffer *out, uint32_t label) {
  put_local(out, 0x20, 1);
  put_local(out, 0x0d, label);
}

static void put_call(wi_buffer *out, uint32_t function) {
  put_local(out, 0x20, 0);
  put_local(out, 0x20, 1);
  put_local(out, 0x10, function);
}

/* Instructions that leave the stack as it is. */
static void put_instructions(input *in, wi_buffer *out, uint32_t depth) {
  for (uint32_t count = below(in, 8); count > 0; count--) {
    switch (next(in) % 8) {
    case 0:
    case 1:
    case 2: put_store(in, out); break;
    case 3:
    case 4:
      wi_buffer_append(out, next(in) % 2 ? "\x02\x40" : "\x03\x40", 2);
      if (depth < 4)
        put_instructions(in, out, depth + 1);
      wi_buffer_u8(out, 0x0b);
      break;
    case 5: put_branch(out, below(in, depth + 2)); break;
    case 6: put_call(out, below(in, 3)); break;
    default: wi_buffer_u8(out, next(in)); break; /* often not valid */
    }
  }
}

static void put_code(input *in, wi_buffer *out) {
  size_t section = begin_section(out, 10);
  wi_buffer_u8(out, 2);
  for (uint32_t i = 0; i < 2; i++) {
    size_t body = wi_buffer_sized_begin(out, 64);
    wi_buffer_append(out, "\x01\xc8\x01\x7f", 4); /* 200 locals of i32 */
    for (uint32_t stores = next(in) % 4; stores < 3; stores++)
      put_store(in, out);
    put_instructions(in, out, 0);
    wi_buffer_u8(out, 0x0b);
    wi_buffer_sized_end(out, body, 64);
  }
  wi_buffer_sized_end(out, section, USUAL_SIZE);
}

/* ---- The module ---------------------------------------------------------------- */

static void put_module(input *in, wi_buffer *out) {
  uint32_t memory = below(in, 8);
  wi_buffer_append(out, "\0asm\1\0\0\0", 8);
  wi_buffer_append(out, "\1\6\1\x60\2\x7f\x7f\0", 8);
  wi_buffer_append(out, "\2\x0e\2\1a\1f\0\0\1a\1b\3\x7f\0", 16); /* a function, a global */
  wi_buffer_append(out, "\3\3\2\0\0", 5);
  if (memory == 1)
    wi_buffer_append(out, "\5\5\2\0\1\0\1", 7);
  else if (memory == 2)
    wi_buffer_append(out, "\5\3\1\4\1", 5); /* addresses of i64 */
  else if (memory != 3)
    wi_buffer_append(out, "\5\3\1\0\1", 5);
  wi_buffer_append(out, "\6\6\1\x7e\0\x42\0\x0b", 8);
  wi_buffer_append(out, "\7\5\1\1e\0\1", 7);
  input code = {in->at, in->end};
  for (uint32_t skipped = 0; skipped < DATA_BYTES; skipped++)
    next(&code);
  put_code(&code, out);
  put_segments(in, out);
}

/* ---- What must hold --------------------------------------------------------------- */

/* What is read of segments at constant addresses is what they leave in memory, in their order. */
static void check_image(const wi_module *module) {
  static uint8_t image[IMAGE_SIZE], read[IMAGE_SIZE];
  wi_scan scan = {0};
  wi_data_segments all = {.module = module, .scan = &scan};
  memset(image, 0xA5, sizeof image);
  memset(read, 0xA5, sizeof read);
  while (wi_data_segments_next(&all))
    for (uint32_t i = 0; i < all.bytes.size; i++)
      if (!all.address.is_relative && (uint64_t)all.address.offset + i < IMAGE_SIZE)
        image[all.address.offset + i] = module->bytes[all.bytes.offset + i];
  wi_data_segments_read(module, &scan, (wi_data_address){0}, read, IMAGE_SIZE);
  CHECK(memcmp(image, read, IMAGE_SIZE) == 0);
  wi_scan_clear(&scan);
}

static void check_output(const wi_output *output, bool is_valid) {
  wi_module module;
  wi_error error;
  wi_error_reset(&error);
  CHECK(wi_module_read(&module, output->bytes, output->size, &error));
  wi_scan scan = {0};
  for (uint32_t i = 0; i < module.bodies_count; i++)
    CHECK(wi_scan_body(&scan, &module, i, NULL, &error));
  CHECK(!is_valid || fuzz_is_valid(output->bytes, output->size));
  wi_scan_clear(&scan);
  wi_module_clear(&module);
}

static void check_guest(const wi_buffer *bytes, wi_guest_mode guest, wasm_perf_clock clock) {
  wi_options options = {.embed = true, .clock = clock, .guest = guest};
  wi_output first, second;
  wi_error error;
  if (!wi_instrument(bytes->data, bytes->size, &options, &first, &error)) {
    CHECK(first.bytes == NULL && error.code != WI_ERROR_NONE && error.message[0] != '\0');
    return;
  }
  CHECK(wi_instrument(bytes->data, bytes->size, &options, &second, &error));
  CHECK(first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0);
  check_output(&first, fuzz_is_valid(bytes->data, bytes->size));
  wi_output_clear(&first);
  wi_output_clear(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input in = {data, data + size};
  uint8_t how = next(&in);
  wi_buffer bytes = {0};
  wi_module module;
  wi_error error;
  wi_error_reset(&error);
  put_module(&in, &bytes);
  if (wi_module_read(&module, bytes.data, bytes.size, &error)) {
    check_image(&module);
    wi_module_clear(&module);
    wasm_perf_clock clock = how & 1 ? WASM_PERF_CLOCK_NONE : WASM_PERF_CLOCK_INSTRUCTIONS;
    check_guest(&bytes, (wi_guest_mode)(how / 2 % 3), clock);
  }
  wi_buffer_clear(&bytes);
  return 0;
}
