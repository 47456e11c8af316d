/*
 * Goroutines of TinyGo with its scheduler "asyncify": finds where they are started, called and
 * rewound. runtime/embedded/tasks.c describes what for.
 *
 * The scheduler is recognised by its structure, even if inlined: it calls a function with an i32
 * through the table, followed by asyncify_stop_unwind. Attributing a goroutine to the function that
 * started it needs a function name.
 */
#ifndef WI_HOOKS_FOLLOW_TASKS_H_
#define WI_HOOKS_FOLLOW_TASKS_H_

#include "hooks/follow/go.h"

/*
 * Fills in *go if it is still empty and the module is such a program. Returns false, with *error
 * set, on failure. `scan` is working memory.
 */
bool wi_tasks_find(wi_go *go, const wi_module *module, const wi_options *options, wi_scan *scan,
                   wi_error *error);

/*
 * Whether a goroutine is called at this site of the scanned body; and whether one has returned
 * there.
 */
bool wi_tasks_is_switch(const wi_go *go, const wi_module *module, const wi_scan *scan,
                        const wi_site *site);
bool wi_tasks_is_return(const wi_go *go, const wi_module *module, const wi_scan *scan,
                        const wi_site *site);

#endif /* WI_HOOKS_FOLLOW_TASKS_H_ */
