/* The linked form of hooks: imports that the host supplies (contract: wasm_perf.h). */
#ifndef WI_HOOKS_LINKED_LINKED_H_
#define WI_HOOKS_LINKED_LINKED_H_

#include "rewrite/plan.h"

extern const wi_form wi_linked_form;

#endif /* WI_HOOKS_LINKED_LINKED_H_ */
