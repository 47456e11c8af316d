/* Where branches of a function lead, and whether the code there only reports a failure. */
#ifndef WI_SYMBOLS_STRAIGHT_CODE_H_
#define WI_SYMBOLS_STRAIGHT_CODE_H_

#include "code/scan.h"
#include "module/names.h"

/* An instruction of the function. */
typedef struct wi_code_item {
  uint32_t offset;
  uint32_t opener;         /* the innermost structured instruction around it; WI_NO_ITEM: none */
  uint32_t otherwise, end; /* of a structured instruction: its else and end; WI_NO_ITEM: none */
} wi_code_item;

#define WI_NO_ITEM UINT32_MAX

/* Zero it before use. */
typedef struct wi_straight_code {
  const wi_module *module;
  WI_ARRAY(wi_code_item, items); /* in order */
} wi_straight_code;

/* Reads the instructions of a scanned function. False: out of memory. */
bool wi_straight_code_read(wi_straight_code *code, const wi_module *module, const wi_scan *scan);

void wi_straight_code_clear(wi_straight_code *code);

/* The instruction at which a branch in `item` to this label continues; WI_NO_ITEM: it returns. */
uint32_t wi_straight_code_target(const wi_straight_code *code, uint32_t item, uint32_t label);

/* The instruction at which the `if` in `item` continues when its condition is false. */
uint32_t wi_straight_code_otherwise(const wi_straight_code *code, uint32_t item);

/*
 * Whether the code from `item` on traps without branching, and the trap, or a function that it
 * calls before, is what compilers generate for a failure: a bounds check, an assertion, a panic.
 */
bool wi_straight_code_fails(const wi_straight_code *code, uint32_t item, wi_names *names);

#endif /* WI_SYMBOLS_STRAIGHT_CODE_H_ */
