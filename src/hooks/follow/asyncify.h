/*
 * Modules that Binaryen's Asyncify pass lets suspend and resume. To resume, the host calls the same
 * exports again. A global tells each function on the way that it is rewound rather than called.
 */
#ifndef WI_HOOKS_FOLLOW_ASYNCIFY_H_
#define WI_HOOKS_FOLLOW_ASYNCIFY_H_

#include "module/module.h"
#include "support/buffer.h"

/* The state's value during a rewind (Binaryen, src/passes/Asyncify.cpp). */
#define WI_ASYNCIFY_REWINDING 2

/* Globals of a module; WI_NO_GLOBAL if Asyncify has not transformed it. */
typedef struct wi_asyncify {
  uint32_t state; /* whether functions are called, unwound or rewound */
  uint32_t data;  /* the address of the unwound data */
} wi_asyncify;

wi_asyncify wi_asyncify_find(const wi_module *module);

/* Appends an i64: 1 if the function is called, 0 if it is rewound, and so was counted before. */
void wi_asyncify_put_is_called(uint32_t state_global, wi_buffer *out);

#endif /* WI_HOOKS_FOLLOW_ASYNCIFY_H_ */
