#include "symbols/straight_code.h"

#include <stdlib.h>
#include <string.h>

#include "code/instruction_text.h"
#include "code/opcodes.h"
#include "symbols/callee.h"
#include "symbols/mix.h"

bool wi_straight_code_read(wi_straight_code *code, const wi_module *module, const wi_scan *scan) {
  code->module = module;
  code->items_count = 0;
  uint32_t open = WI_NO_ITEM;
  for (uint32_t i = 0; i < scan->sites_count; i++) {
    const wi_site *site = &scan->sites[i];
    if (site->kind != WI_SITE_INSTRUCTION)
      continue;
    wi_code_item *item = WI_ARRAY_PUSH(code, items);
    if (!item)
      return false;
    uint32_t index = code->items_count - 1;
    *item = (wi_code_item){site->offset, open, WI_NO_ITEM, WI_NO_ITEM};
    wi_nesting nesting = wi_instruction_nesting(module->bytes[site->offset]);
    if (nesting.opens && !nesting.closes) {
      open = index;
    } else if (nesting.closes && open != WI_NO_ITEM) {
      wi_code_item *opener = &code->items[open];
      if (nesting.opens) {
        opener->otherwise = index;
      } else {
        opener->end = index;
        open = opener->opener;
      }
    }
  }
  return true;
}

void wi_straight_code_clear(wi_straight_code *code) {
  free(code->items);
  *code = (wi_straight_code){0};
}

static uint8_t opcode_at(const wi_straight_code *code, uint32_t item) {
  return code->module->bytes[code->items[item].offset];
}

uint32_t wi_straight_code_target(const wi_straight_code *code, uint32_t item, uint32_t label) {
  uint32_t opener = code->items[item].opener;
  for (; label > 0 && opener != WI_NO_ITEM; label--)
    opener = code->items[opener].opener;
  if (opener == WI_NO_ITEM)
    return WI_NO_ITEM;
  return opcode_at(code, opener) == LOOP ? opener : code->items[opener].end;
}

uint32_t wi_straight_code_otherwise(const wi_straight_code *code, uint32_t item) {
  const wi_code_item *opener = &code->items[item];
  return opener->otherwise != WI_NO_ITEM ? opener->otherwise + 1 : opener->end;
}

/* Parts of names, mangled or not, of functions that only report a failure and do not return. */
static const char *const failures[] = {
    /* Rust */
    "core::panicking::", "4core9panicking", "unwrap_failed", "expect_failed", "slice_error_fail",
    "slice_index_order_fail", "_index_len_fail", "handle_alloc_error", "capacity_overflow",
    /* C and C++ */
    "__assert_fail", "__clang_call_terminate", "__stack_chk_fail", "__ubsan_handle_",
    /* Go, TinyGo, AssemblyScript */
    "runtime.panic", "runtime.lookupPanic", "runtime.slicePanic", "runtime.nilPanic",
    "runtime.divideByZeroPanic", "~lib/builtins/abort"};

static bool is_failure(const wi_straight_code *code, uint32_t item, wi_names *names) {
  uint32_t callee = wi_callee_of(code->module->bytes + code->items[item].offset);
  const char *name = callee == WI_NO_FUNCTION ? NULL : wi_names_get(names, callee);
  for (size_t i = 0; name && i < sizeof failures / sizeof *failures; i++)
    if (strstr(name, failures[i]))
      return true;
  return false;
}

/* Whether the instruction may continue elsewhere, except by a call or a trap. */
static bool may_branch(uint8_t opcode) {
  enum { THROW = 0x08, RETHROW, THROW_REF, RETURN_CALL_REF = 0x15 };
  switch (opcode) {
  case LOOP:
  case IF:
  case ELSE:
  case THROW:
  case RETHROW:
  case THROW_REF:
  case BR:
  case BR_IF:
  case BR_TABLE:
  case RETURN:
  case RETURN_CALL:
  case RETURN_CALL_INDIRECT:
  case RETURN_CALL_REF:
  case BR_ON_NULL:
  case BR_ON_NON_NULL: return true;
  default: return false;
  }
}

bool wi_straight_code_fails(const wi_straight_code *code, uint32_t item, wi_names *names) {
  enum { MOST_INSTRUCTIONS = 100 }; /* messages have few arguments */
  bool has_call = false, has_failure = false;
  for (uint32_t i = item, n = 0; i < code->items_count && n < MOST_INSTRUCTIONS; i++, n++) {
    const uint8_t *at = code->module->bytes + code->items[i].offset;
    if (*at == UNREACHABLE)
      return has_failure || !has_call;
    if (may_branch(*at))
      return false;
    if (wi_mix_of(at) == WASM_PERF_MIX_CALL) {
      has_call = true;
      has_failure |= is_failure(code, i, names);
    }
  }
  return false;
}
