#include "match/code_features.h"

#include <stdlib.h>
#include <string.h>

#include "code/opcodes.h"
#include "code/scan_body.h"
#include "support/search.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Opcodes that only this file uses. */
enum {
  OP_FIRST_MEMORY = 0x28,
  OP_LAST_MEMORY = 0x3e,
  OP_F32_CONST = 0x43,
  OP_F64_CONST = 0x44,
  OP_FIRST_NUMERIC = 0x45,
  OP_LAST_NUMERIC = 0xc4,
  OP_FIRST_PREFIX = 0xfb
};

/* Smaller constants carry too little information for a token. */
enum { LARGE_CONSTANT = 16 };

/* In shorter functions any constant may be an index of the table, which differs between builds. */
enum { SHORT_SIZE = 16 };

/* Kinds of tokens, part of their hashes. */
enum {
  TOKEN_MEMORY = 1,
  TOKEN_CONSTANT,
  TOKEN_STRING,
  TOKEN_ADDRESS,
  TOKEN_IMPORT,
  TOKEN_INDIRECT,
  TOKEN_OPERATION,
  TOKEN_PAIR,
  TOKEN_TABLE,
  TOKEN_TYPE
};

uint64_t wi_hash_bytes(const void *bytes, size_t size) {
  return XXH3_64bits(bytes, size);
}

uint32_t wi_hash_type(const wi_module *module, uint32_t index) {
  if (index >= module->types_count || !module->types[index].is_function)
    return 0;
  const wi_type *type = &module->types[index];
  uint64_t params = wi_hash_bytes(module->bytes + type->params.offset, type->params.size);
  uint64_t results = wi_hash_bytes(module->bytes + type->results.offset, type->results.size);
  return (uint32_t)(wi_hash_mix(params, results) >> 16);
}

/* Emscripten minifies names of imports to one or two letters, which differ between builds. */
uint64_t wi_hash_import(const wi_features *features, uint32_t function) {
  const wi_module *module = features->module;
  const wi_import *import = &module->imports[function];
  uint64_t type = wi_hash_type(module, import->type_index);
  if (features->of_library || (import->module.size <= 2 && import->field.size <= 2))
    return wi_hash_mix(1, type);
  return wi_hash_mix(wi_hash_bytes(module->bytes + import->module.offset, import->module.size),
                     wi_hash_bytes(module->bytes + import->field.offset, import->field.size));
}

void wi_code_reader_clear(wi_code_reader *reader) {
  wi_scan_clear(&reader->scan);
  free(reader->found);
}

/* ---- Instructions ---------------------------------------------- */

static bool add_token(wi_code_reader *reader, uint64_t kind, uint64_t value) {
  uint64_t *token = WI_ARRAY_PUSH(reader, found);
  if (token)
    *token = wi_hash_mix(wi_hash_mix(kind, value), 0);
  return token != NULL;
}

/* Adds tokens for an operation that optimisers keep: alone, and as a pair with the last one. */
static bool add_effect(wi_code_reader *reader, uint64_t kind, uint64_t value) {
  uint64_t effect = wi_hash_mix(kind, value);
  bool done = add_token(reader, kind, value) &&
              add_token(reader, TOKEN_PAIR, wi_hash_mix(reader->before, effect));
  reader->before = effect;
  return done;
}

static void mix_exact(wi_code_reader *reader, uint64_t value) {
  reader->exact = wi_hash_mix(reader->exact, value);
}

static void mix(wi_code_reader *reader, uint64_t value) {
  reader->exact = wi_hash_mix(reader->exact, value);
  reader->family = wi_hash_mix(reader->family, value);
}

/* A constant that may be an address: its value differs between builds, but not the text there. */
static bool note_address(wi_code_reader *reader, uint32_t value) {
  char text[WI_STRING_MAX];
  uint32_t size = wi_data_image_string(&reader->features->data, value, text);
  bool by_value = reader->features->with_addresses;
  uint64_t hash = size > 0 ? wi_hash_bytes(text, size < 12 ? size : 12) : 0;
  mix_exact(reader, hash);
  if (by_value)
    mix_exact(reader, value);
  if (size > 0)
    reader->family = wi_hash_mix(reader->family, hash);
  return (size == 0 || add_effect(reader, TOKEN_STRING, hash)) &&
         (!by_value || add_effect(reader, TOKEN_ADDRESS, value));
}

/*
 * Whether a constant looks like chosen at random: the parameter of a hash, not a size, a mask or the
 * index of something.
 */
static bool is_random(int64_t value) {
  enum { LEAST = 4096, MOST_ROUND = 255 };
  uint64_t left = value < 0 ? ~(uint64_t)value : (uint64_t)value;
  if (left < LEAST)
    return false;
  left = left & 1 ? left + 1 : left;
  return left >> __builtin_ctzll(left) > MOST_ROUND;
}

static bool note_constant(wi_code_reader *reader, uint8_t opcode, int64_t value) {
  if (opcode == I32_CONST && wi_data_image_has(&reader->features->data, (uint32_t)value))
    return note_address(reader, (uint32_t)value);
  mix_exact(reader, (uint64_t)value);
  if (is_random(value))
    reader->random = wi_hash_mix(reader->random, (uint64_t)value);
  if (value < LARGE_CONSTANT && value > -LARGE_CONSTANT)
    return true;
  return add_effect(reader, TOKEN_CONSTANT, (uint64_t)value);
}

static bool note_memory(wi_code_reader *reader, uint8_t opcode) {
  wi_cursor_u32(&reader->in); /* the alignment is a hint */
  uint64_t offset = wi_cursor_unsigned(&reader->in, 64);
  if (wi_data_image_has(&reader->features->data, offset))
    return add_effect(reader, TOKEN_MEMORY, opcode) && note_address(reader, (uint32_t)offset);
  mix_exact(reader, offset);
  return add_effect(reader, TOKEN_MEMORY, offset << 8 | opcode);
}

/* One class for all comparisons, since optimisers invert them. */
static uint8_t operation_class(uint8_t opcode) {
  enum { LAST_COMPARISON = 0x66 };
  return opcode <= LAST_COMPARISON ? OP_FIRST_NUMERIC : opcode;
}

static bool note_call(wi_code_reader *reader) {
  wi_features *features = reader->features;
  uint32_t target = wi_cursor_u32(&reader->in);
  bool is_import = target < features->module->imports_count;
  uint64_t name = is_import ? wi_hash_import(features, target) : 0;
  mix(reader, name);
  uint32_t *link = WI_ARRAY_PUSH(features, links);
  if (!link)
    return false;
  *link = target;
  reader->function->calls.count++;
  return add_effect(reader, TOKEN_IMPORT, name);
}

static bool note_bytes(wi_code_reader *reader, uint8_t opcode, uint32_t size) {
  uint32_t left = wi_cursor_left(&reader->in);
  const uint8_t *bytes = reader->in.bytes + reader->in.offset;
  uint64_t hash = wi_hash_mix(opcode, wi_hash_bytes(bytes, size < left ? size : left));
  mix_exact(reader, hash);
  return add_effect(reader, TOKEN_CONSTANT, hash);
}

/* Ignores type indices, which differ between builds. */
static bool note_prefixed(wi_code_reader *reader, uint8_t opcode) {
  uint64_t code = (uint64_t)opcode << 32 | wi_cursor_u32(&reader->in);
  mix(reader, code);
  return add_effect(reader, TOKEN_OPERATION, code);
}

static bool note_indirect_call(wi_code_reader *reader) {
  uint64_t type = wi_hash_type(reader->features->module, wi_cursor_u32(&reader->in));
  mix(reader, type);
  return add_effect(reader, TOKEN_INDIRECT, type);
}

static bool note_table(wi_code_reader *reader) {
  uint32_t count = wi_cursor_u32(&reader->in);
  mix(reader, count);
  return add_effect(reader, TOKEN_TABLE, count);
}

static bool note_plain(wi_code_reader *reader, uint8_t opcode) {
  if (opcode >= OP_FIRST_MEMORY && opcode <= OP_LAST_MEMORY)
    return note_memory(reader, opcode);
  if (opcode >= OP_FIRST_NUMERIC && opcode <= OP_LAST_NUMERIC)
    return add_effect(reader, TOKEN_OPERATION, operation_class(opcode));
  if (opcode >= OP_FIRST_PREFIX)
    return note_prefixed(reader, opcode);
  if (opcode >= LOCAL_GET && opcode <= LOCAL_TEE)
    mix(reader, wi_cursor_u32(&reader->in));
  return true;
}

static bool note(wi_code_reader *reader, uint32_t offset) {
  reader->in.offset = offset;
  uint8_t opcode = wi_cursor_u8(&reader->in);
  mix(reader, opcode);
  switch (opcode) {
  case CALL:
  case RETURN_CALL: return note_call(reader);
  case CALL_INDIRECT:
  case RETURN_CALL_INDIRECT: return note_indirect_call(reader);
  case I32_CONST: return note_constant(reader, opcode, wi_cursor_signed(&reader->in, 32));
  case I64_CONST: return note_constant(reader, opcode, wi_cursor_signed(&reader->in, 64));
  case OP_F32_CONST: return note_bytes(reader, opcode, 4);
  case OP_F64_CONST: return note_bytes(reader, opcode, 8);
  case BR_TABLE: return note_table(reader);
  case BR:
  case BR_IF: mix(reader, wi_cursor_u32(&reader->in)); return true;
  default: return note_plain(reader, opcode);
  }
}

/* ---- Tokens of a function ---------------------------------------------------------- */

static bool keep_token(wi_features *features, uint64_t token) {
  uint64_t *kept = WI_ARRAY_PUSH(features, tokens);
  if (kept)
    *kept = token;
  return kept != NULL;
}

/* A token that occurs eight times becomes four tokens, for at least 1, 2, 4 and 8 occurrences. */
static bool keep_tokens(wi_code_reader *reader) {
  wi_features *features = reader->features;
  uint32_t first = features->tokens_count;
  if (reader->found_count > 0)
    qsort(reader->found, reader->found_count, sizeof *reader->found, wi_compare_u64);
  for (uint32_t i = 0, run = 0; i < reader->found_count; i++) {
    run = i > 0 && reader->found[i] == reader->found[i - 1] ? run + 1 : 1;
    if ((run & (run - 1)) == 0 && !keep_token(features, wi_hash_mix(reader->found[i], run)))
      return false;
  }
  uint32_t count = features->tokens_count - first;
  if (count > 0)
    qsort(features->tokens + first, count, sizeof *features->tokens, wi_compare_u64);
  reader->function->tokens = (wi_range){first, count};
  return true;
}

static bool read_instructions(wi_code_reader *reader) {
  uint32_t size = 0;
  for (uint32_t i = 0; i < reader->scan.sites_count; i++) {
    if (reader->scan.sites[i].kind != WI_SITE_INSTRUCTION)
      continue;
    size++;
    if (!note(reader, reader->scan.sites[i].offset))
      return false;
  }
  reader->function->size = size;
  return true;
}

bool wi_code_read(wi_code_reader *reader, wi_features *features, uint32_t function,
                  wi_error *error) {
  static const wi_scan_wants wants = {.instructions = true};
  const wi_module *module = features->module;
  wi_error ignored;
  wi_error_reset(&ignored);
  uint32_t body = function - module->imports_count;
  if (!wi_scan_body(&reader->scan, module, body, &wants, error))
    return false;
  reader->in = wi_cursor_at(module->bytes, module->bodies[body], &ignored);
  reader->features = features;
  reader->function = &features->functions[function];
  reader->function->calls.first = features->links_count;
  reader->exact = reader->family = reader->function->type;
  reader->before = reader->random = 0;
  reader->found_count = 0;
  bool done = read_instructions(reader) && add_token(reader, TOKEN_TYPE, reader->function->type) &&
              keep_tokens(reader);
  reader->function->exact = reader->exact;
  reader->function->family = reader->function->size < SHORT_SIZE
                                 ? reader->family
                                 : wi_hash_mix(reader->family, reader->random);
  return done || wi_error_memory(error);
}
