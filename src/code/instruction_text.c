/* Writes one instruction in the text format. */
#include "code/instruction_text.h"

#include <inttypes.h>
#include <string.h>

#include "code/shape.h"
#include "module/names.h"
#include "support/clean.h"

enum { MAX_LISTED = 16, MAX_NAME = 120 };

/* Prefixes of opcodes. */
enum { PREFIX_NONE, PREFIX_FB = 0xfb, PREFIX_FC, PREFIX_FD, PREFIX_FE };

typedef struct opcode_range {
  uint16_t prefix, first, last;
  wi_shape shape;
  const char *names; /* of all codes in the range, separated by spaces */
} opcode_range;

static const opcode_range ranges[] = {
#define WI_OPCODES(prefix, first, last, shape, mix, names)                                         \
  {PREFIX_##prefix, first, last, SHAPE_##shape, names},
#include "code/opcodes.def"
};

typedef struct writer {
  wi_cursor in;
  wi_names *names;
  FILE *stream;
} writer;

/* ---- Opcodes -------------------------------------------------------------- */

static const opcode_range *find_range(uint32_t prefix, uint32_t code) {
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (ranges[i].prefix == prefix && ranges[i].first <= code && code <= ranges[i].last)
      return &ranges[i];
  return NULL;
}

static void write_name(const opcode_range *range, uint32_t code, FILE *stream) {
  const char *name = range->names;
  for (uint32_t i = range->first; i < code; i++)
    name += strcspn(name, " ") + 1;
  fprintf(stream, "%.*s", (int)strcspn(name, " "), name);
}

wi_nesting wi_instruction_nesting(uint8_t opcode) {
  const opcode_range *range = find_range(PREFIX_NONE, opcode);
  wi_shape shape = range ? range->shape : SHAPE_PLAIN;
  bool begins = shape == SHAPE_BLOCK || shape == SHAPE_LOOP || shape == SHAPE_IF ||
                shape == SHAPE_TRY || shape == SHAPE_TRY_TABLE;
  bool goes_on = shape == SHAPE_ELSE || shape == SHAPE_CATCH || shape == SHAPE_CATCH_ALL;
  return (wi_nesting){.closes = wi_shape_is_delimiter(shape), .opens = begins || goes_on};
}

/* ---- Types ---------------------------------------------------------------- */

static const char *type_name(uint8_t code) {
  static const char *const heap[] = {"exn",    "array", "struct", "i31",      "eq",     "any",
                                     "extern", "func",  "none",   "noextern", "nofunc", "noexn"};
  static const char *const numbers[] = {"v128", "f64", "f32", "i64", "i32"};
  enum { FIRST_HEAP = 0x69, FIRST_NUMBER = 0x7b };
  if (code >= FIRST_NUMBER && code < 0x80)
    return numbers[code - FIRST_NUMBER];
  return code >= FIRST_HEAP && code <= 0x74 ? heap[code - FIRST_HEAP] : "?";
}

static void write_heap_type(writer *w) {
  int64_t type = wi_cursor_signed(&w->in, 33);
  if (type < 0)
    fprintf(w->stream, " %s", type_name((uint8_t)(type & 0x7f)));
  else
    fprintf(w->stream, " %" PRId64, type);
}

static void write_value_type(writer *w) {
  enum { REF_NULL = 0x63, REF = 0x64, NUMBER = 0x7b };
  uint8_t code = wi_cursor_u8(&w->in);
  if (code == REF || code == REF_NULL) {
    fputs(code == REF ? " (ref" : " (ref null", w->stream);
    write_heap_type(w);
    fputc(')', w->stream);
  } else {
    fprintf(w->stream, " %s%s", type_name(code), code >= NUMBER ? "" : "ref");
  }
}

static void write_block_type(writer *w) {
  enum { EMPTY = 0x40 };
  uint8_t code = wi_cursor_peek(&w->in);
  if (code == EMPTY) {
    wi_cursor_skip(&w->in, 1);
  } else if ((code & 0xc0) == 0x40) {
    fputs(" (result", w->stream);
    write_value_type(w);
    fputc(')', w->stream);
  } else {
    fprintf(w->stream, " (type %" PRId64 ")", wi_cursor_signed(&w->in, 33));
  }
}

static void write_value_types(writer *w) {
  fputs(" (result", w->stream);
  for (uint32_t n = wi_cursor_u32(&w->in); n > 0 && !w->in.failed; n--)
    write_value_type(w);
  fputc(')', w->stream);
}

/* ---- Immediates ------------------------------------------------------------ */

static uint32_t write_number(writer *w) {
  uint32_t value = wi_cursor_u32(&w->in);
  fprintf(w->stream, " %" PRIu32, value);
  return value;
}

static void write_function(writer *w) {
  uint32_t function = write_number(w);
  char text[MAX_NAME];
  if (!w->names || function >= wi_names_count(w->names))
    return;
  const char *name = wi_names_get_start(w->names, function, MAX_NAME);
  wi_text_clean(name, strlen(name), text, sizeof text);
  fprintf(w->stream, " (; %s ;)", text);
}

static void write_indirect(writer *w) {
  uint32_t type = wi_cursor_u32(&w->in), table = wi_cursor_u32(&w->in);
  if (table > 0)
    fprintf(w->stream, " %" PRIu32, table);
  fprintf(w->stream, " (type %" PRIu32 ")", type);
}

static void write_memarg(writer *w) {
  enum { HAS_MEMORY_INDEX = 0x40 };
  if (wi_cursor_u32(&w->in) & HAS_MEMORY_INDEX)
    write_number(w);
  uint64_t offset = wi_cursor_unsigned(&w->in, 64);
  if (offset > 0)
    fprintf(w->stream, " offset=%" PRIu64, offset);
}

static void write_bytes(writer *w, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    fprintf(w->stream, " %u", wi_cursor_u8(&w->in));
}

static void write_float(writer *w, unsigned size) {
  uint8_t bytes[8] = {0};
  for (unsigned i = 0; i < size; i++)
    bytes[i] = wi_cursor_u8(&w->in);
  float single;
  double value;
  memcpy(&single, bytes, sizeof single);
  memcpy(&value, bytes, sizeof value);
  fprintf(w->stream, size == 4 ? " %.9g" : " %.17g", size == 4 ? (double)single : value);
}

/* Writes the labels of a br_table or the clauses of a try_table; `write_item` writes one. */
static void write_list(writer *w, void (*write_item)(writer *)) {
  uint32_t count = wi_cursor_u32(&w->in);
  for (uint32_t i = 0; i < count && i < MAX_LISTED && !w->in.failed; i++)
    write_item(w);
  if (count > MAX_LISTED)
    fprintf(w->stream, " \xE2\x80\xA6 (; %" PRIu32 " more ;)", count - MAX_LISTED);
}

static void write_label(writer *w) {
  write_number(w);
}

static void write_clause(writer *w) {
  static const char *const kinds[] = {"catch", "catch_ref", "catch_all", "catch_all_ref"};
  uint8_t kind = wi_cursor_u8(&w->in) & 3;
  fprintf(w->stream, " (%s", kinds[kind]);
  if (kind < 2)
    write_number(w);
  write_number(w);
  fputc(')', w->stream);
}

static void write_branch_on_cast(writer *w) {
  wi_cursor_skip(&w->in, 1);
  write_number(w);
  write_heap_type(w);
  write_heap_type(w);
}

static void write_plain(writer *w, wi_shape shape) {
  switch (shape) {
  case SHAPE_REFERENCES_U32:
  case SHAPE_U32_U32: write_number(w); /* fall through */
  case SHAPE_U32:
  case SHAPE_REFERENCES:
  case SHAPE_GLOBAL: write_number(w); break;
  case SHAPE_MEMORY:
    if (wi_cursor_peek(&w->in) != 0)
      write_number(w);
    break;
  case SHAPE_S32: fprintf(w->stream, " %" PRId64, wi_cursor_signed(&w->in, 32)); break;
  case SHAPE_S64: fprintf(w->stream, " %" PRId64, wi_cursor_signed(&w->in, 64)); break;
  case SHAPE_BYTES_1: write_bytes(w, 1); break;
  case SHAPE_BYTES_4: write_float(w, 4); break;
  case SHAPE_BYTES_8: write_float(w, 8); break;
  case SHAPE_BYTES_16: write_bytes(w, 16); break;
  case SHAPE_MEMARG:
  case SHAPE_ATOMIC: write_memarg(w); break;
  case SHAPE_MEMARG_LANE:
    write_memarg(w);
    write_bytes(w, 1);
    break;
  case SHAPE_HEAP_TYPE: write_heap_type(w); break;
  case SHAPE_VALUE_TYPES: write_value_types(w); break;
  case SHAPE_REF_FUNC: write_function(w); break;
  default: break;
  }
}

static void write_control(writer *w, wi_shape shape) {
  switch (shape) {
  case SHAPE_BLOCK:
  case SHAPE_LOOP:
  case SHAPE_IF:
  case SHAPE_TRY: write_block_type(w); break;
  case SHAPE_TRY_TABLE:
    write_block_type(w);
    write_list(w, write_clause);
    break;
  case SHAPE_CALL:
  case SHAPE_RETURN_CALL: write_function(w); break;
  case SHAPE_CALL_INDIRECT:
  case SHAPE_RETURN_CALL_INDIRECT: write_indirect(w); break;
  case SHAPE_BR:
  case SHAPE_BR_CONDITIONAL:
  case SHAPE_THROW:
  case SHAPE_CATCH:
  case SHAPE_DELEGATE:
  case SHAPE_CALL_REF:
  case SHAPE_RETURN_CALL_REF: write_number(w); break;
  case SHAPE_BR_TABLE:
    write_list(w, write_label);
    write_number(w);
    break;
  case SHAPE_BR_ON_CAST: write_branch_on_cast(w); break;
  default: break;
  }
}

void wi_instruction_write(const wi_module *module, uint32_t offset, wi_names *names, FILE *stream) {
  wi_error error;
  wi_error_reset(&error);
  wi_span rest = {offset, (uint32_t)module->size - offset};
  writer w = {.in = wi_cursor_at(module->bytes, rest, &error), .names = names, .stream = stream};
  uint32_t prefix = PREFIX_NONE, code = wi_cursor_u8(&w.in);
  if (code >= PREFIX_FB && code <= PREFIX_FE) {
    prefix = code;
    code = wi_cursor_u32(&w.in);
  }
  const opcode_range *range = find_range(prefix, code);
  if (!range)
    return;
  write_name(range, code, stream);
  if (range->shape >= WI_SHAPE_FIRST_CONTROL)
    write_control(&w, range->shape);
  else
    write_plain(&w, range->shape);
}
