/* Adds types and imports to the plan. */
#include "rewrite/additions.h"

#include <stdlib.h>
#include <uthash.h>

/* A type [] -> results that the block around a wrapped body may use. */
struct wi_block_type {
  uint32_t type_index;
  UT_hash_handle hh;
};

/* ---- Imports ------------------------------------------------------------ */

static const struct {
  const char *bytes;
  size_t size;
} signatures[] = {
#define SIGNATURE_ROW(id, encoding) {encoding, sizeof encoding - 1},
    WI_SIGNATURES(SIGNATURE_ROW)
#undef SIGNATURE_ROW
};

/* Appends a function type, which forms its own recursion group. Returns its type index. */
static uint32_t append_function_type(wi_plan *plan, const void *encoding, size_t size) {
  enum { FORM_FUNC = 0x60 };
  wi_buffer_u8(&plan->types, FORM_FUNC);
  wi_buffer_append(&plan->types, encoding, size);
  return plan->module->types_count + plan->type_count++;
}

void wi_plan_need_type(wi_plan *plan, wi_signature signature) {
  uint32_t *type = &plan->signature_types[signature];
  if (*type == WI_NO_TYPE)
    *type = append_function_type(plan, signatures[signature].bytes, signatures[signature].size);
}

uint32_t wi_plan_add_import(wi_plan *plan, const char *name, wi_signature signature) {
  wi_added_import *import = WI_ARRAY_PUSH(plan, added);
  if (!import)
    return WI_NO_FUNCTION;
  wi_plan_need_type(plan, signature);
  *import = (wi_added_import){name, signature};
  return plan->module->imports_count + plan->import_count++;
}

void wi_plan_append_imports(const wi_plan *plan, const char *import_module, wi_buffer *out) {
  for (uint32_t i = 0; i < plan->added_count; i++) {
    wi_buffer_name(out, import_module);
    wi_buffer_name(out, plan->added[i].name);
    wi_buffer_u8(out, WI_EXTERN_FUNCTION);
    wi_buffer_u32(out, plan->signature_types[plan->added[i].signature]);
  }
}

/* ---- Block types -------------------------------------------------------- */

static bool remember_block_type(wi_plan *plan, wi_span results, uint32_t type_index) {
  const uint8_t *key = plan->module->bytes + results.offset;
  wi_block_type *known;
  HASH_FIND(hh, plan->block_types, key, results.size, known);
  if (known)
    return true;
  wi_block_type *added = malloc(sizeof *added);
  if (!added)
    return false;
  added->type_index = type_index;
  HASH_ADD_KEYPTR(hh, plan->block_types, key, results.size, added);
  return true;
}

bool wi_plan_find_block_types(wi_plan *plan) {
  const wi_module *module = plan->module;
  for (uint32_t i = 0; i < module->types_count; i++) {
    const wi_type *type = &module->types[i];
    if (type->is_function && type->param_count == 0 && type->result_count > 1 &&
        !remember_block_type(plan, type->results, i))
      return false;
  }
  return true;
}

uint32_t wi_plan_block_type(const wi_plan *plan, const wi_type *type) {
  wi_block_type *known;
  HASH_FIND(hh, plan->block_types, plan->module->bytes + type->results.offset, type->results.size,
            known);
  return known ? known->type_index : UINT32_MAX;
}

bool wi_plan_add_block_type(wi_plan *plan, const wi_type *type) {
  if (wi_plan_block_type(plan, type) != UINT32_MAX)
    return true;
  wi_buffer encoding = {0};
  wi_buffer_u8(&encoding, 0); /* no parameters */
  wi_buffer_u32(&encoding, type->result_count);
  wi_buffer_append(&encoding, plan->module->bytes + type->results.offset, type->results.size);
  uint32_t type_index = append_function_type(plan, encoding.data, encoding.size);
  bool done = !encoding.failed && remember_block_type(plan, type->results, type_index);
  wi_buffer_clear(&encoding);
  return done;
}

bool wi_plan_need_block_type(wi_plan *plan, const wi_scan *scan, uint32_t function) {
  const wi_type *type = wi_module_function_type(plan->module, function);
  bool may_be_wrapped = type && type->result_count > 1 && scan->conditional_exit;
  return !may_be_wrapped || wi_plan_add_block_type(plan, type);
}

void wi_plan_clear_block_types(wi_plan *plan) {
  wi_block_type *item, *next;
  HASH_ITER(hh, plan->block_types, item, next) {
    HASH_DEL(plan->block_types, item);
    free(item);
  }
}
