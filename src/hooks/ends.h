/* Where a WASI program ends, and which calls never return. */
#ifndef WI_HOOKS_ENDS_H_
#define WI_HOOKS_ENDS_H_

#include "code/scan.h"

typedef struct wi_ends {
  uint32_t exits[2]; /* imports that exit the program, or WI_NO_FUNCTION */
  uint32_t entry;    /* the program ends when this returns; or WI_NO_FUNCTION */
} wi_ends;

extern const wi_ends wi_no_ends;

/* The ends of a command of WASI preview 1. */
wi_ends wi_ends_find(const wi_module *module);

/* Adds the ends of a WASI 0.2 command, unless preview 1 has some; modules may mix the two. */
void wi_ends_add_component(wi_ends *ends, const wi_module *module);

/* Whether a call of that function (WI_NO_FUNCTION: unknown) exits the program. */
static inline bool wi_ends_is_exit(const wi_ends *ends, uint32_t function) {
  return function != WI_NO_FUNCTION && (function == ends->exits[0] || function == ends->exits[1]);
}

/*
 * Whether a call of an import ends by an exception that another instance catches: the module shares
 * exceptions and has an unreachable after the call, as compilers put it after __cxa_throw.
 */
bool wi_ends_by_throw(const wi_module *module, const wi_site *call);

#endif /* WI_HOOKS_ENDS_H_ */
