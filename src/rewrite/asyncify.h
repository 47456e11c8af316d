/*
 * Modules that Binaryen's Asyncify pass has made able to stop and go on: to go on, the host calls
 * the exports again that led to where they stopped, and each function on the way finds out from a
 * global that it is rewound, not called.
 */
#ifndef WI_REWRITE_ASYNCIFY_H_
#define WI_REWRITE_ASYNCIFY_H_

#include "module/module.h"

#define WI_ASYNCIFY_REWINDING                                                                      \
  2 /* the global's value meanwhile (Binaryen, src/passes/Asyncify.cpp) */
#define WI_NO_GLOBAL UINT32_MAX

/* The index of that global, or WI_NO_GLOBAL for a module that Asyncify has not been at. */
uint32_t wi_asyncify_state_global(const wi_module *module);

#endif /* WI_REWRITE_ASYNCIFY_H_ */
