/*
 * Modules that Binaryen's Asyncify pass lets suspend and resume. To resume, the host calls the same
 * exports again, and each function on the way sees from a global that it is rewound, not called.
 */
#ifndef WI_HOOKS_FOLLOW_ASYNCIFY_H_
#define WI_HOOKS_FOLLOW_ASYNCIFY_H_

#include "module/module.h"
#include "support/buffer.h"

/* The state's value while functions are rewound (Binaryen, src/passes/Asyncify.cpp). */
#define WI_ASYNCIFY_REWINDING 2

#define WI_NO_GLOBAL UINT32_MAX

/* Globals of a module, WI_NO_GLOBAL where Asyncify has not transformed it. */
typedef struct wi_asyncify {
  uint32_t state; /* whether functions are called, unwound or rewound */
  uint32_t data;  /* the address of what is unwound or rewound */
} wi_asyncify;

wi_asyncify wi_asyncify_find(const wi_module *module);

/* Appends an i64: 1 where the function is called, 0 where it is rewound and was called before. */
void wi_asyncify_put_is_called(uint32_t state_global, wi_buffer *out);

#endif /* WI_HOOKS_FOLLOW_ASYNCIFY_H_ */
