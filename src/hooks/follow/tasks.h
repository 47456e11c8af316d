/*
 * Goroutines of TinyGo with its scheduler "asyncify": where they are started, called and rewound.
 * runtime/embedded/tasks.c describes what for.
 *
 * The scheduler is told by its shape, wherever functions were inlined: it calls through the table
 * a function with an i32, and asyncify_stop_unwind right after. Who started a goroutine takes the
 * name of a function.
 */
#ifndef WI_HOOKS_FOLLOW_TASKS_H_
#define WI_HOOKS_FOLLOW_TASKS_H_

#include "hooks/follow/go.h"

/*
 * Fills in *go, where that is no program yet and the module is such a one. False, with *error
 * filled in, on failure. `scan` is working memory.
 */
bool wi_tasks_find(wi_go *go, const wi_module *module, const wi_options *options, wi_scan *scan,
                   wi_error *error);

/* Whether a goroutine is called at the scanned body's site; whether one has returned there. */
bool wi_tasks_is_switch(const wi_go *go, const wi_module *module, const wi_scan *scan,
                        const wi_site *site);
bool wi_tasks_is_return(const wi_go *go, const wi_module *module, const wi_scan *scan,
                        const wi_site *site);

#endif /* WI_HOOKS_FOLLOW_TASKS_H_ */
