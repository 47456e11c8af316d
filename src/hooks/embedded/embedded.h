/* The embedded form of hooks: the runtime is merged into the module. Its parts are in survey.h. */
#ifndef WI_HOOKS_EMBEDDED_EMBEDDED_H_
#define WI_HOOKS_EMBEDDED_EMBEDDED_H_

#include "rewrite/plan.h"

extern const wi_form wi_embedded_form;

#endif /* WI_HOOKS_EMBEDDED_EMBEDDED_H_ */
