/*
 * Places the embedded runtime in the output and configures it: embed_config, see
 * runtime/embedded/embed.h.
 */
#ifndef WI_HOOKS_EMBEDDED_CONFIG_H_
#define WI_HOOKS_EMBEDDED_CONFIG_H_

#include "hooks/embedded/survey.h"

/*
 * Decides the output indices and configures the runtime. The plan must already contain all types
 * that it adds itself. Adds the imports that the runtime needs to the plan's.
 */
bool wi_embed_place(wi_plan *plan, const wi_options *options, wi_error *error);

#endif /* WI_HOOKS_EMBEDDED_CONFIG_H_ */
